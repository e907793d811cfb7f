#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>

#include <nlohmann/json.hpp>

#include "agent/client/project_files.h"
#include "app/cli/file_sharing.h"
#include "app/cli/launch_options.h"
#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/launch/slurm_script.h"
#include "engine/spec/error.h"

namespace app::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kJobSubmitDeadline{45}, kSubmitThereDeadline{120};  // sbatch itself may take fifteen

struct SubmitOptions {
    std::string project;
    bool slurm = false, json = false;
    std::optional<std::string> out, programs, ssh;
    engine::launch::LaunchOptions launch;
};

void tell(Context& context, const SubmitOptions& options, const agent::client::SubmittedJob& submitted) {
    if (options.json) {
        nlohmann::ordered_json line{
            {"event", "submitted"}, {"scheduler", "slurm"}, {"job", submitted.job}, {"runs", nlohmann::json::array()}};
        for (const engine::run::RunInfo& run : submitted.runs) line["runs"].push_back({{"id", run.id}, {"folder", run.run_dir}});
        context.out << line.dump() << '\n';
        return;
    }
    context.out << "Slurm has taken job " << submitted.job << '\n';
    for (const engine::run::RunInfo& run : submitted.runs) context.out << "run " << run.id << " in " << run.run_dir << '\n';
    context.out << "tandem-cli watch follows a run, tandem-cli stop ends it and its job\n";
}

void submit(Context& context, const SubmitOptions& options) {
    auto run = loadProject(context, options.project, options.launch.settings);
    if (!run) return;
    std::error_code ignored;
    const std::string name = fs::is_regular_file(options.project, ignored) ? fs::path(options.project).stem().string() : options.project;
    agent::client::JobRequest request;
    try {
        request.job = engine::launch::jobOf(options.launch, *run);
        request.job.name = name;
        request.host = options.ssh.value_or("");
        if (options.ssh && options.ssh->empty()) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument, "--ssh: expected a host of the list, got an empty text");
        }
        if (request.host.empty()) {
            request.job.run_folder =
                fs::absolute(options.out.value_or(engine::launch::plainName(name) + "-run")).lexically_normal().string();
            request.job.programs = options.programs.value_or(context.program_dir.string());
        } else {
            if (options.out && !fs::path(*options.out).is_absolute()) {
                throw engine::Error(engine::ErrorCode::kInvalidArgument,
                                    "--out: expected an absolute path on " + request.host + ", got " + *options.out);
            }
            request.job.run_folder = options.out.value_or("");
            request.job.programs = options.programs.value_or("");
        }
        agent::client::resolveFiles(*run, fs::absolute(*findProject(context, options.project)).parent_path());
        static_cast<void>(engine::launch::slurmScript(request.job, *run));  // what is wrong is told before anybody is asked
    } catch (const engine::Error& error) {
        context.err << "error: " << error.what() << '\n';
        context.exit_code = kUsage;
        return;
    }
    request.run = std::move(*run);
    const auto client = context.connect();
    if (!request.host.empty()) {
        if (const char* socket = std::getenv("SSH_AUTH_SOCK"); socket != nullptr) request.ssh_agent = socket;
        agent::client::SubmitRequest sent;
        sent.run = request.run;
        sent.hosts = {{.host = request.host}};
        sent.ssh_agent = request.ssh_agent;
        try {
            shareFiles(context, *client, sent, options.json);
        } catch (const engine::Error& error) {
            if (error.code() != engine::ErrorCode::kCancelled) throw;
            context.exit_code = kInterrupted;
            return;
        }
    }
    tell(context, options, client->submitJob(request, request.host.empty() ? kJobSubmitDeadline : kSubmitThereDeadline));
}

}  // namespace

void addSubmit(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("submit", "Hand a project to a cluster's scheduler, and follow its run from the queue on");
    auto options = std::make_shared<SubmitOptions>();
    verb->add_option("PROJECT", options->project, "a project file, or the name of a starter project")->required();
    verb->add_flag("--slurm", options->slurm, "to Slurm, by its programs on this computer: sbatch, scontrol, squeue, scancel")->required();
    verb->add_option("--ssh", options->ssh, "by Slurm's programs on this host of the list (tandem-cli host add), such as a login node");
    verb->add_option("--out", options->out,
                     "the run's folder, which every node sees (default: NAME-run in this folder; with --ssh, below the host's "
                     "folder of runs); that of an earlier job whose run was stopped or failed goes on");
    verb->add_option("--programs", options->programs,
                     "the folder of Tandem's programs on the nodes (default: as on this computer; with --ssh, as on that host)");
    addLaunchOptions(*verb, options->launch);
    verb->add_flag("--json", options->json, "one JSON object with the job and its runs");
    verb->footer(
        "The project is kept as it is now. A job that is queued again, after a node was lost or its time was over, goes on from the run's "
        "backup.\n"
        "Exit codes: 0 Slurm has taken the job, 1 it has not, or the project has errors, 2 wrong options or no such project, 3 the agent "
        "can't be reached, 130 Ctrl+C while files were sent.");
    verb->callback([&context, options] { submit(context, *options); });
}

}  // namespace app::cli
