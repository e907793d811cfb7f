#include "agent/server/runs/run_continuation.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "agent/local/run_folder.h"
#include "agent/server/process/environment.h"
#include "agent/server/runs/submission_note.h"
#include "engine/spec/cluster/smaller_cluster.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
using Kept = spec::SmallerCluster::Kept;

namespace {

constexpr const char* kSaveWeights = "--save-weights";

TaskLaunch& launchOf(std::vector<TaskLaunch>& launches, const spec::TaskId& task) {
    const auto found = std::find_if(launches.begin(), launches.end(), [&](const TaskLaunch& one) { return one.task == task; });
    ENGINE_CHECK(found != launches.end());
    return *found;
}

bool isAmong(const std::vector<spec::TaskId>& tasks, const spec::TaskId& task) {
    return std::find(tasks.begin(), tasks.end(), task) != tasks.end();
}

std::string listed(const std::vector<spec::TaskId>& tasks) {
    std::string text;
    for (const spec::TaskId& task : tasks) {
        text += (text.empty() ? "" : ", ") + toString(task);
    }
    return text;
}

// What the chief alone is told to do goes over to the one that follows it.
std::vector<std::string> takeWeightsFile(std::vector<std::string>& arguments) {
    const auto at = std::find(arguments.begin(), arguments.end(), kSaveWeights);
    if (arguments.end() - at < 2) {
        return {};
    }
    std::vector<std::string> taken(at, at + 2);
    arguments.erase(at, at + 2);
    return taken;
}

// An evaluator reads what the chief writes, and so has to be where the chief is.
std::vector<spec::TaskId> evaluatorsWithoutAChief(std::vector<TaskLaunch>& launches, const spec::TaskId& chief) {
    std::vector<spec::TaskId> alone;
    for (const TaskLaunch& launch : launches) {
        if (launch.task.type == spec::kEvaluator && launch.part != launchOf(launches, chief).part) {
            alone.push_back(launch.task);
        }
    }
    return alone;
}

// How an agent that comes after this one would start the run.
void reduce(SubmissionNote& note, const std::vector<Kept>& kept, const spec::RunSpec& named, const spec::RunSpec& tasks_run) {
    const auto has = [&](const spec::TaskId& task) {
        return std::any_of(kept.begin(), kept.end(), [&](const Kept& one) { return one.before == task; });
    };
    Submission& submission = note.submission;
    const std::vector<std::vector<spec::TaskId>> tasks = tasksOf(submission.hosts);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        submission.hosts[i].workers = static_cast<int>(std::count_if(tasks[i].begin(), tasks[i].end(), has));
    }
    std::erase_if(submission.hosts, [](const spec::HostShare& share) { return share.tasks() == 0; });
    if (submission.local_workers > 0) {
        submission.local_workers = static_cast<int>(named.cluster.spec.trainingTasks().size());
    } else {
        submission.project_json = toProjectJson(named);
    }
    if (!note.tasks_project_json.empty()) {
        note.tasks_project_json = toProjectJson(tasks_run);
    }
}

}  // namespace

RunContinuation::RunContinuation(const std::string& tasks_project_json) : tasks_run_(spec::parseProject(tasks_project_json).run) {}

