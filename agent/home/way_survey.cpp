#include "agent/home/way_survey.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <list>
#include <optional>
#include <thread>

#include "agent/local/secret.h"
#include "agent/server/doctor/way_findings.h"
#include "agent/trust/cluster_key.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::home {

namespace spec = engine::spec;
using spec::HostWay;
using spec::WayOutcome;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kNoTime = "no time was left";
constexpr int kLooks = 3;                      // at a way that looks slow: a moment's load looks the same
constexpr std::size_t kMostAgain = 12;         // of such ways
constexpr std::chrono::seconds kServesOn{20};  // longer than the survey lasts: what calls last is answered

int portOf(const spec::WayTask& task) {
    const auto parsed = spec::parseHostPort(task.address);
    return parsed ? parsed->port : 0;
}

// One computer's listening end, for as long as this lives.
class Listener {
public:
    Listener(const SurveyHost& host, const spec::ServeWaysQuestion& question) {
        thread_ = std::jthread([this, &host, question](const std::stop_token& stop) { serve(host, question, stop); });
    }
    void stop() { thread_.request_stop(); }
    // Waits until it listens and returns why it does not; empty: it does.
    std::string waitUntil(Clock::time_point until, const std::function<bool()>& is_cancelled) {
        engine::MutexLock lock(mutex_);
        while (!listens_ && failure_.empty()) {
            if (Clock::now() >= until || is_cancelled()) {
                return "it did not begin to listen in time";
            }
            changed_.wait_for(lock, std::chrono::milliseconds(50), [] { return false; });
        }
        return failure_;
    }

private:
    void serve(const SurveyHost& host, const spec::ServeWaysQuestion& question, const std::stop_token& stop) {
        std::string failure = "it has ended";
        try {
            host.ask({.run = {}, .base_dir = "", .asked = question}, {.deadline = std::chrono::seconds(question.within_s) + kServesOn,
                                                                      .is_cancelled = [&stop] { return stop.stop_requested(); },
                                                                      .progress =
                                                                          [this](const spec::EngineProgress& progress) {
                                                                              if (progress.stage == spec::EngineProgress::Stage::kListen) {
                                                                                  const engine::MutexLock lock(mutex_);
                                                                                  listens_ = true;
                                                                                  changed_.notify_all();
                                                                              }
                                                                          }});
        } catch (const std::exception& error) {
            failure = error.what();
        }
        const engine::MutexLock lock(mutex_);
        failure_ = failure;
        changed_.notify_all();
    }

    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    bool listens_ TANDEM_GUARDED_BY(mutex_) = false;
    std::string failure_ TANDEM_GUARDED_BY(mutex_);
    std::jthread thread_;  // last: it uses the others
};

class Survey {
public:
    Survey(const std::vector<SurveyHost>& hosts, const SurveyOptions& options)
        : hosts_(hosts), options_(options), until_(Clock::now() + options.whole), key_(trust::ClusterKey::make()) {
        for (std::size_t host = 0; host < hosts.size(); ++host) {
            first_rank_.push_back(static_cast<int>(group_.tasks.size()));
            for (const spec::WayTask& task : hosts[host].tasks) {
                const trust::TaskCredentials credentials = key_.issue(task.task);
                group_.authority_pem = credentials.authority_pem;
                identities_.push_back({static_cast<int>(group_.tasks.size()), credentials.certificate_pem, credentials.key_pem});
                group_.tasks.push_back(task);
                host_of_rank_.push_back(host);
            }
            obstacles_.push_back(hosts[host].tasks.empty() && hosts[host].obstacle.empty() ? "no task there is called by others"
                                                                                           : hosts[host].obstacle);
        }
        group_.secret = std::string(convert::bytesOf(key_.secret()));
        for (const SurveyHost& from : hosts) {
            for (const SurveyHost& to : hosts) {
                if (&from != &to) {
                    ways_.push_back({.from = from.name, .to = to.name, .port = to.tasks.empty() ? 0 : portOf(to.tasks.front())});
                }
            }
        }
    }

