// SPDX-License-Identifier: GPL-3.0-or-later
// One thread with a queue of jobs, in order. Jobs may block up to their own deadline; the destructor drops what has not begun and joins.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <stop_token>
#include <thread>

#include "engine/thread/mutex.h"

namespace ui::session {

class WorkerThread {
public:
    WorkerThread() : thread_([this](const std::stop_token& stop) { run(stop); }) {}
    ~WorkerThread() { finish(); }
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    // Appends a job. May be called from any thread; a job must not throw.
    void post(std::function<void()> job) {
        {
            const engine::MutexLock lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        ready_.notify_one();
    }

    // Waits for the job in progress, drops the others. Idempotent; call it before members that jobs use go.
    void finish() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
    }

private:
    void run(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::function<void()> job;
            {
                engine::MutexLock lock(mutex_);
                if (!ready_.wait(lock, stop, [this]() TANDEM_REQUIRES(mutex_) { return !jobs_.empty(); })) return;
                if (stop.stop_requested()) return;
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            job();
        }
    }

    engine::Mutex mutex_;
    std::condition_variable_any ready_;
    std::deque<std::function<void()>> jobs_ TANDEM_GUARDED_BY(mutex_);
    std::jthread thread_;  // last: starts when the rest is there
};

}  // namespace ui::session
