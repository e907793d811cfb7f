#include "agent/archive/archived_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "agent/archive/member_name.h"
#include "agent/client/run_checkpoints.h"
#include "agent/local/run_folder.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/spec/project/run_spec.h"

namespace agent::archive {

namespace fs = std::filesystem;
namespace spec = engine::spec;
using engine::files::SafeFolder;
using engine::run::ArchivedCheckpoints;

namespace {

constexpr std::size_t kMostFiles = 10000;
constexpr int kDeepest = 8;  // of folders with logs
constexpr const char* kStateFile = "checkpoint";

// Files of a folder as they are found, each once. Links, pipes and names that no archive may have stay out.
class Collection {
public:
    explicit Collection(const fs::path& folder) : folder_(SafeFolder::open(folder)) {}

    void add(const std::string& name, bool is_compressed) {
        if (names_.contains(name) || isOut(name)) {
            return;
        }
        const auto status = folder_.status(name);
        if (status && S_ISREG(status->st_mode)) {
            enter({.name = name, .bytes = status->st_size, .is_compressed = is_compressed});
        }
    }
    void addText(const std::string& name, std::string text) {
        if (!names_.contains(name) && !isOut(name)) {
            const auto bytes = static_cast<std::int64_t>(text.size());
            enter({.name = name, .bytes = bytes, .text = std::move(text)});
        }
    }
    // Everything below a folder, with its files' names as they begin.
    void addBelow(const std::string& below, const std::string& beginning, int levels, bool is_compressed) {
        for (const SafeFolder::Entry& entry : listed(below)) {
            const std::string name = below.empty() ? entry.name : below + "/" + entry.name;
            if (!entry.is_folder) {
                if (entry.name.starts_with(beginning)) {
                    add(name, is_compressed);
                }
            } else if (levels > 0) {
                addBelow(name, beginning, levels - 1, is_compressed);
            }
        }
    }
    std::vector<ArchivedFile> take() { return std::move(files_); }

private:
    static bool isOut(const std::string& name) {
        return !faultOfName(name).empty() || isTheAgents(name) || name == kManifestMember || name == kRecordMember ||
               name == kEventsMember || name == convert::kProjectFile;
    }
    std::vector<SafeFolder::Entry> listed(const std::string& below) const {
        if (below.empty()) {
            return folder_.list();
        }
        const auto status = folder_.status(below);
        return status && S_ISDIR(status->st_mode) ? folder_.openFolder(below).list() : std::vector<SafeFolder::Entry>();
    }
    void enter(ArchivedFile file) {
        if (files_.size() == kMostFiles) {
            throw engine::Error(engine::ErrorCode::kResourceExhausted,
                                folder_.path().string() + ": expected at most " + std::to_string(kMostFiles) + " files to archive");
        }
        names_.insert(file.name);
        files_.push_back(std::move(file));
    }

    const SafeFolder folder_;
    std::set<std::string> names_;
    std::vector<ArchivedFile> files_;
};

// "logs" of "./logs/"; nullopt for a path that leads out, and for the run's folder itself.
std::optional<std::string> below(const std::string& path) {
    std::string name = fs::path(path).lexically_normal().string();
    while (name.ends_with('/')) {
        name.pop_back();
    }
    return faultOfName(name).empty() && name != "." ? std::optional(name) : std::nullopt;
}

bool isKerasFile(const std::string& name) {
    return name.ends_with(".keras") || name.ends_with(".h5");
}

std::vector<spec::ListedCheckpoint> chosen(const engine::run::RunInfo& run, ArchivedCheckpoints checkpoints) {
    std::vector<spec::ListedCheckpoint> all = client::checkpointsOf(run.run_dir);
    if (checkpoints == ArchivedCheckpoints::kAll || (checkpoints == ArchivedCheckpoints::kLatest && all.empty())) {
        return all;
    }
    if (checkpoints == ArchivedCheckpoints::kNone) {
        return {};
    }
    const spec::ListedCheckpoint* one = spec::findCheckpoint(all, toString(checkpoints));
    if (one == nullptr) {
        throw engine::Error(engine::ErrorCode::kNotFound,
                            "run " + run.id + ": expected what tells the best of its checkpoints (validation, or save_best_only), it has " +
                                (all.empty() ? "no checkpoint" : "nothing of the kind") + "; choose all, latest or none");
    }
    return {*one};
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return out + '"';
}

// TensorFlow's file beside checkpoints, for those that are left.
std::string stateText(const std::vector<std::string>& names) {
    std::string text = "model_checkpoint_path: " + quoted(names.back()) + "\n";
    for (const std::string& name : names) {
        text += "all_model_checkpoint_paths: " + quoted(name) + "\n";
    }
    return text;
}

int addCheckpoints(const engine::run::RunInfo& run, ArchivedCheckpoints which, Collection& collection) {
    const std::vector<spec::ListedCheckpoint> checkpoints = chosen(run, which);
    std::map<std::string, std::vector<std::string>> prefixes;  // by their folder
    for (const spec::ListedCheckpoint& one : checkpoints) {
        const std::optional<std::string> file = below(one.file);
        if (!file) {
            continue;
        }
        if (isKerasFile(*file)) {
            collection.add(*file, false);
            continue;
        }
        const fs::path path = *file;
        const std::string folder = path.parent_path().string(), name = path.filename().string();
        collection.addBelow(folder, name + ".index", 0, true);
        collection.addBelow(folder, name + ".data-", 0, false);
        prefixes[folder].push_back(name);
    }
    for (const auto& [folder, names] : prefixes) {
        const std::string state = folder.empty() ? kStateFile : folder + "/" + kStateFile;
        if (which == ArchivedCheckpoints::kAll) {
            collection.add(state, true);
        } else {
            collection.addText(state, stateText(names));
        }
    }
    return static_cast<int>(checkpoints.size());
}

void addLogs(const engine::run::RunInfo& run, Collection& collection) {
    const auto addFolder = [&](const std::string& path) {
        if (const auto folder = below(path)) {
            collection.addBelow(*folder, "", kDeepest, true);
        }
    };
    addFolder("logs");
    for (const spec::ObjectSpec& callback : spec::parseProject(run.project_json).run.callbacks) {
        const spec::Settings settings = spec::callbackSettings(callback);
        if (callback.class_name == "TensorBoard") {
            addFolder(settings.getString("log_dir"));
        } else if (callback.class_name == "CSVLogger") {
            if (const auto file = below(settings.getString("filename"))) {
                collection.add(*file, true);
            }
        }
    }
}

}  // namespace

ArchivedFiles archivedFiles(const engine::run::RunInfo& run, ArchivedCheckpoints checkpoints) {
    Collection collection(run.run_dir);
    for (const char* name : {"run.json", convert::kFinishedFile, spec::kCheckpointListFile}) {
        collection.add(name, true);
    }
    const int count = addCheckpoints(run, checkpoints, collection);
    addLogs(run, collection);
    return {collection.take(), count};
}

}  // namespace agent::archive
