#include "agent/server/rpc/service.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "agent/local/address_file.h"
#include "agent/server/doctor/doctor.h"
#include "agent/server/host/host_probe.h"
#include "agent/server/rpc/streams.h"
#include "agent/server/rpc/trust.h"
#include "agent/server/runs/home_submission.h"
#include "agent/server/runs/run_files.h"
#include "agent/server/runs/unfinished_runs.h"
#include "agent/server/scheduled/job_submission.h"
#include "agent/wire/archive_convert.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/fault_convert.h"
#include "agent/wire/job_convert.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/status.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"
#include "engine/thread/mutex.h"

namespace agent::server {

namespace {

constexpr std::chrono::seconds kControlDeadline{5};
constexpr std::chrono::milliseconds kTellEvery{200};  // of an archive's progress
constexpr std::size_t kPageRuns = 500;                // a page of ListRuns ends here or before it gets larger than kMaxPageBytes

bool hasToken(const grpc::CallbackServerContext& context, const std::string& token) {
    const auto& metadata = context.client_metadata();
    const auto entry = metadata.find(convert::kTokenKey);
    return entry != metadata.end() &&
           sameSecret(convert::kTokenPrefix + token, std::string_view(entry->second.data(), entry->second.size()));
}

Submission submissionOf(const proto::SubmitRequest& request) {
    convert::requireSize("project", request.project_json().size(), convert::kMaxProjectBytes);
    for (const auto& [name, text] : {std::pair("run_dir", &request.run_dir()), std::pair("data_dir", &request.data_dir()),
                                     std::pair("save_weights", &request.save_weights()), std::pair("ssh_agent", &request.ssh_agent())}) {
        convert::requireSize(name, text->size(), convert::kMaxPathBytes - 1);
    }
    Submission submission{request.project_json(), request.local_workers(), request.run_dir(),     std::nullopt,
                          request.overwrite(),    request.data_dir(),      request.save_weights()};
    submission.local_servers = request.local_servers();
    if (request.has_only_task()) {
        submission.only_task = convert::fromProto(request.only_task());
    }
    submission.hosts = convert::sharesOf(request);
    submission.ssh_agent = request.ssh_agent();
    return submission;
}

void requireSizes(const std::string& host, const std::string& ssh_agent) {
    convert::requireSize("host", host.size(), convert::kMaxTextBytes);
    convert::requireSize("ssh_agent", ssh_agent.size(), convert::kMaxPathBytes - 1);
}

}  // namespace

AgentService::AgentService(ServiceParts parts) : parts_(std::move(parts)) {
    touch();
}

void AgentService::touch() {
    last_activity_ = std::chrono::steady_clock::now().time_since_epoch().count();
}

std::chrono::steady_clock::time_point AgentService::lastActivity() const {
    return open_streams_ > 0 ? std::chrono::steady_clock::now()
                             : std::chrono::steady_clock::time_point(std::chrono::steady_clock::duration(last_activity_.load()));
}

// The answer is called when it is over.
std::function<void()> AgentService::openStream() {
    ++open_streams_;
    return [this] {
        touch();
        --open_streams_;
    };
}

grpc::Status AgentService::admitted(const grpc::CallbackServerContext& context, const std::function<void()>& body) {
    if (!hasToken(context, parts_.token)) {
        return {grpc::StatusCode::UNAUTHENTICATED, "token: expected the one in this agent's address file, got another or none"};
    }
    parts_.proven(context.peer());
    touch();
    return convert::guarded(body);
}

grpc::ServerUnaryReactor* AgentService::answer(grpc::CallbackServerContext* context, const std::function<void()>& body) {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(admitted(*context, body));
    return reactor;
}

grpc::ServerUnaryReactor* AgentService::Ping(grpc::CallbackServerContext* context, const proto::PingRequest* request,
                                             proto::PingReply* reply) {
    return answer(context, [&] {
        if (!request->part_of().empty()) {
            parts_.supervisor.hearHome(request->part_of());
        }
        reply->set_agent_version(parts_.version);
        reply->set_pid(::getpid());
        reply->set_time_unix_ns(std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
    });
}

grpc::ServerUnaryReactor* AgentService::Describe(grpc::CallbackServerContext* context, const proto::DescribeRequest*,
                                                 proto::HostInfo* reply) {
    return answer(context, [&] {
        engine::run::HostInfo host = probeHost(parts_.submission.runs_dir, parts_.program_dir, parts_.gpus);
        host.agent_version = parts_.version;
        host.runs_notice = parts_.book.notice();
        host.direct_notice = parts_.direct_notice();
        host.runs_dir = parts_.submission.runs_dir.string();
        convert::toProto(host, *reply);
    });
}

void AgentService::begin(RunLaunch launch, proto::RunInfo* reply) {
    convert::toProto(launch.record, *reply);
    parts_.supervisor.start(std::move(launch));
    parts_.sampler.wake();
}

void AgentService::endDoctor() {
    std::jthread doctor;
    {
        const engine::MutexLock lock(threads_mutex_);
        doctor = std::move(doctor_);
    }
    doctor.request_stop();
}

grpc::ServerUnaryReactor* AgentService::reachHosts(grpc::CallbackServerContext* context, const std::function<void()>& check,
                                                   std::function<void()> work) {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    const grpc::Status status = admitted(*context, [&] {
        check();
        if (reaches_hosts_.exchange(true)) {
            throw engine::Error(engine::ErrorCode::kResourceExhausted, "hosts: another run is being started on other computers, ask again");
        }
    });
    if (!status.ok()) {
        reactor->Finish(status);
        return reactor;
    }
    ++open_streams_;
    const engine::MutexLock lock(threads_mutex_);
    reacher_ = std::jthread([this, reactor, work = std::move(work)] {
        const grpc::Status ended = convert::guarded(work);
        touch();
        --open_streams_;
        reaches_hosts_ = false;
        reactor->Finish(ended);
    });
    return reactor;
}

FarRuns& AgentService::farRuns() const {
    if (parts_.far_runs == nullptr) {
        throw engine::Error(engine::ErrorCode::kUnimplemented, "hosts: this agent reaches no other computers");
    }
    return *parts_.far_runs;
}

grpc::ServerUnaryReactor* AgentService::Submit(grpc::CallbackServerContext* context, const proto::SubmitRequest* request,
                                               proto::RunInfo* reply) {
    Submission submission;
    bool spans = false;
    const auto read = [&] {
        submission = submissionOf(*request);
        spans = spansComputers(submission);
    };
    if (const grpc::Status status = admitted(*context, read); !status.ok()) {
        grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
        reactor->Finish(status);
        return reactor;
    }
    if (spans) {
        return reachHosts(
            context, [] {},
            [this, submission, reply] {
                endDoctor();  // it may hold the very ports
                begin(prepareRunOnHosts(submission, parts_.submission, parts_.book), reply);
            });
    }
    return answer(context, [&] { begin(prepareRun(submission, parts_.submission, parts_.book), reply); });
}

grpc::ServerUnaryReactor* AgentService::PreparePart(grpc::CallbackServerContext* context, const proto::PreparePartRequest* request,
                                                    proto::PreparePartReply* reply) {
    return answer(context, [&] {
        convert::requireSize("project", request->project_json().size(), convert::kMaxProjectBytes);
        std::vector<PortReservation> ports =
            holdPart(request->project_json(), request->tasks(), {request->ports().begin(), request->ports().end()}, parts_.submission);
        for (const PortReservation& port : ports) {
            reply->add_ports(port.port());
        }
        reply->set_part_id(held_parts_.hold(std::move(ports)));
    });
}

grpc::ServerUnaryReactor* AgentService::StartPart(grpc::CallbackServerContext* context, const proto::StartPartRequest* request,
                                                  proto::RunInfo* reply) {
    return answer(context, [&] {
        convert::requireSize("project", request->project_json().size(), convert::kMaxProjectBytes);
        convert::requireSize("run_dir", request->run_dir().size(), convert::kMaxPathBytes - 1);
        convert::requireSize("backup", request->backup().size(), convert::kMaxPathBytes - 1);
        OwnShare share;
        std::vector<int> ports;
        for (const proto::PartTask& task : request->tasks()) {
            share.tasks.push_back(convert::fromProto(task.task()));
            share.credentials.push_back(convert::fromProto(task.credentials()));
            ports.push_back(task.port());
        }
        if (share.tasks.empty()) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument, "part: expected a task, got none");
        }
        HeldParts::Start start(held_parts_, request->part_id(), ports);
        if (!start.run().empty()) {
            convert::toProto(parts_.book.find(start.run()), *reply);
            return;
        }
        share.backup = request->backup();
        share.ports = held_parts_.take(request->part_id(), ports);
        Submission submission;
        submission.project_json = request->project_json();
        submission.run_dir = request->run_dir();
        begin(prepareRun(submission, parts_.submission, parts_.book, std::move(share)), reply);
        start.become(reply->id());
    });
}

