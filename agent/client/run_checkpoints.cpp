#include "agent/client/run_checkpoints.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

#include <sys/stat.h>

#include "agent/local/run_folder.h"
#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"

namespace agent::client {

namespace fs = std::filesystem;
namespace spec = engine::spec;
using engine::files::SafeFolder;

namespace {

constexpr std::uint64_t kMostBytes = 64u << 20;
constexpr std::string_view kIndex = ".index";
constexpr const char* kRunFile = "run.json";

bool isKerasFile(const std::string& name) {
    return name.ends_with(".keras") || name.ends_with(".h5");
}

std::string readBelow(const SafeFolder& folder, const char* name) {
    if (!folder.isFile(name)) {
        return {};
    }
    const engine::files::FileDescriptor file = folder.openToRead(name);
    return engine::files::readWhole(file.get(), folder.path() / name, kMostBytes);
}

bool isThere(const fs::path& run_dir, const std::string& file) {
    std::error_code ignored;
    return fs::is_regular_file(run_dir / (isKerasFile(file) ? file : file + std::string(kIndex)), ignored);
}

// "training_checkpoints/ckpt_{epoch:02d}" finds the 3 of "training_checkpoints/ckpt_03". nullopt for a pattern without an epoch.
std::optional<std::regex> epochPattern(const std::string& file_path) {
    std::string pattern;
    bool has_epoch = false;
    for (std::size_t i = 0; i < file_path.size(); ++i) {
        const std::size_t close = file_path[i] == '{' ? file_path.find('}', i) : std::string::npos;
        if (close != std::string::npos) {
            const bool is_epoch = file_path.compare(i + 1, 5, "epoch") == 0 && !has_epoch;
            pattern += is_epoch ? "0*([0-9]+)" : ".+";
            has_epoch |= is_epoch;
            i = close;
        } else {
            const bool is_plain = std::isalnum(static_cast<unsigned char>(file_path[i])) != 0 || file_path[i] == '_' || file_path[i] == '/';
            pattern += is_plain ? std::string(1, file_path[i]) : std::string("\\") + file_path[i];
        }
    }
    return has_epoch ? std::optional(std::regex(pattern)) : std::nullopt;
}

struct FoundFile {
    std::int64_t time_ns = 0;
    std::string file;
};

void find(const SafeFolder& folder, const fs::path& way, int levels, std::vector<FoundFile>& files) {
    for (const SafeFolder::Entry& entry : folder.list()) {
        if (entry.is_folder) {
            if (levels > 0) {
                find(folder.openFolder(entry.name), way / entry.name, levels - 1, files);
            }
            continue;
        }
        const bool is_prefix = entry.name.ends_with(kIndex);
        const auto status = is_prefix || isKerasFile(entry.name) ? folder.status(entry.name) : std::nullopt;
        if (status && S_ISREG(status->st_mode)) {
            const std::string name = is_prefix ? entry.name.substr(0, entry.name.size() - kIndex.size()) : entry.name;
            files.push_back({status->st_mtim.tv_sec * std::int64_t{1'000'000'000} + status->st_mtim.tv_nsec, (way / name).string()});
        }
    }
}

// Finds the checkpoints of a run that wrote no list of them: it looks at the files in the run's folder.
std::vector<spec::ListedCheckpoint> searched(const SafeFolder& folder) {
    constexpr int kLevels = 3;
    std::vector<FoundFile> files;
    find(folder, {}, kLevels, files);
    std::sort(files.begin(), files.end(),
              [](const FoundFile& a, const FoundFile& b) { return std::pair(a.time_ns, a.file) < std::pair(b.time_ns, b.file); });
    std::vector<std::regex> patterns;
    bool best_only = false;
    for (const spec::ObjectSpec& callback : spec::parseProject(readBelow(folder, kRunFile)).run.callbacks) {
        if (callback.class_name == "ModelCheckpoint") {
            const spec::Settings settings = spec::callbackSettings(callback);
            best_only = settings.getBool("save_best_only");
            const fs::path file_path = settings.getString("filepath");
            if (auto pattern = epochPattern(file_path.lexically_normal().string())) {
                patterns.push_back(std::move(*pattern));
            }
        }
    }
    std::vector<spec::ListedCheckpoint> found;
    for (FoundFile& file : files) {
        spec::ListedCheckpoint& one = found.emplace_back();
        for (const std::regex& pattern : patterns) {
            std::smatch match;
            if (std::regex_match(file.file, match, pattern) && match[1].length() < 10) {
                one.epoch = std::stoll(match[1].str());
            }
        }
        one.file = std::move(file.file);
    }
    if (best_only && !found.empty()) {
        found.back().best = true;
    }
    return found;
}

// A name that tandem-worker can open as it is.
bool canBeOpened(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path.string() + std::string(kIndex), ignored) || fs::is_regular_file(path / "checkpoint", ignored) ||
           (isKerasFile(path.filename().string()) && fs::is_regular_file(path, ignored));
}

// The file of the latest backup, which the project in the run's folder names; empty when there is no such file.
fs::path backupOf(const fs::path& folder) {
    try {
        const SafeFolder opened = SafeFolder::open(folder);
        const std::vector<fs::path> files = convert::backupFiles(spec::parseProject(readBelow(opened, kRunFile)).run);
        return !files.empty() && opened.isFile(files.front()) ? folder / files.front() : fs::path();
    } catch (const engine::Error&) {
        return {};
    }
}

}  // namespace

std::vector<spec::ListedCheckpoint> checkpointsOf(const fs::path& run_dir) {
    try {
        const SafeFolder folder = SafeFolder::open(run_dir);
        const bool has_list = folder.isFile(spec::kCheckpointListFile);
        std::vector<spec::ListedCheckpoint> checkpoints =
            has_list ? spec::parseCheckpointList(readBelow(folder, spec::kCheckpointListFile)) : searched(folder);
        std::erase_if(checkpoints, [&](const spec::ListedCheckpoint& one) { return !isThere(run_dir, one.file); });
        return checkpoints;
    } catch (const engine::Error&) {
        return {};
    }
}

fs::path chosenCheckpoint(const fs::path& run_dir, const std::string& word) {
    const std::vector<spec::ListedCheckpoint> checkpoints = checkpointsOf(run_dir);
    if (const spec::ListedCheckpoint* one = spec::findCheckpoint(checkpoints, word)) {
        return fs::absolute(run_dir / one->file).lexically_normal();
    }
    for (const fs::path& path : {fs::path(word), run_dir / word}) {
        if (!word.empty() && canBeOpened(path)) {
            return fs::absolute(path).lexically_normal();
        }
    }
    const std::string folder = fs::absolute(run_dir).lexically_normal().string();
    if (checkpoints.empty()) {
        throw engine::Error(engine::ErrorCode::kNotFound,
                            folder + ": expected a checkpoint of this run, it holds none" + (word.empty() ? "" : "; got \"" + word + "\""));
    }
    if (word == "best") {
        throw engine::Error(engine::ErrorCode::kNotFound,
                            folder +
                                ": expected what tells the best of its checkpoints (validation, or save_best_only), this run had neither; "
                                "it has " +
                                spec::checkpointNames(checkpoints));
    }
    throw engine::Error(engine::ErrorCode::kNotFound, folder + ": expected latest, best, an epoch or a checkpoint of this run (" +
                                                          spec::checkpointNames(checkpoints) + "), got \"" + word + "\"");
}

BranchPoint branchPoint(const fs::path& run_dir, const std::string& word, std::optional<std::int64_t> step) {
    const fs::path folder = fs::absolute(run_dir).lexically_normal();
    if (!step && (word.empty() || word == "backup")) {
        const fs::path backup = backupOf(folder);
        if (!backup.empty()) {
            return {backup, 0};
        }
        if (word == "backup") {
            throw engine::Error(engine::ErrorCode::kNotFound,
                                folder.string() + ": expected a backup of this run, it holds none (a run that is done keeps none)");
        }
    }
    std::vector<spec::ListedCheckpoint> checkpoints = checkpointsOf(folder);
    std::erase_if(checkpoints, [](const spec::ListedCheckpoint& one) { return one.file.ends_with(".weights.h5"); });
    if (!step) {
        const fs::path chosen = chosenCheckpoint(folder, word);
        if (chosen.string().ends_with(".weights.h5")) {
            throw engine::Error(engine::ErrorCode::kNotFound,
                                chosen.string() + ": expected a checkpoint with its optimizer, got weights alone" +
                                    (checkpoints.empty() ? "" : "; this run has " + spec::checkpointNames(checkpoints)));
        }
        const auto listed = std::find_if(checkpoints.begin(), checkpoints.end(), [&](const spec::ListedCheckpoint& one) {
            return (folder / one.file).lexically_normal() == chosen;
        });
        return {chosen, listed == checkpoints.end() ? 0 : listed->step};
    }
    const spec::ListedCheckpoint* nearest = nullptr;
    for (const spec::ListedCheckpoint& one : checkpoints) {
        if (one.step > 0 && one.step <= *step && (nearest == nullptr || one.step >= nearest->step)) {
            nearest = &one;
        }
    }
    if (nearest == nullptr) {
        std::string steps;
        for (const spec::ListedCheckpoint& one : checkpoints) {
            steps += (steps.empty() ? "" : ", ") + std::to_string(one.step);
        }
        throw engine::Error(engine::ErrorCode::kNotFound, folder.string() + ": expected a checkpoint behind " + std::to_string(*step) +
                                                              " steps or fewer, " +
                                                              (steps.empty() ? "it holds none" : "it has them behind step " + steps));
    }
    return {folder / nearest->file, nearest->step};
}

}  // namespace agent::client
