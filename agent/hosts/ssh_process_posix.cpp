#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/hosts/ssh_process.h"
#include "agent/local/file_descriptor.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using convert::FileDescriptor;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::size_t kMostKept = 64u << 10;
constexpr int kFirstHighDescriptor = 16;  // above the child's 0 to 2, so that dup2 never meets its own source
constexpr std::string_view kAgentSocket = "SSH_AUTH_SOCK=";
// ssh gives up a connection that is not made within the first time, and one that is silent for the other two together.
constexpr const char* kConnectTimeout = "ConnectTimeout=10";
constexpr const char* kAliveInterval = "ServerAliveInterval=5";
constexpr const char* kAliveCount = "ServerAliveCountMax=3";

[[noreturn]] void fail(const char* what, int error) {
    throw Error(ErrorCode::kUnavailable, std::string("ssh: expected to start it, ") + what + ": " + std::strerror(error));
}

bool isSet(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && value[0] != '\0';
}

fs::path sshProgram() {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        fs::path program = fs::path(rest.substr(0, colon)) / "ssh";
        std::error_code ignored;  // a folder that can't be looked into holds no ssh for this user
        if (program.is_absolute() && fs::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0) {
            return program;
        }
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    throw Error(ErrorCode::kFailedPrecondition,
                "ssh: expected OpenSSH's client on the PATH, found none: install it (Debian's package is openssh-client)");
}

// All that the child needs between vfork and execve, made before: it may only call async-signal-safe functions.
struct ChildPlan {
    const char* program = nullptr;
    char* const* arguments = nullptr;
    char* const* environment = nullptr;
    const char* working_dir = nullptr;  // null: stays
    bool own_session = true;
    int input = -1, output = -1, error = -1;
    pid_t parent = 0;
};

[[noreturn]] void runChild(const ChildPlan& plan) {
    constexpr int kCannotRun = 127;
    for (int signal = 1; signal < NSIG; ++signal) {
        ::signal(signal, SIG_DFL);  // fails for KILL and STOP, which is as well
    }
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if ((plan.own_session && ::setsid() < 0) || ::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != plan.parent ||
        ::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 || ::dup2(plan.error, STDERR_FILENO) < 0 ||
        (plan.working_dir != nullptr && ::chdir(plan.working_dir) != 0)) {
        ::_exit(kCannotRun);
    }
    ::close_range(STDERR_FILENO + 1, UINT_MAX, CLOSE_RANGE_CLOEXEC);
    ::execve(plan.program, plan.arguments, plan.environment);
    ::_exit(kCannotRun);
}

// vfork: the child borrows this address space until execve, whatever its size, and runs no fork handlers of libraries. No signal handler
// may run in it.
[[gnu::noinline]] pid_t startChild(const ChildPlan& plan) {
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::vfork();
    if (pid == 0) {
        runChild(plan);
    }
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return pid;
}

FileDescriptor high(FileDescriptor low) {
    FileDescriptor moved(::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstHighDescriptor));
    if (!moved) {
        fail("descriptor", errno);
    }
    return moved;
}

struct Pipe {
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) {
            fail("pipe", errno);
        }
        ours = FileDescriptor(ends[0]);
        theirs = high(FileDescriptor(ends[1]));
        ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    }
    FileDescriptor ours, theirs;
};

// The source of the far command's input: what this process writes at `ours`, or nothing.
struct InputEnds {
    explicit InputEnds(Input input) {
        if (input == Input::kNone) {
            theirs = high(FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
            return;
        }
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
            fail("socket pair", errno);
        }
        ours = FileDescriptor(ends[0]);
        theirs = high(FileDescriptor(ends[1]));
        ::shutdown(ours.get(), SHUT_RD);
    }
    FileDescriptor ours, theirs;
};

// Returns the options of every connection on the way to the host.
std::vector<std::string> optionsOfTheWay(const SshCommand& command) {
    std::vector<std::string> options{command.prompts == Prompts::kNone ? "BatchMode=yes" : "BatchMode=no"};
    if (command.prompts == Prompts::kAskpass) {
        options.emplace_back("StrictHostKeyChecking=ask");  // whatever the configuration says: a person is there to see an unknown key
    }
    options.insert(options.end(),
                   {kConnectTimeout, kAliveInterval, kAliveCount, "LogLevel=INFO"});  // the last one is what ssh_errors reads
    // What the user's configuration may want for sessions of their own.
    options.insert(options.end(), {"ControlMaster=no", "RemoteCommand=none", "PermitLocalCommand=no"});
    return options;
}

// Returns the folder where ssh looks for the user's configuration, whatever HOME says; empty where the system does not know the user. Safe
// from any thread.
fs::path homeOfUser() {
    constexpr std::size_t kMost = 1u << 20;
    for (std::vector<char> buffer(1024); buffer.size() <= kMost; buffer.resize(buffer.size() * 2)) {
        passwd entry{};
        passwd* user = nullptr;
        const int error = ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &user);
        if (error != ERANGE && error != EINTR) {
            return user == nullptr ? "" : user->pw_dir;
        }
    }
    return {};
}

