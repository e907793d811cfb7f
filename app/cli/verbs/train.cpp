#include "app/cli/verbs/train.h"

#include <cstdlib>
#include <optional>
#include <ostream>

#include "agent/client/project_files.h"
#include "app/cli/file_sharing.h"
#include "app/cli/follow.h"
#include "app/cli/project_source.h"
#include "app/cli/run_choice.h"
#include "app/cli/verb.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/host_share.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

constexpr std::chrono::milliseconds kSubmitDeadline{20000}, kSubmitToHostsDeadline{90000};

// True when the agent may have to reach another computer first.
bool namesOthers(const agent::client::SubmitRequest& request) {
    return !request.hosts.empty() || engine::spec::namesOtherHosts(request.run.cluster.spec);
}

// Says in one line what the options make of the run's cluster.
void tellCluster(Context& context, const TrainVerbOptions& options, const engine::spec::RunSpec& run, int workers,
                 const std::string& where) {
    std::ostream& out = options.json ? context.err : context.out;
    out << "Training on " << workers << (workers == 1 ? " worker" : " workers") << " of " << where;
    if (options.servers > 0) {
        out << " and " << options.servers << (options.servers == 1 ? " parameter server" : " parameter servers")
            << " with ParameterServerStrategy";
    } else if (workers > 1) {
        out << " with MultiWorkerMirroredStrategy, global batch " << run.data.batch_size_per_replica * workers;
    }
    out << '\n' << std::flush;
}

// False after saying what is wrong with the options.
bool chooseCluster(Context& context, const TrainVerbOptions& options, engine::spec::RunSpec& run, agent::client::SubmitRequest& request) {
    const auto refuse = [&](const std::string& why) {
        context.err << "error: " << why << '\n';
        context.exit_code = kUsage;
        return false;
    };
    if (options.hosts) {
        try {
            request.hosts = engine::spec::parseHostShares(*options.hosts);
            engine::spec::dealServers(request.hosts, options.servers);
        } catch (const engine::Error& error) {
            return refuse(error.what());
        }
        int workers = 0;
        std::string names;
        for (const engine::spec::HostShare& share : request.hosts) {
            workers += share.workers;
            names += (names.empty() ? "" : ", ") + share.host;
        }
        tellCluster(context, options, run, workers, names);
    } else if (options.servers > 0 && options.workers == 0) {
        return refuse("--servers: expected --workers or --hosts beside it, got neither");
    } else if (options.workers == 1 && options.servers == 0) {
        engine::spec::useLocalWorkers(run, {0});
    } else if (options.workers > 0) {
        request.local_workers = options.workers;
        request.local_servers = options.servers;
        tellCluster(context, options, run, options.workers, "this computer");
    }
    return true;
}

// The agent has another working directory: every path is made absolute here. A file of the command line lies below the working
// directory, one of the project beside it. False after saying what is missing.
bool resolvePaths(Context& context, const TrainVerbOptions& options, engine::spec::RunSpec& run) {
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

}  // namespace

void train(Context& context, const TrainVerbOptions& options) {
    auto run = loadProject(context, options.project, allSettings(options, options.initial_weights));
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
    if (!chooseCluster(context, options, *run, request)) {
        return;
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
    if (const char* socket = std::getenv("SSH_AUTH_SOCK"); socket != nullptr) {
        request.ssh_agent = socket;
    }
    const auto client = context.connect();
    if (namesOthers(request)) {
        try {
            shareFiles(context, *client, request, options.json);
        } catch (const engine::Error& error) {
            if (error.code() != engine::ErrorCode::kCancelled) {
                throw;
            }
            context.exit_code = kInterrupted;
            return;
        }
    }
    const engine::run::RunInfo info = client->submit(request, namesOthers(request) ? kSubmitToHostsDeadline : kSubmitDeadline);
    followRun(context, *client, info,
              {.json = options.json, .from_attempt = info.attempts, .process_start_unix_ns = context.process_start_unix_ns});
}

void addComputerOptions(CLI::App& verb, TrainVerbOptions& options) {
    verb.add_option("--workers", options.workers,
                    "number of local workers; above 1 any project runs as MultiWorkerMirroredStrategy (default: the project's cluster)")
        ->check(CLI::Range(1, 256));
    verb.add_option(
            "--hosts", options.hosts,
            "computers of the run, with the number of workers where it is not 1: node1,node2:2. Names are those of `host list`, or "
            "this computer's own; workers are numbered in this order, and the first host should be this one: its checkpoints lie here")
        ->excludes("--workers");
    verb.add_option(
            "--servers", options.servers,
            "number of parameter servers beside the workers, which makes it a ParameterServerStrategy; on several computers they go "
            "to hosts of 0 workers, else to all in turn")
        ->check(CLI::Range(1, 256));
}

void addWhereOptions(CLI::App& verb, TrainVerbOptions& options) {
    addComputerOptions(verb, options);
    verb.add_flag(
        "--json", options.json,
        "one JSON object a line: step (every fit.log_every), epoch, checkpoint, weights (every fit.histogram_freq), layers (as they "
        "were measured), anomaly, log, and "
        "last finished");
}

void addTrain(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("train", "Train a project and follow it to its end");
    auto options = std::make_shared<TrainVerbOptions>();
    addTrainOptions(*verb, *options,
                    {.out = "below the agent's runs",
                     .overwrite = "a run that left a backup goes on, as a further attempt of the same run; a finished one is refused",
                     .threads = "the cores, shared evenly"})
        ->required();
    addWhereOptions(*verb, *options);
    verb->footer(kTrainFooter);
    verb->callback([&context, options] { train(context, *options); });
}

}  // namespace app::cli
