#include "agent/client/local_agent.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/client/user_unit.h"
#include "agent/local/address_file.h"
#include "agent/local/file_descriptor.h"
#include "engine/spec/error.h"

namespace agent::client {

namespace fs = std::filesystem;
using convert::FileDescriptor;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kAgentProgram = "tandem-agent";
constexpr int kReadyDescriptor = 3;
constexpr int kFirstHighDescriptor = 16;  // above those that the agent is given
constexpr const char* kReady = "ready\n";
constexpr const char* kIdleExitSeconds = "600";
constexpr std::chrono::milliseconds kRetry{2};
constexpr std::uintmax_t kMaxLogBytes = 4u << 20;

[[noreturn]] void unavailable(const std::string& message) {
    throw engine::Error(engine::ErrorCode::kUnavailable, message);
}

std::chrono::milliseconds left(Clock::time_point until) {
    return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()));
}

fs::path besideThisProgram() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return program.parent_path() / kAgentProgram;
}

FileDescriptor openLog(const fs::path& folder) {
    const fs::path log = convert::logFile(folder);
    std::error_code error;
    if (const std::uintmax_t size = fs::file_size(log, error); !error && size > kMaxLogBytes) {
        fs::rename(log, log.string() + ".1", error);
    }
    FileDescriptor low(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!low) {
        unavailable(log.string() + ": can't be opened: " + std::strerror(errno));
    }
    return FileDescriptor(::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstHighDescriptor));
}

// The attributes of posix_spawn, freed at the end of the scope.
class SpawnPlan {
public:
    SpawnPlan(int log, int ready) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions_, log, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions_, log, STDERR_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions_, ready, kReadyDescriptor);
        ::posix_spawn_file_actions_addclosefrom_np(&actions_, kReadyDescriptor + 1);
        ::posix_spawnattr_init(&attributes_);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &all);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    const posix_spawn_file_actions_t& actions() const { return actions_; }
    const posix_spawnattr_t& attributes() const { return attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

// Makes the log where there is none, sets one aside that has become long, and returns its path.
fs::path logIn(const fs::path& folder) {
    openLog(folder);
    return convert::logFile(folder);
}

// Returns what the agent writes once it listens ("ready"), or why it can't; then the agent closes the pipe.
std::string readAnswer(const FileDescriptor& pipe, Clock::time_point until) {
    std::string answer;
    for (;;) {
        pollfd entry{pipe.get(), POLLIN, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(left(until).count()));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready <= 0) {
            unavailable("agent: was started, but is not ready in time");
        }
        char bytes[512];
        const ssize_t received = ::read(pipe.get(), bytes, sizeof bytes);
        if (received > 0) {
            answer.append(bytes, static_cast<std::size_t>(received));
        } else if (received == 0 || errno != EINTR) {
            return answer;
        }
    }
}

// Starts the agent in a session of its own; by its own second fork it is no child of this process. Returns what it said when it was ready
// or gave up.
std::string startAgent(const fs::path& program, const fs::path& folder, Clock::time_point until) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        unavailable(std::string("agent: pipe: ") + std::strerror(errno));
    }
    const FileDescriptor ours(ends[0]);
    FileDescriptor low(ends[1]);
    FileDescriptor theirs(::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstHighDescriptor));
    low.reset();
    FileDescriptor log = openLog(folder);
    std::vector<std::string> command{program.string(), "--detach",      "--ready-fd", std::to_string(kReadyDescriptor),
                                     "--idle-exit",    kIdleExitSeconds};
    std::vector<char*> arguments;
    for (std::string& word : command) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const SpawnPlan plan(log.get(), theirs.get());
    pid_t pid = -1;
    if (const int error = ::posix_spawn(&pid, program.c_str(), &plan.actions(), &plan.attributes(), arguments.data(), environ);
        error != 0) {
        unavailable(program.string() + ": can't be started: " + std::strerror(error));
    }
    theirs.reset();
    std::string answer;
    try {
        answer = readAnswer(ours, until);
    } catch (const engine::Error&) {
        ::waitpid(pid, nullptr, WNOHANG);  // the agent is late; what has forked it ended long ago
        throw;
    }
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {  // the same
    }
    return answer;
}

