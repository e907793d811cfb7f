#include "agent/server/runs/run_submission.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>
#include <random>
#include <utility>

#include <unistd.h>

#include "agent/archive/run_archive.h"
#include "agent/local/event_files.h"
#include "agent/local/folder_claim.h"
#include "agent/local/run_folder.h"
#include "agent/local/secret_file.h"
#include "agent/server/host/host_probe.h"
#include "agent/server/process/descriptor_budget.h"
#include "agent/server/process/environment.h"
#include "agent/server/runs/submission_note.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/cluster/communication.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"

namespace agent::server {

using engine::files::SafeFolder;
namespace spec = engine::spec;
namespace fs = std::filesystem;

namespace {

constexpr int kMaxLocalWorkers = 256;

[[noreturn]] void refuse(const std::string& message) {
    throw engine::Error(engine::ErrorCode::kInvalidArgument, message);
}

void requireNoErrors(const spec::Diagnostics& diagnostics) {
    std::string lines;
    for (const spec::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == spec::Severity::kError) {
            lines += (lines.empty() ? "" : "\n") + toString(diagnostic);
        }
    }
    if (!lines.empty()) {
        refuse(lines);
    }
}

std::vector<PortReservation> reservePorts(int count) {
    std::vector<PortReservation> ports;
    for (int i = 0; i < count; ++i) {
        ports.push_back(PortReservation::anyPort());
    }
    return ports;
}

int requireCount(const char* name, int count) {
    if (count < 0 || count > kMaxLocalWorkers) {
        refuse(std::string(name) + ": expected 0 to " + std::to_string(kMaxLocalWorkers) + ", got " + std::to_string(count));
    }
    return count;
}

// The cluster of the request, made here for local workers and servers, with their ports held in the order of spec::planTasks().
std::vector<PortReservation> makeLocalCluster(spec::RunSpec& run, const Submission& submission) {
    const int workers = requireCount("local_workers", submission.local_workers);
    const int servers = requireCount("local_servers", submission.local_servers);
    if (servers > 0 && workers == 0) {
        refuse("local_workers: expected at least 1 beside local_servers, got 0");
    }
    requireDescriptors(static_cast<std::size_t>(workers + servers), openDescriptors());
    if (workers == 1 && servers == 0) {
        spec::useLocalWorkers(run, {0});  // one task has no cluster; only their number counts
        return {};
    }
    std::vector<PortReservation> reserved = reservePorts(workers + servers);
    std::vector<int> ports;
    for (const PortReservation& reservation : reserved) {
        ports.push_back(reservation.port());
    }
    if (servers == 0) {
        spec::useLocalWorkers(run, ports);
    } else {
        spec::useLocalServers(run, {ports.begin() + workers, ports.end()}, {ports.begin(), ports.begin() + workers});
    }
    return reserved;
}

PortReservation reserveAddress(const spec::TaskPlan& plan) {
    const std::optional<spec::HostPort> address = spec::parseHostPort(plan.address);
    if (!address || address->port <= 0 || address->port > 65535) {
        refuse(toString(plan.task) + ": expected an address \"host:port\", got \"" + plan.address + "\"");
    }
    if (!isThisHost(address->host)) {
        refuse(toString(plan.task) + ": expected an address of this computer (" + hostName() + "), got \"" + plan.address + "\"");
    }
    return PortReservation::thisPort(address->port);
}

// The user's own word, by the command line: it may lie anywhere.
void checkWeightsFile(const std::string& file) {
    if (!file.empty() && !fs::path(file).is_absolute()) {
        refuse("save_weights: expected an absolute path, got \"" + file + "\"");
    }
    requireNoErrors(spec::checkWeightsFile(file));
}

// Below runs_dir a folder of the run's own; a given one as it is. Either is there afterwards and claimed by the run; a folder that a live
// run uses is refused.
convert::FolderClaim claimFolder(const Submission& submission, const SubmissionContext& context, std::string& id) {
    fs::path folder = submission.run_dir;
    if (folder.empty()) {
        while (fs::exists(context.runs_dir / id)) {
            id = newRunId(std::time(nullptr));
        }
        folder = context.runs_dir / id;
    } else if (!folder.is_absolute()) {
        refuse("run_dir: expected an absolute path, got \"" + submission.run_dir + "\"");
    }
    try {
        SafeFolder::make(folder);
    } catch (const engine::Error& error) {
        const bool full = error.code() == engine::ErrorCode::kResourceExhausted;
        throw engine::Error(full ? error.code() : engine::ErrorCode::kPermissionDenied,
                            folder.string() + ": can't be made a folder: " + error.what());
    }
    return convert::FolderClaim::take(folder, "run " + id);
}

// A folder that was made for a run that is refused in the end goes again.
class NewFolder {
public:
    explicit NewFolder(const fs::path& wanted) : is_new_(wanted.empty() || !fs::exists(wanted)) {}
    ~NewFolder() {
        std::error_code ignored;
        if (is_new_ && !folder_.empty()) {
            fs::remove(folder_ / convert::kFolderLock, ignored);
            fs::remove(folder_, ignored);  // stays when there is something in it
        }
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    void use(const fs::path& folder) { folder_ = folder; }
    void keep() { is_new_ = false; }

private:
    bool is_new_;
    fs::path folder_;
};

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        text += (text.empty() ? "" : ",") + part;
    }
    return text;
}