grpc::ServerUnaryReactor* AgentService::DropPart(grpc::CallbackServerContext* context, const proto::DropPartRequest* request,
                                                 proto::DropPartReply*) {
    return answer(context, [&] { held_parts_.drop(request->part_id()); });
}

grpc::ServerReadReactor<proto::FindFilesRequest>* AgentService::FindFiles(grpc::CallbackServerContext* context,
                                                                          proto::FindFilesReply* reply) {
    const std::function<void()> ended = openStream();
    grpc::ServerReadReactor<proto::FindFilesRequest>* stream = nullptr;
    const grpc::Status status = admitted(*context, [&] { stream = startFind(parts_.files, reply, ended); });
    return stream != nullptr ? stream : new RefusedReader<proto::FindFilesRequest>(status, ended);
}

grpc::ServerReadReactor<proto::SendFileRequest>* AgentService::SendFile(grpc::CallbackServerContext* context, proto::SendFileReply*) {
    const std::function<void()> ended = openStream();
    grpc::ServerReadReactor<proto::SendFileRequest>* stream = nullptr;
    const grpc::Status status = admitted(*context, [&] { stream = startReceive(parts_.files, ended); });
    return stream != nullptr ? stream : new RefusedReader<proto::SendFileRequest>(status, ended);
}

