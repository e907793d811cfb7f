// What a worker says with the gradients of a bucket, and what a server answers. Plain values, the same on every way between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine::parameter_server {

struct ByteRange {
    std::size_t offset = 0, bytes = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// What of the worker's region belongs to a push: whole gradients, and of gradients of tables (plan::rowTables()) the rows that are not
// zero.
struct PushedRanges {
    std::span<const ByteRange> whole{}, rows{};
};

struct PushRequest {
    std::uint64_t generation = 0;   // of the values that the gradients were computed from
    std::int64_t seen_version = 0;  // updates of the bucket that those values had
    std::int32_t bucket = 0;
    float learning_rate = 0;
    bool ends_step = false;  // to server 0 with the last bucket of a step: the global step counts it
    // What went between the two since the push before: variables to the worker, gradients to the server.
    std::int64_t pulled_bytes = 0, pushed_bytes = 0;
};

struct PushReply {
    bool is_void = false;          // the server holds values of another generation: nothing was applied
    std::int64_t staleness = 0;    // updates of the bucket between the pull and this one
    std::int64_t global_step = 0;  // with ends_step: this step's number, from 1
};

// What steps of an epoch add up to, as the header of a step has it (samples, loss and metrics): of one worker so far, or of all that have
// told.
struct EpochSums {
    std::int64_t epoch = 0;  // from 0
    std::int64_t whole = 0;  // how many workers have told the last sums of their epoch; of one worker 1 when these are its last
    std::vector<double> sums{};
};

}  // namespace engine::parameter_server