std::vector<std::string> taskEnvironment(const Submission& submission, const SubmissionContext& context) {
    std::vector<std::string> environment = context.environment;
    if (!submission.data_dir.empty()) {
        setVariable(environment, "TANDEM_DATA_DIR", submission.data_dir);
    }
    return environment;
}

// The tasks of this host with their ports held; `reserved` are those of makeLocalCluster, in rank order.
std::vector<TaskLaunch> planLaunches(const std::vector<spec::TaskPlan>& plans, const Submission& submission,
                                     const SubmissionContext& context, std::vector<PortReservation> reserved,
                                     std::optional<OwnShare>& share) {
    std::vector<TaskLaunch> launches;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto in_share = share ? std::find(share->tasks.begin(), share->tasks.end(), plans[i].task) - share->tasks.begin() : 0;
        const auto at = static_cast<std::size_t>(in_share);
        if ((submission.only_task && plans[i].task != *submission.only_task) || (share && at == share->tasks.size())) {
            continue;
        }
        TaskLaunch launch{plans[i].task, plans[i].is_chief, {}, {}};
        if (share) {
            launch.port = std::move(share->ports[at]);
            if (!share->credentials.empty()) {
                launch.credentials = std::move(share->credentials[at]);
            }
        } else if (i < reserved.size()) {
            launch.port = std::move(reserved[i]);
        } else if (!plans[i].address.empty()) {
            launch.port = reserveAddress(plans[i]);
        }
        launch.process.program = context.worker_program;
        launch.process.environment = taskEnvironment(submission, context);
        setVariable(launch.process.environment, "TF_CONFIG", plans[i].tf_config);
        launches.push_back(std::move(launch));
    }
    if (share && launches.size() != share->tasks.size()) {
        refuse("run: expected every task of this computer's share in its cluster, found " + std::to_string(launches.size()) + " of " +
               std::to_string(share->tasks.size()));
    }
    if (launches.empty() && !share) {
        refuse(submission.only_task ? toString(*submission.only_task) + ": is no training task of this run"
                                    : "run: it has no training task");
    }
    return launches;
}

// Returns the GPUs of each task that is started here, by uuid; it chooses them where the project leaves the devices open. Empty lists for a
// run on CPUs.
std::vector<std::vector<std::string>> placeOnGpus(spec::RunSpec& run, const Submission& submission, const SubmissionContext& context,
                                                  const std::optional<OwnShare>& share) {
    const std::vector<spec::TaskId> trainers = run.cluster.spec.trainingTasks();
    const auto is_own = [&](const spec::TaskId& task) {
        return !share || std::find(share->tasks.begin(), share->tasks.end(), task) != share->tasks.end();
    };
    const auto own = static_cast<std::size_t>(std::count_if(trainers.begin(), trainers.end(), is_own));
    const std::size_t tasks = submission.only_task ? 1 : std::max<std::size_t>(1, own);
    const spec::GpuInventory host = context.gpus ? context.gpus() : spec::GpuInventory{.no_gpu_reason = "none was looked for"};
    const std::vector<spec::Gpu> gpus = spec::usable(host);
    const auto dealt = spec::dealGpus(static_cast<int>(gpus.size()), static_cast<int>(tasks));
    const int each = static_cast<int>(dealt.front().size());
    spec::chooseDevices(run.strategy, each);
    const int needed = spec::gpusNeeded(run.strategy);
    if (needed > each) {
        const std::string obstacle = spec::gpuObstacle(host);
        throw engine::Error(engine::ErrorCode::kFailedPrecondition,
                            std::string(run.strategy.devices.empty() ? "strategy.logical_gpus" : "strategy.devices") + ": expected " +
                                std::to_string(needed) + (needed == 1 ? " GPU" : " GPUs") + " for each task, this computer has " +
                                std::to_string(gpus.size()) + " for " + std::to_string(tasks) + (tasks == 1 ? " task" : " tasks") +
                                (obstacle.empty() ? "" : ": " + obstacle));
    }
    requireNoErrors(spec::gpuErrors(run));
    if (spec::strategyKind(run.strategy.name) == spec::StrategyKind::kMultiWorkerMirrored && run.strategy.communication == "NCCL" &&
        !submission.only_task && !share && tasks > 1) {
        spec::chooseCommunication("NCCL", spec::gpusOfTasks(run, host));  // throws why it can't be
    }
    std::vector<std::vector<std::string>> uuids(tasks);
    for (std::size_t task = 0; task < tasks && needed > 0; ++task) {
        for (const int gpu : dealt[task]) {
            uuids[task].push_back(gpus[static_cast<std::size_t>(gpu)].uuid);
        }
    }
    return uuids;
}