grpc::ServerWriteReactor<proto::ShareFilesReply>* AgentService::ShareFiles(grpc::CallbackServerContext* context,
                                                                           const proto::SubmitRequest* request) {
    const std::function<void()> ended = openStream();
    Submission submission;
    const grpc::Status status = admitted(*context, [&] {
        submission = submissionOf(*request);
        if (shares_files_.exchange(true)) {
            throw engine::Error(engine::ErrorCode::kResourceExhausted, "files: those of another run are being sent, ask again");
        }
    });
    if (!status.ok()) {
        return new RefusedStream<proto::ShareFilesReply>(status, ended);
    }
    const auto queue = std::make_shared<AnswerQueue>();
    grpc::ServerWriteReactor<proto::ShareFilesReply>* stream = startShare(queue, ended);
    const engine::MutexLock lock(threads_mutex_);
    sharer_ = std::jthread([this, queue, submission = std::move(submission)](const std::stop_token& stop) {
        std::optional<engine::Error> failed;
        try {
            shareFiles(
                submission, parts_.submission,
                {.progress =
                     [&](const engine::run::FilesProgress& progress) { queue->push(convert::toProto(progress).SerializeAsString()); },
                 .is_cancelled = [&] { return stop.stop_requested() || queue->isCancelled(); }});
        } catch (const engine::Error& error) {
            failed = error;
        } catch (const std::exception& error) {
            failed = engine::Error(engine::ErrorCode::kInternal, "files: " + engine::exceptionText(error));
        }
        touch();
        shares_files_ = false;
        queue->finish(std::move(failed));
    });
    return stream;
}

