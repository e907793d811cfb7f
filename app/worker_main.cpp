// tandem-worker: options, signals and assembly.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>
#include <CLI/CLI.hpp>

#include "standard_output.h"
#include "train_options.h"

#include "agent/inspect/engine_answers.h"
#include "agent/worker/freed_memory.h"
#include "agent/worker/task_runner.h"
#include "engine/backend/cuda_backend.h"
#include "engine/data/dataset_catalog.h"

namespace {

namespace worker = agent::worker;

std::atomic<int> stops_requested{0};

// SIGINT and SIGTERM: the first asks for a graceful stop, the second ends the process.
extern "C" void onStopSignal(int /*signal*/) {
    if (stops_requested.fetch_add(1) > 0) {
        std::_Exit(worker::kExitInterrupted);
    }
}

void installSignals() {
    struct sigaction action {};
    action.sa_handler = &onStopSignal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

// On the command line a file lies below the working directory, in a project beside it.
std::string absolute(const std::string& file) {
    return std::filesystem::absolute(file).lexically_normal().string();
}

// A project's file, or the name of a starter project, which lies beside the data sets that ship.
std::string projectFile(const std::string& name) {
    std::error_code ignored;
    if (name.find('/') == std::string::npos && !std::filesystem::exists(name, ignored)) {
        for (const std::filesystem::path& datasets : engine::data::datasetFolders()) {
            const std::filesystem::path starter = datasets.parent_path() / "templates" / (name + ".tandem");
            if (std::filesystem::is_regular_file(starter, ignored)) {
                return starter.string();
            }
        }
        throw engine::Error(engine::ErrorCode::kNotFound,
                            name + ": expected a project's file or the name of a starter project, found neither");
    }
    return name;
}

// As programs of TensorFlow 1 took them: with a dash or an underscore.
void addTaskFlags(CLI::App& app, worker::TaskOptions& train) {
    app.add_option("--job_name,--job-name", train.flags.job_name, "ps or worker: the task, in place of TF_CONFIG");
    app.add_option("--task_index,--task-index", train.flags.task_index, "its index within the job (default: 0)");
    app.add_option("--ps_hosts,--ps-hosts", train.flags.ps_hosts,
                   "addresses of the ps tasks with commas between them (default: the project's cluster)");
    app.add_option("--worker_hosts,--worker-hosts", train.flags.worker_hosts, "the same of the workers");
    app.add_flag("--join_forever,--join-forever", train.join_forever,
                 "a ps serves until it is stopped, as TensorFlow's does (default: until its workers are done)");
}

struct SlurmOptions {
    bool is_asked = false;
    int first_port = 0;
};

void addSlurm(CLI::App& app, SlurmOptions& slurm) {
    CLI::Option* asked =
        app.add_flag("--from-slurm", slurm.is_asked, "the task that srun gave this process, by Slurm's variables, in place of TF_CONFIG");
    app.add_option("--first-port", slurm.first_port,
                   "of each host's first task of the Slurm step, the next ones count up (default: 8888, as TensorFlow has it)")
        ->check(CLI::Range(1, 65535))
        ->needs(asked);
}

// Of this process's environment.
std::vector<std::string> slurmVariables() {
    std::vector<std::string> variables;
    for (char** at = environ; *at != nullptr; ++at) {
        if (std::string_view(*at).starts_with("SLURM")) variables.emplace_back(*at);
    }
    if (variables.empty()) variables.emplace_back();  // asked for all the same: what is missing is named
    return variables;
}

void addOptions(CLI::App& app, app::TrainOptions& options, worker::TaskOptions& train) {
    addTrainOptions(app, options,
                    {.out = "PROJECT's name and the time, in the working directory",
                     .overwrite = "a run that left a backup goes on; a finished one is refused",
                     .threads = "the cores shared by this host's tasks"});
    app.add_option("--cluster-key", train.cluster_key,
                   "the key of a cluster of several computers, a file that \"tandem-cli cluster-key\" made (default: all tasks are on this "
                   "computer)");
    app.add_option("--agent-fd", train.agent_descriptor, "socket to the agent that started this task");
    app.footer(
        "TF_CONFIG in the environment, --job_name and --task_index, or --from-slurm say which task of which cluster this is; without them "
        "the task trains alone.\n"
        "Exit codes: 0 trained or stopped when asked to, 1 failed, 2 wrong options, project or TF_CONFIG, 4 the agent is gone, 130 told to "
        "stop twice.");
}

// No verb for people: its agent asks.
CLI::App* addAnswerOptions(CLI::App& app, int& agent_descriptor) {
    CLI::App* verb = app.add_subcommand("answer", "Answer one question to the engine, asked on a socket")->group("");
    verb->add_option("--agent-fd", agent_descriptor, "socket to the agent that asks")->required();
    return verb;
}

int run(int argc, char** argv) {
    CLI::App app("Trains one task of a Tandem run.", "tandem-worker");
    app.set_version_flag("--version", TANDEM_VERSION);
    app::TrainOptions options;
    worker::TaskOptions train;
    addOptions(app, options, train);
    addTaskFlags(app, train);
    SlurmOptions slurm;
    addSlurm(app, slurm);
    int asking_agent = -1;
    const CLI::App* answer_verb = addAnswerOptions(app, asking_agent);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty() && options.project.empty()) {
            throw CLI::RequiredError("PROJECT");
        }
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? worker::kExitDone : worker::kExitUsage;
    }

