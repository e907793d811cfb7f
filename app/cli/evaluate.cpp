#include <cerrno>
#include <cstring>
#include <ostream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/project_source.h"
#include "app/cli/verb.h"

extern char** environ;

namespace app::cli {
namespace {

struct EvaluateOptions {
    std::string project;
    std::string checkpoint;
    std::vector<std::string> settings;
    int threads = 0;
    bool json = false;
};

// The engine lives in tandem-worker: this verb is that program's, with its output.
void evaluate(Context& context, const EvaluateOptions& options) {
    if (!loadProject(context, options.project, options.settings)) {
        return;
    }
    const std::string program = (context.program_dir / "tandem-worker").string();
    std::vector<std::string> arguments{program, "evaluate", findProject(context, options.project)->string(), "--checkpoint", options.checkpoint};
    for (const std::string& setting : options.settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    if (options.threads > 0) {
        arguments.insert(arguments.end(), {"--threads", std::to_string(options.threads)});
    }
    if (options.json) {
        arguments.emplace_back("--json");
    }
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

}  // namespace

void addEvaluate(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("evaluate", "Loss and accuracy of a checkpoint on the project's test set");
    auto options = std::make_shared<EvaluateOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--checkpoint", options->checkpoint, "a folder with a file `checkpoint` (its latest is taken), or a prefix such as run/checkpoints/ckpt_3")
        ->required();
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_option("--threads", options->threads, "threads to compute with (default: all cores)");
    verb->add_flag("--json", options->json, "one JSON object: test_accuracy, test_loss, samples");
    verb->footer("Exit codes: 0 evaluated, 1 the checkpoint or the project can't be used, 2 no such project.");
    verb->callback([&context, options] { evaluate(context, *options); });
}

}  // namespace app::cli
