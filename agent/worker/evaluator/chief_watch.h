// Whether the chief of an evaluator without an agent still lives, as far as the run's folder tells: nothing else is sure to be shared with
// it, and a chief that trains alone listens at no address.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/files/safe_folder.h"
#include "engine/spec/events/task_event.h"

namespace agent::worker {

struct ChiefWatchOptions {
    std::shared_ptr<const engine::files::SafeFolder> folder;  // of the run
    std::string chief = "the chief";                          // "worker 0 at node1:2222", for messages
    std::chrono::milliseconds away_at_most{};                 // how long a chief that was there may show no sign of life
    std::chrono::milliseconds comes_within{};                 // and one that was not there yet
    std::function<void(engine::spec::LogLevel, const std::string&)> says{};
    std::function<std::chrono::steady_clock::time_point()> now = &std::chrono::steady_clock::now;
};

// Signs of life: somebody holds the folder's claim (agent/local/folder_claim.h), as a chief does from its start to its end; the events of a
// task that trains grow (agent/local/event_files.h), as they do every second, with its heartbeats; the list of checkpoints grows. Each
// stands in for the others, on a file system without locks or on a full disk. Times of files don't count, so that the computers' clocks may
// differ. A time in which nobody asks counts as a short one: an evaluation may take longer than a chief may be away. One thread.
class ChiefWatch {
public:
    explicit ChiefWatch(ChiefWatchOptions options) : options_(std::move(options)) {}

    // Looks, once a second at most. Returns why the chief is given up; nullopt while it lives or may still come. A chief that comes back
    // after that is taken again.
    std::optional<std::string> lost();

private:
    // A file that grows, or is made anew, while the chief lives.
    struct Trace {
        std::string name;
        std::uint64_t file = 0;  // its number in the file system
        std::int64_t bytes = 0;
        friend bool operator==(const Trace&, const Trace&) = default;
    };
    std::vector<Trace> traces() const;
    bool findsSign();
    void say(engine::spec::LogLevel level, const std::string& text) const;

    const ChiefWatchOptions options_;
    std::optional<std::chrono::steady_clock::time_point> looked_;
    std::optional<std::vector<Trace>> traces_;  // of the last look
    std::chrono::steady_clock::duration silence_{};
    bool was_seen_ = false, has_warned_ = false;
    std::optional<std::string> lost_;
};

}  // namespace agent::worker