grpc::ServerUnaryReactor* AgentService::Control(grpc::CallbackServerContext* context, const proto::ControlRequest* request,
                                                proto::ControlReply*) {
    return answer(context, [&] {
        const engine::spec::Control control = convert::fromProto(request->control());
        const engine::run::RunInfo run = parts_.book.find(request->run_id());
        if (isFinal(run.state)) {
            throw engine::Error(engine::ErrorCode::kFailedPrecondition, "run " + run.id + ": is over");
        }
        if (parts_.follower.control(run.id, control)) return;
        if (parts_.far_runs != nullptr && parts_.far_runs->control(run.id, control)) return;
        parts_.supervisor.control(run.id, control, kControlDeadline);
    });
}

grpc::ServerUnaryReactor* AgentService::InjectFault(grpc::CallbackServerContext* context, const proto::InjectFaultRequest* request,
                                                    proto::InjectFaultReply*) {
    return answer(context, [&] {
        const engine::chaos::Fault fault = convert::fromProto(request->fault());
        const engine::run::RunInfo run = parts_.book.find(request->run_id());
        if (isFinal(run.state)) {
            throw engine::Error(engine::ErrorCode::kFailedPrecondition, "run " + run.id + ": is over");
        }
        if (parts_.follower.follows(run.id) || isFollowedFarAway(run)) {
            throw engine::Error(engine::ErrorCode::kFailedPrecondition,
                                "run " + run.id + ": expected a run whose tasks this agent started, got one that it only follows");
        }
        parts_.supervisor.inject(run.id, fault, kControlDeadline);
    });
}

grpc::ServerUnaryReactor* AgentService::ListRuns(grpc::CallbackServerContext* context, const proto::ListRunsRequest* request,
                                                 proto::ListRunsReply* reply) {
    return answer(context, [&] {
        const bool first = request->before_unix_ns() == 0;
        const std::int64_t before = first ? std::numeric_limits<std::int64_t>::max() : request->before_unix_ns();
        const auto runs = parts_.book.listBehind(before, request->before_id(), kPageRuns);
        std::size_t bytes = 0;
        for (const engine::run::RunInfo& run : runs) {
            proto::RunInfo info;
            convert::toProto(run, info);
            bytes += info.ByteSizeLong();
            if (bytes > convert::kMaxPageBytes && reply->runs_size() > 0) {
                reply->set_more(true);
                return;
            }
            *reply->add_runs() = std::move(info);
        }
        reply->set_more(runs.size() == kPageRuns);
    });
}

grpc::ServerUnaryReactor* AgentService::GetRun(grpc::CallbackServerContext* context, const proto::GetRunRequest* request,
                                               proto::RunInfo* reply) {
    return answer(context, [&] { convert::toProto(parts_.book.find(request->run_id()), *reply); });
}

grpc::ServerUnaryReactor* AgentService::FollowFolder(grpc::CallbackServerContext* context, const proto::FollowFolderRequest* request,
                                                     proto::RunInfo* reply) {
    const auto check = [request] {
        convert::requireSize("folder", request->folder().size(), convert::kMaxPathBytes - 1);
        requireSizes(request->host(), request->ssh_agent());
        if (!std::filesystem::path(request->folder()).is_absolute()) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument,
                                "folder: expected an absolute path, got \"" + request->folder() + "\"");
        }
    };
    if (!request->host().empty()) {
        return reachHosts(context, check, [this, request, reply] {
            convert::toProto(farRuns().follow(request->host(), request->folder(), request->ssh_agent()), *reply);
        });
    }
    return answer(context, [&] {
        check();
        convert::toProto(parts_.follower.follow(request->folder()), *reply);
    });
}

grpc::ServerUnaryReactor* AgentService::SubmitJob(grpc::CallbackServerContext* context, const proto::SubmitJobRequest* request,
                                                  proto::SubmitJobReply* reply) {
    const auto check = [request] {
        convert::requireSize("project", request->project_json().size(), convert::kMaxProjectBytes);
        requireSizes(request->host(), request->ssh_agent());
    };
    const auto tell = [reply](const SubmittedJob& submitted) {
        reply->set_job(submitted.job);
        for (const engine::run::RunInfo& run : submitted.runs) convert::toProto(run, *reply->add_runs());
    };
    const auto submission = [request]() -> JobSubmission { return {convert::fromProto(request->job()), request->project_json()}; };
    if (!request->host().empty()) {
        return reachHosts(context, check, [this, request, submission, tell] {
            tell(farRuns().submit(request->host(), submission(), request->ssh_agent()));
        });
    }
    return answer(context, [&] {
        check();
        tell(submitJob(submission(), {parts_.submission.runs_dir, parts_.program_dir}, parts_.slurm, parts_.book, parts_.follower));
    });
}

