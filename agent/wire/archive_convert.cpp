#include "agent/wire/archive_convert.h"

#include <filesystem>
#include <optional>

#include "agent/proto/agent.pb.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/size_limits.h"
#include "engine/spec/error.h"

namespace agent::convert {

proto::ArchiveRunRequest toProto(const engine::run::ArchiveRequest& request) {
    proto::ArchiveRunRequest message;
    message.set_run_id(request.run_id);
    message.set_file(request.file);
    message.set_checkpoints(std::string(toString(request.checkpoints)));
    message.set_overwrite(request.overwrite);
    return message;
}

void requireAbsolute(const std::string& file) {
    requireSize("file", file.size(), kMaxPathBytes - 1);
    if (!std::filesystem::path(file).is_absolute()) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument, "file: expected an absolute path, got \"" + file + "\"");
    }
}

engine::run::ArchiveRequest fromProto(const proto::ArchiveRunRequest& message) {
    requireAbsolute(message.file());
    const std::optional<engine::run::ArchivedCheckpoints> checkpoints = engine::run::archivedCheckpointsOf(message.checkpoints());
    if (!checkpoints) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "checkpoints: expected all, best, latest or none, got \"" + shortened(message.checkpoints()) + "\"");
    }
    return {message.run_id(), message.file(), *checkpoints, message.overwrite()};
}

proto::ArchiveReply toProto(const engine::run::ArchiveProgress& progress) {
    proto::ArchiveReply message;
    message.set_done_bytes(progress.done_bytes);
    message.set_all_bytes(progress.all_bytes);
    return message;
}

proto::ArchiveReply toProto(const engine::run::WrittenArchive& written) {
    proto::ArchiveReply message;
    message.mutable_written()->set_bytes(written.bytes);
    message.mutable_written()->set_checkpoints(written.checkpoints);
    message.mutable_written()->set_events(written.events);
    return message;
}

proto::ArchiveReply toProto(const engine::run::ImportedRun& imported) {
    proto::ArchiveReply message;
    toProto(imported.run, *message.mutable_run());
    message.set_was_here(imported.was_here);
    return message;
}

engine::run::ArchiveProgress progressOf(const proto::ArchiveReply& message) {
    return {message.done_bytes(), message.all_bytes()};
}

engine::run::WrittenArchive writtenOf(const proto::ArchiveReply& message) {
    return {message.written().bytes(), message.written().checkpoints(), message.written().events()};
}

engine::run::ImportedRun importedOf(const proto::ArchiveReply& message) {
    return {fromProto(message.run()), message.was_here()};
}

}  // namespace agent::convert
