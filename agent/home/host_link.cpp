#include "agent/home/host_link.h"

#include <utility>
#include <variant>

#include "engine/spec/error.h"

namespace agent::home {

namespace {

constexpr int kLinkClockRounds = 5;
constexpr std::chrono::seconds kClockDeadline{5};

}  // namespace

engine::spec::TaskEvent corrected(engine::spec::TaskEvent event, std::chrono::nanoseconds offset) {
    event.time_unix_ns -= offset.count();
    if (auto* points = std::get_if<engine::spec::StepPoints>(&event.body)) {
        for (std::int64_t& time : points->time_unix_ns) {
            time -= offset.count();
        }
    }
    return event;
}

HostLink::Live::Live(const hosts::Host& host, const hosts::FarOptions& options)
    : agent_(host, options), parts_(agent_.channel()), offset_(agent_.clockOffset(kLinkClockRounds, kClockDeadline).offset) {}

void HostLink::Live::watchLoads(const std::shared_ptr<LoadRelay>& relay) {
    const engine::MutexLock lock(mutex_);
    if (loads_) {
        return;
    }
    const std::int64_t now = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch() + offset_).count();
    const std::int64_t after = relay->newestUnixNs() > 0 ? relay->newestUnixNs() : now;
    loads_ = client().watchHost(after, {.loads =
                                            [relay, offset = offset_](std::vector<engine::spec::HostLoad> loads) {
                                                relay->take(std::move(loads), offset);
                                                return true;
                                            },
                                        .finished = [](const std::optional<std::string>&) {}});
}

HostLink::HostLink(hosts::Host host, hosts::FarOptions options)
    : host_(std::move(host)),
      options_(std::move(options)),
      relay_(std::make_shared<LoadRelay>(host_.name)),
      live_(std::make_shared<Live>(host_, options_)) {}

void HostLink::showLoads(const std::string& far_run, const std::string& run, server::LoadSink sink, LoadRelay::Shown shown) {
    relay_->follow(far_run, run, std::move(sink), shown);
    if (const std::shared_ptr<Live> now = live()) {
        now->watchLoads(relay_);
    }
}

std::shared_ptr<HostLink::Live> HostLink::live() const {
    const engine::MutexLock lock(mutex_);
    return live_;
}

std::shared_ptr<HostLink::Live> HostLink::again(const std::shared_ptr<Live>& lost, const std::function<bool()>& is_cancelled) {
    {
        const engine::MutexLock lock(mutex_);
        if (live_ && live_ != lost) {
            return live_;
        }
        live_.reset();
        if (std::exchange(connects_, true)) {
            return nullptr;
        }
    }
    std::shared_ptr<Live> made;
    try {
        hosts::FarOptions options = options_;
        options.is_cancelled = is_cancelled;
        made = std::make_shared<Live>(host_, options);
        if (relay_->isWanted()) {
            made->watchLoads(relay_);
        }
    } catch (...) {  // whatever it was, the next one tries again
        const engine::MutexLock lock(mutex_);
        connects_ = false;
        throw;
    }
    const engine::MutexLock lock(mutex_);
    connects_ = false;
    live_ = made;
    return made;
}

}  // namespace agent::home