    std::vector<HostWay> run() {
        std::list<Listener> listeners = listen();
        callAll();
        measureAll();
        for (int look = 1; look < kLooks; ++look) {
            measureAgain();
        }
        for (Listener& listener : listeners) {
            listener.stop();  // all at once, before the first is waited for
        }
        return std::move(ways_);
    }

private:
    bool isOver() const { return Clock::now() >= until_ || (options_.is_cancelled && options_.is_cancelled()); }

    HostWay& way(std::size_t from, std::size_t to) { return ways_[from * (hosts_.size() - 1) + to - (to > from ? 1 : 0)]; }

    spec::WayIdentity identityOf(std::size_t host) const { return identities_[static_cast<std::size_t>(first_rank_[host])]; }

    std::list<Listener> listen() {
        std::list<Listener> listeners;
        std::vector<Listener*> of_host(hosts_.size(), nullptr);
        const int within_s = static_cast<int>(std::chrono::ceil<std::chrono::seconds>(options_.whole + kServesOn).count());
        for (std::size_t host = 0; host < hosts_.size(); ++host) {
            if (obstacles_[host].empty()) {
                spec::ServeWaysQuestion question{.group = group_, .own = {}, .within_s = within_s};
                for (std::size_t task = 0; task < hosts_[host].tasks.size(); ++task) {
                    question.own.push_back(identities_[static_cast<std::size_t>(first_rank_[host]) + task]);
                }
                of_host[host] = &listeners.emplace_back(hosts_[host], question);
            }
        }
        const auto until = std::min(until_, Clock::now() + options_.listen_within);
        for (std::size_t host = 0; host < hosts_.size(); ++host) {
            if (of_host[host] != nullptr) {
                obstacles_[host] = of_host[host]->waitUntil(until, [this] { return isOver(); });
            }
        }
        return listeners;
    }

    // Returns what became of each call, or why there was none.
    std::variant<std::vector<spec::CalledWay>, std::string> call(std::size_t from, std::vector<int> ranks, bool measures) const {
        try {
            const spec::EngineAnswer answer = hosts_[from].ask(
                {.run = {},
                 .base_dir = "",
                 .asked =
                     spec::CallWaysQuestion{.group = group_, .own = identityOf(from), .called = std::move(ranks), .measures = measures}},
                {.deadline = options_.call_within, .is_cancelled = options_.is_cancelled});
            return std::get<spec::CalledWays>(answer).ways;
        } catch (const std::exception& error) {  // also where the agent there answers another question
            return std::string(error.what());
        }
    }

    void callAll() {
        std::vector<std::future<void>> calls;
        for (std::size_t from = 0; from < hosts_.size(); ++from) {
            calls.push_back(std::async(std::launch::async, [this, from] { callFrom(from); }));
        }
        for (std::future<void>& one : calls) {
            one.get();
        }
    }

    // Each writes the ways from one computer alone.
    void callFrom(std::size_t from) {
        std::vector<int> ranks;
        for (std::size_t rank = 0; rank < host_of_rank_.size(); ++rank) {
            if (host_of_rank_[rank] != from && obstacles_[host_of_rank_[rank]].empty()) {
                ranks.push_back(static_cast<int>(rank));
            }
        }
        for (std::size_t to = 0; to < hosts_.size(); ++to) {
            if (to != from) {
                const std::size_t at_fault = !obstacles_[from].empty() ? from : to;
                way(from, to).detail = obstacles_[at_fault].empty() ? "" : hosts_[at_fault].name + ": " + obstacles_[at_fault];
            }
        }
        if (!obstacles_[from].empty() || ranks.empty()) {
            return;
        }
        const auto called = call(from, ranks, false);
        for (std::size_t to = 0; to < hosts_.size(); ++to) {
            if (to == from || !obstacles_[to].empty()) {
                continue;
            }
            if (const auto* failure = std::get_if<std::string>(&called)) {
                way(from, to).detail = hosts_[from].name + ": " + *failure;
            } else {
                take(std::get<0>(called), from, to);
            }
        }
    }

