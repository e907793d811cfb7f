#include "agent/worker/control_watch.h"

#include <utility>

#include "agent/local/control_file.h"
#include "engine/spec/error.h"

namespace agent::worker {

ControlWatch::ControlWatch(std::shared_ptr<const engine::files::SafeFolder> run_folder, Handlers handlers,
                           std::chrono::milliseconds interval)
    : folder_(std::move(run_folder)), handlers_(std::move(handlers)), interval_(interval) {
    try {
        const auto there = convert::readControls(*folder_);
        seen_ = there.empty() ? 0 : there.back().number;
    } catch (const engine::Error&) {
        // The first look says what is wrong.
    }
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

ControlWatch::~ControlWatch() {
    thread_.request_stop();
    thread_.join();
}

void ControlWatch::look() {
    try {
        for (const convert::NumberedControl& one : convert::readControls(*folder_)) {
            if (one.number > seen_) {
                seen_ = one.number;
                handlers_.control(one.control);
            }
        }
        told_.clear();
    } catch (const engine::Error& error) {
        if (std::exchange(told_, error.what()) != error.what()) handlers_.problem(error.what());
    }
}

void ControlWatch::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        look();
        engine::MutexLock lock(mutex_);
        wake_.wait_for(lock, stop, interval_, [] { return false; });
    }
}

}  // namespace agent::worker
