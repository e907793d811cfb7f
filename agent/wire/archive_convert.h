// Archives of runs between the wire (agent/proto/agent.proto) and engine/run/run_archive.h. Pure functions, safe from any thread.
#pragma once

#include "engine/run/run_archive.h"

namespace agent::proto {
class ArchiveReply;
class ArchiveRunRequest;
}  // namespace agent::proto

namespace agent::convert {

proto::ArchiveRunRequest toProto(const engine::run::ArchiveRequest& request);
// Throws Error(kInvalidArgument) for a file without an absolute path and for unknown checkpoints.
engine::run::ArchiveRequest fromProto(const proto::ArchiveRunRequest& message);
// Throws Error(kInvalidArgument): "file: expected an absolute path, got \"run.tandem-run\"".
void requireAbsolute(const std::string& file);

proto::ArchiveReply toProto(const engine::run::ArchiveProgress& progress);
proto::ArchiveReply toProto(const engine::run::WrittenArchive& written);
proto::ArchiveReply toProto(const engine::run::ImportedRun& imported);

engine::run::ArchiveProgress progressOf(const proto::ArchiveReply& message);
engine::run::WrittenArchive writtenOf(const proto::ArchiveReply& message);
// Throws Error(kInvalidArgument) as fromProto() of a run.
engine::run::ImportedRun importedOf(const proto::ArchiveReply& message);

}  // namespace agent::convert