// ssh refuses a configuration of the user's that others may write, and asks so of that file alone: then it is to read none of ours.
bool mayBeIncluded() {
    const fs::path home = homeOfUser();
    struct stat found {};
    if (home.empty() || ::stat((home / ".ssh" / "config").c_str(), &found) != 0) {
        return true;
    }
    return (found.st_uid == 0 || found.st_uid == ::getuid()) && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// A file in memory, which ssh opens by the path that pathOf() answers, and so does every ssh that it starts.
FileDescriptor fileInMemory(const std::string& text) {
    FileDescriptor file(::memfd_create("ssh_config", MFD_CLOEXEC));
    if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        fail("its configuration", errno);
    }
    return file;
}
std::string pathOf(const FileDescriptor& file) {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file.get());
}

void keepLast(std::string& text, std::string_view more) {
    text.append(more);
    if (text.size() > kMostKept) {
        text.erase(0, text.size() - kMostKept);
    }
}

}  // namespace

Prompts promptsHere() {
    const FileDescriptor terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
    if (terminal && ::tcgetpgrp(terminal.get()) == ::getpgrp() && ::isatty(STDERR_FILENO) != 0) {
        return Prompts::kTerminal;
    }
    const char* required = std::getenv("SSH_ASKPASS_REQUIRE");
    const std::string_view require = required == nullptr ? "" : required;
    const bool shown = isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || require == "force" || require == "prefer";
    return isSet("SSH_ASKPASS") && shown && require != "never" ? Prompts::kAskpass : Prompts::kNone;
}