    // A computer is reached when all its tasks are.
    void take(const std::vector<spec::CalledWay>& called, std::size_t from, std::size_t to) {
        HostWay& told = way(from, to);
        for (const spec::CalledWay& one : called) {
            if (one.rank < 0 || one.rank >= static_cast<int>(host_of_rank_.size()) ||
                host_of_rank_[static_cast<std::size_t>(one.rank)] != to) {
                continue;
            }
            told.outcome = one.outcome;
            told.detail = one.outcome == WayOutcome::kReached ? "" : one.detail;
            if (one.outcome != WayOutcome::kReached) {
                told.port = portOf(group_.tasks[static_cast<std::size_t>(one.rank)]);
                return;
            }
        }
    }

    void measure(std::size_t from, std::size_t to) {
        HostWay& told = way(from, to);
        if (told.outcome != WayOutcome::kReached) {
            return;
        }
        if (isOver()) {
            told.detail = told.bytes_per_s > 0 ? "" : kNoTime;
            return;
        }
        const auto called = call(from, {first_rank_[to]}, true);
        if (const auto* failure = std::get_if<std::string>(&called)) {
            told.detail = told.bytes_per_s > 0 ? "" : hosts_[from].name + ": " + *failure;
            return;
        }
        for (const spec::CalledWay& one : std::get<0>(called)) {
            if (one.bytes_per_s > 0) {
                told.bytes_per_s = std::max(told.bytes_per_s, one.bytes_per_s);
                told.round_trip_us = told.round_trip_us > 0 ? std::min(told.round_trip_us, one.round_trip_us) : one.round_trip_us;
                told.detail.clear();
            } else if (told.bytes_per_s == 0) {
                told.detail = one.detail;
            }
        }
    }

    void measureAll() {
        for (const auto& round : pairRounds(hosts_.size())) {
            std::vector<std::future<void>> pairs;
            pairs.reserve(round.size());
            for (const auto& [a, b] : round) {
                pairs.push_back(std::async(std::launch::async, [this, a = a, b = b] {
                    measure(a, b);
                    measure(b, a);
                }));
            }
            for (std::future<void>& one : pairs) {
                one.get();
            }
        }
    }

    void measureAgain() {
        const std::vector<std::size_t> suspicious = server::suspiciousWays(ways_);
        for (std::size_t i = 0; i < std::min(suspicious.size(), kMostAgain); ++i) {
            const std::size_t from = suspicious[i] / (hosts_.size() - 1), at = suspicious[i] % (hosts_.size() - 1);
            measure(from, at + (at >= from ? 1 : 0));
        }
    }

    const std::vector<SurveyHost>& hosts_;
    const SurveyOptions& options_;
    const Clock::time_point until_;
    const trust::ClusterKey key_;
    spec::WayGroup group_;
    std::vector<spec::WayIdentity> identities_;  // by rank
    std::vector<std::size_t> host_of_rank_;
    std::vector<int> first_rank_;         // of each computer; no rank's where it has no task
    std::vector<std::string> obstacles_;  // of each computer; empty: it listens
    std::vector<HostWay> ways_;           // by from, then by to
};

}  // namespace

std::vector<std::vector<std::pair<std::size_t, std::size_t>>> pairRounds(std::size_t count) {
    // The circle method: one stays, the others move on by one place in each round. An odd count has a place that is empty.
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> rounds;
    const std::size_t even = count + count % 2;
    for (std::size_t round = 0; round + 1 < even; ++round) {
        auto& pairs = rounds.emplace_back();
        for (std::size_t i = 0; i < even / 2; ++i) {
            const std::size_t a = i == 0 ? even - 1 : (round + i) % (even - 1);
            const std::size_t b = (round + even - 1 - i) % (even - 1);
            if (a < count && b < count) {
                pairs.emplace_back(std::min(a, b), std::max(a, b));
            }
        }
    }
    return rounds;
}

std::vector<HostWay> surveyWays(const std::vector<SurveyHost>& hosts, const SurveyOptions& options) {
    return hosts.size() < 2 ? std::vector<HostWay>() : Survey(hosts, options).run();
}

}  // namespace agent::home
