#include "app/cli/verbs/export_launch.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>
#include <string_view>
#include <system_error>

#include "app/cli/launch_options.h"
#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "engine/launch/compose_file.h"
#include "engine/launch/kubernetes_file.h"
#include "engine/launch/mpirun_script.h"
#include "engine/launch/slurm_script.h"
#include "engine/launch/ssh_script.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

namespace launch = engine::launch;

struct Kind {
    std::string_view name, what;
    std::string (*write)(const launch::LaunchJob&, const engine::spec::RunSpec&);
    bool takes_text = false;         // the project goes along as text
    std::string_view own_options{};  // beside those that all kinds have, with a blank around each
};
constexpr std::array<Kind, 6> kKinds{
    Kind{.name = "slurm",
         .what = "a batch script for sbatch",
         .write = &launch::slurmScript,
         .own_options = " --nodes --tasks-per-node --gpus-per-task --memory --time --partition --seeds "},
    Kind{.name = "compose",
         .what = "containers of one computer, for docker compose",
         .write = &launch::composeFile,
         .takes_text = true,
         .own_options = " --nodes --gpus-per-task --memory --image "},
    Kind{.name = "kubernetes",
         .what = "a Job of Kubernetes, for kubectl",
         .write = &launch::kubernetesFile,
         .takes_text = true,
         .own_options = " --nodes --gpus-per-task --memory --time --image "},
    Kind{.name = "tfjob",
         .what = "a TFJob of Kubeflow's training operator, for kubectl",
         .write = &launch::tfJobFile,
         .takes_text = true,
         .own_options = " --nodes --gpus-per-task --memory --time --image "},
    Kind{.name = "ssh", .what = "a script that starts each task over ssh", .write = &launch::sshScript, .own_options = " --hosts "},
    Kind{.name = "mpirun",
         .what = "a script that starts the tasks by Open MPI's mpirun",
         .write = &launch::mpirunScript,
         .own_options = " --nodes --tasks-per-node --hosts "},
};
// What not every kind takes.
constexpr std::array<const char*, 9> kOwnOptions{"--nodes", "--tasks-per-node", "--hosts", "--gpus-per-task", "--memory",
                                                 "--time",  "--partition",      "--seeds", "--image"};

struct ExportOptions {
    std::string project;
    std::string kind;
    std::string out;
    std::optional<std::string> hosts;
    LaunchOptions launch;
};

const Kind& kindOf(std::string_view name) {
    return *std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return kind.name == name; });
}

bool takes(const Kind& kind, const std::string& option) {
    return kind.own_options.find(" " + option + " ") != std::string_view::npos;
}

// "--kind slurm or --kind kubernetes"
std::string kindsWith(const std::string& option) {
    std::string text;
    for (const Kind& kind : kKinds) {
        if (takes(kind, option)) text += (text.empty() ? "" : " or ") + ("--kind " + std::string(kind.name));
    }
    return text;
}

std::string kindsText() {
    std::string text;
    for (const Kind& kind : kKinds) text += (text.empty() ? "" : "; ") + std::string(kind.name) + ": " + std::string(kind.what);
    return text;
}

// nullopt after saying why not; context.exit_code is then set. Throws Error for hosts that are none.
std::optional<launch::LaunchJob> jobOf(Context& context, const ExportOptions& options, const engine::spec::RunSpec& run) {
    std::error_code ignored;
    const bool is_file = std::filesystem::is_regular_file(options.project, ignored);  // as findProject() looks
    launch::LaunchJob job = jobOf(options.launch, run);
    job.project = is_file ? std::filesystem::absolute(options.project).lexically_normal().string() : options.project;
    job.name = is_file ? std::filesystem::path(options.project).stem().string() : options.project;
    job.settings = options.launch.settings;
    if (options.hosts) job.hosts = engine::spec::parseHostShares(*options.hosts);
    if (is_file && kindOf(options.kind).takes_text) {
        const std::optional<std::string> text = readTextFile(options.project, context.err);
        if (!text) {
            context.exit_code = kFailed;
            return std::nullopt;
        }
        job.project_text = *text;
    }
    return job;
}

void exportLaunch(Context& context, const ExportOptions& options) {
    const auto run = loadProject(context, options.project, options.launch.settings);
    if (!run) {
        return;
    }
    std::string text;
    try {
        const std::optional<launch::LaunchJob> job = jobOf(context, options, *run);
        if (!job) {
            return;
        }
        text = kindOf(options.kind).write(*job, *run);
    } catch (const engine::Error& error) {
        context.err << "error: " << error.what() << '\n';
        context.exit_code = kUsage;
        return;
    }
    if (!giveText(options.out, text, context.out, context.err)) {
        context.exit_code = kFailed;
    }
}

// False after saying on context.err which option the kind does not take.
bool fits(Context& context, const CLI::App& verb, const std::string& kind) {
    for (const char* option : kOwnOptions) {
        if (verb.count(option) == 0 || takes(kindOf(kind), option)) continue;
        context.err << "error: " << option << ": expected " << kindsWith(option) << " beside it, got --kind " << kind << '\n';
        context.exit_code = kUsage;
        return false;
    }
    return true;
}

}  // namespace

void addExportLaunch(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("launch", "A file by which a scheduler, or whatever else starts tasks, trains a project");
    auto options = std::make_shared<ExportOptions>();
    std::vector<std::string> names;
    for (const Kind& kind : kKinds) names.emplace_back(kind.name);
    verb->add_option("PROJECT", options->project, "a project file, or the name of a starter project; for Slurm a file that every node sees")
        ->required();
    verb->add_option("--kind", options->kind, kindsText())->required()->check(CLI::IsMember(names));
    verb->add_option("--out", options->out, "the file to write (default: standard output)");
    addLaunchOptions(*verb, options->launch);
    CLI::Option* hosts = verb->add_option(
        "--hosts", options->hosts,
        "computers by the names that ssh or mpirun has for them, with the number of tasks where it is not 1: node1,node2:2 "
        "(default: ssh: the project's cluster; mpirun: where it puts the ranks)");
    for (const char* other : {"--nodes", "--tasks-per-node"}) hosts->excludes(other);
    verb->add_option(
        "--image", options->launch.job.image,
        "the containers' image, with Tandem in it (default: tandem:latest, with GPUs tandem:cuda, as installer/image.sh makes them)");
    verb->footer(
        "What a kind does not take is refused. A task that is started again goes on from the run's backup.\n"
        "Exit codes: 0 written, 1 the project has errors or the file could not be written, 2 wrong options or no such project.");
    verb->callback([&context, options, verb] {
        if (fits(context, *verb, options->kind)) exportLaunch(context, *options);
    });
}

}  // namespace app::cli
