// One child process of the agent and the one way to make one. Two implementations: the real one (posix_launcher.h) and the tests' fake.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agent::server {

struct ProcessSpec {
    std::filesystem::path program;
    std::vector<std::string> arguments;    // after the program's own name
    std::vector<std::string> environment;  // "NAME=value", all of it
    std::filesystem::path working_dir;
};

// how it ended      exit_code  signal
// exit(n)           n          0
// killed by a signal -1        its number
struct ExitStatus {
    int exit_code = -1;
    int signal = 0;
    friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

// "exit code 3", "killed by signal 9 (SIGKILL)".
std::string toString(const ExitStatus& status);

// A started process. Owned and used by the supervisor's thread. The descriptors belong to the process object and are non-blocking.
// The destructor kills the process' group and reaps it.
class Process {
public:
    virtual ~Process() = default;
    virtual int pid() const = 0;
    // Readable as soon as the process has ended.
    virtual int exitDescriptor() const = 0;
    // The agent's end of the process' descriptor 3: events come out, controls go in. Closing it tells the process to end.
    virtual int eventDescriptor() const = 0;
    virtual int outputDescriptor() const = 0;
    virtual int errorDescriptor() const = 0;
    // Sends the signal to the whole process group; nothing happens when it is gone.
    virtual void signalGroup(int signal) = 0;
    // nullopt while it runs; kills what is left of its group once it ended.
    virtual std::optional<ExitStatus> tryReap() = 0;

    // Returns the name of the other computer on which the process runs; its agent there watches it, and says what it finds. Empty: it runs
    // here.
    virtual std::string host() const { return {}; }
    // False while that computer is out of reach, so that nothing can be asked of the process.
    virtual bool isReached() const { return true; }
    // Returns, for a process on another computer that has ended, why its agent gave it up, or why it is out of reach. Empty: it ended by
    // itself.
    virtual std::string givenUp() const { return {}; }
};

class ProcessLauncher {
public:
    virtual ~ProcessLauncher() = default;
    // Throws Error(kUnavailable) naming the program when it can't be started. The process dies with the calling thread.
    virtual std::unique_ptr<Process> launch(const ProcessSpec& spec) = 0;
};

}  // namespace agent::server
