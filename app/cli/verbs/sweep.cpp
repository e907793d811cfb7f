// One project with many values of some fields: which are best.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "agent/client/project_files.h"
#include "agent/client/sweep_run.h"
#include "app/cli/project_source.h"
#include "app/cli/sweep_printer.h"
#include "app/cli/text_file.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/train.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

namespace fs = std::filesystem;
namespace spec = engine::spec;
namespace sweep = engine::sweep;
using Clock = std::chrono::steady_clock;

// What the command line says; what it does not say is the file's, else the usual.
struct SweepOptions : TrainVerbOptions {
    std::string file, resume;
    std::vector<std::string> fields;
    std::optional<std::string> method, objective, direction;
    std::optional<int> trials, seeds, at_once, reduction;
    std::optional<std::int64_t> min_epochs, max_epochs;
    std::optional<std::uint64_t> seed;
    bool spread = false, slurm = false;
    sweep::SlurmJob job;  // of slurm
    std::optional<std::string> programs;
};

template <class Value>
void take(Value& value, const std::optional<Value>& said) {
    if (said) value = *said;
}

void refuse(Context& context, const std::string& why) {
    context.err << "error: " << why << '\n';
    context.exit_code = kUsage;
}

// The file's request with what the options say in its place. nullopt after saying what is wrong.
std::optional<sweep::SweepRequest> requestOf(Context& context, const SweepOptions& options) {
    sweep::SweepRequest request;
    try {
        if (!options.file.empty()) {
            const auto text = readTextFile(options.file, context.err);
            if (!text) {
                context.exit_code = kUsage;
                return std::nullopt;
            }
            request = sweep::parseSweepRequest(*text);
        }
        sweep::SweepSettings& settings = request.settings;
        if (!options.fields.empty()) settings.fields.clear();
        for (const std::string& field : options.fields) settings.fields.push_back(sweep::parseField(field));
        for (const sweep::Method method : {sweep::Method::kGrid, sweep::Method::kRandom, sweep::Method::kAsha}) {
            if (options.method == toString(method)) settings.method = method;
        }
        if (options.objective) settings.objective = sweep::objectiveOf(*options.objective);
        if (options.direction) settings.objective.rises = *options.direction == "max";
        take(settings.trials, options.trials);
        take(settings.seed, options.seed);
        take(settings.seeds, options.seeds);
        take(settings.at_once, options.at_once);
        take(settings.reduction, options.reduction);
        take(settings.min_epochs, options.min_epochs);
        take(settings.max_epochs, options.max_epochs);
        if (options.workers > 0 || options.hosts) settings.place = {};
        if (options.workers > 0) settings.place.workers = options.workers;
        if (options.servers > 0) settings.place.servers = options.servers;
        take(settings.place.hosts, options.hosts);
        if (options.spread) settings.place.spread = true;
        if (options.slurm) settings.place.slurm = options.job;
    } catch (const engine::Error& error) {
        refuse(context, (options.file.empty() ? "" : options.file + ": ") + error.what());
        return std::nullopt;
    }
    if (!options.project.empty()) request.project = options.project;
    if (request.project.empty()) {
        refuse(context, "sweep: expected a project, a file that names one (--file) or a sweep to go on with (--resume), got none");
        return std::nullopt;
    }
    return request;
}