std::string quotedForShell(std::string_view word) {
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

std::string sshConfiguration(const SshCommand& command) {
    std::string text;
    for (std::string option : optionsOfTheWay(command)) {
        option[option.find('=')] = ' ';
        text += option + "\n";
    }
    return text + "Include ~/.ssh/config\nInclude /etc/ssh/ssh_config\n";
}

std::vector<std::string> sshArguments(const SshDestination& destination, const SshCommand& command) {
    std::vector<std::string> arguments{"-T", "-x", "-a"};
    const auto set = [&](const std::string& option) { arguments.insert(arguments.end(), {"-o", option}); };
    for (const std::string& option : optionsOfTheWay(command)) {
        set(option);
    }
    set("ExitOnForwardFailure=no");
    arguments.insert(arguments.end(), command.options.begin(), command.options.end());
    if (destination.port != 0) {
        arguments.insert(arguments.end(), {"-p", std::to_string(destination.port)});
    }
    if (!destination.user.empty()) {
        arguments.insert(arguments.end(), {"-l", destination.user});
    }
    arguments.insert(arguments.end(), {"--", destination.host});
    if (!command.far_command.empty()) {
        arguments.push_back(command.far_command);
    }
    return arguments;
}

// A thread that starts ssh, reads what it writes and waits for it: the death signal is tied to the thread, which outlives ssh.
class SshProcess::Supervisor {
public:
    Supervisor(const SshDestination& destination, const SshCommand& command)
        : program_(sshProgram()),
          working_dir_(command.working_dir),
          own_environment_(command.environment),
          own_session_(command.prompts != Prompts::kTerminal),
          words_(sshArguments(destination, command)),
          input_(command.input),
          wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (mayBeIncluded()) {
            configuration_ = fileInMemory(sshConfiguration(command));
            words_.insert(words_.begin(), {"-F", pathOf(configuration_)});
        }
        words_.insert(words_.begin(), program_.string());
        if (!command.agent_socket.empty()) {
            own_environment_.push_back(std::string(kAgentSocket) + command.agent_socket);
        }
        thread_ = std::jthread([this](const std::stop_token& stop) { supervise(stop); });
        engine::MutexLock lock(mutex_);
        changed_.wait(lock, [this]() TANDEM_REQUIRES(mutex_) { return started_ || ended_; });  // vfork returns, one way or the other
        if (start_error_ != 0) {
            fail("start", start_error_);
        }
    }
    ~Supervisor() {
        thread_.request_stop();
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
    }
    Supervisor(const Supervisor&) = delete;
    Supervisor& operator=(const Supervisor&) = delete;

    std::optional<SshEnd> waitFor(std::chrono::milliseconds time) {
        engine::MutexLock lock(mutex_);
        changed_.wait_for(lock, time, [this]() TANDEM_REQUIRES(mutex_) { return ended_.has_value(); });
        return ended_;
    }
    std::string output() {
        const engine::MutexLock lock(mutex_);
        return output_text_;
    }
    std::string errors() {
        const engine::MutexLock lock(mutex_);
        return errors_text_;
    }
    std::size_t offer(std::string_view bytes, std::chrono::milliseconds time) {
        pollfd entry{input_.ours.get(), POLLOUT, 0};
        if (!input_.ours || ::poll(&entry, 1, static_cast<int>(time.count())) <= 0) {
            return 0;
        }
        const ssize_t taken = ::send(input_.ours.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        return taken > 0 ? static_cast<std::size_t>(taken) : 0;
    }

private:
    void supervise(const std::stop_token& stop) {
        std::vector<char*> arguments;
        for (std::string& word : words_) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        std::vector<char*> environment;
        for (char** entry = environ; *entry != nullptr; ++entry) {
            const std::string_view name = std::string_view(*entry).substr(0, std::string_view(*entry).find('=') + 1);
            if (std::none_of(own_environment_.begin(), own_environment_.end(), [&](const auto& own) { return own.starts_with(name); })) {
                environment.push_back(*entry);
            }
        }
        for (std::string& own : own_environment_) {
            environment.push_back(own.data());
        }
        environment.push_back(nullptr);
        const ChildPlan plan{.program = program_.c_str(),
                             .arguments = arguments.data(),
                             .environment = environment.data(),
                             .working_dir = working_dir_.empty() ? nullptr : working_dir_.c_str(),
                             .own_session = own_session_,
                             .input = input_.theirs.get(),
                             .output = output_.theirs.get(),
                             .error = errors_.theirs.get(),
                             .parent = ::getpid()};
        const pid_t pid = startChild(plan);
        const int error = errno;
        input_.theirs.reset();
        output_.theirs.reset();
        errors_.theirs.reset();
        {
            const engine::MutexLock lock(mutex_);
            started_ = true;
            if (pid < 0) {
                start_error_ = error;
                ended_ = SshEnd{};
            }
        }
        changed_.notify_all();
        if (pid > 0) {
            follow(pid, stop);
        }
    }

    void follow(pid_t pid, const std::stop_token& stop) {
        const FileDescriptor exit(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        bool over = false;
        while (!over && !stop.stop_requested()) {
            std::array<pollfd, 4> entries{
                {{exit.get(), POLLIN, 0}, {output_.ours.get(), POLLIN, 0}, {errors_.ours.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
            ::poll(entries.data(), entries.size(), exit ? -1 : kWithoutPidfdMs);
            siginfo_t info{};
            over = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
            readAll();
        }
        // What it started, such as a proxy; its number can't be another's before waitpid.
        ::kill(own_session_ ? -pid : pid, SIGKILL);
        int status = 0;
        while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        {
            const engine::MutexLock lock(mutex_);
            ended_ = SshEnd{WIFEXITED(status) ? WEXITSTATUS(status) : -1, output_text_, errors_text_};
        }
        changed_.notify_all();
    }

    void readAll() {
        read(output_.ours, output_text_);
        read(errors_.ours, errors_text_);
    }
    // Reads until nothing is left; it does not wait for whoever holds the other end.
    void read(FileDescriptor& from, std::string& text) {
        std::array<char, 4096> bytes{};
        while (from) {
            const ssize_t received = ::read(from.get(), bytes.data(), bytes.size());
            if (received > 0) {
                const engine::MutexLock lock(mutex_);
                keepLast(text, {bytes.data(), static_cast<std::size_t>(received)});
            } else if (received < 0 && errno == EINTR) {
                continue;
            } else if (received < 0 && errno == EAGAIN) {
                return;
            } else {
                from.reset();
            }
        }
    }

    static constexpr int kWithoutPidfdMs = 50;

    const fs::path program_, working_dir_;
    std::vector<std::string> own_environment_;  // entries in the place of this process'
    const bool own_session_;
    FileDescriptor configuration_;    // none where the user's own is to be refused by ssh
    std::vector<std::string> words_;  // the thread's after the constructor, as the four below; input_.ours is the caller's
    InputEnds input_;
    const FileDescriptor wake_;
    Pipe output_, errors_;
    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    bool started_ TANDEM_GUARDED_BY(mutex_) = false;
    int start_error_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::string output_text_, errors_text_;  // written by the thread, both under mutex_
    std::optional<SshEnd> ended_ TANDEM_GUARDED_BY(mutex_);
    std::jthread thread_;  // last: joined before anything it uses goes
};

SshProcess::SshProcess(const SshDestination& destination, const SshCommand& command)
    : supervisor_(std::make_unique<Supervisor>(destination, command)) {}

SshProcess::~SshProcess() = default;

std::optional<SshEnd> SshProcess::ended() const {
    return supervisor_->waitFor(std::chrono::milliseconds(0));
}

std::optional<SshEnd> SshProcess::waitFor(std::chrono::milliseconds time) const {
    return supervisor_->waitFor(time);
}

std::string SshProcess::output() const {
    return supervisor_->output();
}

std::size_t SshProcess::offer(std::string_view bytes, std::chrono::milliseconds time) {
    return supervisor_->offer(bytes, time);
}

std::string SshProcess::errors() const {
    return supervisor_->errors();
}

}  // namespace agent::hosts
