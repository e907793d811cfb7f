#include "agent/server/rpc/agent_server.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_posix.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/local/address_file.h"
#include "agent/local/event_files.h"
#include "agent/local/file_descriptor.h"
#include "agent/local/located_agent.h"
#include "agent/server/host/host_probe.h"
#include "agent/server/process/posix_launcher.h"
#include "agent/server/rpc/input_check.h"
#include "agent/server/rpc/service.h"
#include "agent/server/rpc/trust.h"
#include "agent/server/runs/run_archives.h"
#include "agent/server/runs/unfinished_runs.h"
#include "agent/wire/size_limits.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"
#include "engine/thread/mutex.h"
#include "engine/thread/usable_cores.h"

namespace agent::server {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWorkerProgram = "tandem-worker";
constexpr std::chrono::seconds kServerShutdown{1};
constexpr std::chrono::milliseconds kTasksDeadline{200};

// Takes the lock by which a runs folder has one agent: it goes with the process however that ends.
convert::FileDescriptor lockRuns(const fs::path& runs_dir) {
    std::optional<convert::FileDescriptor> lock = convert::takeLock(convert::lockFile(runs_dir), convert::LockKind::kAlone);
    if (!lock) {
        throw engine::Error(engine::ErrorCode::kAlreadyExists,
                            convert::lockFile(runs_dir).string() + ": another agent of this user is running for these runs");
    }
    return std::move(*lock);
}

// Keeps agents of earlier versions away, which would keep their runs in the same place.
convert::FileDescriptor lockFolder(const fs::path& folder) {
    std::optional<convert::FileDescriptor> lock = convert::takeLock(convert::lockFile(folder), convert::LockKind::kShared);
    if (!lock) {
        throw engine::Error(engine::ErrorCode::kAlreadyExists,
                            convert::lockFile(folder).string() + ": an agent of an earlier version is running, end it first");
    }
    std::error_code ignored;
    fs::remove(convert::addressFile(folder), ignored);  // of such an agent that was killed
    return std::move(*lock);
}

// Returns one name for one runs folder, so that the next agent replaces what an agent left behind.
std::string socketName(const fs::path& runs_dir) {
    struct stat status {};
    if (::stat(runs_dir.c_str(), &status) != 0) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, runs_dir.string() + ": can't be read: " + std::strerror(errno));
    }
    std::ostringstream name;
    name << "agent-" << std::hex << status.st_dev << '-' << status.st_ino << ".sock";
    return name.str();
}

std::vector<std::string> ownEnvironment() {
    std::vector<std::string> out;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        out.emplace_back(*entry);
    }
    return out;
}

// Nobody else writes there, whatever the umask was when it was made.
void makeRunsFolder(const fs::path& folder) {
    const auto made = engine::files::SafeFolder::make(folder);
    constexpr mode_t kOthersWrite = 022, kMode = 07777;
    struct stat found {};
    if (::fstat(made.descriptor(), &found) == 0 && found.st_uid == ::geteuid() && (found.st_mode & kOthersWrite) != 0) {
        ::fchmod(made.descriptor(), found.st_mode & kMode & ~kOthersWrite);
    }
}

AgentServerConfig completed(AgentServerConfig config) {
    config.folder = config.folder.empty() ? convert::makeAgentFolder() : config.folder;
    config.runs_dir = config.runs_dir.empty() ? convert::defaultRunsDir() : config.runs_dir;
    config.program_dir = config.program_dir.empty() ? thisProgramDir() : config.program_dir;
    config.environment = config.environment.empty() ? ownEnvironment() : std::move(config.environment);
    config.cores = config.cores == 0 ? engine::usableCores() : config.cores;
    config.launcher = config.launcher ? std::move(config.launcher) : std::make_unique<PosixLauncher>();
    config.digests = config.digests ? config.digests : std::make_shared<files::FileDigests>();
    config.log = config.log ? config.log : [](engine::spec::LogLevel, const std::string&) {};
    makeRunsFolder(config.runs_dir);
    return config;
}

std::optional<std::string> valueOf(const std::vector<std::string>& environment, const std::string& name) {
    for (const std::string& entry : environment) {
        if (entry.starts_with(name + "=")) {
            return entry.substr(name.size() + 1);
        }
    }
    return std::nullopt;
}

