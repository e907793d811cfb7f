#include "agent/archive/member_name.h"

#include <algorithm>
#include <array>

#include "agent/local/control_file.h"
#include "agent/local/event_files.h"
#include "agent/local/folder_claim.h"
#include "agent/local/run_folder.h"
#include "agent/local/scheduler_job.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"

namespace agent::archive {

namespace {

constexpr std::size_t kMostBytes = 1024, kMostPartBytes = 255, kMostShown = 200;
constexpr int kMostParts = 16;

bool isControl(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

}  // namespace

std::string faultOfName(std::string_view name) {
    if (name.empty() || name.size() > kMostBytes) {
        return "a name of " + std::to_string(name.size()) + " bytes";
    }
    if (name.front() == '/') {
        return "an absolute path";
    }
    if (std::any_of(name.begin(), name.end(), isControl) || convert::validUtf8(name) != name) {
        return "a name that is no text";
    }
    int parts = 0;
    for (std::string_view rest = name;; rest.remove_prefix(rest.find('/') + 1)) {
        const std::string_view part = rest.substr(0, rest.find('/'));
        if (part == "..") {
            return "a path that leads out of the folder";
        }
        if (part.empty() || part == "." || part.size() > kMostPartBytes || ++parts > kMostParts) {
            return "a path that is no file's";
        }
        if (part.size() == rest.size()) {
            return {};
        }
    }
}

bool isTheAgents(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kNotes{convert::kFolderLock, convert::kControlFile, "submission.json",
                                                            "followed.json",      "event_files.json",    convert::kSchedulerFile,
                                                            kImportedFile,        "far_run.json",        "cluster.key"};
    const std::string_view first = name.substr(0, name.find('/'));
    const bool is_journal = (first.starts_with("journal") && first != kEventsMember) || first == convert::kEventFolder;
    const bool is_part_note = first.starts_with(convert::kPartNotePrefix) && first.ends_with(convert::kPartNoteSuffix);
    return is_journal || is_part_note || std::find(kNotes.begin(), kNotes.end(), first) != kNotes.end();
}

std::string shownName(std::string_view name) {
    std::string shown = convert::shortened(convert::validUtf8(name), kMostShown);
    std::replace_if(shown.begin(), shown.end(), isControl, '?');
    return shown;
}

}  // namespace agent::archive