// A backup that was written on another computer becomes that of the run in `folder`.
void takeBackup(const fs::path& from, const fs::path& folder, const spec::RunSpec& run) {
    const std::vector<fs::path> files = convert::backupFiles(run);
    if (files.empty()) {
        refuse("backup: expected a run that keeps one (callbacks.backup_and_restore), got one that does not");
    }
    const SafeFolder opened = SafeFolder::open(folder);
    const SafeFolder backups = opened.makeFolder(files.front().parent_path());
    const fs::path aside = files.front().string() + ".new";
    const engine::files::RegularFile source(from);
    engine::files::OutputFile file(opened.create(aside));
    std::vector<char> buffer(1u << 20);
    for (;;) {
        const ssize_t got = ::read(source.descriptor(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            throw engine::Error(engine::files::codeOfErrno(errno), from.string() + ": can't be read: " + std::strerror(errno));
        }
        if (got == 0) {
            break;
        }
        file.write({buffer.data(), static_cast<std::size_t>(got)});
    }
    if (const int error = file.finish(); error != 0) {
        throw engine::Error(engine::files::codeOfErrno(error), (folder / aside).string() + ": can't be written: " + std::strerror(error));
    }
    opened.rename(aside, files.front());
    backups.sync();
    opened.remove(files.back());  // the one before it is of an earlier chief
}

// The run that goes on from the backup in `folder`; nullopt: one begins there.
std::optional<engine::run::RunInfo> runThatGoesOn(const Submission& submission, const fs::path& folder, const spec::RunSpec& run,
                                                  RunBook& book) {
    if (submission.taken_up) {
        return book.find(submission.taken_up->run);
    }
    const bool may = !folder.empty() && !submission.overwrite && convert::hasBackup(folder, run);
    return may ? book.runToGoOn(folder) : std::nullopt;
}

std::string endOf(const engine::run::RunInfo& run) {
    const char* word = run.state == engine::run::RunState::kFailed ? "failed"
                       : run.state == engine::run::RunState::kDone ? "done"
                                                                   : "stopped";
    return run.detail.empty() ? word : std::string(word) + ": " + run.detail;
}

// Makes of the record of a run that is over that of one which starts again.
spec::AttemptStarted beginAttempt(engine::run::RunInfo& run, const std::optional<TakenUp>& taken_up) {
    constexpr int kMostAttempts = 1'000'000;
    const std::int64_t ended = taken_up ? taken_up->last_told_unix_ns : run.finished_unix_ns;
    const std::int64_t now = nowUnixNs(), pause = std::max<std::int64_t>(0, now - std::max(ended, run.created_unix_ns));
    const std::string before = taken_up ? std::string(kAgentKilled) : endOf(run);
    run.attempts = std::clamp(run.attempts, 1, kMostAttempts) + 1;
    run.idle_ns = std::clamp<std::int64_t>(run.idle_ns, 0, std::max<std::int64_t>(0, now - run.created_unix_ns - pause)) + pause;
    run.state = engine::run::RunState::kStarting;
    run.detail.clear();
    run.weights_sha256.clear();
    run.finished_unix_ns = 0;
    return {.attempt = run.attempts, .attempts = run.attempts, .from_backup = true, .reason = before, .by_hand = !taken_up};
}

}  // namespace

