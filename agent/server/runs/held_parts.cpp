#include "agent/server/runs/held_parts.h"

#include <algorithm>
#include <utility>

#include "agent/local/secret.h"
#include "engine/spec/error.h"

namespace agent::server {

HeldParts::HeldParts(std::chrono::milliseconds held_for)
    : held_for_(held_for), thread_([this](const std::stop_token& stop) { letGo(stop); }) {}

HeldParts::~HeldParts() {
    thread_.request_stop();
    changed_.notify_all();
}

std::string HeldParts::hold(std::vector<PortReservation> ports) {
    std::string id = convert::toHex(convert::makeSecret());  // nobody else can name it
    {
        const engine::MutexLock lock(mutex_);
        held_[id] = {std::move(ports), std::chrono::steady_clock::now() + held_for_};
    }
    changed_.notify_all();
    return id;
}

std::vector<PortReservation> HeldParts::take(const std::string& id, const std::vector<int>& ports) {
    const engine::MutexLock lock(mutex_);
    const auto found = held_.find(id);
    if (found == held_.end()) {
        throw engine::Error(engine::ErrorCode::kNotFound,
                            "part: expected to be started within " +
                                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(held_for_).count()) +
                                " s of its preparation, what was held for it is gone");
    }
    std::vector<PortReservation>& held = found->second.ports;
    const auto at = [&](int port) {
        return std::find_if(held.begin(), held.end(), [port](const PortReservation& one) { return one.port() == port; });
    };
    for (const int port : ports) {
        if (at(port) == held.end()) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument,
                                "part: expected a port that is held for it, got " + std::to_string(port));
        }
    }
    std::vector<PortReservation> taken;
    for (const int port : ports) {
        if (const auto one = at(port); one != held.end()) {
            taken.push_back(std::move(*one));
            held.erase(one);
        }
    }
    if (held.empty()) {
        held_.erase(found);
    }
    return taken;
}

void HeldParts::drop(const std::string& id) {
    const engine::MutexLock lock(mutex_);
    held_.erase(id);
}

HeldParts::Start::Start(HeldParts& parts, const std::string& id, const std::vector<int>& ports) : parts_(parts), key_(id, ports) {
    const engine::MutexLock lock(parts_.mutex_);
    std::vector<Started>& all = parts_.started_;
    const auto before = std::find_if(all.begin(), all.end(), [this](const Started& one) { return one.key == key_; });
    if (before != all.end() && before->run.empty()) {
        throw engine::Error(engine::ErrorCode::kUnavailable, "part: is being started, ask again");
    }
    if (before != all.end()) {
        run_ = before->run;
        return;
    }
    if (all.size() == kMostStarted) {
        all.erase(all.begin());
    }
    all.push_back({key_, ""});
}

HeldParts::Start::~Start() {
    const engine::MutexLock lock(parts_.mutex_);
    std::erase_if(parts_.started_, [this](const Started& one) { return one.key == key_ && one.run.empty(); });
}

void HeldParts::Start::become(const std::string& run) {
    const engine::MutexLock lock(parts_.mutex_);
    for (Started& one : parts_.started_) {
        one.run = one.key == key_ ? run : one.run;
    }
}

void HeldParts::letGo(const std::stop_token& stop) {
    engine::MutexLock lock(mutex_);
    while (!stop.stop_requested()) {
        changed_.wait(lock, stop, [this]() TANDEM_REQUIRES(mutex_) { return !held_.empty(); });
        auto next = std::chrono::steady_clock::now() + held_for_;
        for (const auto& [id, held] : held_) {
            next = std::min(next, held.until);
        }
        changed_.wait_until(lock, stop, next, [] { return false; });
        const auto now = std::chrono::steady_clock::now();
        std::erase_if(held_, [now](const auto& entry) { return entry.second.until <= now; });
    }
}

}  // namespace agent::server
