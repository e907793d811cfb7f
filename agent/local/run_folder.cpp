#include "agent/local/run_folder.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/spec/project/estimator_run.h"

namespace agent::convert {

using engine::files::SafeFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kCheckpoints = "checkpoints";
constexpr const char* kLogs = "logs";

// Reads what a small JSON file of the folder says: `take` throws as nlohmann's at() and get() do. nullopt without the file, and where it is
// damaged.
template <typename Value>
std::optional<Value> readSmall(const fs::path& folder, const std::string& name, Value (*take)(const nlohmann::json& json)) {
    constexpr std::uint64_t kMostBytes = 64u << 10;
    try {
        const engine::files::FileDescriptor file = SafeFolder::open(folder).openToRead(name);
        return take(nlohmann::json::parse(engine::files::readWhole(file.get(), folder / name, kMostBytes)));
    } catch (const engine::Error&) {
        return std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

// Aside, and then renamed. Throws Error naming the file.
void writeWhole(const SafeFolder& folder, const std::string& name, std::string_view text) {
    const std::string aside = name + ".new";
    engine::files::OutputFile file(folder.create(aside));
    file.write(text);
    if (const int error = file.finish(); error != 0) {
        throw engine::Error(engine::files::codeOfErrno(error),
                            (folder.path() / name).string() + ": can't be written: " + std::strerror(error));
    }
    folder.rename(aside, name);
}

std::optional<SafeFolder> openedIfThere(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder, ignored) ? std::optional(SafeFolder::open(folder)) : std::nullopt;
}

// Returns the checkpoints that the run says that it wrote; empty for one that kept no list.
std::vector<engine::spec::ListedCheckpoint> listedIn(const SafeFolder& folder) {
    constexpr std::uint64_t kMostBytes = 64u << 20;
    if (!folder.isFile(engine::spec::kCheckpointListFile)) {
        return {};
    }
    const engine::files::FileDescriptor file = folder.openToRead(engine::spec::kCheckpointListFile);
    return engine::spec::parseCheckpointList(
        engine::files::readWhole(file.get(), folder.path() / engine::spec::kCheckpointListFile, kMostBytes));
}

bool isThere(const SafeFolder& folder, const engine::spec::ListedCheckpoint& checkpoint) {
    return folder.isFile(checkpoint.file) || folder.isFile(checkpoint.file + ".index");
}

int checkpointsIn(const SafeFolder& folder) {
    const auto listed = listedIn(folder);
    if (!listed.empty()) {
        return static_cast<int>(std::count_if(listed.begin(), listed.end(), [&](const auto& one) { return isThere(folder, one); }));
    }
    const auto found = folder.status(kCheckpoints);
    if (!found || !S_ISDIR(found->st_mode)) {
        return 0;
    }
    const auto entries = folder.openFolder(kCheckpoints).list();
    return static_cast<int>(
        std::count_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.name.ends_with(".index"); }));
}

// Files of the forms that a run writes among its checkpoints; anything else there is somebody's own.
bool isOfACheckpoint(const std::string& name) {
    return name == "checkpoint" || name.ends_with(".index") || name.find(".data-0") != std::string::npos || name.ends_with(".keras") ||
           name.ends_with(".h5");
}

// Below an open folder, into folders but not through links; `way` leads to it from the run's folder.
void addCheckpointFiles(const SafeFolder& folder, const fs::path& way, std::vector<fs::path>& files) {
    for (const SafeFolder::Entry& entry : folder.list()) {
        if (entry.is_folder) {
            addCheckpointFiles(folder.openFolder(entry.name), way / entry.name, files);
        } else if (isOfACheckpoint(entry.name)) {
            files.push_back(way / entry.name);
        }
    }
}

// Adds the files of the list, wherever in the run's folder they lie.
void addListedFiles(const SafeFolder& folder, std::vector<fs::path>& files) {
    for (const engine::spec::ListedCheckpoint& one : listedIn(folder)) {
        const fs::path file = one.file, way = file.parent_path();
        const std::string name = file.filename().string();
        const auto status = way.empty() ? std::nullopt : folder.status(way);
        if (!way.empty() && (!status || !S_ISDIR(status->st_mode))) {
            continue;
        }
        for (const SafeFolder::Entry& entry : (way.empty() ? folder.again() : folder.openFolder(way)).list()) {
            const bool is_its = entry.name == name || entry.name.starts_with(name + ".index") || entry.name.starts_with(name + ".data-0") ||
                                entry.name == "checkpoint";
            if (is_its && !entry.is_folder && isOfACheckpoint(entry.name)) {
                files.push_back(way / entry.name);
            }
        }
    }
}

