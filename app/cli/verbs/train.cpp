#include <map>
#include <optional>
#include <ostream>

#include "agent/client/project_files.h"
#include "app/cli/follow.h"
#include "app/cli/project_source.h"
#include "app/cli/run_choice.h"
#include "app/cli/verb.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

using engine::spec::TransportChoice;

struct TrainOptions {
    std::string project;
    int workers = 0;  // 0: as the project says
    std::vector<std::string> settings;
    std::optional<std::string> out;
    std::string initial_weights, save_weights, device;
    std::optional<TransportChoice> transport;
    int threads = 0;
    bool json = false, overwrite = false;
};

constexpr std::chrono::milliseconds kSubmitDeadline{20000};

// The agent has another working directory: every path is made absolute here. A file of the command line lies below the working
// directory, one of the project beside it. False after saying what is missing.
bool resolvePaths(Context& context, const TrainOptions& options, engine::spec::RunSpec& run) {
    namespace fs = std::filesystem;
    engine::spec::FitSpec& fit = run.fit;
    if (!options.initial_weights.empty()) {
        fit.initial_weights = fs::absolute(fit.initial_weights).string();
    }
    agent::client::resolveFiles(run, fs::absolute(*findProject(context, options.project)).parent_path());
    if (!fit.initial_weights.empty()) {
        std::error_code ignored;
        if (!fs::exists(fit.initial_weights, ignored) && !fs::exists(fit.initial_weights + ".index", ignored)) {
            context.err << "error: fit.initial_weights: expected a file (.weights.h5, .keras, .h5) or a checkpoint, found none: "
                        << fit.initial_weights << '\n';
            context.exit_code = kFailed;
            return false;
        }
    }
    return true;
}

// The user's own word: no value of the project, which would have to lie below the run's folder.
bool isWeightsName(Context& context, const std::string& file) {
    const engine::spec::Diagnostics findings = engine::spec::checkWeightsFile(file);
    for (const engine::spec::Diagnostic& finding : findings) {
        context.err << toString(finding) << '\n';
        context.exit_code = kFailed;
    }
    return findings.empty();
}

void train(Context& context, const TrainOptions& options) {
    std::vector<std::string> settings = options.settings;
    if (!options.initial_weights.empty()) {
        settings.push_back("fit.initial_weights=" + options.initial_weights);
    }
    if (!options.device.empty()) {
        settings.push_back(engine::spec::deviceSetting(options.device));
    }
    auto run = loadProject(context, options.project, settings);
    if (!run || !isWeightsName(context, options.save_weights) || !resolvePaths(context, options, *run)) {
        return;
    }
    if (options.transport) {
        run->cluster.transport = *options.transport;
    }
    if (options.threads > 0) {
        run->cluster.threads_per_task = options.threads;
    }
    agent::client::SubmitRequest request;
    if (options.workers == 1) {
        engine::spec::useLocalWorkers(*run, {0});
    } else if (options.workers > 1) {
        request.local_workers = options.workers;
        (options.json ? context.err : context.out)
            << "Training on " << options.workers << " workers of this computer with MultiWorkerMirroredStrategy, global batch "
            << run->data.batch_size_per_replica * options.workers << '\n'
            << std::flush;
    }
    request.run = std::move(*run);
    if (options.out) {
        if (options.out->empty()) {
            context.err << "error: --out: expected a folder, got an empty text\n";
            context.exit_code = kUsage;
            return;
        }
        request.run_dir = std::filesystem::absolute(*options.out).lexically_normal().string();
    }
    if (!options.save_weights.empty()) {
        request.save_weights = std::filesystem::absolute(options.save_weights).lexically_normal().string();
    }
    request.overwrite = options.overwrite;
    request.data_dir = agent::client::dataFolder();
    const auto client = context.connect();
    const engine::run::RunInfo info = client->submit(request, kSubmitDeadline);
    followRun(context, *client, info,
              {.json = options.json, .from_attempt = info.attempts, .process_start_unix_ns = context.process_start_unix_ns});
}

}  // namespace

void addTrain(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("train", "Train a project on this computer and follow it to its end");
    auto options = std::make_shared<TrainOptions>();
    verb->add_option("PROJECT", options->project, "a project file or the name of a starter project")->required();
    verb->add_option("--workers", options->workers,
                     "number of local workers; above 1 any project runs as MultiWorkerMirroredStrategy (default: the project's cluster)")
        ->check(CLI::Range(1, 256));
    verb->add_option("--set", options->settings,
                     "PATH=VALUE: change a value of the project, VALUE in JSON (fit.epochs=3); may be given again")
        ->take_all();
    verb->add_option("--out", options->out, "the run's folder (default: below the agent's runs)");
    verb->add_flag("--overwrite", options->overwrite,
                   "begin anew in a folder that holds a run: its checkpoints and its backup go (default: a run that left a backup goes "
                   "on, as a further attempt of the same run; a finished one is refused)");
    verb->add_option("--initial-weights", options->initial_weights,
                     "weights to begin with: .weights.h5, .keras, .h5, or a checkpoint's prefix or folder");
    verb->add_option("--save-weights", options->save_weights, "what to write after training: .weights.h5, .keras or .h5");
    static const std::map<std::string, TransportChoice> kTransports{
        {"auto", TransportChoice::kAuto}, {"grpc", TransportChoice::kGrpc}, {"shm", TransportChoice::kShm}};
    verb->add_option_function<std::string>(
            "--transport", [options](const std::string& name) { options->transport = kTransports.at(name); },
            "how workers exchange gradients: auto (shared memory on one host), grpc or shm")
        ->check(CLI::IsMember(kTransports));
    verb->add_option(
        "--device", options->device,
        "what each worker trains on: cpu, gpu, or a device as TensorFlow names it (GPU:1); default: the project's devices, else "
        "all GPUs that there are");
    verb->add_option("--threads", options->threads, "threads per worker (default: the cores, shared evenly)")->check(CLI::Range(1, 1024));
    verb->add_flag("--json", options->json,
                   "one JSON object a line: step (every fit.log_every), epoch, checkpoint, weights (every fit.histogram_freq), log, and "
                   "last finished");
    verb->footer(
        "Ctrl+C stops the run after its step, a second one at once.\n"
        "Exit codes: 0 done, 1 the project has errors or the run failed, 2 wrong options or no such project, 3 the agent can't be reached, "
        "130 interrupted.");
    verb->callback([&context, options] { train(context, *options); });
}

}  // namespace app::cli
