#include "agent/client/agent_client.h"

#include <utility>

#include "agent/client/agent_call.h"
#include "agent/client/agent_channel.h"
#include "agent/client/local_agent.h"
#include "agent/client/pulse.h"
#include "agent/client/question_call.h"
#include "agent/client/stream_watch.h"
#include "agent/wire/archive_convert.h"
#include "agent/wire/fault_convert.h"
#include "agent/wire/job_convert.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::client {

namespace {

constexpr std::chrono::hours kMostSharing{24};  // of files that are sent: those of a slow line take hours

proto::SubmitRequest toProto(const SubmitRequest& request) {
    proto::SubmitRequest message;
    message.set_project_json(convert::validUtf8(engine::spec::toProjectJson(request.run)));
    convert::requireSize("project", message.project_json().size(), convert::kMaxProjectBytes);
    message.set_local_workers(request.local_workers);
    message.set_local_servers(request.local_servers);
    message.set_run_dir(request.run_dir);
    message.set_overwrite(request.overwrite);
    message.set_data_dir(request.data_dir);
    message.set_save_weights(request.save_weights);
    convert::toProto(request.hosts, message);
    message.set_ssh_agent(request.ssh_agent);
    if (request.only_task) {
        *message.mutable_only_task() = convert::toProto(*request.only_task);
    }
    return message;
}

class GrpcAgentClient final : public AgentClient {
public:
    explicit GrpcAgentClient(std::shared_ptr<AgentChannel> channel) : channel_(std::move(channel)) {}

    engine::run::HostInfo describe(std::chrono::milliseconds deadline) override {
        return convert::fromProto(call<proto::HostInfo>("describe", &proto::Agent::Stub::Describe, proto::DescribeRequest(), deadline));
    }

    engine::run::RunInfo submit(const SubmitRequest& request, std::chrono::milliseconds deadline) override {
        return convert::fromProto(call<proto::RunInfo>("submit", &proto::Agent::Stub::Submit, toProto(request), deadline));
    }

    void shareFiles(const SubmitRequest& request, const std::function<bool(const engine::run::FilesProgress&)>& progress) override {
        const AgentChannel::Connection connection = channel_->connection();
        grpc::ClientContext context;
        admit(context, connection.token, kMostSharing);
        const std::unique_ptr<grpc::ClientReader<proto::ShareFilesReply>> stream = connection.stub->ShareFiles(&context, toProto(request));
        proto::ShareFilesReply reply;
        bool is_cancelled = false;
        while (!is_cancelled && stream->Read(&reply)) {
            is_cancelled = !progress(convert::fromProto(reply));
        }
        if (is_cancelled) {
            context.TryCancel();
        }
        const grpc::Status status = stream->Finish();
        if (is_cancelled) {
            throw engine::Error(engine::ErrorCode::kCancelled, "files: are not sent any more");
        }
        // An agent of an earlier version sends nothing: its hosts have what they need, or the run is refused.
        if (!status.ok() && status.error_code() != grpc::StatusCode::UNIMPLEMENTED) {
            throw convert::toError(status, "share files");
        }
    }

    void control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds deadline) override {
        proto::ControlRequest request;
        request.set_run_id(run_id);
        *request.mutable_control() = convert::toProto(control);
        call<proto::ControlReply>("control", &proto::Agent::Stub::Control, request, deadline);
    }

    void injectFault(const std::string& run_id, const engine::chaos::Fault& fault, std::chrono::milliseconds deadline) override {
        proto::InjectFaultRequest request;
        request.set_run_id(run_id);
        *request.mutable_fault() = convert::toProto(fault);
        call<proto::InjectFaultReply>("inject fault", &proto::Agent::Stub::InjectFault, request, deadline);
    }

    std::vector<engine::run::RunInfo> listRuns(std::chrono::milliseconds deadline) override {
        std::vector<engine::run::RunInfo> runs;
        proto::ListRunsRequest request;
        for (bool more = true; more;) {
            const auto reply = call<proto::ListRunsReply>("list runs", &proto::Agent::Stub::ListRuns, request, deadline);
            for (const proto::RunInfo& run : reply.runs()) {
                runs.push_back(convert::fromProto(run));
            }
            more = reply.more() && reply.runs_size() > 0;
            if (more) {
                request.set_before_unix_ns(runs.back().created_unix_ns);
                request.set_before_id(runs.back().id);
            }
        }
        return runs;
    }

    engine::run::RunInfo getRun(const std::string& run_id, std::chrono::milliseconds deadline) override {
        proto::GetRunRequest request;
        request.set_run_id(run_id);
        return convert::fromProto(call<proto::RunInfo>("get run", &proto::Agent::Stub::GetRun, request, deadline));
    }