std::string newRunId(std::time_t now) {
    std::tm local{};
    ::localtime_r(&now, &local);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, "%Y%m%d-%H%M%S-", &local);
    std::random_device random;
    char suffix[8];
    std::snprintf(suffix, sizeof suffix, "%04x", random() & 0xFFFFU);
    return std::string(text, length) + suffix;
}

std::vector<PortReservation> holdPart(const std::string& project_json, int tasks, const std::vector<int>& ports,
                                      const SubmissionContext& context) {
    spec::ProjectReport report = spec::parseProject(project_json);
    requireNoErrors(report.diagnostics);
    requireNoErrors(spec::validate(report.run));
    requireNoErrors(spec::errorsWithoutMpirun(report.run));
    if (tasks < 1 || tasks > kMaxLocalWorkers) {
        refuse("part: expected 1 to " + std::to_string(kMaxLocalWorkers) + " tasks, got " + std::to_string(tasks));
    }
    requireDescriptors(static_cast<std::size_t>(tasks), openDescriptors());
    if (const std::string lines = context.input_errors ? context.input_errors(report.run, context.runs_dir, context.environment) : "";
        !lines.empty()) {
        refuse(lines);
    }
    if (ports.empty()) {
        return reservePorts(tasks);
    }
    std::vector<PortReservation> held;
    for (const int port : ports) {
        held.push_back(PortReservation::thisPort(port));
    }
    return held;
}

RestartPolicy restartPolicy(const spec::RunSpec& run, const fs::path& folder, const std::string& tasks_project_json) {
    if (run.cluster.on_task_lost == spec::OnTaskLost::kFail || !convert::keepsBackup(run)) {
        return {};
    }
    RestartPolicy policy{.most = static_cast<int>(run.cluster.max_restarts),
                         .has_backup = [folder, run] { return convert::hasBackup(folder, run); }};
    if (run.cluster.on_task_lost == spec::OnTaskLost::kContinue) {
        policy.without_lost = std::make_shared<RunContinuation>(tasks_project_json);
    }
    return policy;
}