// The folders that the run in this one keeps event files in, by its own project: those of Keras' callback, of an estimator's session and of
// evaluations.
std::vector<fs::path> eventFolders(const SafeFolder& folder) {
    constexpr std::uint64_t kMostBytes = 64u << 20;
    std::vector<fs::path> found;
    for (const char* project : {"run.json", kProjectFile}) {
        if (!folder.isFile(project)) {
            continue;
        }
        const engine::files::FileDescriptor file = folder.openToRead(project);
        const std::string text = engine::files::readWhole(file.get(), folder.path() / project, kMostBytes);
        const engine::spec::RunSpec run = engine::spec::trainedRun(engine::spec::parseProject(text).run);
        const std::string name = run.estimator ? run.estimator->eval_spec.name : "";
        if (run.estimator || run.cluster.spec.findJob(engine::spec::kEvaluator) != nullptr) {
            found.insert(found.end(), {kLogs, fs::path(kLogs) / (name.empty() ? "eval" : "eval_" + name)});
        }
        for (const engine::spec::ObjectSpec& callback : run.callbacks) {
            if (callback.class_name == "TensorBoard") {
                const fs::path log_dir = engine::spec::callbackSettings(callback).getString("log_dir");
                found.insert(found.end(), {log_dir / "train", log_dir / "validation"});
            }
        }
        break;
    }
    return found;
}

// Adds the event files of the run (engine/export/event_file.h has their names); what lies beside them is somebody's own.
void addEventFiles(const SafeFolder& folder, std::vector<fs::path>& files) {
    for (const fs::path& way : eventFolders(folder)) {
        const auto status = folder.status(way);
        if (!status || !S_ISDIR(status->st_mode)) {
            continue;
        }
        for (const SafeFolder::Entry& entry : folder.openFolder(way).list()) {
            if (!entry.is_folder && entry.name.starts_with("events.out.tfevents.") && entry.name.ends_with(".v2")) {
                files.push_back(way / entry.name);
            }
        }
    }
}

}  // namespace

std::vector<fs::path> backupFiles(const engine::spec::RunSpec& project) {
    const engine::spec::RunSpec run = engine::spec::trainedRun(project);
    const auto callback = std::find_if(run.callbacks.begin(), run.callbacks.end(),
                                       [](const engine::spec::ObjectSpec& one) { return one.class_name == "BackupAndRestore"; });
    if (callback == run.callbacks.end()) {
        return {};
    }
    const fs::path below = engine::spec::callbackSettings(*callback).getString("backup_dir");
    return {below / kLatestBackup, below / kPreviousBackup};
}

bool keepsBackup(const engine::spec::RunSpec& run) {
    return !backupFiles(run).empty();
}

bool hasBackup(const fs::path& folder, const engine::spec::RunSpec& run) {
    const auto opened = openedIfThere(folder);
    const std::vector<fs::path> kept = backupFiles(run);
    return opened && std::any_of(kept.begin(), kept.end(), [&](const fs::path& file) { return opened->isFile(file); });
}

std::string finishedRunIn(const fs::path& folder, const engine::spec::RunSpec& run, bool known_finished) {
    const auto opened = openedIfThere(folder);
    if (!opened || (!known_finished && !opened->status(kFinishedFile)) || hasBackup(folder, run)) {
        return {};
    }
    const int count = checkpointsIn(*opened);
    return folder.string() + ": expected a new folder or that of an unfinished run, got one with a finished run (" + std::to_string(count) +
           (count == 1 ? " checkpoint" : " checkpoints") +
           "), which would be overwritten; give another folder with --out, or --overwrite "
           "to begin anew there";
}