    engine::run::RunInfo followFolder(const FolderRequest& request, std::chrono::milliseconds deadline) override {
        proto::FollowFolderRequest message;
        message.set_folder(request.folder);
        message.set_host(request.host);
        message.set_ssh_agent(request.ssh_agent);
        return convert::fromProto(call<proto::RunInfo>("follow folder", &proto::Agent::Stub::FollowFolder, message, deadline));
    }

    SubmittedJob submitJob(const JobRequest& request, std::chrono::milliseconds deadline) override {
        proto::SubmitJobRequest message;
        convert::toProto(request.job, *message.mutable_job());
        message.set_project_json(convert::validUtf8(toProjectJson(request.run)));
        message.set_host(request.host);
        message.set_ssh_agent(request.ssh_agent);
        const auto reply = call<proto::SubmitJobReply>("submit job", &proto::Agent::Stub::SubmitJob, message, deadline);
        SubmittedJob submitted{.job = reply.job(), .runs = {}};
        for (const proto::RunInfo& run : reply.runs()) submitted.runs.push_back(convert::fromProto(run));
        return submitted;
    }

    engine::run::WrittenArchive archiveRun(const engine::run::ArchiveRequest& request, const ArchiveProgress& progress) override {
        return convert::writtenOf(lastReply("archive run", &proto::Agent::Stub::ArchiveRun, convert::toProto(request), progress));
    }

    engine::run::ImportedRun importRun(const std::string& file, const ArchiveProgress& progress) override {
        proto::ImportRunRequest request;
        request.set_file(file);
        return convert::importedOf(lastReply("import run", &proto::Agent::Stub::ImportRun, request, progress));
    }

    engine::spec::DoctorReport doctor(const engine::spec::RunSpec& run, std::chrono::milliseconds deadline,
                                      const std::function<bool()>& is_cancelled) override {
        proto::DoctorRequest request;
        if (const char* socket = std::getenv("SSH_AUTH_SOCK"); socket != nullptr) {
            request.set_ssh_agent(socket);
        }
        request.set_project_json(convert::validUtf8(engine::spec::toProjectJson(run)));
        convert::requireSize("project", request.project_json().size(), convert::kMaxProjectBytes);
        return convert::fromProto(
            callAgent<proto::DoctorReply>(*channel_, "doctor", &proto::Agent::Stub::Doctor, request, deadline, is_cancelled));
    }

    engine::spec::EngineAnswer ask(const engine::spec::EngineQuestion& question, const AskOptions& options) override {
        return client::ask(*channel_, question, options);
    }

    std::unique_ptr<Watch> watch(const std::string& run_id, std::uint64_t from_sequence, WatchHandler handler) override {
        return client::watchRun(channel_, run_id, from_sequence, std::move(handler));
    }

    std::unique_ptr<Watch> watchHost(std::int64_t after_unix_ns, HostHandler handler) override {
        return client::watchHost(channel_, after_unix_ns, std::move(handler));
    }

    std::unique_ptr<Watch> watchPulse(PulseHandler handler) override { return std::make_unique<Pulse>(channel_, std::move(handler)); }

private:
    // Calls the agent to write or read an archive, and returns its last reply. The replies before that say how far it is: `progress` gets
    // them.
    template <typename Request>
    proto::ArchiveReply lastReply(
        const char* name,
        std::unique_ptr<grpc::ClientReader<proto::ArchiveReply>> (proto::Agent::Stub::*method)(grpc::ClientContext*, const Request&),
        const Request& request, const ArchiveProgress& progress) {
        const AgentChannel::Connection connection = channel_->connection();
        grpc::ClientContext context;
        admit(context, connection.token, kMostSharing);
        const std::unique_ptr<grpc::ClientReader<proto::ArchiveReply>> stream = (connection.stub.get()->*method)(&context, request);
        proto::ArchiveReply reply;
        bool is_cancelled = false;
        while (!is_cancelled && stream->Read(&reply)) {
            is_cancelled = !progress(convert::progressOf(reply));
        }
        if (is_cancelled) {
            context.TryCancel();
        }
        const grpc::Status status = stream->Finish();
        if (is_cancelled) {
            throw engine::Error(engine::ErrorCode::kCancelled, std::string(name) + ": cancelled");
        }
        if (!status.ok()) {
            throw convert::toError(status, name);
        }
        return reply;
    }
    template <typename Reply, typename Request>
    Reply call(const char* name, grpc::Status (proto::Agent::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
               const Request& request, std::chrono::milliseconds deadline) {
        return callAgent(*channel_, name, method, request, deadline);
    }

    const std::shared_ptr<AgentChannel> channel_;
};

}  // namespace

std::unique_ptr<AgentClient> makeAgentClient(std::shared_ptr<AgentChannel> channel) {
    return std::make_unique<GrpcAgentClient>(std::move(channel));
}

std::unique_ptr<AgentClient> connectLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline) {
    return makeAgentClient(reachLocalAgent(agent_program, deadline));
}

}  // namespace agent::client
