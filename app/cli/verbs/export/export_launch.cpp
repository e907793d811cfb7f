#include "app/cli/verbs/export/export_launch.h"

#include <array>
#include <filesystem>
#include <ostream>
#include <string_view>
#include <system_error>

#include "app/cli/launch_options.h"
#include "app/cli/project_source.h"
#include "app/cli/text_file.h"
#include "engine/launch/launch_kind.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

namespace launch = engine::launch;

// The options that not every kind takes.
constexpr std::array<const char*, 9> kOwnOptions{"--nodes", "--tasks-per-node", "--hosts", "--gpus-per-task", "--memory",
                                                 "--time",  "--partition",      "--seeds", "--image"};

struct ExportLaunchOptions {
    std::string project;
    std::string kind;
    std::string out;
    launch::LaunchOptions launch;
};

// "--kind slurm or --kind kubernetes"
std::string kindsWith(const std::string& option) {
    std::string text;
    for (const launch::LaunchKind& kind : launch::launchKinds()) {
        if (takes(kind, option)) text += (text.empty() ? "" : " or ") + ("--kind " + std::string(kind.name));
    }
    return text;
}

std::string kindsText() {
    std::string text;
    for (const launch::LaunchKind& kind : launch::launchKinds())
        text += (text.empty() ? "" : "; ") + std::string(kind.name) + ": " + std::string(kind.what);
    return text;
}

// nullopt after saying why not; context.exit_code is then set. Throws Error for hosts that are none.
std::optional<launch::LaunchJob> jobOf(Context& context, const ExportLaunchOptions& options, const engine::spec::RunSpec& run) {
    std::error_code ignored;
    const bool is_file = std::filesystem::is_regular_file(options.project, ignored);  // as findProject() looks
    launch::LaunchJob job = launch::jobOf(options.launch, run);
    job.settings = options.launch.settings;
    if (!is_file) {
        job.project = job.name = options.project;
        return job;
    }
    launch::takeProjectFile(job, options.project);
    if (launch::findLaunchKind(options.kind)->takes_text) {
        const std::optional<std::string> text = readTextFile(options.project, context.err);
        if (!text) {
            context.exit_code = kFailed;
            return std::nullopt;
        }
        job.project_text = *text;
    }
    return job;
}

void exportLaunch(Context& context, const ExportLaunchOptions& options) {
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
        text = launch::findLaunchKind(options.kind)->write(*job, *run);
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
        if (verb.count(option) == 0 || takes(*launch::findLaunchKind(kind), option)) continue;
        context.err << "error: " << option << ": expected " << kindsWith(option) << " beside it, got --kind " << kind << '\n';
        context.exit_code = kUsage;
        return false;
    }
    return true;
}

}  // namespace

void addExportLaunch(CLI::App& group, Context& context) {
    CLI::App* verb = group.add_subcommand("launch", "A file by which a scheduler, or whatever else starts tasks, trains a project");
    auto options = std::make_shared<ExportLaunchOptions>();
    std::vector<std::string> names;
    for (const launch::LaunchKind& kind : launch::launchKinds()) names.emplace_back(kind.name);
    verb->add_option("PROJECT", options->project, "a project file, or the name of a starter project; for Slurm a file that every node sees")
        ->required();
    verb->add_option("--kind", options->kind, kindsText())->required()->check(CLI::IsMember(names));
    verb->add_option("--out", options->out, "the file to write (default: standard output)");
    addLaunchOptions(*verb, options->launch);
    CLI::Option* hosts = verb->add_option(
        "--hosts", options->launch.hosts,
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
