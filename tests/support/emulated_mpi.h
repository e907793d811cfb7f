// MPI between threads of a test: a member is the thread that calls, sums are in the order of ranks.
#pragma once

#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/distribute/mpi/mpi_functions.h"

namespace tests::support {

// One at a time. Threads that are still in a call when it goes keep what they use.
class EmulatedMpi {
public:
    EmulatedMpi() { current() = world_; }
    ~EmulatedMpi() {
        const std::lock_guard lock(world_->mutex);
        world_->joins = true;
        world_->changed.notify_all();
    }
    EmulatedMpi(const EmulatedMpi&) = delete;
    EmulatedMpi& operator=(const EmulatedMpi&) = delete;

    static const engine::distribute::mpi::Functions& functions() {
        using engine::distribute::mpi::Text;
        static const engine::distribute::mpi::Functions kFunctions{.version = engine::distribute::mpi::kFunctionsVersion,
                                                                   .library = [](Text text) { put(text, "Emulated MPI v1.0"); },
                                                                   .begin = &begin,
                                                                   .transport = [](Text text) { put(text, "threads of a test"); },
                                                                   .start_sum = &startSum,
                                                                   .start_broadcast = &startBroadcast,
                                                                   .test = &test,
                                                                   .end = &end};
        return kFunctions;
    }

    // From now on every operation fails with `problem`; empty: none fails.
    void failOperations(const std::string& problem) {
        const std::lock_guard lock(world_->mutex);
        world_->operations_fail = problem;
    }
    void failJoining(const std::string& problem) {
        const std::lock_guard lock(world_->mutex);
        world_->joining_fails = problem;
    }
    // Nobody ever joins, and the calls don't return before this goes.
    void holdJoining() {
        const std::lock_guard lock(world_->mutex);
        world_->joins = false;
    }
    int leftInOrder() const {
        const std::lock_guard lock(world_->mutex);
        return world_->left_in_order;
    }

private:
    using Text = engine::distribute::mpi::Text;
    using Moved = engine::distribute::mpi::Moved;

    struct Operation {
        std::vector<std::vector<std::byte>> given;  // by rank
        std::size_t arrived = 0;
        int root = -1;  // of a broadcast
    };
    struct World {
        std::mutex mutex;
        std::condition_variable changed;
        std::vector<Operation> operations;
        std::string operations_fail, joining_fails;
        bool joins = true;
        int left_in_order = 0;
    };
    struct Member {
        std::shared_ptr<World> world;
        std::size_t rank = 0, size = 0, operation = 0;
        std::byte* data = nullptr;
        std::size_t bytes = 0;
    };

    static std::shared_ptr<World>& current() {
        static std::shared_ptr<World> world;
        return world;
    }
    static Member& member() {
        thread_local Member one;
        return one;
    }
    static void put(Text text, std::string_view words) {
        const std::size_t length = std::min(words.size(), text.room - 1);
        std::memcpy(text.characters, words.data(), length);
        text.characters[length] = '\0';
    }

    static bool begin(int rank, int size, Text problem) {
        Member& one = member();
        one = {.world = current(), .rank = static_cast<std::size_t>(rank), .size = static_cast<std::size_t>(size)};
        std::unique_lock lock(one.world->mutex);
        one.world->changed.wait(lock, [&] { return one.world->joins; });
        put(problem, one.world->joining_fails);
        return one.world->joining_fails.empty();
    }
    static void start(std::byte* data, std::size_t bytes, const std::byte* from, int root) {
        Member& one = member();
        const std::lock_guard lock(one.world->mutex);
        std::vector<Operation>& operations = one.world->operations;
        if (operations.size() <= one.operation) operations.resize(one.operation + 1);
        Operation& operation = operations[one.operation];
        operation.given.resize(one.size);
        operation.given[one.rank].assign(from, from + bytes);
        ++operation.arrived;
        operation.root = root;
        one.data = data;
        one.bytes = bytes;
    }
    static bool startSum(const float* from, float* data, std::size_t count, Text /*problem*/) {
        start(reinterpret_cast<std::byte*>(data), count * sizeof(float), reinterpret_cast<const std::byte*>(from == nullptr ? data : from),
              -1);
        return true;
    }
    static bool startBroadcast(std::byte* data, std::size_t bytes, int root, Text /*problem*/) {
        start(data, bytes, data, root);
        return true;
    }
    static Moved test(Text problem) {
        Member& one = member();
        const std::lock_guard lock(one.world->mutex);
        if (!one.world->operations_fail.empty()) {
            put(problem, one.world->operations_fail);
            return Moved::kFailed;
        }
        const Operation& operation = one.world->operations[one.operation];
        if (operation.arrived < one.size) return Moved::kGoesOn;
        if (operation.root >= 0) {
            std::memcpy(one.data, operation.given[static_cast<std::size_t>(operation.root)].data(), one.bytes);
        } else {
            for (std::size_t i = 0; i < one.bytes; i += sizeof(float)) {
                float sum = 0, part = 0;
                for (std::size_t rank = 0; rank < one.size; ++rank) {
                    std::memcpy(&part, operation.given[rank].data() + i, sizeof part);
                    sum = rank == 0 ? part : sum + part;
                }
                std::memcpy(one.data + i, &sum, sizeof sum);
            }
        }
        ++one.operation;
        return Moved::kDone;
    }
    static bool end(Text /*problem*/) {
        const std::lock_guard lock(member().world->mutex);
        ++member().world->left_in_order;
        return true;
    }

    const std::shared_ptr<World> world_ = std::make_shared<World>();
};

}  // namespace tests::support