grpc::ServerWriteReactor<proto::ArchiveReply>* AgentService::archive(
    const grpc::CallbackServerContext& context, const std::function<void()>& check,
    std::function<proto::ArchiveReply(const ArchivePlace& place, const archive::Progress& progress)> work) {
    const std::function<void()> ended = openStream();
    const grpc::Status status = admitted(context, [&] {
        check();
        if (archives_.exchange(true)) {
            throw engine::Error(engine::ErrorCode::kResourceExhausted, "archive: another one is being written or read, ask again");
        }
    });
    if (!status.ok()) {
        return new RefusedStream<proto::ArchiveReply>(status, ended);
    }
    const auto queue = std::make_shared<AnswerQueue>();
    grpc::ServerWriteReactor<proto::ArchiveReply>* stream = startArchive(queue, ended);
    const engine::MutexLock lock(threads_mutex_);
    archivist_ = std::jthread([this, queue, work = std::move(work)](const std::stop_token& stop) {
        std::optional<engine::Error> failed;
        try {
            auto told = std::chrono::steady_clock::now();
            const proto::ArchiveReply last =
                work({parts_.book, parts_.submission.runs_dir, parts_.version}, [&](const engine::run::ArchiveProgress& progress) {
                    if (const auto now = std::chrono::steady_clock::now(); now - told >= kTellEvery) {
                        told = now;
                        queue->push(convert::toProto(progress).SerializeAsString());
                    }
                    return !stop.stop_requested() && !queue->isCancelled();
                });
            queue->push(last.SerializeAsString());
        } catch (const engine::Error& error) {
            failed = error;
        } catch (const std::exception& error) {
            failed = engine::Error(engine::ErrorCode::kInternal, "archive: " + engine::exceptionText(error));
        }
        touch();
        archives_ = false;
        queue->finish(std::move(failed));
    });
    return stream;
}

grpc::ServerWriteReactor<proto::ArchiveReply>* AgentService::ArchiveRun(grpc::CallbackServerContext* context,
                                                                        const proto::ArchiveRunRequest* request) {
    const auto asked = std::make_shared<engine::run::ArchiveRequest>();
    return archive(
        *context, [&] { *asked = convert::fromProto(*request); },
        [asked](const ArchivePlace& place, const archive::Progress& progress) {
            return convert::toProto(archiveRun(place, *asked, progress));
        });
}

grpc::ServerWriteReactor<proto::ArchiveReply>* AgentService::ImportRun(grpc::CallbackServerContext* context,
                                                                       const proto::ImportRunRequest* request) {
    const std::string file = request->file();
    return archive(
        *context, [&] { convert::requireAbsolute(file); },
        [file](const ArchivePlace& place, const archive::Progress& progress) {
            return convert::toProto(importRun(place, file, progress));
        });
}

