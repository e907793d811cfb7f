// Work that takes too long for a thread of gRPC, one piece after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

#include "engine/thread/mutex.h"

namespace agent::server {

// Safe from any thread. The destructor lets the job that is under way end, and runs those that wait: each ends a call of somebody.
class JobThread {
public:
    JobThread() : thread_([this](const std::stop_token& stop) { work(stop); }) {}
    JobThread(const JobThread&) = delete;
    JobThread& operator=(const JobThread&) = delete;

    // `job` throws nothing.
    void run(std::function<void()> job) {
        const engine::MutexLock lock(mutex_);
        jobs_.push_back(std::move(job));
        changed_.notify_one();
    }

private:
    void work(const std::stop_token& stop) {
        for (;;) {
            std::function<void()> job;
            {
                engine::MutexLock lock(mutex_);
                changed_.wait(lock, stop, [&]() TANDEM_REQUIRES(mutex_) { return !jobs_.empty(); });
                if (jobs_.empty()) {
                    return;
                }
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            job();
        }
    }

    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::function<void()>> jobs_ TANDEM_GUARDED_BY(mutex_);
    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::server
