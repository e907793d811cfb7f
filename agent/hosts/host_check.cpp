#include "agent/hosts/host_check.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "agent/hosts/ssh_errors.h"

#include "engine/spec/exception_text.h"

namespace agent::hosts {

namespace {

constexpr int kClockRounds = 8;
constexpr std::chrono::seconds kCall{5};
constexpr std::chrono::seconds kForPrompts{120};  // a person types
constexpr std::size_t kMostAtOnce = 16;

}  // namespace

HostReport checkHost(const Host& host, const FarOptions& options) {
    HostReport report{.host = host, .problem = std::nullopt, .info = {}, .clock = {}};
    try {
        FarAgent agent(host, options);
        report.info = agent.client().describe(kCall);
        report.clock = agent.clockOffset(kClockRounds, kCall);
    } catch (const engine::Error& error) {
        report.problem = error;
    } catch (const std::exception& error) {
        report.problem = engine::Error(engine::ErrorCode::kInternal, nameOf(host) + ": " + engine::exceptionText(error));
    }
    return report;
}

std::vector<HostReport> checkHosts(const std::vector<Host>& hosts, const FarOptions& options) {
    std::vector<HostReport> reports(hosts.size());
    FarOptions silent = options;
    silent.prompts = Prompts::kNone;
    {
        std::atomic<std::size_t> next = 0;
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < std::min(hosts.size(), kMostAtOnce); ++i) {
            threads.emplace_back([&] {
                for (std::size_t at = next++; at < hosts.size(); at = next++) {
                    reports[at] = checkHost(hosts[at], silent);
                }
            });
        }
    }
    FarOptions asking = options;
    asking.deadline = std::max<std::chrono::milliseconds>(options.deadline, kForPrompts);
    for (std::size_t i = 0; i < hosts.size() && options.prompts != Prompts::kNone; ++i) {
        if (reports[i].problem && reports[i].problem->code() == engine::ErrorCode::kPermissionDenied) {
            reports[i] = checkHost(hosts[i], asking);
        }
    }
    return reports;
}

}  // namespace agent::hosts