RunContinuation::Outcome RunContinuation::leaveOut(const std::vector<spec::TaskId>& lost, bool has_backup,
                                                   std::vector<TaskLaunch>& launches, engine::run::RunInfo& record) {
    const std::vector<spec::TaskId> trainers = tasks_run_.cluster.spec.trainingTasks();
    std::vector<spec::TaskId> without = lost;
    const auto next = std::find_if(trainers.begin(), trainers.end(), [&](const spec::TaskId& task) { return !isAmong(lost, task); });
    if (next == trainers.end()) {
        return {.obstacle = "no worker is left to go on"};
    }
    for (const spec::TaskId& evaluator : evaluatorsWithoutAChief(launches, *next)) {
        if (!isAmong(without, evaluator)) {
            without.push_back(evaluator);
        }
    }
    const spec::SmallerCluster smaller = spec::withoutTasks(tasks_run_.cluster.spec, without);
    spec::RunSpec named = spec::parseProject(record.project_json).run, tasks_run = tasks_run_;
    named.cluster.spec = spec::withoutTasks(named.cluster.spec, without).cluster;
    tasks_run.cluster.spec = smaller.cluster;
    std::vector<spec::TaskPlan> plans;
    try {
        plans = spec::planTasks(tasks_run);
    } catch (const engine::Error& error) {
        return {.obstacle = error.what()};
    }

    Outcome outcome{.left_out = without};
    for (const TaskLaunch& launch : launches) {
        if (std::none_of(smaller.kept.begin(), smaller.kept.end(), [&](const Kept& one) { return one.now == launch.task; })) {
            outcome.gone.push_back(launch.task);
        }
    }
    const auto chief = std::find_if(launches.begin(), launches.end(), [](const TaskLaunch& one) { return one.chief; });
    ENGINE_CHECK(chief != launches.end());
    const std::shared_ptr<FarPart> chiefs_part = chief->part;
    const std::vector<std::string> weights_file = takeWeightsFile(chief->process.arguments);

    std::vector<TaskLaunch> left;
    std::vector<std::pair<std::shared_ptr<FarPart>, PartChange>> parts;
    const std::string project_json = toProjectJson(tasks_run);
    for (const Kept& kept : smaller.kept) {
        const auto plan = std::find_if(plans.begin(), plans.end(), [&](const spec::TaskPlan& one) { return one.task == kept.now; });
        ENGINE_CHECK(plan != plans.end());
        TaskLaunch launch = std::move(launchOf(launches, kept.before));
        launch.task = kept.now;
        launch.chief = plan->is_chief;
        if (!launch.part) {
            setVariable(launch.process.environment, "TF_CONFIG", plan->tf_config);
            if (launch.chief) {
                launch.process.arguments.insert(launch.process.arguments.end(), weights_file.begin(), weights_file.end());
            }
        } else {
            auto part = std::find_if(parts.begin(), parts.end(), [&](const auto& one) { return one.first == launch.part; });
            if (part == parts.end()) {
                parts.emplace_back(launch.part, PartChange{.project_json = project_json});
                part = std::prev(parts.end());
            }
            part->second.kept.push_back(kept);
            part->second.lacks_backup |= launch.chief && has_backup && launch.part != chiefs_part;
        }
        left.push_back(std::move(launch));
    }
    const spec::TaskId now_chief = std::find_if(left.begin(), left.end(), [](const TaskLaunch& one) { return one.chief; })->task;
    for (auto& [part, change] : parts) {
        change.chief = now_chief;
        part->goOnWith(std::move(change));
    }

    std::vector<spec::TaskId> lost_trainers;
    std::copy_if(trainers.begin(), trainers.end(), std::back_inserter(lost_trainers),
                 [&](const auto& task) { return isAmong(lost, task); });
    const std::size_t before = trainers.size(), now = before - lost_trainers.size();
    outcome.told =
        "the run goes on with " + std::to_string(now) + " of " + std::to_string(before) + " workers, without " + listed(lost_trainers);
    if (tasks_run.cluster.scale_learning_rate) {
        outcome.told += ", its learning rate times " + std::to_string(now) + "/" + std::to_string(before);
    }
    for (TaskLaunch& launch : launches) {
        if (launch.part) {
            lost_parts_.push_back(std::move(launch.part));
        }
    }
    launches = std::move(left);
    tasks_run_ = std::move(tasks_run);
    record.project_json = toProjectJson(named);
    record.tasks = static_cast<int>(now);
    try {
        convert::writeProject(record.run_dir, record.project_json);
        convert::renamePartNotes(record.run_dir, smaller.kept);
        if (std::optional<SubmissionNote> note = readSubmissionNote(record.run_dir, record.id)) {
            reduce(*note, smaller.kept, named, tasks_run_);
            writeSubmissionNote(record.run_dir, *note);
        }
    } catch (const engine::Error& error) {
        outcome.warning = error.what();
    }
    return outcome;
}

}  // namespace agent::server
