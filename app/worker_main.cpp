// tandem-worker: options, signals and assembly.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>
#include <CLI/CLI.hpp>

#include "launcher_options.h"
#include "program_errors.h"
#include "standard_output.h"
#include "train_options.h"

#include "agent/inspect/engine_answers.h"
#include "agent/load/gpu_probe.h"
#include "agent/worker/freed_memory.h"
#include "agent/worker/task_runner.h"
#include "engine/backend/cuda_backend.h"
#include "engine/data/dataset_catalog.h"
#include "engine/distribute/mpi/mpi_library.h"
#include "engine/errors/coded_errors.h"
#include "engine/spec/exception_text.h"

namespace {

namespace worker = agent::worker;

std::atomic<int> stops_requested{0};

// SIGINT and SIGTERM: the first asks for a graceful stop, the second ends the process.
extern "C" void onStopSignal(int /*signal*/) {
    if (stops_requested.fetch_add(1) > 0) {
        std::_Exit(worker::kExitInterrupted);
    }
}

void stopOn(int signal) {
    struct sigaction action {};
    action.sa_handler = &onStopSignal;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

void installSignals() {
    stopOn(SIGINT);
    stopOn(SIGTERM);
    std::signal(SIGPIPE, SIG_IGN);
}

// Makes a file of the command line absolute: it lies below the working directory, while one of a project lies beside the project.
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

// Adds the flags of a task as programs of TensorFlow 1 took them: with a dash or an underscore.
void addTaskFlags(CLI::App& app, worker::TaskOptions& train) {
    app.add_option("--job_name,--job-name", train.flags.job_name, "ps or worker: the task, in place of TF_CONFIG");
    app.add_option("--task_index,--task-index", train.flags.task_index, "its index within the job (default: 0)");
    app.add_option("--ps_hosts,--ps-hosts", train.flags.ps_hosts,
                   "addresses of the ps tasks with commas between them (default: the project's cluster)");
    app.add_option("--worker_hosts,--worker-hosts", train.flags.worker_hosts, "the same of the workers");
    app.add_flag("--join_forever,--join-forever", train.join_forever,
                 "a ps serves until it is stopped, as TensorFlow's does (default: until its workers are done)");
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
        "TF_CONFIG in the environment, --job_name and --task_index, --from-slurm, --from-kubernetes or --from-mpi say which task of which "
        "cluster this is; without them the task trains alone.\n"
        "Exit codes: 0 trained or stopped when asked to, 1 failed, 2 wrong options, project or TF_CONFIG, 4 the agent is gone, 75 stopped "
        "before the end with --until-done, 130 told to stop twice.");
}

// No verb for people: its agent asks.
CLI::App* addAnswerOptions(CLI::App& app, int& agent_descriptor) {
    CLI::App* verb = app.add_subcommand("answer", "Answer one question to the engine, asked on a socket")->group("");
    verb->add_option("--agent-fd", agent_descriptor, "socket to the agent that asks")->required();
    return verb;
}

// Takes the task from what started this process, if an option asks for that. `meeting` is to live as long as the run.
void takeTask(const app::LauncherOptions& launcher, const std::function<bool()>& is_cancelled, worker::TaskOptions& train,
              std::unique_ptr<worker::RankMeeting>& meeting) {
    const std::vector<std::string> variables = app::environmentVariables();
    if (launcher.from_slurm) train.ranked = engine::spec::slurmTask(variables, launcher.first_port);
    if (launcher.from_kubernetes) train.ranked = engine::spec::kubernetesTask(variables, launcher.first_port);
    if (launcher.from_mpi) {
        const engine::spec::MpiRank own = engine::spec::mpiRank(variables);
        meeting = app::meetRanks(launcher, own, is_cancelled);
        train.ranked = engine::spec::mpiTask(meeting->hosts(), own.rank, launcher.first_port);
    }
}

// `coded` is filled where a person reads the errors: an agent finds the codes of what its tasks say by itself.
int run(int argc, char** argv, std::optional<engine::errors::CodedErrors>& coded) {
    CLI::App app("Trains one task of a Tandem run.", "tandem-worker");
    app.set_version_flag("--version", TANDEM_VERSION);
    app::tellOptionErrors(app);
    app::TrainOptions options;
    worker::TaskOptions train;
    addOptions(app, options, train);
    addTaskFlags(app, train);
    app::LauncherOptions launcher;
    addLauncherOptions(app, launcher, train);
    int asking_agent = -1;
    const CLI::App* answer_verb = addAnswerOptions(app, asking_agent);
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty() && options.project.empty()) {
            throw CLI::RequiredError("PROJECT");
        }
    } catch (const CLI::ParseError& error) {
        coded.emplace(std::cerr);  // an agent gives no wrong options: a person reads this
        return app.exit(error) == 0 ? worker::kExitDone : worker::kExitUsage;
    }
    if (train.agent_descriptor < 0 && !answer_verb->parsed()) {
        coded.emplace(std::cerr);
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
    if (launcher.isAsked() && (tf_config != nullptr || train.flags != engine::spec::TaskFlags())) {
        std::cerr << "error: " << launcher.flag()
                  << ": expected neither TF_CONFIG nor --job_name and its like beside it, which say the same, got one; unset it or leave "
                  << launcher.flag() << " out\n";
        return worker::kExitUsage;
    }
    if (launcher.first_port != 0 && !launcher.isAsked()) {
        std::cerr << "error: --first-port: expected --from-slurm, --from-kubernetes or --from-mpi beside it, got none\n";
        return worker::kExitUsage;
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
    agent::load::GpuProbe gpus;
    train.gpu_use = [&gpus] { return gpus.use(); };
    if (launcher.from_mpi) {
        train.find_mpi = &engine::distribute::mpi::openFunctions;
        // mpirun shows each rank a terminal of its own, and puts what they say below each other.
        surroundings.out_is_terminal = false;
        // It passes on this signal, where SIGINT and SIGTERM make it kill the ranks a moment later.
        stopOn(SIGUSR1);
    }
    train.wait_for_hosts = std::chrono::seconds(launcher.host_seconds);
    std::unique_ptr<worker::RankMeeting> meeting;
    try {
        takeTask(launcher, surroundings.stop_requested, train, meeting);
    } catch (const engine::Error& error) {
        std::cerr << "error: " << error.what() << '\n';
        return error.code() == engine::ErrorCode::kInvalidArgument ? worker::kExitUsage : worker::kExitFailed;
    }
    return worker::runTask(train, surroundings);
}

}  // namespace

int main(int argc, char** argv) {
    worker::keepFreedMemory();
    installSignals();
    std::optional<engine::errors::CodedErrors> coded;
    try {
        const int code = run(argc, argv, coded);
        return app::printedAll() || code != agent::worker::kExitDone ? code : agent::worker::kExitFailed;
    } catch (const std::exception& error) {
        std::cerr << "error: " << engine::exceptionText(error) << '\n';
        return worker::kExitFailed;
    }
}