// Returns where the agent's address is to be looked for: the runs folder, or the agent's folder while an agent of an earlier version lives.
fs::path meetingPlace(const fs::path& agent_folder) {
    const fs::path runs = convert::defaultRunsDir();
    return !convert::agentLives(runs) && convert::earlierAgentLives(agent_folder) ? agent_folder : runs;
}

// The agent that lives may have been started with other variables in its environment.
fs::path logOfLivingAgent(const fs::path& place, const fs::path& agent_folder) {
    const std::optional<convert::AgentAddress> address = convert::readAgentAddress(place);
    const std::optional<fs::path> socket = address ? convert::socketOf(*address) : std::nullopt;
    return convert::logFile(socket ? socket->parent_path() : agent_folder);
}

std::string whereItRuns(const fs::path& place) {
    const std::optional<convert::AgentAddress> address = convert::readAgentAddress(place);
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    return address && !address->host.empty() && address->host != host
               ? " (the agent of " + place.string() + " runs on " + address->host + ", this computer is " + host + ")"
               : "";
}

enum class StartAs { kProcess, kUserUnit };

// "ready\n", or why there is none.
std::string start(StartAs as, const fs::path& program, const fs::path& folder, Clock::time_point until) {
    if (as == StartAs::kUserUnit && startAsUserUnit(program, {"--idle-exit", kIdleExitSeconds}, logIn(folder), until)) {
        return kReady;
    }
    return startAgent(program, folder, until);
}

std::shared_ptr<AgentChannel> reach(const std::string& agent_program, StartAs as, std::chrono::milliseconds deadline) {
    const Clock::time_point until = Clock::now() + deadline;
    const fs::path folder = convert::makeAgentFolder();
    const fs::path program = agent_program.empty() ? besideThisProgram() : fs::path(agent_program);
    std::shared_ptr<AgentChannel> channel;
    std::string reason = "tandem-agent: did not start in time";
    bool started = false;
    fs::path place = meetingPlace(folder);
    while (left(until).count() > 0) {
        place = meetingPlace(folder);
        if (!convert::agentLives(place) && !started) {
            const std::string answer = start(as, program, folder, until);
            started = answer == kReady;
            reason = started ? reason
                             : program.string() + ": " +
                                   (answer.empty() ? "ended without a word, see " + convert::logFile(folder).string() : answer);
            // Another client's agent may have been quicker: then its lock is held by now.
            place = meetingPlace(folder);
            if (!started && !convert::agentLives(place)) {
                unavailable(reason);
            }
        }
        if (channel == nullptr || channel->folder() != place) {
            channel = std::make_shared<AgentChannel>(place);
        }
        try {
            channel->ping(left(until));
            return channel;
        } catch (const engine::Error& error) {
            if (error.code() == engine::ErrorCode::kUnimplemented) {
                unavailable(error.what());
            }
            reason = error.what();
            started = started && convert::agentLives(place);
        }
        std::this_thread::sleep_for(kRetry);
    }
    unavailable(reason + whereItRuns(place) + "; no answer within " + std::to_string(deadline.count() / 1000) +
                " s: try again when the computer is less busy, or end the process tandem-agent, which runs anew by itself (it writes " +
                logOfLivingAgent(place, folder).string() + ")");
}

}  // namespace

std::shared_ptr<AgentChannel> reachLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline) {
    return reach(agent_program, StartAs::kProcess, deadline);
}

convert::AgentAddress locateLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline) {
    const std::shared_ptr<AgentChannel> channel = reach(agent_program, StartAs::kUserUnit, deadline);
    const std::optional<convert::AgentAddress> address = convert::readAgentAddress(channel->folder());
    if (!address) {
        unavailable(convert::addressFile(channel->folder()).string() + ": expected the address of the agent that answered, it is gone");
    }
    return *address;
}

}  // namespace agent::client
