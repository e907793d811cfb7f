#include "agent/server/followed/followed_loads.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "agent/local/process_mark.h"

namespace agent::server {

namespace spec = engine::spec;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::minutes kClockWindow{2};
constexpr std::chrono::milliseconds kLookAgain = 2s;  // at a process
constexpr std::chrono::milliseconds kPace = 900ms;    // between two readings of a computer, about one a second
constexpr std::size_t kMostWaiting = 300;             // readings of a computer, of before the folder was opened
constexpr std::int64_t kOldNs = 25'000'000'000;       // older than two of a task's readings: the task that told them is no more
constexpr std::int64_t kSecondNs = 1'000'000'000, kLatestNs = 4'000'000'000'000'000'000;

}  // namespace

// A minimum over all time would follow no clock that drifts or is set.
void ArrivalClock::note(std::int64_t there_unix_ns, std::int64_t here_unix_ns, SteadyTime now) {
    if (best_ && now - since_ >= kClockWindow) before_ = std::exchange(best_, std::nullopt);
    if (!best_) since_ = now;
    best_ = std::max(best_.value_or(there_unix_ns - here_unix_ns), there_unix_ns - here_unix_ns);
}

std::optional<std::int64_t> ArrivalClock::aheadNs() const {
    return best_ && before_ ? std::max(*best_, *before_) : best_;
}

void FollowedLoads::begin(const spec::TaskId& task, const FollowedStart& start) {
    tasks_[task] = {.host = start.host,
                    .process = start.process,
                    .is_here = convert::lifeOf(start.process) != convert::ProcessLife::kUnknown,
                    .is_over = false,
                    .beat = {},
                    .exchange = {},
                    .heard = {},
                    .looked = {}};
}

void FollowedLoads::setOver(const spec::TaskId& task, bool is_over) {
    if (const auto found = tasks_.find(task); found != tasks_.end()) found->second.is_over = is_over;
}

void FollowedLoads::take(const spec::TaskId& id, const FollowedMessage& message, SteadyTime now) {
    const auto found = tasks_.find(id);
    if (found == tasks_.end()) return;
    Task& task = found->second;
    const auto* beat = message.event ? std::get_if<spec::Heartbeat>(&message.event->body) : nullptr;
    if (beat != nullptr) {
        task.beat = *beat;
        task.exchange = message.exchange;
        task.heard = now;
    }
    const bool is_time = message.time_unix_ns > 0 && message.time_unix_ns < kLatestNs;  // else nothing can be reckoned with it
    if (task.is_here || task.host.empty() || !is_time) return;
    Host& host = hosts_[task.host];
    host.newest_unix_ns = std::max(host.newest_unix_ns, message.time_unix_ns);
    host.has_news = true;
    if (!message.host) return;
    host.told = message.host;
    host.told->time_unix_ns = message.time_unix_ns;
    host.waiting.push_back(reading(task.host, host, std::nullopt));
    if (host.waiting.size() > kMostWaiting) host.waiting.pop_front();
}

// Returns what is known of a computer at its newest word. `now`: the exchanges of its tasks are told, too, with their age by then.
spec::HostLoad FollowedLoads::reading(const std::string& name, const Host& host, std::optional<SteadyTime> now) const {
    spec::HostLoad load;
    if (host.told && host.newest_unix_ns - host.told->time_unix_ns <= kOldNs) load = *host.told;
    load.time_unix_ns = host.newest_unix_ns;
    load.host = name;
    load.tasks.clear();
    for (const auto& [id, task] : tasks_) {
        if (task.host != name || task.is_here || task.is_over || !task.heard) continue;
        load.tasks.push_back({.run_id = {},
                              .task = id,
                              .pid = convert::processOf(task.process),
                              .cpu_cores = task.beat.cpu_cores,
                              .resident_bytes = task.beat.resident_bytes});
        if (!now || !task.exchange) continue;
        load.tasks.back().exchange = task.exchange;
        load.tasks.back().exchange->age_s = std::chrono::duration<double>(*now - *task.heard).count();
    }
    return load;
}

bool FollowedLoads::isAlive(Task& task, SteadyTime now) {
    if (!task.looked || now - *task.looked >= kLookAgain) {
        task.is_alive = convert::lifeOf(task.process) == convert::ProcessLife::kAlive;
        task.looked = now;
    }
    return task.is_alive;
}

void FollowedLoads::publishHere(const std::string& run_id, SteadyTime now) {
    std::vector<load::LiveTask> tasks;
    for (auto& [id, task] : tasks_) {
        if (!task.is_here || task.is_over || !isAlive(task, now)) continue;
        tasks.push_back({.run_id = run_id, .task = id, .pid = convert::processOf(task.process), .exchange = task.exchange});
        if (auto& exchange = tasks.back().exchange) exchange->age_s = std::chrono::duration<double>(now - *task.heard).count();
    }
    if (tasks.empty() && !names_tasks_here_) return;
    names_tasks_here_ = !tasks.empty();
    if (sinks_.here) sinks_.here(run_id, std::move(tasks));
}

void FollowedLoads::publish(const std::string& run_id, SteadyTime now, std::int64_t now_unix_ns) {
    publishHere(run_id, now);
    const bool is_live = std::exchange(is_caught_up_, true);
    std::vector<spec::HostLoad> loads;
    for (auto& [name, host] : hosts_) {
        if (std::exchange(host.has_news, false) && is_live) {
            host.clock.note(host.newest_unix_ns, now_unix_ns, now);
            host.is_due = true;
        }
        const std::optional<std::int64_t> ahead_ns = host.clock.aheadNs();
        if (!ahead_ns || (host.handed && now - *host.handed < kPace)) continue;
        if (std::exchange(host.is_due, false)) {
            // In place of what a task told in the same second: it is in there.
            while (!host.waiting.empty() && host.newest_unix_ns - host.waiting.back().time_unix_ns < kSecondNs) host.waiting.pop_back();
            host.waiting.push_back(reading(name, host, now));
        }
        if (host.waiting.empty()) continue;
        host.handed = now;
        for (spec::HostLoad& load : host.waiting) {
            load.time_unix_ns -= *ahead_ns;
            for (spec::TaskLoad& task : load.tasks) task.run_id = run_id;
            loads.push_back(std::move(load));
        }
        host.waiting.clear();
    }
    if (!loads.empty() && sinks_.elsewhere) sinks_.elsewhere(std::move(loads));
}

void FollowedLoads::end(const std::string& run_id) {
    for (auto& [name, host] : hosts_) host.waiting.clear();
    if (std::exchange(names_tasks_here_, false) && sinks_.here) sinks_.here(run_id, {});
}

}  // namespace agent::server
