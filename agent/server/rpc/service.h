// The agent's gRPC service: trust first, then one dispatch. No work of its own: submission, supervisor and book do it.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "agent/proto/agent.grpc.pb.h"
#include "agent/server/host/host_sampler.h"
#include "agent/server/process/process.h"
#include "agent/server/rpc/file_streams.h"
#include "agent/server/rpc/question_desk.h"
#include "agent/server/runs/held_parts.h"
#include "agent/server/runs/run_book.h"
#include "agent/server/runs/run_submission.h"
#include "agent/server/runs/task_supervisor.h"
#include "engine/thread/mutex.h"

namespace agent::server {

struct ServiceParts {
    std::string token;
    std::string version;
    SubmissionContext submission;
    std::filesystem::path program_dir;
    RunBook& book;
    TaskSupervisor& supervisor;
    QuestionDesk& questions;
    ProcessLauncher& launcher;
    HostSampler& sampler;
    GpuProbe& gpus;
    FileDesk files;
    std::function<void(const std::string& peer)> proven;  // told of every call with the token, and whose it is
};

// Called by gRPC's threads. What `parts` refers to outlives it.
class AgentService final : public proto::Agent::CallbackService {
public:
    explicit AgentService(ServiceParts parts);

    // When the last call began or the last watch ended; now while one is open.
    std::chrono::steady_clock::time_point lastActivity() const;

    grpc::ServerUnaryReactor* Ping(grpc::CallbackServerContext* context, const proto::PingRequest* request,
                                   proto::PingReply* reply) override;
    grpc::ServerUnaryReactor* Describe(grpc::CallbackServerContext* context, const proto::DescribeRequest*,
                                       proto::HostInfo* reply) override;
    grpc::ServerUnaryReactor* Submit(grpc::CallbackServerContext* context, const proto::SubmitRequest* request,
                                     proto::RunInfo* reply) override;
    grpc::ServerUnaryReactor* PreparePart(grpc::CallbackServerContext* context, const proto::PreparePartRequest* request,
                                          proto::PreparePartReply* reply) override;
    grpc::ServerUnaryReactor* StartPart(grpc::CallbackServerContext* context, const proto::StartPartRequest* request,
                                        proto::RunInfo* reply) override;
    grpc::ServerUnaryReactor* DropPart(grpc::CallbackServerContext* context, const proto::DropPartRequest* request,
                                       proto::DropPartReply*) override;
    grpc::ServerReadReactor<proto::FindFilesRequest>* FindFiles(grpc::CallbackServerContext* context,
                                                                proto::FindFilesReply* reply) override;
    grpc::ServerReadReactor<proto::SendFileRequest>* SendFile(grpc::CallbackServerContext* context, proto::SendFileReply*) override;
    // One at a time, as Doctor.
    grpc::ServerWriteReactor<proto::ShareFilesReply>* ShareFiles(grpc::CallbackServerContext* context,
                                                                 const proto::SubmitRequest* request) override;
    grpc::ServerUnaryReactor* Control(grpc::CallbackServerContext* context, const proto::ControlRequest* request,
                                      proto::ControlReply*) override;
    grpc::ServerUnaryReactor* ListRuns(grpc::CallbackServerContext* context, const proto::ListRunsRequest*,
                                       proto::ListRunsReply* reply) override;
    grpc::ServerUnaryReactor* GetRun(grpc::CallbackServerContext* context, const proto::GetRunRequest* request,
                                     proto::RunInfo* reply) override;
    // Takes seconds: on a thread of its own, one at a time; another one meanwhile is RESOURCE_EXHAUSTED. So is Submit of a run on several
    // computers.
    grpc::ServerUnaryReactor* Doctor(grpc::CallbackServerContext* context, const proto::DoctorRequest* request,
                                     proto::DoctorReply* reply) override;
    grpc::ServerWriteReactor<proto::WatchReply>* Watch(grpc::CallbackServerContext* context, const proto::WatchRequest* request) override;
    grpc::ServerWriteReactor<proto::AskReply>* Ask(grpc::CallbackServerContext* context, const proto::AskRequest* request) override;
    grpc::ServerWriteReactor<proto::WatchHostReply>* WatchHost(grpc::CallbackServerContext* context,
                                                               const proto::WatchHostRequest* request) override;
    grpc::ServerUnaryReactor* ListFiles(grpc::CallbackServerContext* context, const proto::ListFilesRequest* request,
                                        proto::ListFilesReply* reply) override;
    grpc::ServerWriteReactor<proto::FileChunk>* FetchFile(grpc::CallbackServerContext* context,
                                                          const proto::FetchFileRequest* request) override;

private:
    // Throws nothing: UNAUTHENTICATED without the token, else what `body` answers.
    grpc::Status admitted(const grpc::CallbackServerContext& context, const std::function<void()>& body);
    grpc::ServerUnaryReactor* answer(grpc::CallbackServerContext* context, const std::function<void()>& body);
    // Asks the doctor to end and waits for it; what it has found by then is its report.
    void endDoctor();
    grpc::ServerUnaryReactor* submitOnHosts(grpc::CallbackServerContext* context, const Submission& submission, proto::RunInfo* reply);
    void begin(RunLaunch launch, proto::RunInfo* reply);
    void touch();
    std::function<void()> openStream();

    const ServiceParts parts_;
    std::atomic<std::chrono::steady_clock::rep> last_activity_;
    std::atomic<int> open_streams_ = 0;
    HeldParts held_parts_;
    std::atomic<bool> doctor_works_ = false, reaches_hosts_ = false, shares_files_ = false;
    engine::Mutex threads_mutex_;
    // The last members: joined first.
    std::jthread doctor_ TANDEM_GUARDED_BY(threads_mutex_), reacher_ TANDEM_GUARDED_BY(threads_mutex_),
        sharer_ TANDEM_GUARDED_BY(threads_mutex_);
};

}  // namespace agent::server
