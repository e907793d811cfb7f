#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>

#include "agent/client/followed_folder.h"
#include "app/cli/run_choice.h"
#include "app/cli/verb.h"

namespace app::cli {
namespace {

constexpr std::int64_t kRunNsPerSecond = 1'000'000'000;

std::string localTime(std::int64_t unix_ns) {
    const std::time_t seconds = unix_ns / kRunNsPerSecond;
    std::tm parts{};
    localtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    return text;
}

std::optional<double> result(const engine::run::RunInfo& run, std::string_view name) {
    const auto found = std::find_if(run.results.begin(), run.results.end(), [&](const auto& entry) { return entry.first == name; });
    return found == run.results.end() ? std::nullopt : std::optional(found->second);
}

nlohmann::ordered_json runJson(const engine::run::RunInfo& run) {
    nlohmann::ordered_json value{{"id", run.id},
                                 {"name", run.name},
                                 {"state", std::string(toString(run.state))},
                                 {"detail", run.detail},
                                 {"created_unix_ns", run.created_unix_ns},
                                 {"finished_unix_ns", run.finished_unix_ns},
                                 {"run_dir", run.run_dir},
                                 {"tasks", run.tasks},
                                 {"attempts", run.attempts},
                                 {"idle_ns", run.idle_ns},
                                 {"checkpoint", run.checkpoint},
                                 {"weights_sha256", run.weights_sha256}};
    if (const std::string folder = agent::client::eventFolderOf(run); !folder.empty()) {
        value["event_files"] = folder;
    } else if (!run.imported_from.empty()) {
        value["imported_from"] = run.imported_from;
    }
    if (!run.branch_of.empty()) {
        value["branch_of"] = run.branch_of;
    }
    if (run.followed) {
        value["followed"] = true;
    }
    for (const auto& [name, number] : run.results) {
        value[name] = number;
    }
    return value;
}

// Keeps only the runs whose event files lie in that folder or below it.
void keepThoseBelow(const std::string& folder, std::vector<engine::run::RunInfo>& runs) {
    std::erase_if(runs, [&](const engine::run::RunInfo& run) {
        const std::string own = agent::client::eventFolderOf(run);
        return own != folder && !own.starts_with(folder + "/");
    });
}

void listRuns(Context& context, bool json, const std::string& from) {
    const auto client = context.connect();
    std::error_code ignored;
    const std::string folder = from.empty() ? "" : std::filesystem::weakly_canonical(from, ignored).string();
    if (!folder.empty()) followThere(*client, {}, folder);
    std::vector<engine::run::RunInfo> runs = client->listRuns(kCallDeadline);
    if (!folder.empty()) keepThoseBelow(folder, runs);
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.created_unix_ns > b.created_unix_ns; });
    if (const std::string notice = client->describe(kCallDeadline).runs_notice; !notice.empty()) {
        context.err << "note: " << notice << '\n';
    }
    if (json) {
        for (const auto& run : runs) {
            context.out << runJson(run).dump() << '\n';
        }
        return;
    }
    if (runs.empty()) {
        context.out << "No run yet. Start one with: tandem-cli train mnist_two_workers\n";
        return;
    }
    for (const auto& run : runs) {
        context.out << std::left << std::setw(23) << run.id << std::setw(10) << toString(run.state) << localTime(run.created_unix_ns)
                    << "  " << run.tasks << (run.tasks == 1 ? " task   " : " tasks  ");
        if (run.attempts > 1) {
            context.out << run.attempts << " attempts  ";
        }
        const std::string event_folder = agent::client::eventFolderOf(run);
        if (!event_folder.empty()) {
            context.out << "event files of " << event_folder << "  ";
        } else if (!run.imported_from.empty()) {
            context.out << "imported from " << run.imported_from << "  ";
        }
        if (!run.branch_of.empty()) {
            context.out << "branch of " << run.branch_of << "  ";
        }
        if (run.followed && event_folder.empty()) {
            context.out << "followed  ";
        }
        if (const auto accuracy = result(run, "test_accuracy")) {
            context.out << "test accuracy " << std::fixed << std::setprecision(4) << *accuracy << "  ";
        }
        context.out << run.name << (run.detail.empty() ? "" : ": " + run.detail) << '\n';
    }
}

}  // namespace

void addRuns(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("runs", "List the runs of this computer, newest first");
    auto json = std::make_shared<bool>(false);
    auto from = std::make_shared<std::string>();
    verb->add_flag("--json", *json, "one JSON object a run");
    verb->add_option(
        "--from", *from,
        "a folder with TensorBoard's event files, of TensorFlow, Keras or PyTorch: its runs join the list, are followed while they "
        "grow, and are listed alone");
    verb->footer("Exit codes: 0, 1 where the folder of --from holds no run, or 3 when the agent can't be reached.");
    verb->callback([&context, json, from] { listRuns(context, *json, *from); });
}

}  // namespace app::cli