grpc::ServerUnaryReactor* AgentService::Doctor(grpc::CallbackServerContext* context, const proto::DoctorRequest* request,
                                               proto::DoctorReply* reply) {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    engine::spec::RunSpec run;
    const grpc::Status status = admitted(*context, [&] {
        convert::requireSize("project", request->project_json().size(), convert::kMaxProjectBytes);
        engine::spec::ProjectReport report = engine::spec::parseProject(request->project_json());
        if (hasErrors(report.diagnostics)) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument, toString(report.diagnostics.front()));
        }
        if (doctor_works_.exchange(true)) {
            throw engine::Error(engine::ErrorCode::kResourceExhausted, "doctor: is looking at another run, ask again");
        }
        run = std::move(report.run);
        convert::requireSize("ssh_agent", request->ssh_agent().size(), convert::kMaxPathBytes - 1);
    });
    if (!status.ok()) {
        reactor->Finish(status);
        return reactor;
    }
    ++open_streams_;
    const engine::MutexLock lock(threads_mutex_);
    doctor_ =
        std::jthread([this, context, reactor, reply, run = std::move(run), ssh_agent = request->ssh_agent()](const std::stop_token& stop) {
            const grpc::Status ended = convert::guarded([&] {
                DoctorWorld world =
                    realWorld(probeHost(parts_.submission.runs_dir, parts_.program_dir, parts_.gpus), parts_.version, parts_.launcher,
                              {parts_.submission.worker_program, {}, parts_.submission.environment, parts_.submission.runs_dir});
                if (parts_.submission.far_doctor) {
                    world.look = [&](FarCase asked) {
                        asked.ssh_agent = ssh_agent;
                        asked.is_cancelled = [&] { return stop.stop_requested() || context->IsCancelled(); };
                        return parts_.submission.far_doctor(asked);
                    };
                }
                convert::toProto(diagnose(run, world), *reply);
            });
            touch();
            --open_streams_;
            doctor_works_ = false;
            reactor->Finish(ended);
        });
    return reactor;
}

grpc::ServerWriteReactor<proto::WatchReply>* AgentService::Watch(grpc::CallbackServerContext* context, const proto::WatchRequest* request) {
    const std::function<void()> ended = openStream();
    grpc::ServerWriteReactor<proto::WatchReply>* stream = nullptr;
    const grpc::Status status =
        admitted(*context, [&] { stream = startWatch(parts_.book.log(request->run_id()), request->from_sequence(), ended); });
    return stream != nullptr ? stream : new RefusedStream<proto::WatchReply>(status, ended);
}

grpc::ServerWriteReactor<proto::AskReply>* AgentService::Ask(grpc::CallbackServerContext* context, const proto::AskRequest* request) {
    const std::function<void()> ended = openStream();
    grpc::ServerWriteReactor<proto::AskReply>* stream = nullptr;
    const grpc::Status status = admitted(*context, [&] { stream = startAnswer(parts_.questions.ask(*request), ended); });
    return stream != nullptr ? stream : new RefusedStream<proto::AskReply>(status, ended);
}

grpc::ServerWriteReactor<proto::WatchHostReply>* AgentService::WatchHost(grpc::CallbackServerContext* context,
                                                                         const proto::WatchHostRequest* request) {
    const std::function<void()> ended = openStream();
    grpc::ServerWriteReactor<proto::WatchHostReply>* stream = nullptr;
    const grpc::Status status = admitted(*context, [&] { stream = startHostWatch(parts_.sampler, request->after_unix_ns(), ended); });
    return stream != nullptr ? stream : new RefusedStream<proto::WatchHostReply>(status, ended);
}

grpc::ServerUnaryReactor* AgentService::ListFiles(grpc::CallbackServerContext* context, const proto::ListFilesRequest* request,
                                                  proto::ListFilesReply* reply) {
    return answer(context, [&] {
        for (const RunFile& file : filesOfRun(parts_.book.find(request->run_id()).run_dir)) {
            proto::RunFile& listed = *reply->add_files();
            listed.set_path(file.path);
            listed.set_bytes(file.bytes);
            listed.set_modified_unix_ns(file.modified_unix_ns);
        }
    });
}

grpc::ServerWriteReactor<proto::FileChunk>* AgentService::FetchFile(grpc::CallbackServerContext* context,
                                                                    const proto::FetchFileRequest* request) {
    const std::function<void()> ended = openStream();
    grpc::ServerWriteReactor<proto::FileChunk>* stream = nullptr;
    const grpc::Status status =
        admitted(*context, [&] { stream = startFetch(parts_.book.find(request->run_id()).run_dir, request->path(), ended); });
    return stream != nullptr ? stream : new RefusedStream<proto::FileChunk>(status, ended);
}

}  // namespace agent::server
