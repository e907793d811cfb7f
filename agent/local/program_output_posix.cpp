#include "agent/local/program_output.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "engine/spec/error.h"

namespace agent::convert {
namespace {

using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostKept = 4u << 20;

struct Pipe {
    FileDescriptor ours, theirs;
};

Pipe makePipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        throw Error(ErrorCode::kUnavailable, std::string("a pipe can't be made: ") + std::strerror(errno));
    }
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// Reads until the program has closed both of its outputs, or until the deadline: false then.
bool readAll(std::array<std::pair<FileDescriptor, std::string*>, 2>& outputs, Clock::time_point until) {
    while (outputs[0].first || outputs[1].first) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        if (left.count() <= 0) return false;
        std::array<pollfd, 2> entries{};
        for (std::size_t i = 0; i < 2; ++i) entries[i] = {outputs[i].first.get(), POLLIN, 0};  // one of -1 is passed over
        if (::poll(entries.data(), entries.size(), static_cast<int>(left.count())) <= 0) continue;
        for (std::size_t i = 0; i < 2; ++i) {
            if (entries[i].revents == 0) continue;
            char bytes[16384];
            const ssize_t received = ::read(outputs[i].first.get(), bytes, sizeof bytes);
            if (received > 0) {
                std::string& text = *outputs[i].second;
                text.append(bytes, std::min(static_cast<std::size_t>(received), kMostKept - text.size()));
            } else if (received == 0 || errno != EINTR) {
                outputs[i].first.reset();
            }
        }
    }
    return true;
}

// A program may live on without its outputs.
bool endsUntil(pid_t pid, Clock::time_point until) {
    const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd entry{process.get(), POLLIN, 0};
    int ready = -1;
    do {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        ready = ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

}  // namespace

ProgramEnd runProgram(const std::vector<std::string>& words, std::chrono::milliseconds time, const std::string& working_dir) {
    const Clock::time_point until = Clock::now() + time;
    Pipe output = makePipe(), errors = makePipe();
    std::vector<std::string> kept = words;
    std::vector<char*> arguments;
    for (std::string& word : kept) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output.theirs.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, errors.theirs.get(), STDERR_FILENO);
    if (!working_dir.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, working_dir.c_str());
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw Error(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
                    words.front() + ": can't be started: " + std::strerror(error));
    }
    output.theirs.reset();
    errors.theirs.reset();
    ProgramEnd end;
    std::array<std::pair<FileDescriptor, std::string*>, 2> outputs{std::pair{std::move(output.ours), &end.output},
                                                                   std::pair{std::move(errors.ours), &end.errors}};
    const bool done = readAll(outputs, until) && endsUntil(pid, until);
    if (!done) ::kill(pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!done) {
        throw Error(ErrorCode::kDeadlineExceeded, words.front() + ": expected an answer within " +
                                                      std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count()) +
                                                      " s, got none");
    }
    end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return end;
}

}  // namespace agent::convert