// A sentence that one thread writes and others read.
class Notice {
public:
    void set(std::string text) {
        const engine::MutexLock lock(mutex_);
        text_ = std::move(text);
    }
    std::string text() const {
        const engine::MutexLock lock(mutex_);
        return text_;
    }

private:
    mutable engine::Mutex mutex_;
    std::string text_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace

fs::path thisProgramDir() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) {
        throw engine::Error(engine::ErrorCode::kInternal, "/proc/self/exe: can't be read: " + error.message());
    }
    return program.parent_path();
}

struct AgentServer::Parts {
    explicit Parts(AgentServerConfig given)
        : config(completed(std::move(given))),
          runs_lock(lockRuns(config.runs_dir)),
          folder_lock(lockFolder(config.folder)),
          stale_address_gone(removeAddress()),
          book(config.runs_dir,
               {.spare_folders = {config.runs_dir, config.folder},
                .log = config.log,
                .may_go_on = [this](const engine::run::RunInfo& run) { return mayGoOn(run, static_cast<bool>(config.parts)); }}),
          supervisor(config.supervisor, *config.launcher, book, config.log),
          gpus(config.gpu_libraries, valueOf(config.environment, "CUDA_VISIBLE_DEVICES")),
          sampler(HostSampler::start(config.sampler, load::HostLoadMeter({}, [this] { return gpus.use(); }),
                                     {.active = [this] { return supervisor.activeRuns() > 0; },
                                      .tasks = [this] { return supervisor.liveTasks(kTasksDeadline); }})),
          follower({.run = {.loads = {.elsewhere = farLoads(), .here = ownTasks()}, .jobs = jobs}, .runs_dir = config.runs_dir}, book,
                   config.log),
          far_runs(config.far_runs ? config.far_runs(book, config.runs_dir, config.log, farLoads()) : nullptr),
          questions(config.questions, *config.launcher, {config.program_dir / kWorkerProgram, {}, config.environment, config.runs_dir}),
          token(makeToken()),
          door(config.folder, socketName(config.runs_dir), config.door),
          sent_files(std::make_shared<files::FileStore>(config.sent_files, config.digests)),
          service({.token = token,
                   .version = config.version,
                   .submission = submissionContext(),
                   .program_dir = config.program_dir,
                   .book = book,
                   .supervisor = supervisor,
                   .follower = follower,
                   .far_runs = far_runs.get(),
                   .slurm = *jobs,
                   .questions = questions,
                   .launcher = *config.launcher,
                   .sampler = *sampler,
                   .gpus = gpus,
                   .files = {.store = sent_files},
                   .direct_notice = [this] { return direct_notice.text(); },
                   .proven = [this](const std::string& peer) { door.proven(peer); }}) {
        removeHalfImports(config.runs_dir);
        grpc::ServerBuilder builder;
        builder.SetMaxReceiveMessageSize(convert::kMaxRequestBytes);
        builder.SetMaxSendMessageSize(convert::kMaxReplyBytes);
        builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, convert::kMaxHeaderBytes);
        builder.RegisterService(&service);
        server = builder.BuildAndStart();
        if (!server) {
            throw engine::Error(engine::ErrorCode::kUnavailable, "agent: its gRPC server can't be started");
        }
        address = "unix:" + door.socket().string();
        convert::AgentAddress known{address, token, ::getpid(), config.version, hostName()};
        if (config.direct) {
            known.listen = config.direct->listen;
            direct_door = std::make_unique<direct::DirectDoor>(doorOptions(known));
        }
        convert::writeAgentAddress(config.runs_dir, known);
        unfinished = std::make_unique<UnfinishedRuns>(submissionContext(), book, supervisor, config.log);
        for (const InterruptedRun& run : book.interrupted()) {
            if (convert::isFollowed(run.record.run_dir, run.record.id)) follower.resume(run.record);
            if (far_runs && isFollowedFarAway(run.record)) far_runs->resume(run.record);
        }
        door.open([this](convert::FileDescriptor connection) { grpc::AddInsecureChannelFromFd(server.get(), connection.release()); });
        tidying = std::jthread([this] { removeOldFiles(); });
    }
    ~Parts() {
        removeAddress();
        direct_door.reset();
        unfinished.reset();
        if (far_runs) far_runs->shutDown();
        supervisor.shutDown();  // those who watch see their runs end
        questions.shutDown();
        book.saveSpare();
        sampler->stop();
        door.close();
        server->Shutdown(std::chrono::system_clock::now() + kServerShutdown);
        server->Wait();
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    const AgentServerConfig config;
    SubmissionContext submissionContext() {
        return {
            config.runs_dir,
            config.program_dir / kWorkerProgram,
            config.environment,
            config.cores,
            [this] { return gpusOf(config.program_dir, gpus); },
            [this](const engine::spec::RunSpec& run, const fs::path& run_dir, const std::vector<std::string>& environment) {
                return inputErrors(run, *config.launcher, {config.program_dir / kWorkerProgram, {}, environment, config.runs_dir}, run_dir);
            },
            config.parts,
            farLoads(),
            config.far_doctor,
            config.share};
    }
    // Shows what other computers use beside what this one does.
    LoadSink farLoads() const {
        return [shown = std::weak_ptr(sampler)](std::vector<engine::spec::HostLoad> loads) {
            if (const std::shared_ptr<HostSampler> still = shown.lock()) {
                still->add(std::move(loads));
            }
        };
    }
    // Measures tasks on this computer that the supervisor does not know.
    FollowedTasks ownTasks() const {
        return [shown = std::weak_ptr(sampler)](const std::string& run_id, std::vector<load::LiveTask> tasks) {
            if (const std::shared_ptr<HostSampler> still = shown.lock()) {
                still->follow(run_id, std::move(tasks));
            }
        };
    }
    int ownRuns() const { return supervisor.activeRuns() + unfinished->waiting(); }
    direct::DirectDoorOptions doorOptions(const convert::AgentAddress& own) {
        direct::DirectDoorOptions options = *config.direct;
        options.agent = {own, convert::thisArch()};
        options.obstacle = [this](const std::string& why) {
            direct_notice.set(why.empty() ? "" : "no paired computer is let in: the list of them can't be read: " + why);
        };
        options.log = [log = config.log](const std::string& line) { log(engine::spec::LogLevel::kInfo, "direct: " + line); };
        return options;
    }
    // Removes the files that other computers sent and no run has asked for lately.
    void removeOldFiles() const {
        try {
            const std::int64_t bytes = sent_files->removeUnused(std::chrono::system_clock::now() - files::FileStore::kKeptFor);
            if (bytes > 0 && config.log) {
                config.log(engine::spec::LogLevel::kInfo,
                           "removed " + std::to_string(bytes) + " bytes of files that no run has asked for in a month");
            }
        } catch (const std::exception& error) {
            if (config.log) {
                config.log(engine::spec::LogLevel::kWarning,
                           "files that were sent are not looked through: " + engine::exceptionText(error));
            }
        }
    }
    // Removes the address of an agent that was killed; nobody may take it for this one's.
    bool removeAddress() const {
        std::error_code ignored;
        return fs::remove(convert::addressFile(config.runs_dir), ignored);
    }

    const convert::FileDescriptor runs_lock, folder_lock;
    const bool stale_address_gone;
    RunBook book;
    TaskSupervisor supervisor;
    load::GpuProbe gpus;
    const std::shared_ptr<HostSampler> sampler;
    const std::shared_ptr<SlurmQueue> jobs = std::make_shared<SlurmQueue>();
    RunFollower follower;
    const std::unique_ptr<FarRuns> far_runs;  // null: this agent reaches no other computers
    QuestionDesk questions;
    const std::string token;
    LocalDoor door;  // makes the socket; opened when there is a server behind it
    const std::shared_ptr<files::FileStore> sent_files;
    Notice direct_notice;
    AgentService service;
    std::string address;
    std::unique_ptr<grpc::Server> server;
    std::unique_ptr<direct::DirectDoor> direct_door;  // null without --listen
    std::unique_ptr<UnfinishedRuns> unfinished;       // of an agent before this one
    std::jthread tidying;                             // last: it uses the others
};

AgentServer::AgentServer(AgentServerConfig config) : parts_(std::make_unique<Parts>(std::move(config))) {}

AgentServer::~AgentServer() = default;

const std::string& AgentServer::address() const {
    return parts_->address;
}

std::string AgentServer::directAddress() const {
    return parts_->direct_door ? parts_->direct_door->address() : std::string();
}

int AgentServer::activeRuns() const {
    const int far_away = parts_->far_runs ? parts_->far_runs->activeRuns() : 0;
    return parts_->ownRuns() + parts_->follower.activeRuns() + far_away;
}

std::chrono::steady_clock::duration AgentServer::idleFor() const {
    if (parts_->ownRuns() > 0) {
        return {};
    }
    return std::chrono::steady_clock::now() - parts_->service.lastActivity();
}

}  // namespace agent::server