// The one who trains, and prints. context.exit_code is set.
void work(Context& context, const SweepOptions& options, const agent::client::SweepFolder& folder, sweep::SweepFile& file,
          SweepOrigin origin) {
    const SweepStyle style = options.json ? SweepStyle::kJson : context.out_is_terminal ? SweepStyle::kTable : SweepStyle::kLines;
    origin.programs = options.programs;
    const auto printer = makeSweepPrinter(context.out, style, origin);
    const Clock::time_point began = Clock::now();
    const auto client = context.connect();
    agent::client::SweepOrder order{.folder = folder,
                                    .project = file.project,
                                    .data_dir = agent::client::dataFolder(),
                                    .programs = options.programs.value_or(context.program_dir.string())};
    if (const char* socket = std::getenv("SSH_AUTH_SOCK"); socket != nullptr) order.ssh_agent = socket;
    printer->begin(file.sweep, folder.path());
    int told = 0;
    const agent::client::SweepListener listener{
        .changed = [&](const sweep::Sweep& now) { printer->changed(now); },
        .interrupts =
            [&, before = context.interrupts()] {
                const int now = context.interrupts() - before;
                if (now > told && now < 3) {
                    context.err << (now > 1 ? "\nStopping at once …\n" : "\nStopping the runs after their step … (Ctrl+C again: at once)\n")
                                << std::flush;
                }
                return told = std::max(told, now);
            }};
    const agent::client::SweepEnd end = agent::client::runSweep(*client, file.sweep, order, listener);
    printer->finish(file.sweep, std::chrono::duration<double>(Clock::now() - began).count());
    if (end == agent::client::SweepEnd::kStopped) {
        (options.json ? context.err : context.out) << "To go on: tandem-cli sweep --resume " << folder.path().string() << '\n';
        context.exit_code = kInterrupted;
    } else if (!file.sweep.best()) {
        context.err << "error: the sweep has no result: expected a trial that ends with a number for "
                    << file.sweep.settings().objective.log << ", got "
                    << (file.sweep.trials().empty() ? "no trial" : "the last reason: " + file.sweep.trials().back().error) << '\n';
        context.exit_code = kFailed;
    }
}

void resume(Context& context, const SweepOptions& options) {
    std::optional<agent::client::SweepFolder> folder;
    std::optional<sweep::SweepFile> file;
    SweepOrigin origin;
    try {
        folder = agent::client::SweepFolder::open(options.resume);
        file = folder->load();
        origin.project = folder->saveProject(file->project).string();
    } catch (const engine::Error& error) {
        refuse(context, error.what());
        return;
    }
    work(context, options, *folder, *file, origin);
}

void begin(Context& context, const SweepOptions& options) {
    const auto request = requestOf(context, options);
    if (!request) return;
    auto project = loadProject(context, request->project, options.settings);
    if (!project) return;
    agent::client::resolveFiles(*project, fs::absolute(*findProject(context, request->project)).parent_path());
    const spec::Diagnostics found = sweep::checkSweep(request->settings, *project);
    for (const spec::Diagnostic& one : found) context.err << toString(one) << '\n';
    if (hasErrors(found)) {
        context.exit_code = kUsage;
        return;
    }
    const std::int64_t longest = sweep::longestOf(request->settings, *project);
    sweep::SweepFile file{std::move(*project), sweep::Sweep(request->settings, longest)};
    std::optional<agent::client::SweepFolder> folder;
    try {
        folder = agent::client::SweepFolder::make(options.out ? fs::path(*options.out) : agent::client::newSweepFolder());
        folder->save(file.project, file.sweep);
    } catch (const engine::Error& error) {
        refuse(context, "--out: " + std::string(error.what()));
        return;
    }
    work(context, options, *folder, file, {.project = request->project, .settings = options.settings});
}

void addSlurmOptions(CLI::App& verb, SweepOptions& options) {
    CLI::Option* slurm = verb.add_flag("--slurm", options.slurm, "a job of Slurm for each run, in a folder (--out) that every node sees");
    for (const char* name : {"--workers", "--hosts", "--servers", "--spread"}) slurm->excludes(verb.get_option(name));
    const auto ofSlurm = [&](const char* name, auto& value, const char* help) { verb.add_option(name, value, help)->needs(slurm); };
    ofSlurm("--nodes", options.job.nodes, "of Slurm: computers of a run (default: 1)");
    ofSlurm("--tasks-per-node", options.job.tasks_per_node, "of Slurm: tasks on each of them (default: 1)");
    ofSlurm("--cpus-per-task", options.job.cpus_per_task, "of Slurm: cores of a task (default: as the cluster has it)");
    ofSlurm("--gpus-per-task", options.job.gpus_per_task, "of Slurm: GPUs of a task (default: none)");
    ofSlurm("--memory", options.job.memory, "of Slurm: of a node, such as 4G (default: as the cluster has it)");
    ofSlurm("--time", options.job.time, "of Slurm: the longest that a job may take, such as 02:00:00 (default: as the cluster has it)");
    ofSlurm("--partition", options.job.partition, "of Slurm: where a job waits for its nodes (default: as the cluster has it)");
    verb.add_option("--programs", options.programs,
                    "of Slurm: the folder of Tandem's programs on the nodes (default: as on this computer)");
}

}  // namespace

