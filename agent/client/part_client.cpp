#include "agent/client/part_client.h"

#include "agent/client/agent_call.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::client {

HeldPart PartClient::prepare(const std::string& project_json, int tasks, const std::string& home, const std::vector<int>& ports,
                             std::chrono::milliseconds deadline) {
    proto::PreparePartRequest request;
    request.set_project_json(project_json);
    request.set_tasks(tasks);
    request.set_home(convert::validUtf8(home));
    request.mutable_ports()->Add(ports.begin(), ports.end());
    const auto reply = callAgent(*channel_, "prepare", &proto::Agent::Stub::PreparePart, request, deadline);
    return {reply.part_id(), {reply.ports().begin(), reply.ports().end()}};
}

engine::run::RunInfo PartClient::start(const std::string& id, const std::string& project_json, const std::vector<PartTask>& tasks,
                                       const std::string& run_dir, std::chrono::milliseconds deadline) {
    proto::StartPartRequest request;
    request.set_part_id(id);
    request.set_project_json(project_json);
    request.set_run_dir(run_dir);
    for (const PartTask& task : tasks) {
        proto::PartTask* added = request.add_tasks();
        *added->mutable_task() = convert::toProto(task.task);
        added->set_port(task.port);
        convert::toProto(task.credentials, *added->mutable_credentials());
    }
    return convert::fromProto(callAgent(*channel_, "start", &proto::Agent::Stub::StartPart, request, deadline));
}

void PartClient::drop(const std::string& id, std::chrono::milliseconds deadline) {
    proto::DropPartRequest request;
    request.set_part_id(id);
    callAgent(*channel_, "drop", &proto::Agent::Stub::DropPart, request, deadline);
}

std::vector<RunFile> PartClient::listFiles(const std::string& run_id, std::chrono::milliseconds deadline) {
    proto::ListFilesRequest request;
    request.set_run_id(run_id);
    std::vector<RunFile> files;
    const auto reply = callAgent(*channel_, "list files", &proto::Agent::Stub::ListFiles, request, deadline);
    for (const proto::RunFile& file : reply.files()) {
        files.push_back({file.path(), file.bytes(), file.modified_unix_ns()});
    }
    return files;
}

void PartClient::fetch(const std::string& run_id, const std::string& path, const std::function<void(std::string_view bytes)>& take,
                       std::chrono::milliseconds deadline) {
    const AgentChannel::Connection connection = channel_->connection();
    grpc::ClientContext context;
    admit(context, connection.token, deadline);
    proto::FetchFileRequest request;
    request.set_run_id(run_id);
    request.set_path(path);
    const std::unique_ptr<grpc::ClientReader<proto::FileChunk>> stream = connection.stub->FetchFile(&context, request);
    std::int64_t expected = 0, got = 0;
    proto::FileChunk chunk;
    const grpc::Status broken = convert::guarded([&] {
        while (stream->Read(&chunk)) {
            expected = got == 0 ? chunk.total_bytes() : expected;
            got += static_cast<std::int64_t>(chunk.data().size());
            take(chunk.data());
        }
    });
    if (!broken.ok()) {
        context.TryCancel();
    }
    const grpc::Status status = stream->Finish();
    if (!broken.ok() || !status.ok()) {
        throw convert::toError(broken.ok() ? status : broken, path.c_str());
    }
    if (got != expected) {
        throw engine::Error(engine::ErrorCode::kDataLoss,
                            path + ": expected " + std::to_string(expected) + " bytes, got " + std::to_string(got));
    }
}

}  // namespace agent::client