RunLaunch prepareRun(const Submission& submission, const SubmissionContext& context, RunBook& book, std::optional<OwnShare> share) {
    const bool is_part = share && !share->credentials.empty();
    spec::ProjectReport report = spec::parseProject(submission.project_json);
    requireNoErrors(report.diagnostics);
    spec::RunSpec run = std::move(report.run);
    std::vector<PortReservation> reserved;
    if (!submission.data_dir.empty() && !fs::path(submission.data_dir).is_absolute()) {
        refuse("data_dir: expected an absolute path, got \"" + submission.data_dir + "\"");
    }
    if (submission.local_workers != 0 || submission.local_servers != 0) {
        reserved = makeLocalCluster(run, submission);
    }
    requireNoErrors(spec::validate(run));
    requireNoErrors(spec::errorsWithoutMpirun(run));
    checkWeightsFile(submission.save_weights);
    const std::vector<std::vector<std::string>> gpus = placeOnGpus(run, submission, context, share);
    const std::vector<spec::TaskPlan> plans = spec::planTasks(run);
    if (reserved.empty()) {
        requireDescriptors(submission.only_task ? 1 : plans.size(), openDescriptors());
    }
    std::vector<TaskLaunch> launches = planLaunches(plans, submission, context, std::move(reserved), share);
    if (run.cluster.threads_per_task == 0 && !launches.empty()) {
        run.cluster.threads_per_task = std::max<std::int64_t>(1, context.cores / static_cast<std::int64_t>(launches.size()));
    }

    // The others are started by hand, with the secret of the user.
    const auto secret = submission.only_task && plans.size() > 1 ? std::optional(convert::userSecret()) : std::nullopt;

    std::optional<engine::run::RunInfo> earlier = runThatGoesOn(submission, submission.run_dir, run, book);
    engine::run::RunInfo record;
    record.id = earlier ? earlier->id : newRunId(std::time(nullptr));
    NewFolder new_folder(submission.run_dir.empty() ? fs::path() : fs::path(submission.run_dir));
    // The book holds the folder of a run that is taken up.
    convert::FolderClaim claim = submission.taken_up ? convert::FolderClaim() : claimFolder(submission, context, record.id);
    const fs::path folder = submission.taken_up ? fs::path(earlier->run_dir) : claim.folder();
    new_folder.use(folder);
    if (archive::readImportMark(folder)) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition,
                            folder.string() +
                                ": expected a folder of this computer's own runs, got that of an imported one, which stays as it "
                                "is; open its project and train it in another folder");
    }
    if (const std::string finished = submission.overwrite ? "" : convert::finishedRunIn(folder, run, book.lastRunIsDone(folder));
        !finished.empty()) {
        throw engine::Error(engine::ErrorCode::kAlreadyExists, finished);
    }
    if (share && !share->backup.empty()) {
        takeBackup(share->backup, folder, run);
    }
    earlier = runThatGoesOn(submission, folder, run, book);  // as it is now that nobody else writes there
    spec::RunSpec looked_at = run;
    if (!submission.save_weights.empty()) {
        looked_at.fit.save_weights = submission.save_weights;
    }
    if (const std::string lines = context.input_errors ? context.input_errors(looked_at, folder, taskEnvironment(submission, context)) : "";
        !lines.empty()) {
        refuse(lines);
    }
    convert::forgetFollowed(folder);
    std::optional<spec::AttemptStarted> attempt;
    if (earlier) {
        record = *std::move(earlier);
        attempt = beginAttempt(record, submission.taken_up);
    } else {
        record.created_unix_ns = nowUnixNs();
        if (run.fit.initial_state) {
            record.branch_of = book.runThatWrote(run.fit.initial_weights);
        }
    }
    record.name = run.name;
    record.followed = false;  // from now on its tasks are this agent's
    record.run_dir = folder.string();
    record.tasks = static_cast<int>(std::count_if(plans.begin(), plans.end(), spec::isTrainer));
    if (share && !share->named_cluster.empty()) {
        run.cluster.spec = share->named_cluster;  // the numbers are in each task's TF_CONFIG
    }
    record.project_json = spec::toProjectJson(run);
    if (submission.overwrite) {
        convert::forgetRun(folder, run);
    }
    convert::writeProject(folder, record.project_json);
    for (std::size_t i = 0; i < launches.size(); ++i) {
        if (i < gpus.size() && !gpus[i].empty()) {
            setVariable(launches[i].process.environment, "CUDA_VISIBLE_DEVICES", joined(gpus[i]));
        }
    }
    for (TaskLaunch& launch : launches) {
        launch.process.working_dir = folder;
        launch.process.arguments = {(folder / convert::kProjectFile).string(), "--out", folder.string(), "--agent-fd", "3"};
        if (launch.chief && !submission.save_weights.empty()) {
            launch.process.arguments.insert(launch.process.arguments.end(), {"--save-weights", submission.save_weights});
        }
    }
    RestartPolicy restarts;
    if (!submission.only_task && !is_part) {
        restarts = restartPolicy(run, folder, share ? submission.project_json : record.project_json);
    }
    const int first_attempt = submission.taken_up ? submission.taken_up->first_attempt : record.attempts;
    restarts.most = std::max(0, restarts.most - (record.attempts - first_attempt));
    if (attempt) {
        attempt->attempts = attempt->attempt + restarts.most;
    }
    if (!is_part && !submission.only_task) {
        SubmissionNote note{.run = record.id, .submission = submission, .first_attempt = first_attempt};
        if (share) {
            note.submission.project_json = record.project_json;
            note.tasks_project_json = submission.project_json;
        }
        writeSubmissionNote(folder, note);
    }
    std::shared_ptr<EventLog> log = submission.taken_up ? book.goOn(record)
                                    : attempt           ? book.reopen(record, std::move(claim))
                                                        : book.open(record, std::move(claim));
    new_folder.keep();
    const std::chrono::milliseconds heartbeat_fatal{static_cast<std::int64_t>(run.cluster.heartbeat_fatal_s * 1000)};
    const std::chrono::milliseconds home_lost{is_part ? static_cast<std::int64_t>(run.cluster.home_lost_s * 1000) : 0};
    const bool independent = !plans.empty() && plans.front().servers > 0;
    return {.record = std::move(record),
            .log = std::move(log),
            .tasks = std::move(launches),
            .restarts = std::move(restarts),
            .heartbeat_fatal = heartbeat_fatal,
            .tasks_are_independent = independent,
            .secret = secret,
            .attempt = std::move(attempt),
            .is_part = is_part,
            .home_lost = home_lost};
}

}  // namespace agent::server
