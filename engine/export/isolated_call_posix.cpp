#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string_view>

#include <fcntl.h>
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

// Nothing of the parent's is used but its memory: no descriptors, no handlers, no core file.
[[noreturn]] void runChild(const std::function<std::string()>& work, int output, std::chrono::seconds deadline) {
    ::dup2(output, STDIN_FILENO);
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGALRM}) {
        ::signal(signal, SIG_DFL);
    }
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, nullptr);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::alarm(static_cast<unsigned>(deadline.count()));
    std::string answer;
    try {
        answer = work();
        answer.insert(answer.begin(), kResult);
    } catch (const Error& error) {
        answer = static_cast<char>(error.code()) + std::string(error.what());
    } catch (const std::bad_alloc&) {
        answer = static_cast<char>(ErrorCode::kResourceExhausted) + std::string("not enough memory for what the file says it holds");
    } catch (const std::exception& error) {
        answer = static_cast<char>(ErrorCode::kInternal) + std::string(error.what());
    }
    ::_exit(writeAll(STDIN_FILENO, answer) ? 0 : 1);
}

std::string readAll(int descriptor) {
    std::string all;
    std::string part(std::size_t{1} << 16, '\0');
    for (;;) {
        const ssize_t size = ::read(descriptor, part.data(), part.size());
        if (size > 0) {
            all.append(part, 0, static_cast<std::size_t>(size));
        } else if (size == 0 || errno != EINTR) {
            return all;
        }
    }
}

}  // namespace

std::string callIsolated(const std::function<std::string()>& work, const std::string& what, std::chrono::seconds deadline) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw Error(ErrorCode::kResourceExhausted, what + ": no pipe to a process of its own: " + std::strerror(errno));
    }
    const pid_t child = ::fork();
    if (child == 0) {
        runChild(work, ends[1], deadline);
    }
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        throw Error(ErrorCode::kResourceExhausted, what + ": no process of its own to read it in: " + std::strerror(errno));
    }
    std::string answer = readAll(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty()) {
        const bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
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
