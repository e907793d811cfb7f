#include "agent/server/agent_server.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/convert/address_file.h"
#include "agent/convert/file_descriptor.h"
#include "agent/server/host_probe.h"
#include "agent/server/input_check.h"
#include "agent/server/posix_launcher.h"
#include "agent/server/service.h"
#include "agent/server/trust.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWorkerProgram = "tandem-worker";
constexpr std::chrono::seconds kServerShutdown{1};
constexpr std::chrono::milliseconds kTasksDeadline{200};

// One agent a user: an open file description lock, gone with the process however it ends.
convert::FileDescriptor takeLock(const fs::path& folder) {
    const fs::path path = convert::lockFile(folder);
    convert::FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (!file || (::fcntl(file.get(), F_OFD_SETLK, &whole) != 0 && errno != EAGAIN && errno != EACCES)) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, path.string() + ": can't be locked: " + std::strerror(errno));
    }
    if (::fcntl(file.get(), F_OFD_SETLK, &whole) != 0) {
        throw engine::Error(engine::ErrorCode::kAlreadyExists, path.string() + ": another agent of this user is running");
    }
    return file;
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
    config.cores = config.cores == 0 ? usableCores() : config.cores;
    config.launcher = config.launcher ? std::move(config.launcher) : std::make_unique<PosixLauncher>();
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
          lock(takeLock(config.folder)),
          stale_address_gone(removeAddress()),
          book(config.runs_dir),
          supervisor(config.supervisor, *config.launcher, book, config.log),
          gpus(config.gpu_libraries, valueOf(config.environment, "CUDA_VISIBLE_DEVICES")),
          sampler(HostSampler::start(config.sampler, HostLoadMeter({}, [this] { return gpus.use(); }),
                                     {.active = [this] { return supervisor.activeRuns() > 0; },
                                      .tasks = [this] { return supervisor.liveTasks(kTasksDeadline); }})),
          token(makeToken()),
          service({.token = token,
                   .version = config.version,
                   .submission = {
                       config.runs_dir, config.program_dir / kWorkerProgram, config.environment, config.cores,
                       [this] { return gpusOf(config.program_dir, gpus); },
                       [this](const engine::spec::RunSpec& run, const fs::path& run_dir, const std::vector<std::string>& environment) {
                           return inputErrors(run, *config.launcher, {config.program_dir / kWorkerProgram, {}, environment, {}},
                                              config.runs_dir, run_dir);
                       }},
                   .program_dir = config.program_dir,
                   .book = book,
                   .supervisor = supervisor,
                   .launcher = *config.launcher,
                   .sampler = *sampler,
                   .gpus = gpus}) {
        grpc::ServerBuilder builder;
        int port = 0;
        builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
        builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
        builder.RegisterService(&service);
        server = builder.BuildAndStart();
        if (!server || port == 0) {
            throw engine::Error(engine::ErrorCode::kUnavailable, "agent: can't listen on 127.0.0.1");
        }
        address = "127.0.0.1:" + std::to_string(port);
        convert::writeAgentAddress(config.folder, {address, token, ::getpid(), config.version});
    }
    ~Parts() {
        removeAddress();
        supervisor.shutDown();  // those who watch see their runs end
        sampler->stop();
        server->Shutdown(std::chrono::system_clock::now() + kServerShutdown);
        server->Wait();
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    const AgentServerConfig config;
    // Of an agent that was killed; nobody may take it for this one's.
    bool removeAddress() const {
        std::error_code ignored;
        return fs::remove(convert::addressFile(config.folder), ignored);
    }

    const convert::FileDescriptor lock;
    const bool stale_address_gone;
    RunBook book;
    TaskSupervisor supervisor;
    GpuProbe gpus;
    const std::shared_ptr<HostSampler> sampler;
    const std::string token;
    AgentService service;
    std::string address;
    std::unique_ptr<grpc::Server> server;
};

AgentServer::AgentServer(AgentServerConfig config) : parts_(std::make_unique<Parts>(std::move(config))) {}

AgentServer::~AgentServer() = default;

const std::string& AgentServer::address() const {
    return parts_->address;
}

int AgentServer::activeRuns() const {
    return parts_->supervisor.activeRuns();
}

std::chrono::steady_clock::duration AgentServer::idleFor() const {
    if (activeRuns() > 0) {
        return {};
    }
    return std::chrono::steady_clock::now() - parts_->service.lastActivity();
}

}  // namespace agent::server
