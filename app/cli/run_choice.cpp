#include "app/cli/run_choice.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <tuple>

#include "agent/client/followed_folder.h"

namespace app::cli {

namespace {

constexpr std::chrono::minutes kReadDeadline{2};  // of what was told before somebody follows

}  // namespace

engine::run::RunInfo followThere(agent::client::AgentClient& client, const std::string& host, const std::string& folder) {
    const char* socket = std::getenv("SSH_AUTH_SOCK");
    return client.followFolder({.folder = folder, .host = host, .ssh_agent = socket == nullptr ? "" : socket}, kReadDeadline);
}

std::optional<engine::run::RunInfo> chooseRun(Context& context, agent::client::AgentClient& client, const std::string& id,
                                              RunChoice choice) {
    std::error_code ignored;
    const std::string folder = id.empty() ? "" : std::filesystem::weakly_canonical(id, ignored).string();
    if (agent::client::tellsEvents(folder)) client.followFolder({.folder = folder, .host = {}, .ssh_agent = {}}, kReadDeadline);
    std::vector<engine::run::RunInfo> runs = client.listRuns(kCallDeadline);
    const bool is_known = std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return run.run_dir == folder || run.id == id; });
    if (!is_known && agent::client::holdsEventFiles(folder)) return followThere(client, {}, folder);
    // A run that was started again is as new as its last attempt, and one that goes on as new as now.
    const auto lately = [](const engine::run::RunInfo& run) {
        return std::tuple(!isFinal(run.state), std::max(run.finished_unix_ns, run.created_unix_ns), run.created_unix_ns);
    };
    std::stable_sort(runs.begin(), runs.end(), [&](const auto& a, const auto& b) { return lately(a) > lately(b); });
    if (std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return run.run_dir == folder; })) {
        std::erase_if(runs, [&](const auto& run) { return run.run_dir != folder; });
        runs.resize(1);  // the newest of those that trained there
    }
    std::erase_if(runs, [&](const auto& run) {
        return (!run.id.starts_with(id) && run.run_dir != folder) || (id.empty() && choice == RunChoice::kActive && isFinal(run.state));
    });
    std::string problem;
    if (runs.empty()) {
        problem = id.empty() ? choice == RunChoice::kActive ? "no run is active" : "there is no run yet"
                             : "no run's id begins with \"" + id + "\", and none has trained in such a folder";
    } else if (!id.empty() && runs.size() > 1 && runs.front().id != id) {
        problem = std::to_string(runs.size()) + " runs begin with \"" + id + "\"";
    } else if (choice == RunChoice::kActive && isFinal(runs.front().state)) {
        problem = "run " + runs.front().id + " is over: " + std::string(toString(runs.front().state));
    }
    if (!problem.empty()) {
        context.err << "error: " << problem << " (tandem-cli runs lists them)\n";
        context.exit_code = kFailed;
        return std::nullopt;
    }
    return runs.front();
}

}  // namespace app::cli
