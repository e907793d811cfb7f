#include "engine/report/run_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace engine::report {

using namespace run;
using spec::AttemptStarted;
using spec::TaskId;

const SeriesData* RunData::find(std::string_view name) const {
    const auto at = std::find_if(series.begin(), series.end(), [&](const SeriesData& one) { return one.name == name; });
    return at == series.end() ? nullptr : &*at;
}

std::string attemptText(const TaskId& lost, const AttemptStarted& attempt) {
    if (attempt.by_hand) {
        return "attempt " + std::to_string(attempt.attempt) + ", started by hand" +
               (attempt.reason.empty() ? "" : "; the one before: " + attempt.reason);
    }
    return "attempt " + std::to_string(attempt.attempt) + " of " + std::to_string(attempt.attempts) + ": " + toString(lost) + " " +
           attempt.reason;
}

RunData runData(const RunHistory& history, std::string file_stem) {
    RunData data;
    const run::RunInfo& info = history.info();
    data.facts = {.id = info.id,
                  .name = info.name,
                  .state = std::string(toString(info.state)),
                  .detail = info.detail,
                  .run_dir = info.run_dir,
                  .created_unix_ns = info.created_unix_ns,
                  .finished_unix_ns = info.finished_unix_ns,
                  .run = history.run(),
                  .idle_ns = info.idle_ns,
                  .file_stem = std::move(file_stem)};
    data.started = history.started();
    for (const TaskRecord& task : history.tasks()) {
        TaskData one{.id = task.id, .address = task.address, .state = task.state, .detail = task.detail, .last_step = task.last_step};
        if (const auto* bytes = task.resources.find("memory_bytes"); bytes != nullptr && !bytes->empty())
            one.peak_bytes = static_cast<std::int64_t>(*std::max_element(bytes->begin(), bytes->end()));
        for (std::size_t phase = 0; phase < std::size(kPhaseNames); ++phase) {
            const auto* values = task.phases.find(kPhaseNames[phase]);
            double before = 0, steps = 0;
            for (std::size_t i = 0; values != nullptr && i < values->size(); ++i) {
                const double weight = std::max(1.0, task.phases.step[i] - before);
                before = task.phases.step[i];
                steps += weight;
                one.phase_us[phase] += ((*values)[i] - one.phase_us[phase]) * weight / steps;
            }
        }
        if (task.failure) {
            one.failure = task.failure;
            one.failed_s = history.secondsSinceCreation(task.failed_unix_ns);
            data.marks.push_back({one.failed_s, task.last_step, toString(task.id) + " lost: " + task.failure->reason});
        }
        data.tasks.push_back(std::move(one));
    }
    for (const StreamedSeries& series : streamedSeries(history)) {
        SeriesData points = pointsOf(history, series);
        if (points.size() > 0) data.series.push_back(std::move(points));
    }
    for (const EpochEntry& epoch : history.epochs()) data.epochs.emplace_back(epoch.time_s, epoch.end);
    for (const CheckpointEntry& checkpoint : history.checkpoints()) data.checkpoints.push_back(checkpoint.saved);
    for (const AttemptEntry& attempt : history.attempts()) {
        data.attempts.push_back({attempt.time_s, attempt.lost, attempt.started, attempt.resumed_step});
        data.marks.push_back({attempt.time_s, attempt.step, attemptText(attempt.lost, attempt.started)});
    }
    for (const ControlEntry& control : history.controls())
        data.marks.push_back({control.time_s, control.applied.step, control.applied.what});
    std::stable_sort(data.marks.begin(), data.marks.end(), [](const auto& a, const auto& b) { return a.time_s < b.time_s; });
    for (const LogEntry& line : history.logs()) {
        if (line.level < spec::LogLevel::kWarning || data.problems.size() >= kMostProblems) continue;
        data.problems.push_back(toString(line.task) + ": " + line.text);
    }
    if (history.finished()) {
        data.results = history.finished()->results;
        data.weights_sha256 = history.finished()->weights_sha256;
    }
    return data;
}

}  // namespace engine::report