void addSweep(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("sweep", "Train a project with many values of some fields and find the best");
    auto options = std::make_shared<SweepOptions>();
    verb->add_option("PROJECT", options->project, "a project file, or the name of a starter project");
    verb->add_option(
            "--field", options->fields,
            "PATH=VALUE,VALUE: values of a field, each as --set takes it; or PATH=KIND:LOW..HIGH, a range of the kind linear, log, "
            "int or logint, with :N behind it its number of values in a grid (log:1e-4..1e-1:4); may be given again")
        ->take_all();
    verb->add_option(
            "--method", options->method,
            "grid (every combination), random (--trials of them), or asha (of all that have trained for some epochs the best go on; "
            "default: grid)")
        ->check(CLI::IsMember({"grid", "random", "asha"}));
    verb->add_option("--objective", options->objective,
                     "the log of an epoch's end that is compared, at a run's last epoch (default: val_accuracy)");
    verb->add_option("--direction", options->direction, "max or min: which is better (default: as the name of the log says)")
        ->check(CLI::IsMember({"max", "min"}));
    verb->add_option("--trials", options->trials, "configurations of random and asha (default: all of the grid, in a random order)")
        ->check(CLI::Range(1, sweep::kMostTrials));
    verb->add_option("--at-once", options->at_once, "runs that train at the same time (default: 1)")
        ->check(CLI::Range(1, sweep::kMostAtOnce));
    verb->add_option("--seeds", options->seeds, "runs of each configuration, which differ in fit.seed; their mean counts (default: 1)")
        ->check(CLI::Range(1, sweep::kMostSeeds));
    verb->add_option("--epochs", options->max_epochs, "epochs of the longest run (default: fit.epochs)")->check(CLI::Range(1, 1'000'000));
    verb->add_option("--min-epochs", options->min_epochs, "of asha: epochs before a configuration is compared first (default: 1)")
        ->check(CLI::Range(1, 1'000'000));
    verb->add_option("--reduction", options->reduction, "of asha: one of so many goes on, for so many times the epochs (default: 3)")
        ->check(CLI::Range(2, sweep::kMostReduction));
    verb->add_option("--seed", options->seed, "of what is drawn (default: 0)");
    auto* file = verb->add_option("--file", options->file,
                                  "a sweep as JSON, whose values the other options change: project, fields, method, objective, "
                                  "direction, trials, seeds, at_once, min_epochs, max_epochs, reduction, seed, "
                                  "workers, servers, hosts, spread, slurm");
    verb->add_option("--set", options->settings, "PATH=VALUE: change a value of the project first")->take_all();
    verb->add_option("--out", options->out, "the sweep's folder (default: a new one below ~/.local/share/tandem/sweeps)");
    addComputerOptions(*verb, *options);
    verb->add_flag("--spread", options->spread, "each run on one of the --hosts, in place of all of them together");
    addSlurmOptions(*verb, *options);
    auto* going_on =
        verb->add_option("--resume", options->resume, "the folder of a sweep that was stopped or killed: it goes on where it was");
    for (const char* name :
         {"PROJECT", "--field", "--method", "--objective", "--direction", "--trials", "--at-once", "--seeds", "--epochs", "--min-epochs",
          "--reduction", "--seed", "--set", "--out", "--workers", "--hosts", "--servers", "--spread", "--slurm"}) {
        going_on->excludes(verb->get_option(name));
    }
    going_on->excludes(file);
    verb->add_flag("--json", options->json, "one JSON object a line: sweep, trial (whenever one changes), and last finished");
    verb->footer(
        "Ctrl+C stops the runs after their step, a second one at once; a third leaves them in training, and --resume finds them. Every run "
        "is one of the list of runs, too.\n"
        "Exit codes: 0 done, 1 the project has errors or no trial has a result, 2 wrong options or no such project, 3 the agent can't be "
        "reached, "
        "130 interrupted.");
    verb->callback([&context, options] { options->resume.empty() ? begin(context, *options) : resume(context, *options); });
}

}  // namespace app::cli
