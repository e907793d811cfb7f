// Files that can't grow: what this process writes fails for a time, as on a full disk, while nothing is filled.
#pragma once

#include <chrono>
#include <condition_variable>
#include <thread>

#include "engine/thread/mutex.h"

namespace agent::worker {

// The limit is the whole process'. Owned by the task; safe from any thread.
class FileLimit {
public:
    FileLimit() = default;
    // Files may grow again.
    ~FileLimit();
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

    // Every write that would make a file longer fails from now on with EFBIG; pipes and sockets are none. A second call takes the place of
    // the first. False where the system does not allow it.
    bool hold(std::chrono::milliseconds lasting);

private:
    void release(const std::stop_token& stop);

    engine::Mutex mutex_;
    std::condition_variable_any wake_;
    std::chrono::steady_clock::time_point until_ TANDEM_GUARDED_BY(mutex_){};
    bool is_held_ TANDEM_GUARDED_BY(mutex_) = false;
    std::jthread releaser_;  // from the first call on; last: it uses the others
};

}  // namespace agent::worker
