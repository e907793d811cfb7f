// What is done after the last step: the weights as they are kept, what is measured, what the run comes to.
#include <algorithm>
#include <optional>
#include <string>

#include "engine/plan/optimizer.h"
#include "engine/train/averages.h"
#include "engine/train/trainer.h"
#include "engine/train/weights_digest.h"

namespace engine::train {

void Trainer::finish(FitOutcome& outcome) {
    reporter_->flush();
    const Flow flow = controls_.flow();
    finishAverages();
    if (flow == Flow::kContinue) {
        callbacks_.trainEnd(*this);
    }
    if (flow != Flow::kStopNow) {
        writeLastCheckpoint(outcome);
    }
    if (flow == Flow::kStop) {
        writeBackup(progress_.epoch(), progress_.stepsDone());
    }
    if (flow != Flow::kStopNow) {
        saveWeights(outcome);
    }
    if (outcome.state != spec::TaskState::kFailed) {
        outcome.state = flow == Flow::kContinue ? spec::TaskState::kDone : spec::TaskState::kStopped;
    }
    auto& results = outcome.finished.results;
    if (flow != Flow::kStopNow && evaluator_.hasTest() && !options_.leaves_test_to_evaluator) {
        const Metrics metrics = evaluateTest();
        for (const auto& [name, value] : metrics.logs) {
            results.emplace_back("test_" + name, value);
        }
    }
    if (const auto speed = clock_.samplesPerSecond(steps_.done(), task_.global_batch_size)) {
        results.emplace_back("images_per_s", *speed);
    }
    results.emplace_back("first_step_unix_ns", static_cast<double>(clock_.firstStepUnixNs()));
    results.emplace_back("steps", static_cast<double>(steps_.done()));
    if (run_.estimator && executors_.served() == nullptr) results.emplace_back("global_step", static_cast<double>(steps_.done()));
    if (ServedExecutor* served = executors_.served()) {
        const std::optional<ServedExecutor::Summary> all = served->summary();
        // Servers that were restored since this worker's last step have fewer: others take those again.
        results.emplace_back("global_step", static_cast<double>(std::max(all ? all->global_step : 0, steps_.done())));
        if (all) {
            results.emplace_back("mean_staleness", all->staleness.mean);
            results.emplace_back("largest_staleness", static_cast<double>(all->staleness.largest));
        }
        results.emplace_back("planned_bytes_per_step", static_cast<double>(served->plannedBytes()));
    }
    outcome.finished.weights_sha256 = weightsSha256(currentVariables());
    if (ServedExecutor* served = executors_.served()) {  // they may have been restored as they were before
        const std::optional<ServedExecutor::Summary> all = served->summary();
        outcome.servers_are_complete = !all || all->global_step >= steps_.done();
    }
    outcome.finished.checkpoint = checkpoints_.last();
    reporter_.reset();
}

// The weights end as their moving averages, where the optimizer keeps some.
void Trainer::finishAverages() {
    if (!plan::updateRule(run_.compile.optimizer).keeps_average || steps_.done() == 0 || controls_.flow() != Flow::kContinue) {
        return;
    }
    for (const AveragedWeight& one : averagedWeights(currentVariables())) {
        std::copy(one.average.begin(), one.average.end(), one.weights.begin());
    }
    variablesChanged();
}

// The place where the weights of now are kept, below the run's folder: as a callback says, else in "checkpoints".
std::string Trainer::lastName(const std::string& usual) const {
    const std::string name = callbacks_.nameOfLast(steps_.done());
    return name.empty() ? "checkpoints/" + usual : name;
}

void Trainer::writeLastCheckpoint(FitOutcome& outcome) {
    const std::int32_t epoch = std::min(progress_.epoch(), static_cast<std::int32_t>(run_.fit.epochs - 1));
    const bool saves_itself = std::any_of(run_.callbacks.begin(), run_.callbacks.end(),
                                          [](const spec::ObjectSpec& callback) { return callback.class_name == "ModelCheckpoint"; });
    const bool is_kept = !callbacks_.nameOfLast(steps_.done()).empty() && checkpoints_.isSavedAt(steps_.done());
    if (controls_.flow() == Flow::kStop && !checkpoints_.isSavedAt(steps_.done())) {
        saveCheckpoint(folder_.path() / lastName("step_" + std::to_string(steps_.done())), epoch, false);
    } else if (controls_.flow() == Flow::kContinue && !saves_itself && !is_kept) {
        saveCheckpoint(folder_.path() / lastName("ckpt_" + std::to_string(run_.fit.epochs)), epoch, false);
    } else if (const auto failure = checkpoints_.failure()) {
        saveCheckpoint(failure->prefix, epoch, false);
    }
    if (const auto& failure = checkpoints_.failure()) {
        outcome.state = spec::TaskState::kFailed;
        outcome.detail = "the last checkpoint, " + folder_.relative(failure->prefix) + ", could not be written: " + failure->reason;
    }
}

}  // namespace engine::train
