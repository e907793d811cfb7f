#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/export/isolated_call.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

// The child's answer begins with one byte: 0 for a result, else the code of an Error whose message follows.
constexpr char kResult = 0;

bool writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return true;
}

// All addresses that the process uses, by /proc/self/statm; 0 where it does not say.
std::uint64_t addressSpaceBytes() {
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    char text[64] = "";
    const ssize_t size = file < 0 ? 0 : ::read(file, text, sizeof text - 1);
    if (file >= 0) {
        ::close(file);
    }
    const auto pages = size > 0 ? std::strtoull(text, nullptr, 10) : 0;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Sets the limit, but never above what the process may have already.
void lowerLimit(decltype(RLIMIT_CPU) resource, std::uint64_t most) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) == 0) {
        limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, most);
        ::setrlimit(resource, &limit);
    }
}

void limitChild(const IsolatedLimits& limits) {
    lowerLimit(RLIMIT_CORE, 0);
    lowerLimit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.processor_time.count()));
    if (const std::uint64_t now = addressSpaceBytes(); now > 0) {
        lowerLimit(RLIMIT_AS, now + limits.memory_bytes);
    }
}

// Nothing of the parent's is used but its memory: no descriptors, no handlers, no core file.
[[noreturn]] void runChild(const std::function<std::string()>& work, int output, const IsolatedLimits& limits) {
    ::dup2(output, STDIN_FILENO);
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGALRM, SIGXCPU}) {
        ::signal(signal, SIG_DFL);
    }
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, nullptr);
    limitChild(limits);
    ::alarm(static_cast<unsigned>(limits.deadline.count()) + 1);  // should this process be gone by then
    std::string answer;
    try {
        answer = work();
        answer.insert(answer.begin(), kResult);
    } catch (const Error& error) {
        answer = static_cast<char>(error.code()) + std::string(error.what());
    } catch (const std::bad_alloc&) {
        answer = static_cast<char>(ErrorCode::kDataLoss) + std::string("damaged: expected contents that ") +
                 std::to_string(limits.memory_bytes >> 20) + " MiB of memory can hold, got a claim of more";
    } catch (const std::exception& error) {
        answer = static_cast<char>(ErrorCode::kInternal) + std::string(error.what());
    }
    ::_exit(writeAll(STDIN_FILENO, answer) ? 0 : 1);
}

// What the child wrote until it closed its end; ends it at the deadline.
std::string readAll(int descriptor, pid_t child, std::chrono::steady_clock::time_point deadline) {
    std::string all;
    std::string part(std::size_t{1} << 16, '\0');
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        pollfd entry{descriptor, POLLIN, 0};
        if (::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) == 0) {
            ::kill(child, SIGKILL);
            return {};
        }
        const ssize_t size = ::read(descriptor, part.data(), part.size());
        if (size > 0) {
            all.append(part, 0, static_cast<std::size_t>(size));
        } else if (size == 0 || errno != EINTR) {
            return all;
        }
    }
}

}  // namespace

std::string callIsolated(const std::function<std::string()>& work, const std::string& what, const IsolatedLimits& limits) {
    const auto deadline = std::chrono::steady_clock::now() + limits.deadline;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw Error(ErrorCode::kResourceExhausted, what + ": no pipe to a process of its own: " + std::strerror(errno));
    }
    const pid_t child = ::fork();
    if (child == 0) {
        runChild(work, ends[1], limits);
    }
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        throw Error(ErrorCode::kResourceExhausted, what + ": no process of its own to read it in: " + std::strerror(errno));
    }
    std::string answer = readAll(ends[0], child, deadline);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty()) {
        const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        const bool late = signal == SIGALRM || signal == SIGXCPU || signal == SIGKILL;
        throw Error(ErrorCode::kDataLoss,
                    what + (late ? ": damaged: its structure leads nowhere" : ": damaged: its structure can't be followed"));
    }
    const auto code = static_cast<unsigned char>(answer.front());
    answer.erase(answer.begin());
    if (code != kResult) {
        const bool is_named = answer.starts_with(what);
        throw Error(static_cast<ErrorCode>(code), is_named ? answer : what + ": " + answer);
    }
    return answer;
}

}  // namespace engine::exporter
