// tandem-worker: options, signals and assembly.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include <unistd.h>
#include <CLI/CLI.hpp>

#include "standard_output.h"

#include "agent/inspect/data_facts.h"
#include "agent/inspect/engine_answers.h"
#include "agent/inspect/model_verbs.h"
#include "agent/inspect/project_check.h"
#include "agent/inspect/shards.h"
#include "agent/worker/freed_memory.h"
#include "agent/worker/task_runner.h"
#include "engine/backend/cuda_backend.h"
#include "engine/data/dataset_catalog.h"
#include "engine/spec/project/device_name.h"

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
    }
    return name;
}

CLI::Option* addProject(CLI::App& app, std::filesystem::path& project, const std::string& what = "") {
    return app.add_option("PROJECT", project, "project file (*.tandem), or the name of a starter project" + what)
        ->transform([](const std::string& name) { return projectFile(name); }, "");
}

void addTrainOptions(CLI::App& app, worker::TaskOptions& options) {
    addProject(app, options.project);
    app.add_option("--out", options.out, "the run's folder (default: PROJECT's name and the time, in the working directory)");
    app.add_flag("--overwrite", options.overwrite, "begin anew in a folder that holds a run: its checkpoints and its backup go");
    app.add_option("--set", options.settings, "PATH=VALUE: change a value of the project first, such as fit.epochs=3")->take_all();
    app.add_option("--threads", options.threads, "threads to compute with (default: the cores shared by this host's tasks)")
        ->check(CLI::Range(1, 1024));
    app.add_option_function<std::string>(
        "--device", [&options](const std::string& device) { options.settings.push_back(engine::spec::deviceSetting(device)); },
        "what to train on: cpu, gpu, or a device as TensorFlow names it (GPU:1); default: the project's devices, else all GPUs that there "
        "are");
    static const std::map<std::string, engine::spec::TransportChoice> kTransports{{"auto", engine::spec::TransportChoice::kAuto},
                                                                                  {"grpc", engine::spec::TransportChoice::kGrpc},
                                                                                  {"shm", engine::spec::TransportChoice::kShm}};
    app.add_option_function<std::string>(
           "--transport", [&options](const std::string& name) { options.transport = kTransports.at(name); }, "auto, grpc or shm")
        ->check(CLI::IsMember(kTransports));
    app.add_option_function<std::string>(
        "--initial-weights", [&options](const std::string& file) { options.settings.push_back("fit.initial_weights=" + absolute(file)); },
        "weights to begin with: .weights.h5, .keras, .h5, or a checkpoint's prefix or folder");
    app.add_option_function<std::string>(
        "--save-weights", [&options](const std::string& file) { options.weights_file = absolute(file); },
        "what to write after training: .weights.h5, .keras or .h5");
    app.add_option("--agent-fd", options.agent_descriptor, "socket to the agent that started this task");
    app.footer(
        "TF_CONFIG in the environment says which task of which cluster this is; without it the task trains alone.\n"
        "Exit codes: 0 trained or stopped when asked to, 1 failed, 2 wrong options, project or TF_CONFIG, 4 the agent is gone, 130 told to "
        "stop twice.");
}

