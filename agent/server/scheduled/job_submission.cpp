#include "agent/server/scheduled/job_submission.h"

#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include "agent/local/event_files.h"
#include "agent/local/scheduler_job.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_submission.h"
#include "engine/files/output_file.h"
#include "engine/files/safe_folder.h"
#include "engine/launch/slurm_script.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;
using engine::run::RunInfo;
using engine::run::RunState;

constexpr const char* kScript = "job.sh";
constexpr int kMostSeeds = 1000;

void writeText(const SafeFolder& folder, const char* name, const std::string& text) {
    engine::files::OutputFile file(folder.create(name));
    file.write(text);
    if (const int error = file.flush(); error != 0) {
        throw Error(engine::files::codeOfErrno(error), (folder.path() / name).string() + ": can't be written: " + std::strerror(error));
    }
}

// The folders that are made for a submission; those of one that fails go again, with what was written there.
class NewFolders {
public:
    NewFolders() = default;
    ~NewFolders() {
        std::error_code ignored;
        for (auto folder = made_.rbegin(); !kept_ && folder != made_.rend(); ++folder) fs::remove_all(*folder, ignored);
    }
    NewFolders(const NewFolders&) = delete;
    NewFolders& operator=(const NewFolders&) = delete;

    SafeFolder make(const fs::path& folder) {
        std::error_code failed;
        if (!fs::exists(folder, failed)) made_.push_back(folder);
        return SafeFolder::make(folder);
    }
    void keep() { kept_ = true; }

private:
    std::vector<fs::path> made_;
    bool kept_ = false;
};

// The id of the run that goes on in `folder`; nullopt where one begins.
std::optional<std::string> runThatGoesOn(const SafeFolder& folder, RunBook& book) {
    const std::optional<convert::SchedulerJob> job = convert::readSchedulerJob(folder);
    if (!job) {
        if (folder.list().empty()) return std::nullopt;
        throw Error(ErrorCode::kAlreadyExists,
                    folder.path().string() + ": expected an empty folder, or that of an earlier job, got one with other files");
    }
    const std::optional<RunInfo> known = book.lastRunIn(fs::canonical(folder.path()));
    if (!known) return job->run;
    if (!isFinal(known->state) || known->state == RunState::kDone) {
        throw Error(ErrorCode::kAlreadyExists, folder.path().string() + ": expected a folder whose run may go on, got run " + known->id +
                                                   " of job " + job->job + (isFinal(known->state) ? ", which is done" : ", which goes on"));
    }
    return known->id;
}

std::string projectOfSeed(const std::string& project_json, int seed) {
    engine::spec::RunSpec run = engine::spec::parseProject(project_json).run;
    run.fit.seed = seed;
    return toProjectJson(run);
}

}  // namespace

SubmittedJob submitJob(const JobSubmission& submission, const JobPlace& place, SlurmQueue& queue, RunBook& book, RunFollower& follower) {
    const engine::spec::ProjectReport report = engine::spec::parseProject(submission.project_json);
    for (const engine::spec::Diagnostic& finding : report.diagnostics) {
        if (finding.severity == engine::spec::Severity::kError) throw Error(ErrorCode::kInvalidArgument, toString(finding));
    }
    const std::time_t now = std::time(nullptr);
    engine::launch::LaunchJob job = submission.job;
    if (job.run_folder.empty()) job.run_folder = place.runs_dir / (engine::launch::plainName(job.name) + "-" + newRunId(now));
    if (job.programs.empty()) job.programs = place.program_dir;
    const fs::path folder = job.run_folder;
    job.project = folder / convert::kSubmittedProject;
    if (!folder.is_absolute() || job.seeds < 1 || job.seeds > kMostSeeds) {
        throw Error(ErrorCode::kInvalidArgument, "a job: expected an absolute folder and 1 to " + std::to_string(kMostSeeds) +
                                                     " seeds, got " + folder.string() + " and " + std::to_string(job.seeds));
    }
    const std::string script = engine::launch::slurmScript(job, report.run);
    struct Place {
        SafeFolder folder;
        convert::SchedulerJob job;
    };
    NewFolders made;
    const SafeFolder top = made.make(folder);
    std::vector<Place> places;
    const bool is_array = job.seeds > 1;
    for (int seed = 0; seed < job.seeds; ++seed) {
        SafeFolder own = is_array ? made.make(folder / ("seed-" + std::to_string(seed))) : top.again();
        convert::SchedulerJob handed{.scheduler = "slurm",
                                     .job = {},
                                     .run = runThatGoesOn(own, book).value_or(newRunId(now)),
                                     .name = job.name + (is_array ? " seed " + std::to_string(seed) : ""),
                                     .tasks = static_cast<int>(taskCount(job)),
                                     .submitted_unix_ns = nowUnixNs()};
        places.push_back({std::move(own), std::move(handed)});
    }
    for (std::size_t i = 0; i < places.size() && is_array; ++i) {
        writeText(places[i].folder, convert::kSubmittedProject, projectOfSeed(submission.project_json, static_cast<int>(i)));
    }
    writeText(top, convert::kSubmittedProject, submission.project_json);
    writeText(top, kScript, script);
    SubmittedJob submitted;
    try {
        submitted.job = queue.submit((folder / kScript).string());
    } catch (const Error&) {
        // A folder that was there and empty is so again; that of an earlier job has such files already.
        for (const Place& one : places) {
            if (!convert::hasSchedulerJob(one.folder.path())) one.folder.remove(convert::kSubmittedProject);
        }
        if (!convert::hasSchedulerJob(folder)) {
            top.remove(convert::kSubmittedProject);
            top.remove(kScript);
        }
        throw;
    }
    try {
        for (std::size_t i = 0; i < places.size(); ++i) {
            places[i].job.job = submitted.job + (is_array ? "_" + std::to_string(i) : "");
            writeSchedulerJob(places[i].folder, places[i].job);
            submitted.runs.push_back(follower.follow(places[i].folder.path()));
        }
    } catch (const Error&) {
        queue.cancel({.scheduler = "slurm", .job = submitted.job, .run = {}, .name = {}});
        throw;
    }
    made.keep();
    return submitted;
}

}  // namespace agent::server
