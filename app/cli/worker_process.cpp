#include "app/cli/worker_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <ostream>

extern char** environ;

namespace app::cli {

void runWorker(Context& context, std::vector<std::string> arguments) {
    const std::string program = (context.program_dir / "tandem-worker").string();
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    context.out.flush();
    pid_t child = 0;
    const int error = posix_spawn(&child, program.c_str(), nullptr, nullptr, argv.data(), environ);
    if (error != 0) {
        context.err << "error: " << program << ": could not be started: " << std::strerror(error) << '\n';
        context.exit_code = kFailed;
        return;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    context.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : kFailed;
    if (WIFSIGNALED(status)) {
        context.err << "error: tandem-worker was ended by signal " << WTERMSIG(status) << '\n';
    }
}

void appendCommon(std::vector<std::string>& arguments, const std::vector<std::string>& settings, int threads) {
    for (const std::string& setting : settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    if (threads > 0) {
        arguments.insert(arguments.end(), {"--threads", std::to_string(threads)});
    }
}

}  // namespace app::cli
