#include "agent/worker/file_limit.h"

#include <csignal>

#include <sys/resource.h>

namespace agent::worker {

namespace {

// The hard limit stays, so that this can be undone.
bool setSoftLimit(bool none_may_grow) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = none_may_grow ? 0 : limit.rlim_max;
    return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

}  // namespace

FileLimit::~FileLimit() {
    releaser_.request_stop();
    wake_.notify_all();
    if (releaser_.joinable()) releaser_.join();
    if (const engine::MutexLock lock(mutex_); is_held_) setSoftLimit(false);
}

bool FileLimit::hold(std::chrono::milliseconds lasting) {
    const engine::MutexLock lock(mutex_);
    std::signal(SIGXFSZ, SIG_IGN);  // else the first write would end the process
    if (!setSoftLimit(true)) {
        return false;
    }
    is_held_ = true;
    until_ = std::chrono::steady_clock::now() + lasting;
    if (!releaser_.joinable()) releaser_ = std::jthread([this](const std::stop_token& stop) { release(stop); });
    wake_.notify_all();
    return true;
}

void FileLimit::release(const std::stop_token& stop) {
    engine::MutexLock lock(mutex_);
    while (!stop.stop_requested()) {
        if (!is_held_) {
            wake_.wait(lock, stop, [this]() TANDEM_REQUIRES(mutex_) { return is_held_; });
        } else if (std::chrono::steady_clock::now() >= until_) {
            setSoftLimit(false);
            is_held_ = false;
        } else {
            const auto until = until_;
            wake_.wait_until(lock, stop, until, [this, until]() TANDEM_REQUIRES(mutex_) { return until_ != until; });
        }
    }
}

}  // namespace agent::worker
