// A followed run whose tasks a scheduler starts: what its job's place in the queue, its running and its end mean for the run.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "agent/server/followed/followed_run.h"
#include "agent/server/process/wall_clock.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
using engine::run::RunInfo;
using engine::run::RunState;
using Stage = JobReport::Stage;

bool FollowedRun::isOfJob(const std::optional<RunInfo>& known) const {
    return job_ && known && known->id == job_->run;
}

bool FollowedRun::isOfAnEarlierJob() const {
    return isOver() && options_.jobs && convert::readSchedulerJob(*opened_) != job_;
}

void FollowedRun::lookAtJob(SteadyTime now) {
    if (!job_) return;
    queue_.report = options_.jobs->look(*job_);
    if (queue_.report.stage != Stage::kEnded) {
        queue_.ended.reset();
        tellQueue();
    } else if (!queue_.ended) {
        queue_.ended = now;
    }
}

// Tells what the queue says, only while no task tells anything itself; then the record says on which nodes they run.
void FollowedRun::tellQueue() {
    const auto chief = tasks_.find(chief_);
    const bool is_done = chief != tasks_.end() && chief->second.state == spec::TaskState::kDone;
    const bool waits = queue_.report.stage == Stage::kQueued || tasks_.empty() || !queue_.told.empty();
    if (!everyTaskIsOver() || is_done) {
        queue_.told.clear();
        const std::string nodes = queue_.report.stage == Stage::kRunning ? queue_.report.text : "";
        if (is_done || record_.detail == nodes) return;
        record_.detail = nodes;
        record_changed_ = true;
        return;
    }
    if (!waits || queue_.report.text.empty() || queue_.report.text == queue_.told) return;
    queue_.told = queue_.report.text;
    record_.state = RunState::kStarting;
    record_.detail = queue_.told;
    record_changed_ = true;
    add(chief_.type.empty() ? spec::TaskId{"worker", 0} : chief_, nowUnixNs(), spec::StateChanged{spec::TaskState::kWaiting, queue_.told});
}

// Requires a job, and that its tasks or itself are over; the chief is not done. `cause`: the task that failed first; null: none did.
void FollowedRun::judgeJob(const Task* cause, bool tasks_are_over, SteadyTime now) {
    if (tasks_are_over) {
        const auto chief = tasks_.find(chief_);
        queue_.cause = cause != nullptr ? toString(cause->tail->task()) + ": " + cause->detail : chief->second.detail;
    }
    if (!queue_.ended) return;                                                                     // it may be queued again
    if (!tasks_are_over && !tasks_.empty() && now - *queue_.ended < options_.chief_grace) return;  // their last words are on their way
    const bool have_told =
        std::any_of(tasks_.begin(), tasks_.end(), [&](const auto& one) { return one.second.heard_unix_ns >= job_->submitted_unix_ns; });
    const bool is_cancelled = queue_.report.is_cancelled;
    const std::string said = queue_.report.text.empty() ? "job " + job_->job + " is gone from Slurm" : queue_.report.text;
    for (auto& [id, task] : tasks_) {
        if (task.attempt != attempt_ || task.isOver()) continue;
        task.state = is_cancelled ? spec::TaskState::kStopped : spec::TaskState::kFailed;
        task.changed_unix_ns = task.heard_unix_ns;
        add(id, nowUnixNs(), spec::StateChanged{task.state, said});
    }
    if (!have_told) {
        add({"worker", 0}, nowUnixNs(), spec::StateChanged{is_cancelled ? spec::TaskState::kStopped : spec::TaskState::kFailed, said});
    }
    if (is_cancelled) {
        record_.detail = said;
        finish(RunState::kStopped);
    } else if (tasks_are_over && have_told) {
        record_.detail = queue_.cause;
        finish(cause != nullptr ? RunState::kFailed : RunState::kStopped);
    } else {
        record_.detail = said + (!have_told ? ", and none of its tasks told anything" : ", and its tasks told no end") + lastWordsOfJob();
        finish(RunState::kFailed);
    }
}

// ": srun: error: …", the last line of the job's own log.
std::string FollowedRun::lastWordsOfJob() const {
    constexpr std::uint64_t kMostLogBytes = 1u << 20;
    constexpr std::size_t kMostWords = 300;
    const std::string name = "slurm-" + job_->job + ".log";
    try {
        if (!opened_->isFile(name)) return "";
        const engine::files::FileDescriptor file = opened_->openToRead(name);
        std::string text = engine::files::readWhole(file.get(), folder_ / name, kMostLogBytes);
        while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
        const std::string_view line = std::string_view(text).substr(text.rfind('\n') + 1);
        return line.empty() ? "" : ": " + std::string(line.substr(0, kMostWords));
    } catch (const engine::Error&) {
        return "";
    }
}

}  // namespace agent::server
