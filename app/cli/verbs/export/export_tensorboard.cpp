#include "app/cli/verbs/export/export_tensorboard.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include "agent/client/followed_folder.h"
#include "app/cli/run_choice.h"
#include "app/cli/verbs/export/export_run.h"
#include "engine/event_files/event_folder.h"
#include "engine/export/tensor_board/run_logs.h"
#include "engine/files/place.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"
#include "engine/spec/project/run_spec.h"

namespace app::cli {
namespace {

namespace fs = std::filesystem;
using agent::client::AgentClient;
using engine::run::RunInfo;

struct TensorboardOptions {
    std::vector<std::string> runs;
    std::string out = "tensorboard";
    bool all = false, overwrite = false;
};

// A folder's name: the run's, without what leads elsewhere.
std::string runFolder(const RunInfo& run, std::set<std::string>& taken) {
    std::string name = run.name.empty() ? run.id : run.name;
    for (char& letter : name) {
        if (letter == '/' || static_cast<unsigned char>(letter) < ' ') letter = '-';
    }
    while (!name.empty() && name.front() == '.') name.erase(0, 1);
    if (name.empty() || taken.contains(name)) name += (name.empty() ? "" : "-") + run.id;
    taken.insert(name);
    return name;
}

// Returns where event files of the run lie already: those that it was read from, or that its callback writes below its folder.
std::vector<engine::event_files::EventFolder> ownLogs(const RunInfo& run) {
    std::string folder = agent::client::eventFolderOf(run);
    if (folder.empty()) {
        const engine::spec::RunSpec project = engine::spec::parseProject(run.project_json).run;
        const auto board = std::find_if(project.callbacks.begin(), project.callbacks.end(),
                                        [](const engine::spec::ObjectSpec& callback) { return callback.class_name == "TensorBoard"; });
        if (board == project.callbacks.end()) return {};
        folder = (fs::path(run.run_dir) / board->config.getString("log_dir", "logs")).string();
    }
    return engine::event_files::eventFoldersBelow(folder);
}

void requireRoom(const fs::path& folder, bool overwrite) {
    for (const engine::event_files::EventFolder& found : engine::event_files::eventFoldersBelow(folder)) {
        for (const engine::event_files::RunSource& source : found.sources) {
            for (const fs::directory_entry& entry : fs::directory_iterator(source.folder)) {
                if (!engine::event_files::isEventFile(entry.path().filename().string())) continue;
                if (!overwrite) {
                    throw engine::Error(engine::ErrorCode::kAlreadyExists,
                                        folder.string() +
                                            ": expected a folder without event files, got one with some; "
                                            "--overwrite lets these take their place");
                }
                fs::remove(entry.path());
            }
        }
    }
}

// A second name for each file where that is possible, so that a run which goes on can be watched there too; else a copy.
int linkFiles(const engine::event_files::EventFolder& logs, const fs::path& to) {
    int files = 0;
    for (const engine::event_files::RunSource& source : logs.sources) {
        const fs::path folder = logs.sources.size() > 1 ? to / (source.is_validation ? "validation" : "train") : to;
        fs::create_directories(folder);
        for (const fs::directory_entry& entry : fs::directory_iterator(source.folder)) {
            if (!entry.is_regular_file() || !engine::event_files::isEventFile(entry.path().filename().string())) continue;
            std::error_code failed;
            fs::create_hard_link(entry.path(), folder / entry.path().filename(), failed);
            if (failed) fs::copy_file(entry.path(), folder / entry.path().filename());
            ++files;
        }
    }
    return files;
}

// The files that are about to be linked must not be those that make room for them.
void requireOtherFolder(const fs::path& folder, const std::vector<engine::event_files::EventFolder>& logs) {
    const fs::path target = fs::weakly_canonical(folder);
    for (const engine::event_files::EventFolder& one : logs) {
        for (const engine::event_files::RunSource& source : one.sources) {
            const fs::path from = fs::weakly_canonical(source.folder);
            const auto [end, at] = std::mismatch(target.begin(), target.end(), from.begin(), from.end());
            if (end == target.end()) {
                throw engine::Error(engine::ErrorCode::kInvalidArgument,
                                    folder.string() + ": expected another folder than that of the run's own event files (" +
                                        source.folder.string() + "), got one that holds them");
            }
        }
    }
}

bool writeRun(Context& context, AgentClient& client, const RunInfo& run, const fs::path& folder, bool overwrite) {
    const auto logs = ownLogs(run);
    requireOtherFolder(folder, logs);
    requireRoom(folder, overwrite);
    int linked = 0;
    for (const engine::event_files::EventFolder& one : logs) {
        const bool is_whole = logs.size() == 1;
        linked += linkFiles(one, is_whole ? folder : folder / one.name);
    }
    if (linked > 0) {
        context.out << folder.string() << ": " << linked << (linked == 1 ? " event file" : " event files") << " of run " << run.id << '\n';
        return true;
    }
    const auto history = readHistory(context, client, run);
    if (!history) return false;
    fs::create_directories(folder);
    const auto written = engine::exporter::writeRunLogs(*history, engine::files::Place(folder));
    context.out << folder.string() << ": " << written.points << " points of run " << run.id << '\n';
    return true;
}

std::vector<RunInfo> chosenRuns(Context& context, AgentClient& client, const TensorboardOptions& options) {
    std::vector<RunInfo> runs;
    if (options.all) runs = client.listRuns(kCallDeadline);
    for (const std::string& id : options.runs.empty() && !options.all ? std::vector<std::string>{""} : options.runs) {
        const auto chosen = chooseRun(context, client, id, RunChoice::kAny);
        if (!chosen) return {};
        if (std::none_of(runs.begin(), runs.end(), [&](const RunInfo& run) { return run.id == chosen->id; })) runs.push_back(*chosen);
    }
    return runs;
}

void exportTensorboard(Context& context, const TensorboardOptions& options) {
    std::error_code ignored;
    if (fs::exists(options.out, ignored) && !fs::is_directory(options.out, ignored)) {
        context.err << "error: --out: expected a folder, got the file " << options.out << '\n';
        context.exit_code = kFailed;
        return;
    }
    const auto client = context.connect();
    std::set<std::string> taken;
    int written = 0;
    for (const RunInfo& run : chosenRuns(context, *client, options)) {
        const fs::path folder = fs::path(options.out) / runFolder(run, taken);
        try {
            if (!writeRun(context, *client, run, folder, options.overwrite)) return;
            ++written;
        } catch (const engine::Error& error) {
            context.err << "error: " << error.what() << '\n';
            context.exit_code = kFailed;
            return;
        } catch (const fs::filesystem_error& error) {
            context.err << "error: " << engine::exceptionText(error) << '\n';
            context.exit_code = kFailed;
            return;
        }
    }
    if (written > 0) context.out << "tensorboard --logdir " << options.out << '\n';
}

}  // namespace

void addExportTensorboard(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("tensorboard", "Runs as event files in one folder, to set them side by side in TensorBoard");
    auto options = std::make_shared<TensorboardOptions>();
    verb->add_option("RUN", options->runs, "ids of runs, their beginnings, or their folders (default: the newest)");
    verb->add_flag("--all", options->all, "every run of this computer");
    verb->add_option("--out", options->out, "folder to write to, made when missing; a folder in it for each run")->capture_default_str();
    verb->add_flag("--overwrite", options->overwrite, "event files that an earlier export left there go first");
    verb->footer(
        "Event files that a run has already (of its TensorBoard callback, or that it was read from) get a second name there, or are "
        "copied. Of "
        "any other run they are written from what it told. The last line is the command that shows them.\n"
        "Exit codes: 0 written, 1 no such run, its journal is damaged, or a file could not be written, 2 wrong options, 3 the agent can't "
        "be "
        "reached.");
    verb->callback([&context, options] { exportTensorboard(context, *options); });
}

}  // namespace app::cli
