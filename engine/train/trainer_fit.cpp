// The training loop: epochs, steps, controls. trainer_begin.cpp, trainer_served.cpp and trainer_end.cpp have what lies before it, what
// parameter servers change of it, and what lies behind it.
#include <algorithm>
#include <utility>

#include "engine/data/read_report.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/train/trainer.h"
#include "engine/train/weight_report.h"

namespace engine::train {
namespace {

using Clock = std::chrono::steady_clock;

std::string verbText(const spec::Control& control) {
    switch (control.verb) {
        case spec::ControlVerb::kPause:
            return "pause";
        case spec::ControlVerb::kResume:
            return "resume";
        case spec::ControlVerb::kStep:
            return "step";
        case spec::ControlVerb::kStop:
            return "stop";
        case spec::ControlVerb::kStopNow:
            return "stop now";
        case spec::ControlVerb::kCheckpointNow:
            return "checkpoint now";
        case spec::ControlVerb::kSetLearningRate:
            return "learning_rate " + pythonRepr(control.value);
    }
    return "unknown";
}

}  // namespace

FitOutcome Trainer::fit() {
    prepareTraining();
    announce();
    observer_.report(spec::StateChanged{spec::TaskState::kTraining, ""});
    callbacks_.trainBegin(*this);
    while (progress_.epoch() < run_.fit.epochs && (controls_.goesOn() || progress_.stepsDone() > 0)) {
        const std::int32_t epoch = progress_.epoch();
        if (progress_.stepsDone() == 0) {  // else it began before the run was interrupted
            callbacks_.epochBegin(*this, epoch);
        }
        const auto begin = Clock::now();
        const auto paused_before = clock_.paused();
        do trainEpoch(epoch);
        while (lostSteps(epoch));
        const std::chrono::duration<double> seconds = Clock::now() - begin - (clock_.paused() - paused_before);
        if (controls_.flow() != Flow::kContinue) {
            break;
        }
        passEpochsOfOthers();
        if (progress_.epoch() + 1 >= run_.fit.epochs) {
            holdLast();
        }
        finishEpoch(epoch, seconds.count());
        progress_.nextEpoch();
    }
    if (controls_.flow() == Flow::kContinue) {
        holdLast();
    }
    clock_.end(Clock::now());
    FitOutcome outcome;
    finish(outcome);
    if (outcome.state == spec::TaskState::kDone) {
        backups_.finish();
    }
    return outcome;
}

void Trainer::trainEpoch(std::int32_t epoch) {
    progress_.startSums();
    if (coordinates(task_)) {
        watchEpoch(epoch);
        return;
    }
    awaitEpoch(epoch);
    batches_.goTo(epoch, progress_.stepsDone(), progress_.length());
    followOthers(epoch);
    tensor::BatchView view;
    while (progress_.stepsLeft() > 0 && controls_.goesOn()) {
        const std::int64_t before = steps_.done();
        if (const std::int64_t steps = stepsUnwatched(); steps > 1) {
            const std::int64_t batch = progress_.stepsDone() + steps - 1;
            const bool is_looked_at = callbacks_.stepsToLook(before) <= steps;
            trainSteps(epoch, steps);
            if (is_looked_at) callbacks_.stepEnd(*this, epoch, batch);
        } else {
            const std::int64_t batch = progress_.stepsDone();
            batches_.next(view);
            if (steps_.done() < run_.data.log_shards) {
                log(spec::LogLevel::kInfo, batches_.shardLine(steps_.done() + 1, epoch));
            }
            trainStep(epoch, view);
            callbacks_.stepEnd(*this, epoch, batch);
        }
        backUpIfDue(epoch, before);
        controls_.stepsDone();
        if (controls_.isPaused()) {
            pauseUntilTold();
        }
        awaitEpochAfter(epoch, before);
    }
}

// Called after a step. A run that is counted in the steps of all workers, or that has one epoch alone, has no first epoch that warms up:
// the first steps of this one do.
void Trainer::warmUp(std::int32_t epoch) {
    constexpr std::int64_t kMostWarmUp = 200;
    const bool is_counted_in_steps = executors_.served() != nullptr;
    if ((is_counted_in_steps || epoch + 1 == run_.fit.epochs) && progress_.stepsDone() >= std::min(kMostWarmUp, progress_.length() / 4)) {
        clock_.warm(Clock::now(), steps_.done());
    }
}

// Steps of others may lie in between.
void Trainer::backUpIfDue(std::int32_t epoch, std::int64_t steps_before) {
    for (std::int64_t step = steps_before + 1; step <= steps_.done(); ++step) {
        if (backups_.isDueAfterStep(step)) {
            writeBackup(epoch, progress_.stepsDone());
            return;
        }
    }
}

backend::StepControl Trainer::controlOf(std::int32_t epoch, std::int64_t iteration, const ControlWord& word) const {
    backend::StepControl control;
    control.learning_rate = steps_.rateAfter(iteration);
    control.iteration = iteration;
    control.seed = static_cast<std::uint64_t>(run_.fit.seed);
    control.epoch = static_cast<std::uint64_t>(epoch);
    control.control = word.verb;
    control.control_value = word.value;
    return control;
}

void Trainer::trainStep(std::int32_t epoch, const tensor::BatchView& view) {
    followLeftOut();
    const backend::StepControl control = controlOf(epoch, steps_.done(), controls_.ask(std::chrono::milliseconds(0)));
    const bool is_measured = looks_.layers.isDue(steps_.done() + 1);
    if (is_measured) {
        looks_.layers.look(currentVariables(), view, control);
    }
    const backend::StepResult result = executors_.training().trainStep(view, control);
    looks_.gradients.remember(view, control);
    tellStep(epoch, control.learning_rate, result);
    if (is_measured && (executors_.served() == nullptr || controls_.goesOn())) {  // servers of a run that is over may have gone
        reportLayers(epoch);
    }
    if (const auto asked = decodeControl({result.control, result.control_value})) {
        apply(*asked);
    }
}

// How many steps may follow each other before someone has to look at them: a callback, a backup, whoever waits for an answer to a control.
// Replicas look at every step, since all of them must do the same after the same one.
std::int64_t Trainer::stepsUnwatched() const {
    const bool looks_at_each = !executors_.queuesSteps() || collective_ != nullptr || controls_.wantsOneStep() ||
                               clock_.firstStepUnixNs() == 0 || steps_.done() < run_.data.log_shards || steps_.hasToBeFollowedClosely();
    if (looks_at_each) {
        return 1;
    }
    constexpr double kLongestSeconds = 0.1;  // before a control is looked at
    constexpr std::int64_t kFirst = 8, kMost = 1024;
    const auto in_time =
        step_seconds_ > 0 ? static_cast<std::int64_t>(std::min(kLongestSeconds / step_seconds_, static_cast<double>(kMost))) : kFirst;
    const std::int64_t until_measured = looks_.layers.stepsUntilDue(steps_.done()) - 1;  // that one is taken alone
    const std::int64_t until_look = std::min({progress_.stepsLeft(), callbacks_.stepsToLook(steps_.done()), until_measured});
    const std::int64_t most = std::min(std::max<std::int64_t>(in_time, 1), until_look);
    std::int64_t steps = 1;
    while (steps < most && !backups_.isDueAfterStep(steps_.done() + steps)) {
        ++steps;
    }
    return steps;
}

void Trainer::trainSteps(std::int32_t epoch, std::int64_t steps) {
    const auto begin = Clock::now();
    const std::int64_t first = steps_.done();
    followLeftOut();
    ControlWord word = controls_.ask(std::chrono::milliseconds(0));
    std::vector<float> rates;
    std::vector<spec::Control> asked;
    executors_.training().trainSteps(
        [&](tensor::BatchView& view, backend::StepControl& control) {
            if (static_cast<std::int64_t>(rates.size()) == steps) {
                return false;
            }
            batches_.next(view);
            control = controlOf(epoch, first + static_cast<std::int64_t>(rates.size()), std::exchange(word, {}));
            rates.push_back(control.learning_rate);
            looks_.gradients.remember(view, control);
            return true;
        },
        [&](const backend::StepResult& result) {
            tellStep(epoch, rates[static_cast<std::size_t>(steps_.done() - first)], result);
            if (const auto control = decodeControl({result.control, result.control_value})) {
                asked.push_back(*control);  // heard now, done when all of them are over
            }
        });
    step_seconds_ = std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(steps);
    for (const spec::Control& control : asked) {
        apply(control);
    }
}

void Trainer::tellStep(std::int32_t epoch, float learning_rate, const backend::StepResult& result) {
    steps_.addOne();
    progress_.add(result);
    followOthers(epoch);
    warmUp(epoch);
    if (executors_.served() != nullptr) {
        takeToldRate();
        tellEpoch(epoch, false);
    }

    StepPoint point;
    point.step = steps_.done();
    point.epoch = epoch;
    point.time_unix_ns = nowUnixNs();
    point.loss = static_cast<float>(progress_.lastStep().loss());
    for (std::size_t i = 0; i < progress_.lastStep().metrics(); ++i) {
        point.metrics[i] = static_cast<float>(progress_.lastStep().metric(i));
    }
    if (executors_.served() != nullptr && progress_.lastStep().metrics() < spec::kMaximumMetrics) {
        point.metrics[progress_.lastStep().metrics()] = static_cast<float>(executors_.served()->staleness());
    }
    point.learning_rate = learning_rate;
    point.timing = result.timing;
    reporter_->push(point);
    if (clock_.stepDone(point.time_unix_ns)) {
        reporter_->flush();
    }
}

void Trainer::apply(const spec::Control& control) {
    controls_.hear(control);
    if (control.verb == spec::ControlVerb::kCheckpointNow) {
        saveCheckpoint(folder_.path() / lastName("step_" + std::to_string(steps_.done())), progress_.epoch(), false);
    } else if (control.verb == spec::ControlVerb::kSetLearningRate) {
        rate_.set(static_cast<float>(control.value));
    }
    reporter_->flush();
    observer_.report(spec::ControlApplied{verbText(control), steps_.done()});
}

void Trainer::pauseUntilTold() {
    const auto begin = Clock::now();
    reporter_->flush();
    observer_.report(spec::StateChanged{spec::TaskState::kPaused, "after step " + std::to_string(steps_.done())});
    controls_.waitWhilePaused(collective_, options_.pause_poll, [this](const spec::Control& control) { apply(control); });
    clock_.leaveOutPause(Clock::now() - begin);
    if (controls_.flow() == Flow::kContinue) {
        observer_.report(spec::StateChanged{spec::TaskState::kTraining, ""});
    }
}

bool Trainer::validatesAfter(std::int64_t epochs) const {
    const std::vector<std::int64_t>& listed = run_.fit.validation_epochs;
    if (!listed.empty()) {
        return std::find(listed.begin(), listed.end(), epochs) != listed.end();
    }
    return epochs % std::max<std::int64_t>(run_.fit.validation_freq, 1) == 0;
}

bool Trainer::validatesAfterOneOf(std::int64_t first, std::int64_t last) const {
    for (std::int64_t epochs = first; epochs <= last; ++epochs) {
        if (validatesAfter(epochs)) return true;
    }
    return false;
}

// Reports weights in the epochs in which the TensorBoard callback would write histograms.
void Trainer::reportWeights(std::int32_t epoch) {
    if (!task_.is_chief || run_.fit.histogram_freq <= 0 || epoch % run_.fit.histogram_freq != 0) {
        return;
    }
    const auto begin = Clock::now();
    const std::vector<GradientProbe::Gradient> found = gradients();
    spec::WeightReport report = weightReport(run_.model, currentVariables(), found);
    report.epoch = epoch;
    report.step = steps_.done();
    observer_.report(std::move(report));
    clock_.leaveOut(Clock::now() - begin);
}

// Called after a step that was measured. Its time counts as the run's: measuring costs training time.
void Trainer::reportLayers(std::int32_t epoch) {
    if (auto report = looks_.layers.report(steps_.done(), epoch, currentVariables())) {
        reporter_->flush();
        observer_.report(std::move(*report));
    }
}

// Batches may lose samples that can't be read; an epoch that lost all of them has trained nothing.
void Trainer::expectSamples(std::int32_t epoch) const {
    if (task_.servers > 0) return;  // the steps of an epoch may all have been others'
    if (controls_.flow() != Flow::kContinue || progress_.totals().samples() > 0) return;
    std::string why;
    if (const auto& report = options_.dataset.train->report; report != nullptr && report->skipped() > 0) {
        why = "; " + spec::counted(static_cast<std::size_t>(report->skipped()), "record") +
              " skipped, the first: " + report->firstSkipped().front();
    }
    throw Error(ErrorCode::kDataLoss, "data: expected samples to train on, none was left in epoch " + std::to_string(epoch + 1) + why);
}

void Trainer::validate(Logs& logs) {
    if (!evaluator_.validates() || leavesToChief()) {
        return;
    }
    callbacks_.testBegin(*this);
    const Metrics metrics = measureValidation();
    callbacks_.testEnd(*this);
    for (const auto& [name, value] : metrics.logs) {
        setLog(logs, "val_" + name, value);
    }
}

void Trainer::finishEpoch(std::int32_t begun, double seconds) {
    const std::int32_t epoch = progress_.epoch();
    expectSamples(epoch);
    coordinates(task_) ? collectEpoch(epoch) : tellEpoch(epoch, true);
    Logs logs = runningLogs();
    if (validatesAfterOneOf(begun + 1, epoch + 1)) {
        const auto begin = Clock::now();
        validate(logs);
        clock_.leaveOut(Clock::now() - begin);
    }
    // Callbacks may take a while (a checkpoint): what is known is out before.
    reporter_->flush();
    callbacks_.epochEnd(*this, epoch, logs);
    observer_.report(spec::EpochEnd{epoch, steps_.done(), seconds, logs});
    reportWeights(epoch);
    if (backups_.isDueAfterEpoch()) {
        writeBackup(epoch + 1, 0);
    }
    clock_.warm(Clock::now(), steps_.done());
}

}  // namespace engine::train
