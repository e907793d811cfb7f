#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/server/process/posix_launcher.h"
#include "engine/spec/error.h"

namespace agent::server {

using convert::FileDescriptor;

namespace {

constexpr int kEventDescriptor = 3;
constexpr int kFirstHighDescriptor = 16;  // above the child's 0 to 3, so that dup2 never meets its own source

// All that the child needs between vfork and execve, made before: it may only call async-signal-safe functions.
struct ChildPlan {
    const char* program = nullptr;
    char* const* arguments = nullptr;
    char* const* environment = nullptr;
    const char* working_dir = nullptr;
    int input = -1, output = -1, error = -1, events = -1, failure = -1;
    pid_t parent = 0;
    const rlimit* descriptors = nullptr;  // null: as the agent's
};

[[noreturn]] void giveUp(const ChildPlan& plan) {
    const int error = errno;
    [[maybe_unused]] const ssize_t ignored = ::write(plan.failure, &error, sizeof error);
    ::_exit(127);
}

[[noreturn]] void runChild(const ChildPlan& plan) {
    for (int signal = 1; signal < NSIG; ++signal) {
        ::signal(signal, SIG_DFL);  // fails for KILL and STOP, which is as well
    }
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::setpgid(0, 0) != 0 || ::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        giveUp(plan);
    }
    if (::getppid() != plan.parent) {
        ::_exit(127);  // the agent died before the death signal was set
    }
    if (::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 || ::dup2(plan.error, STDERR_FILENO) < 0 ||
        ::dup2(plan.events, kEventDescriptor) < 0 || ::chdir(plan.working_dir) != 0) {
        giveUp(plan);
    }
    ::close_range(kEventDescriptor + 1, UINT_MAX, CLOSE_RANGE_CLOEXEC);
    if (plan.descriptors != nullptr && ::setrlimit(RLIMIT_NOFILE, plan.descriptors) != 0) {
        giveUp(plan);
    }
    ::execve(plan.program, plan.arguments, plan.environment);
    giveUp(plan);
}

// vfork: the child borrows this address space until execve, whatever its size, and runs no fork handlers of libraries.
[[gnu::noinline]] pid_t startChild(const ChildPlan& plan) {
    const pid_t pid = ::vfork();
    if (pid == 0) {
        runChild(plan);
    }
    return pid;
}

[[noreturn]] void fail(const ProcessSpec& spec, const char* what, int error) {
    throw engine::Error(engine::ErrorCode::kUnavailable, spec.program.string() + ": " + what + ": " + std::strerror(error));
}

FileDescriptor high(const ProcessSpec& spec, FileDescriptor low) {
    FileDescriptor moved(::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstHighDescriptor));
    if (!moved) {
        fail(spec, "descriptor", errno);
    }
    return moved;
}

struct Ends {
    FileDescriptor ours, theirs;
};

Ends makePipe(const ProcessSpec& spec) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        fail(spec, "pipe", errno);
    }
    Ends pipe{FileDescriptor(ends[0]), high(spec, FileDescriptor(ends[1]))};
    ::fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK);
    return pipe;
}

Ends makeSocketPair(const ProcessSpec& spec) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        fail(spec, "socketpair", errno);
    }
    Ends pair{FileDescriptor(ends[0]), high(spec, FileDescriptor(ends[1]))};
    ::fcntl(pair.ours.get(), F_SETFL, O_NONBLOCK);
    return pair;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const std::string& text : texts) {
        out.push_back(const_cast<char*>(text.c_str()));
    }
    out.push_back(nullptr);
    return out;
}

// No signal handler of the agent may run in the child, which shares its memory.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

class PosixProcess final : public Process {
public:
    PosixProcess(pid_t pid, FileDescriptor exit, FileDescriptor events, FileDescriptor output, FileDescriptor error)
        : pid_(pid), exit_(std::move(exit)), events_(std::move(events)), output_(std::move(output)), error_(std::move(error)) {}
    ~PosixProcess() override {
        if (!reaped_) {
            signalGroup(SIGKILL);
            while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
            }
        }
    }
    PosixProcess(const PosixProcess&) = delete;
    PosixProcess& operator=(const PosixProcess&) = delete;

    int pid() const override { return pid_; }
    int exitDescriptor() const override { return exit_.get(); }
    int eventDescriptor() const override { return events_.get(); }
    int outputDescriptor() const override { return output_.get(); }
    int errorDescriptor() const override { return error_.get(); }

    void signalGroup(int signal) override {
        if (!reaped_ && ::kill(-pid_, signal) != 0) {
            ::kill(pid_, signal);  // before it has its group
        }
    }

    std::optional<ExitStatus> tryReap() override {
        siginfo_t info{};
        if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
            return std::nullopt;
        }
        signalGroup(SIGKILL);  // its own children; the number can't be reused before waitpid
        int status = 0;
        ::waitpid(pid_, &status, 0);
        reaped_ = true;
        return WIFSIGNALED(status) ? ExitStatus{-1, WTERMSIG(status)} : ExitStatus{WEXITSTATUS(status), 0};
    }

private:
    const pid_t pid_;
    const FileDescriptor exit_, events_, output_, error_;
    bool reaped_ = false;
};

}  // namespace

std::string toString(const ExitStatus& status) {
    if (status.signal == 0) {
        return "exit code " + std::to_string(status.exit_code);
    }
    const char* name = ::sigabbrev_np(status.signal);
    return "killed by signal " + std::to_string(status.signal) + (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
}

std::unique_ptr<Process> PosixLauncher::launch(const ProcessSpec& spec) {
    FileDescriptor null = high(spec, FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
    Ends output = makePipe(spec), error = makePipe(spec), failure = makePipe(spec);
    Ends events = makeSocketPair(spec);
    std::vector<std::string> command{spec.program.string()};
    command.insert(command.end(), spec.arguments.begin(), spec.arguments.end());
    const std::vector<char*> arguments = pointers(command), environment = pointers(spec.environment);

    const ChildPlan plan{spec.program.c_str(),
                         arguments.data(),
                         environment.data(),
                         spec.working_dir.c_str(),
                         null.get(),
                         output.theirs.get(),
                         error.theirs.get(),
                         events.theirs.get(),
                         failure.theirs.get(),
                         ::getpid(),
                         descriptors_ ? &*descriptors_ : nullptr};
    pid_t pid = -1;
    {
        const SignalsBlocked blocked;
        pid = startChild(plan);
    }
    if (pid < 0) {
        fail(spec, "start", errno);
    }
    FileDescriptor exit(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));  // close-on-exec by itself
    const int pidfd_error = errno;
    auto process =
        std::make_unique<PosixProcess>(pid, std::move(exit), std::move(events.ours), std::move(output.ours), std::move(error.ours));
    failure.theirs.reset();
    ::fcntl(failure.ours.get(), F_SETFL, 0);  // closed by execve or by the child's end, both near
    int child_error = 0;
    if (::read(failure.ours.get(), &child_error, sizeof child_error) == static_cast<ssize_t>(sizeof child_error)) {
        fail(spec, "start", child_error);
    }
    if (process->exitDescriptor() < 0) {
        fail(spec, "pidfd_open", pidfd_error);
    }
    return process;
}

}  // namespace agent::server