bool isPlainId(const std::string& id) {
    constexpr std::size_t kMostLength = 64;
    return !id.empty() && id.size() <= kMostLength &&
           std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

std::optional<FinishedMark> readFinishedMark(const fs::path& folder) {
    return readSmall<FinishedMark>(folder, kFinishedFile, [](const nlohmann::json& json) {
        return FinishedMark{json.at("checkpoint").get<std::string>(), json.at("weights_sha256").get<std::string>()};
    });
}

std::string partNoteName(const engine::spec::TaskId& first) {
    return std::string(kPartNotePrefix) + first.type + "-" + std::to_string(first.index) + std::string(kPartNoteSuffix);
}

std::optional<PartNote> readPartNote(const fs::path& folder, const std::string& name) {
    return readSmall<PartNote>(folder, name, [](const nlohmann::json& json) {
        PartNote note{json.at("host").get<std::string>(), json.at("folder").get<std::string>()};
        note.run = json.value("run", note.run);
        note.tasks = json.value("tasks", note.tasks);
        note.ports = json.value("ports", note.ports);
        note.first_sequence = json.value("first_sequence", note.first_sequence);
        note.skip_to_attempt = json.value("skip_to_attempt", note.skip_to_attempt);
        return note;
    });
}

void writeProject(const fs::path& folder, const std::string& project_json) {
    const SafeFolder opened = SafeFolder::open(folder);
    opened.makeFolder(kCheckpoints);
    opened.makeFolder(kLogs);
    writeWhole(opened, kProjectFile, project_json);
}

void writePartNote(const fs::path& folder, const std::string& name, const PartNote& note) {
    const nlohmann::json json{{"host", note.host},
                              {"folder", note.folder},
                              {"run", note.run},
                              {"tasks", note.tasks},
                              {"ports", note.ports},
                              {"first_sequence", note.first_sequence},
                              {"skip_to_attempt", note.skip_to_attempt}};
    writeWhole(SafeFolder::open(folder), name, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void renamePartNotes(const fs::path& folder, const std::vector<engine::spec::SmallerCluster::Kept>& kept) {
    const SafeFolder opened = SafeFolder::open(folder);
    std::map<std::string, PartNote> renamed;
    std::vector<std::string> before;
    for (const SafeFolder::Entry& entry : opened.list()) {
        if (!entry.name.starts_with(kPartNotePrefix) || !entry.name.ends_with(kPartNoteSuffix)) {
            continue;
        }
        before.push_back(entry.name);
        const std::optional<PartNote> note = readPartNote(folder, entry.name);
        if (!note || note->tasks.size() != note->ports.size()) {
            continue;
        }
        PartNote left = *note;
        left.tasks.clear();
        left.ports.clear();
        std::string name;
        for (const auto& [task, now] : kept) {
            const auto at = std::find(note->tasks.begin(), note->tasks.end(), toString(task)) - note->tasks.begin();
            if (at < static_cast<std::ptrdiff_t>(note->tasks.size())) {
                name = name.empty() ? partNoteName(now) : name;
                left.tasks.push_back(toString(now));
                left.ports.push_back(note->ports[static_cast<std::size_t>(at)]);
            }
        }
        if (!left.tasks.empty()) {
            renamed[name] = std::move(left);
        }
    }
    for (const auto& [name, note] : renamed) {
        writePartNote(folder, name, note);
    }
    for (const std::string& name : before) {
        if (!renamed.contains(name)) {
            opened.remove(name);
        }
    }
}

std::vector<PartNote> partNotes(const fs::path& folder) {
    std::map<std::string, PartNote> notes;
    try {
        for (const SafeFolder::Entry& entry : SafeFolder::open(folder).list()) {
            if (entry.name.starts_with(kPartNotePrefix) && entry.name.ends_with(kPartNoteSuffix)) {
                if (std::optional<PartNote> note = readPartNote(folder, entry.name)) {
                    notes[entry.name] = *std::move(note);
                }
            }
        }
    } catch (const engine::Error&) {  // whoever needs the folder says so
    }
    std::vector<PartNote> found;
    for (auto& [name, note] : notes) {
        found.push_back(std::move(note));
    }
    return found;
}

std::vector<std::string> hostsOfParts(const fs::path& folder) {
    std::set<std::string> hosts;
    for (const PartNote& note : partNotes(folder)) {
        hosts.insert(note.host);
    }
    return {hosts.begin(), hosts.end()};
}

void forgetRun(const fs::path& folder, const engine::spec::RunSpec& run) {
    const auto opened = openedIfThere(folder);
    if (!opened || (!opened->status(kProjectFile) && !opened->status(kFinishedFile))) {
        return;
    }
    std::vector<fs::path> gone = backupFiles(run);
    if (opened->status(kCheckpoints)) {
        addCheckpointFiles(opened->openFolder(kCheckpoints), kCheckpoints, gone);
    }
    addListedFiles(*opened, gone);
    addEventFiles(*opened, gone);
    gone.push_back(engine::spec::kCheckpointListFile);
    gone.push_back(kFinishedFile);
    for (const fs::path& file : gone) {
        opened->remove(file);
    }
}

}  // namespace agent::convert