CLI::App* addEvaluateOptions(CLI::App& app, worker::EvaluateOptions& options) {
    CLI::App* verb = app.add_subcommand("evaluate", "Loss and accuracy of a checkpoint on the project's test set");
    addProject(*verb, options.project)->required();
    verb->add_option("--checkpoint", options.checkpoint, "a folder with a file `checkpoint` (its latest is taken), or a prefix")
        ->required();
    verb->add_option("--set", options.settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_option("--threads", options.threads, "threads to compute with (default: all cores)")->check(CLI::Range(1, 1024));
    verb->add_flag("--json", options.json, "one JSON object: test_accuracy, test_loss, samples");
    verb->add_flag("--confusion", options.confusion, "also which class was taken for which, and the accuracy of each class");
    verb->add_option("--mistakes", options.mistakes, "also so many of the wrong answers, the surest first")->check(CLI::Range(0, 1000));
    verb->add_flag("--pictures", options.pictures, "in JSON: with the pixels of the wrong answers");
    verb->footer("Exit codes: 0 evaluated, 1 the checkpoint or the data can't be used, 2 wrong options or project.");
    return verb;
}

CLI::App* addShardsOptions(CLI::App& app, worker::ShardsOptions& options) {
    CLI::App* verb = app.add_subcommand("shards", "Which sample goes to which task in the first steps");
    addProject(*verb, options.project)->required();
    verb->add_option("--base", options.base, "folder of relative files (default: beside PROJECT)");
    verb->add_option("--steps", options.steps, "how many steps (default 3)")->check(CLI::Range(1, 1000000));
    verb->add_option("--workers", options.workers, "on this computer, in place of the project's cluster")->check(CLI::Range(1, 1024));
    verb->add_option("--set", options.settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--json", options.json, "one JSON object");
    verb->footer("Exit codes: 0 printed, 1 the data can't be used, 2 wrong options or project.");
    return verb;
}

CLI::App* addDataOptions(CLI::App& app, worker::DataOptions& options) {
    CLI::App* verb = app.add_subcommand("data", "What the project's data set is: sizes, classes, columns, bad samples");
    addProject(*verb, options.project, "; its data alone counts");
    verb->add_flag("--list", options.list, "the sets with a name that are on this computer, without a project");
    verb->add_option("--base", options.base, "folder of relative files (default: beside PROJECT)");
    verb->add_flag("--fetch", options.fetch, "download a set that has a name and is not on this computer, or is damaged");
    verb->add_flag(
        "--check", options.check,
        "read every sample, name all that cannot be read, count NaN and infinities, and compare labels with the project's model");
    verb->add_option("--samples", options.samples, "pictures of each class (with --json)")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    verb->add_option("--draw", options.draw, "another number shows other samples")->capture_default_str();
    verb->add_option("--set", options.settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--json", options.json, "one JSON object a line: progress, log, then data or error");
    verb->footer(
        "Exit codes: 0 printed, 1 the data can't be used (with --check: a run would end with an error), 2 wrong options or data settings.");
    return verb;
}

CLI::App* addImportOptions(CLI::App& app, worker::ImportOptions& options) {
    CLI::App* verb = app.add_subcommand("import", "A project from a model file of Keras");
    verb->add_option("FILE", options.model, ".keras, .h5 or the JSON of a model")->required();
    verb->add_option("--out", options.out, "the project file to write")->required();
    verb->footer("Exit codes: 0 written, 1 the file can't be read or holds what can't be represented.");
    return verb;
}

CLI::App* addExportOptions(CLI::App& app, worker::ExportOptions& options) {
    CLI::App* verb = app.add_subcommand("export", "A checkpoint as a Keras file");
    addProject(*verb, options.project)->required();
    verb->add_option("--checkpoint", options.checkpoint, "a folder with a file `checkpoint`, a prefix, or a Keras file")->required();
    verb->add_option("--keras", options.out, "the file to write: .keras, .weights.h5 or .h5")->required();
    verb->add_option("--set", options.settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer("Exit codes: 0 written, 1 the checkpoint can't be used, 2 wrong options or project.");
    return verb;
}

// No verb for people: its agent asks.
CLI::App* addAnswerOptions(CLI::App& app, int& agent_descriptor) {
    CLI::App* verb = app.add_subcommand("answer", "Answer one question to the engine, asked on a socket")->group("");
    verb->add_option("--agent-fd", agent_descriptor, "socket to the agent that asks")->required();
    return verb;
}

CLI::App* addInspectOptions(CLI::App& app, worker::InspectOptions& options) {
    CLI::App* verb = app.add_subcommand("inspect", "The best five classes of one sample, and what every layer makes of it");
    addProject(*verb, options.project)->required();
    verb->add_option("--checkpoint", options.checkpoint, "a folder with a file `checkpoint`, a prefix, or a Keras file")->required();
    verb->add_option("--data", options.data, "test or train (the project's sets as a whole), or a file of samples (.npy, .npz with x, IDX)")
        ->capture_default_str();
    verb->add_option("--sample", options.sample, "its place in the data, from 0")->capture_default_str();
    verb->add_option("--set", options.settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_flag("--json", options.json, "one JSON object: top, layers with their maps, pixels");
    verb->footer("Exit codes: 0 printed, 1 the checkpoint or the data can't be used, 2 wrong options or project.");
    return verb;
}

CLI::App* addCheckOptions(CLI::App& app, worker::ProjectCheckOptions& options) {
    CLI::App* verb = app.add_subcommand("check", "Whether initial weights and data of a project fit its model, before it is trained");
    addProject(*verb, options.project)->required();
    verb->add_option("--base", options.base, "folder of relative files (default: beside PROJECT)");
    verb->add_option("--save-weights", options.weights_file, "where the weights would go, in place of the project's");
    verb->add_option("--set", options.settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->footer("Exit codes: 0 nothing found, 1 errors, a line each, 2 wrong options or project.");
    return verb;
}

int run(int argc, char** argv) {
    CLI::App app("Trains one task of a Tandem run.", "tandem-worker");
    app.set_version_flag("--version", TANDEM_VERSION);
    worker::TaskOptions train;
    worker::EvaluateOptions evaluate;
    worker::ShardsOptions shards;
    addTrainOptions(app, train);
    worker::DataOptions data;
    const CLI::App* data_verb = addDataOptions(app, data);
    worker::ImportOptions importing;
    worker::ExportOptions exporting;
    const CLI::App* evaluate_verb = addEvaluateOptions(app, evaluate);
    const CLI::App* shards_verb = addShardsOptions(app, shards);
    const CLI::App* import_verb = addImportOptions(app, importing);
    const CLI::App* export_verb = addExportOptions(app, exporting);
    worker::InspectOptions inspect;
    const CLI::App* inspect_verb = addInspectOptions(app, inspect);
    worker::ProjectCheckOptions check;
    const CLI::App* check_verb = addCheckOptions(app, check);
    int asking_agent = -1;
    const CLI::App* answer_verb = addAnswerOptions(app, asking_agent);
    try {
        app.parse(argc, argv);
        const bool has_question = app.get_subcommands().empty() || !data_verb->parsed() || data.list || !data.project.empty();
        if (!has_question || (app.get_subcommands().empty() && train.project.empty())) {
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
                                               .make_executor = &engine::backend::makeExecutor});
    }
    if (evaluate_verb->parsed()) {
        evaluate.dataset_folders = engine::data::datasetFolders();
        evaluate.download_folder = engine::data::downloadFolder();
        evaluate.make_executor = &engine::backend::makeExecutor;
        return worker::runEvaluate(evaluate, surroundings);
    }
    if (shards_verb->parsed()) {
        shards.dataset_folders = engine::data::datasetFolders();
        shards.download_folder = engine::data::downloadFolder();
        return worker::runShards(shards, surroundings);
    }
    if (data_verb->parsed()) {
        data.dataset_folders = engine::data::datasetFolders();
        data.download_folder = engine::data::downloadFolder();
        return worker::runData(data, surroundings);
    }
    if (import_verb->parsed()) {
        return worker::runImport(importing, surroundings);
    }
    if (export_verb->parsed()) {
        return worker::runExport(exporting, surroundings);
    }
    if (inspect_verb->parsed()) {
        inspect.dataset_folders = engine::data::datasetFolders();
        inspect.make_executor = &engine::backend::makeExecutor;
        return worker::runInspect(inspect, surroundings);
    }
    if (check_verb->parsed()) {
        check.dataset_folders = engine::data::datasetFolders();
        return worker::runProjectCheck(check, std::cout, std::cerr);
    }
    const char* tf_config = std::getenv("TF_CONFIG");
    if (tf_config != nullptr && *tf_config == 0) {
        std::cerr << "error: TF_CONFIG: expected a JSON object, got an empty text; unset it to train alone\n";
        return worker::kExitUsage;
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
