#include "agent/local/event_files.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <nlohmann/json.hpp>

#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::convert {
namespace {

constexpr std::string_view kSuffix = ".events";

std::string followedText(const std::string& run_id) {
    return nlohmann::json{{"run", run_id}}.dump() + "\n";
}

bool isJobName(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

std::string eventFileName(const engine::spec::TaskId& task) {
    return task.type + "-" + std::to_string(task.index) + std::string(kSuffix);
}

std::optional<engine::spec::TaskId> taskOfEventFile(std::string_view name) {
    if (!name.ends_with(kSuffix)) return std::nullopt;
    const std::string_view stem = name.substr(0, name.size() - kSuffix.size());
    const std::size_t dash = stem.rfind('-');
    if (dash == std::string_view::npos || !isJobName(stem.substr(0, dash))) return std::nullopt;
    engine::spec::TaskId task{std::string(stem.substr(0, dash)), -1};
    std::from_chars(stem.data() + dash + 1, stem.data() + stem.size(), task.index);
    return task.index >= 0 && eventFileName(task) == name ? std::optional(task) : std::nullopt;
}

// Aside, and then renamed: whoever reads meanwhile finds the note before or this one, never a half.
void noteFollowed(const engine::files::SafeFolder& folder, const std::string& run_id) {
    const std::string aside = std::string(kFollowedNote) + ".new";
    engine::files::OutputFile note(folder.create(aside));
    note.write(followedText(run_id));
    if (const int error = note.flush(); error != 0) {
        throw engine::Error(engine::files::codeOfErrno(error),
                            (folder.path() / kFollowedNote).string() + ": can't be written: " + std::strerror(error));
    }
    folder.rename(aside, kFollowedNote);
}

void forgetFollowed(const std::filesystem::path& folder) {
    engine::files::SafeFolder::open(folder).remove(kFollowedNote);
}

bool isFollowed(const std::filesystem::path& folder, const std::string& run_id) {
    constexpr std::uint64_t kMostNoteBytes = 4096;
    try {
        const engine::files::SafeFolder opened = engine::files::SafeFolder::open(folder);
        if (!opened.isFile(kFollowedNote)) return false;
        const engine::files::FileDescriptor file = opened.openToRead(kFollowedNote);
        return engine::files::readWhole(file.get(), folder / kFollowedNote, kMostNoteBytes) == followedText(run_id);
    } catch (const engine::Error&) {
        return false;
    }
}

}  // namespace agent::convert