    worker::TaskSurroundings surroundings{.out = std::cout,
                                          .errors = std::cerr,
                                          .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                                          .stop_requested = [] { return stops_requested.load(std::memory_order_relaxed) > 0; },
                                          .agent_gone = [] { std::_Exit(worker::kExitAgentGone); }};
    if (answer_verb->parsed()) {
        return worker::answerOn(asking_agent, {.dataset_folders = engine::data::datasetFolders(),
                                               .download_folder = engine::data::downloadFolder(),
                                               .make_executor = &engine::backend::makeExecutor,
                                               .is_cancelled = surroundings.stop_requested});
    }
    const char* tf_config = std::getenv("TF_CONFIG");
    if (tf_config != nullptr && *tf_config == 0) {
        std::cerr << "error: TF_CONFIG: expected a JSON object, got an empty text; unset it to train alone\n";
        return worker::kExitUsage;
    }
    if (tf_config != nullptr && train.flags != engine::spec::TaskFlags()) {
        std::cerr << "error: TF_CONFIG: expected none beside --job_name, which says the same, got one; unset it or leave the flags out\n";
        return worker::kExitUsage;
    }
    if (slurm.is_asked && (tf_config != nullptr || train.flags != engine::spec::TaskFlags())) {
        std::cerr << "error: --from-slurm: expected neither TF_CONFIG nor --job_name and its like beside it, which say the same, got one; "
                     "unset it or leave --from-slurm out\n";
        return worker::kExitUsage;
    }
    if (slurm.is_asked) {
        train.slurm = {.variables = slurmVariables(), .first_port = slurm.first_port};
    }
    train.project = projectFile(options.project);
    train.out = options.out.value_or("");
    train.overwrite = options.overwrite;
    train.transport = options.transport;
    train.threads = options.threads;
    train.settings = allSettings(options, options.initial_weights.empty() ? "" : absolute(options.initial_weights));
    if (!options.save_weights.empty()) {
        train.weights_file = absolute(options.save_weights);
    }
    train.tf_config = tf_config == nullptr ? "" : tf_config;
    train.dataset_folders = engine::data::datasetFolders();
    train.download_folder = engine::data::downloadFolder();
    train.make_executor = &engine::backend::makeExecutor;
    train.find_gpus = &engine::backend::gpuBackend;
    return worker::runTask(train, surroundings);
}

}  // namespace

int main(int argc, char** argv) {
    worker::keepFreedMemory();
    installSignals();
    try {
        const int code = run(argc, argv);
        return app::printedAll() || code != agent::worker::kExitDone ? code : agent::worker::kExitFailed;
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << '\n';
        return worker::kExitFailed;
    }
}
