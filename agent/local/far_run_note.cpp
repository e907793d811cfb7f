#include "agent/local/far_run_note.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "agent/local/control_file.h"
#include "agent/local/event_files.h"
#include "agent/local/file_descriptor.h"
#include "agent/local/scheduler_job.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::convert {
namespace {

using engine::Error;
using engine::files::SafeFolder;
using nlohmann::json;

constexpr const char* kFarRunFile = "far_run.json";
constexpr const char* kClusterKey = "cluster.key";  // as scripts for schedulers name it (engine/launch/slurm_script.h)
constexpr std::uint64_t kMostNoteBytes = 16384;

}  // namespace

std::optional<FarRunNote> readFarRunNote(const std::filesystem::path& folder) {
    try {
        const SafeFolder opened = SafeFolder::open(folder);
        if (!opened.isFile(kFarRunFile)) return std::nullopt;
        const FileDescriptor file = opened.openToRead(kFarRunFile);
        const json note = json::parse(engine::files::readWhole(file.get(), folder / kFarRunFile, kMostNoteBytes), nullptr, false);
        if (!note.is_object()) return std::nullopt;
        const auto text = [&](const char* name) {
            const json value = note.value(name, json());
            return value.is_string() ? value.get<std::string>() : std::string();
        };
        FarRunNote read{.host = text("host"), .run = text("run"), .folder = text("folder"), .here = text("here")};
        return read.host.empty() || read.run.empty() || read.here.empty() ? std::nullopt : std::optional(std::move(read));
    } catch (const Error&) {
        return std::nullopt;
    }
}

void writeFarRunNote(const SafeFolder& folder, const FarRunNote& note) {
    const json text{{"host", note.host}, {"run", note.run}, {"folder", note.folder}, {"here", note.here}};
    engine::files::OutputFile file(folder.create(kFarRunFile));
    file.write(text.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    if (const int error = file.finish(); error != 0) {
        throw Error(engine::files::codeOfErrno(error),
                    (folder.path() / kFarRunFile).string() + ": can't be written: " + std::strerror(error));
    }
}

bool isOfFollowing(std::string_view path) {
    return path == kFarRunFile || path == kSchedulerFile || path == kControlFile || path == kFollowedNote || path == kClusterKey ||
           path.starts_with(std::string(kEventFolder) + "/");
}

}  // namespace agent::convert
