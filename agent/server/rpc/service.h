// The agent's gRPC service: trust first, then one dispatch. No work of its own: submission, supervisor and book do it.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "agent/proto/agent.grpc.pb.h"
#include "agent/server/followed/run_follower.h"
#include "agent/server/host/host_sampler.h"
#include "agent/server/process/process.h"
#include "agent/server/rpc/file_streams.h"
#include "agent/server/rpc/question_desk.h"
#include "agent/server/runs/far_runs.h"
#include "agent/server/runs/held_parts.h"
#include "agent/server/runs/run_archives.h"
#include "agent/server/runs/run_book.h"
#include "agent/server/runs/run_submission.h"
#include "agent/server/scheduled/slurm_queue.h"
#include "agent/server/supervision/task_supervisor.h"
#include "engine/thread/mutex.h"

namespace agent::server {

struct ServiceParts {
    std::string token;
    std::string version;
    SubmissionContext submission;
    std::filesystem::path program_dir;
    RunBook& book;
    TaskSupervisor& supervisor;
    RunFollower& follower;
    FarRuns* far_runs;  // null: this agent reaches no other computers
    SlurmQueue& slurm;
    QuestionDesk& questions;
    ProcessLauncher& launcher;
    HostSampler& sampler;
    load::GpuProbe& gpus;
    FileDesk files;
    std::function<std::string()> direct_notice;           // HostInfo::direct_notice
    std::function<void(const std::string& peer)> proven;  // told of every call with the token, and whose it is
};

// Called by gRPC's threads. What `parts` refers to outlives it.
class AgentService final : public proto::Agent::CallbackService {
public:
    explicit AgentService(ServiceParts parts);

    // Returns when the last call began or the last watch ended; the time now while one is open.
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
    // Takes one call at a time, as Doctor.
    grpc::ServerWriteReactor<proto::ShareFilesReply>* ShareFiles(grpc::CallbackServerContext* context,
                                                                 const proto::SubmitRequest* request) override;
    grpc::ServerUnaryReactor* Control(grpc::CallbackServerContext* context, const proto::ControlRequest* request,
                                      proto::ControlReply*) override;
    grpc::ServerUnaryReactor* InjectFault(grpc::CallbackServerContext* context, const proto::InjectFaultRequest* request,
                                          proto::InjectFaultReply*) override;
    grpc::ServerUnaryReactor* ListRuns(grpc::CallbackServerContext* context, const proto::ListRunsRequest*,
                                       proto::ListRunsReply* reply) override;
    grpc::ServerUnaryReactor* GetRun(grpc::CallbackServerContext* context, const proto::GetRunRequest* request,
                                     proto::RunInfo* reply) override;
    grpc::ServerUnaryReactor* SubmitJob(grpc::CallbackServerContext* context, const proto::SubmitJobRequest* request,
                                        proto::SubmitJobReply* reply) override;
    // Takes as long as it takes to read what the tasks in the folder have told already.
    grpc::ServerUnaryReactor* FollowFolder(grpc::CallbackServerContext* context, const proto::FollowFolderRequest* request,
                                           proto::RunInfo* reply) override;
    // One of these two at a time, as Doctor.
    grpc::ServerWriteReactor<proto::ArchiveReply>* ArchiveRun(grpc::CallbackServerContext* context,
                                                              const proto::ArchiveRunRequest* request) override;
    grpc::ServerWriteReactor<proto::ArchiveReply>* ImportRun(grpc::CallbackServerContext* context,
                                                             const proto::ImportRunRequest* request) override;
    // Takes seconds: it works on a thread of its own, one call at a time; another call meanwhile ends with RESOURCE_EXHAUSTED. The same
    // holds for Submit of a run on several computers, and for SubmitJob and FollowFolder with a host.
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
    // `work` reaches other computers, which takes seconds: it runs on a thread, one at a time.
    grpc::ServerUnaryReactor* reachHosts(grpc::CallbackServerContext* context, const std::function<void()>& check,
                                         std::function<void()> work);
    // Throws Error(kUnimplemented) where this agent reaches no other computers.
    FarRuns& farRuns() const;
    // `work` answers the last message.
    grpc::ServerWriteReactor<proto::ArchiveReply>* archive(
        const grpc::CallbackServerContext& context, const std::function<void()>& check,
        std::function<proto::ArchiveReply(const ArchivePlace& place, const archive::Progress& progress)> work);
    void begin(RunLaunch launch, proto::RunInfo* reply);
    void touch();
    std::function<void()> openStream();

    const ServiceParts parts_;
    std::atomic<std::chrono::steady_clock::rep> last_activity_;
    std::atomic<int> open_streams_ = 0;
    HeldParts held_parts_;
    std::atomic<bool> doctor_works_ = false, reaches_hosts_ = false, shares_files_ = false, archives_ = false;
    engine::Mutex threads_mutex_;
    // The last members: joined first.
    std::jthread doctor_ TANDEM_GUARDED_BY(threads_mutex_), reacher_ TANDEM_GUARDED_BY(threads_mutex_),
        sharer_ TANDEM_GUARDED_BY(threads_mutex_), archivist_ TANDEM_GUARDED_BY(threads_mutex_);
};

}  // namespace agent::server
