// The training loop: epochs, steps, controls.
#include <algorithm>
#include <array>
#include <utility>

#include "engine/backend/initialize.h"
#include "engine/data/read_report.h"
#include "engine/data/shard_preview.h"
#include "engine/plan/metric.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/train/averages.h"
#include "engine/train/fingerprint.h"
#include "engine/train/task_plans.h"
#include "engine/train/trainer.h"
#include "engine/train/weight_report.h"
#include "engine/train/weights_digest.h"

namespace engine::train {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t nowUnixNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

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
    for (const auto& callback : callbacks_) {
        callback->onTrainBegin(*this);
    }
    for (; epoch_ < run_.fit.epochs && (goesOn() || epoch_steps_ > 0); ++epoch_) {
        if (epoch_steps_ == 0) {  // else it began before the run was interrupted
            for (const auto& callback : callbacks_) {
                callback->onEpochBegin(*this, epoch_);
            }
        }
        const auto begin = Clock::now();
        const auto paused_before = paused_for_;
        trainEpoch(epoch_);
        const std::chrono::duration<double> seconds = Clock::now() - begin - (paused_for_ - paused_before);
        if (flow_ != Flow::kContinue) {
            break;
        }
        finishEpoch(epoch_, seconds.count());
        epoch_steps_ = 0;
    }
    measured_to_ = Clock::now();
    FitOutcome outcome;
    finish(outcome);
    if (backup_ != nullptr && task_.is_chief && outcome.state == spec::TaskState::kDone) {
        backup_->remove(runFolder());
    }
    return outcome;
}

void Trainer::prepareTraining() {
    makeWeightsFolder();
    std::span<std::byte> region;
    if (collective_ != nullptr) {
        region = collective_->allocateRegion(static_cast<std::size_t>(train_plan_->shared_bytes));
    }
    agreeWithPeers();
    if (!restored_) {
        initializeWeights();
    }
    epoch_ = static_cast<std::int32_t>(run_.fit.initial_epoch);
    readBackup();
    broadcastWeights();
    agreeOnResume();
    countLeftOut();
    executor_ = makeExecutor(*train_plan_, region);
    executor_->reloadVariables();
    if (options_.prepared) {
        options_.prepared();
    }
    steps_per_epoch_ = groupSteps();
    std::vector<std::string> names;
    for (const plan::NamedMetric& metric : train_plan_->metrics) {
        names.push_back(metric.name);
    }
    reporter_ = std::make_unique<StepReporter>(
        observer_,
        StepReporterOptions{.examples_per_step = static_cast<std::int32_t>(pipeline_->largestBatch()), .metric_names = std::move(names)});
}

void Trainer::agreeWithPeers() {
    if (collective_ == nullptr) {
        return;
    }
    const std::uint64_t mine = replicaFingerprint(run_);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(collective_->size()));
    collective_->allGather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank] != all[0]) {
            throw Error(ErrorCode::kFailedPrecondition,
                        "replica " + std::to_string(rank) +
                            ": expected the project of replica 0, the chief, got one with another model, data, "
                            "compile, fit, callbacks or strategy");
        }
    }
}

void Trainer::broadcastWeights() {
    if (collective_ == nullptr) {
        return;
    }
    for (const backend::Variables::Entry& entry : variables_->entries()) {
        if (!entry.is_slot || restored_) {
            collective_->broadcast(std::as_writable_bytes(entry.values), 0);
        }
    }
}

// A replica whose data end first takes part with empty batches until no one has any: the longest pass counts.
std::int64_t Trainer::groupSteps() {
    if (run_.fit.steps_per_epoch > 0) {
        return run_.fit.steps_per_epoch;
    }
    std::int64_t steps = pipeline_->batchesPerPass();
    if (collective_ != nullptr) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(collective_->size()));
        collective_->allGather(std::as_bytes(std::span(&steps, 1)), std::as_writable_bytes(std::span(all)));
        steps = *std::max_element(all.begin(), all.end());
    }
    if (steps <= 0) {
        throw Error(ErrorCode::kInvalidArgument, "data: " + std::to_string(split_.train.end - split_.train.begin) +
                                                     " training samples make no whole batch of " + std::to_string(task_.global_batch_size) +
                                                     ", expected at least one");
    }
    return steps;
}

void Trainer::announce() {
    spec::RunStarted started;
    started.steps_per_epoch = steps_per_epoch_;
    started.epochs = run_.fit.epochs;
    started.global_batch_size = task_.global_batch_size;
    started.resumed_step = resumed_ ? iterations_ : 0;
    for (const backend::Variables::Entry& entry : variables_->entries()) {
        started.parameters += entry.is_slot ? 0 : static_cast<std::int64_t>(entry.values.size());
    }
    for (const plan::Bucket& bucket : train_plan_->buckets) {
        started.gradient_bytes += bucket.bytes;
    }
    started.executor = executor_->describe();
    started.transport = collective_ == nullptr ? "" : collective_->describe();
    observer_.report(std::move(started));
    announceDevices();
}

void Trainer::announceDevices() {
    const spec::TaskId* task = task_.tf_config.empty() ? nullptr : &task_.task;
    if (devices() > 1) {
        std::string names;
        for (const std::string& device : task_.devices) {
            names += (names.empty() ? "'" : ", '") + plan::deviceName(task, device) + "'";
        }
        log(spec::LogLevel::kInfo, "Using " + run_.strategy.name + " with devices (" + names + ")");
        const bool on_cpus = task_.devices.front().starts_with("CPU");
        if (on_cpus && spec::strategyKind(run_.strategy.name) == spec::StrategyKind::kMirrored &&
            run_.strategy.cross_device_ops.class_name == "NcclAllReduce") {
            log(spec::LogLevel::kInfo, "NcclAllReduce: all devices are CPUs, so a ring over their memory takes its place");
        }
    }
    if (!run_.strategy.log_device_placement) {
        return;
    }
    for (std::size_t device = 0; device < task_.devices.size(); ++device) {
        const plan::Plan plan = device == 0 ? *train_plan_ : trainingPlan(run_, task_, device, train_plan_->batch);
        for (const plan::Placed& placed : plan::placements(plan, static_cast<int>(device))) {
            log(spec::LogLevel::kInfo, toString(placed));
        }
    }
}

// To the sample that comes next. An endless pipeline goes on over the epochs' borders.
void Trainer::positionPipeline(std::int32_t epoch) {
    const bool endless = run_.fit.steps_per_epoch > 0;
    if (!endless) {
        pipeline_->start(static_cast<std::uint64_t>(epoch));
        pipeline_->skip(epoch_steps_);
    } else if (!pipeline_started_) {
        pipeline_->start(0);
        pipeline_->skip(epoch * steps_per_epoch_ + epoch_steps_);
    }
    pipeline_started_ = true;
}

void Trainer::trainEpoch(std::int32_t epoch) {
    if (epoch_steps_ == 0) {
        std::fill(epoch_totals_.begin(), epoch_totals_.end(), 0.0);
    }
    positionPipeline(epoch);
    tensor::BatchView view;
    while (epoch_steps_ < steps_per_epoch_ && goesOn()) {
        if (const std::int64_t steps = stepsUnwatched(); steps > 1) {
            trainSteps(epoch, steps);
        } else {
            const std::int64_t batch = epoch_steps_;
            pipeline_->next(view);
            if (iterations_ < run_.data.log_shards) {
                log(spec::LogLevel::kInfo,
                    "shard: " + data::shardLine(iterations_ + 1, epoch, task_.task, pipeline_->elements(), pipeline_->parts()));
            }
            trainStep(epoch, view);
            ++epoch_steps_;
            if (callbacks_want_steps_) {
                for (const auto& callback : callbacks_) {
                    if (callback->wantsSteps()) {
                        callback->onStepEnd(*this, epoch, batch);
                    }
                }
            }
        }
        if (backup_ != nullptr && backup_->isDueAfterStep(iterations_)) {
            writeBackup(epoch, epoch_steps_);
        }
        if (single_step_ && flow_ == Flow::kContinue) {
            single_step_ = false;
            paused_ = true;
        }
        if (paused_) {
            pauseUntilTold();
        }
    }
}

backend::StepControl Trainer::controlOf(std::int32_t epoch, std::int64_t iteration, const ControlWord& word) const {
    backend::StepControl control;
    control.learning_rate = rate_.at(iteration - left_out_);
    control.iteration = iteration;
    control.seed = static_cast<std::uint64_t>(run_.fit.seed);
    control.epoch = static_cast<std::uint64_t>(epoch);
    control.control = word.verb;
    control.control_value = word.value;
    return control;
}

void Trainer::trainStep(std::int32_t epoch, const tensor::BatchView& view) {
    followLeftOut();
    const backend::StepControl control = controlOf(epoch, iterations_, askForControl(std::chrono::milliseconds(0)));
    const backend::StepResult result = executor_->trainStep(view, control);
    last_batch_ = view;
    last_control_ = control;
    tellStep(epoch, control.learning_rate, result);
    if (const auto asked = decodeControl({result.control, result.control_value})) {
        apply(*asked);
    }
}

// How many steps may follow each other before someone has to look at them: a callback, a backup, whoever waits for an answer to a control.
// Replicas look at every step, since all of them must do the same after the same one.
std::int64_t Trainer::stepsUnwatched() const {
    constexpr std::int64_t kStepsBeforeTrust = 32;  // finite ones, before nobody counts each
    const bool looks_at_each = !executor_->queuesSteps() || collective_ != nullptr || callbacks_want_steps_ || single_step_ || paused_ ||
                               first_step_unix_ns_ == 0 || iterations_ < run_.data.log_shards ||
                               (follows_left_out_ && iterations_ - last_left_out_ < kStepsBeforeTrust);
    if (looks_at_each) {
        return 1;
    }
    constexpr double kLongestSeconds = 0.1;  // before a control is looked at
    constexpr std::int64_t kFirst = 8, kMost = 1024;
    const auto in_time =
        step_seconds_ > 0 ? static_cast<std::int64_t>(std::min(kLongestSeconds / step_seconds_, static_cast<double>(kMost))) : kFirst;
    const std::int64_t most = std::min(std::max<std::int64_t>(in_time, 1), steps_per_epoch_ - epoch_steps_);
    std::int64_t steps = 1;
    while (steps < most && (backup_ == nullptr || !backup_->isDueAfterStep(iterations_ + steps))) {
        ++steps;
    }
    return steps;
}

void Trainer::trainSteps(std::int32_t epoch, std::int64_t steps) {
    const auto begin = Clock::now();
    const std::int64_t first = iterations_;
    followLeftOut();
    ControlWord word = askForControl(std::chrono::milliseconds(0));
    std::vector<float> rates;
    std::vector<spec::Control> asked;
    executor_->trainSteps(
        [&](tensor::BatchView& view, backend::StepControl& control) {
            if (static_cast<std::int64_t>(rates.size()) == steps) {
                return false;
            }
            pipeline_->next(view);
            control = controlOf(epoch, first + static_cast<std::int64_t>(rates.size()), std::exchange(word, {}));
            rates.push_back(control.learning_rate);
            last_batch_ = view;
            last_control_ = control;
            return true;
        },
        [&](const backend::StepResult& result) {
            tellStep(epoch, rates[static_cast<std::size_t>(iterations_ - first)], result);
            ++epoch_steps_;
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
    ++iterations_;
    for (std::size_t i = 0; i < step_totals_.size(); ++i) {
        step_totals_[i] = result.header[i];
        epoch_totals_[i] += step_totals_[i];
    }

    StepPoint point;
    point.step = iterations_;
    point.epoch = epoch;
    point.time_unix_ns = nowUnixNs();
    point.loss = static_cast<float>(plan::lossValue(step_totals_));
    for (std::size_t i = 0; i < train_plan_->metrics.size(); ++i) {
        point.metrics[i] = static_cast<float>(plan::metricValue(train_plan_->metrics[i].attributes, step_totals_));
    }
    point.learning_rate = learning_rate;
    point.timing = result.timing;
    reporter_->push(point);
    if (first_step_unix_ns_ == 0) {
        first_step_unix_ns_ = point.time_unix_ns;
        reporter_->flush();
    }
}

// The chief's word, or a replica's wish to leave.
ControlWord Trainer::askForControl(std::chrono::milliseconds wait) {
    const auto asked = observer_.takeControl(wait);
    if (!asked) {
        return {};
    }
    if (task_.is_chief) {
        return encodeControl(*asked);
    }
    const bool leaves = asked->verb == spec::ControlVerb::kStop || asked->verb == spec::ControlVerb::kStopNow;
    return leaves ? ControlWord{kLeave, 0} : ControlWord{};
}

void Trainer::apply(const spec::Control& control) {
    switch (control.verb) {
        case spec::ControlVerb::kPause:
            paused_ = true;
            break;
        case spec::ControlVerb::kResume:
            paused_ = false;
            break;
        case spec::ControlVerb::kStep:
            single_step_ = true;
            paused_ = false;
            break;
        case spec::ControlVerb::kStop:
            flow_ = Flow::kStop;
            break;
        case spec::ControlVerb::kStopNow:
            flow_ = Flow::kStopNow;
            break;
        case spec::ControlVerb::kCheckpointNow:
            saveCheckpoint(options_.run_dir / "checkpoints" / ("step_" + std::to_string(iterations_)), epoch_, false);
            break;
        case spec::ControlVerb::kSetLearningRate:
            rate_.set(static_cast<float>(control.value));
            break;
    }
    reporter_->flush();
    observer_.report(spec::ControlApplied{verbText(control), iterations_});
}

// Nobody computes. The replicas meet in a sum of two floats at least every pause_poll: whoever is lost is noticed, and what the chief is
// told reaches all of them at once.
void Trainer::pauseUntilTold() {
    const auto begin = Clock::now();
    reporter_->flush();
    observer_.report(spec::StateChanged{spec::TaskState::kPaused, "after step " + std::to_string(iterations_)});
    while (paused_ && flow_ == Flow::kContinue) {
        ControlWord word = askForControl(task_.is_chief ? options_.pause_poll : std::chrono::milliseconds(0));
        if (collective_ != nullptr) {
            std::array<float, 2> words{word.verb, word.value};
            collective_->allReduceSum(words);
            word = {words[0], words[1]};
        }
        if (const auto asked = decodeControl(word)) {
            apply(*asked);
        }
    }
    const auto spent = Clock::now() - begin;
    paused_for_ += spent;
    not_training_ += spent;
    if (flow_ == Flow::kContinue) {
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

// In the epochs in which the TensorBoard callback would write histograms.
void Trainer::reportWeights(std::int32_t epoch) {
    if (!task_.is_chief || run_.fit.histogram_freq <= 0 || epoch % run_.fit.histogram_freq != 0) {
        return;
    }
    const auto begin = Clock::now();
    const std::vector<GradientProbe::Gradient> found = gradients();
    spec::WeightReport report = weightReport(run_.model, currentVariables(), found);
    report.epoch = epoch;
    report.step = iterations_;
    observer_.report(std::move(report));
    not_training_ += Clock::now() - begin;
}

// Batches may lose samples that can't be read; an epoch that lost all of them has trained nothing.
void Trainer::expectSamples(std::int32_t epoch) const {
    if (flow_ != Flow::kContinue || epoch_totals_[plan::StepHeader::kCount] > 0) return;
    std::string why;
    if (const auto& report = options_.dataset.train->report; report != nullptr && report->skipped() > 0) {
        why = "; " + spec::counted(static_cast<std::size_t>(report->skipped()), "record") +
              " skipped, the first: " + report->firstSkipped().front();
    }
    throw Error(ErrorCode::kDataLoss, "data: expected samples to train on, none was left in epoch " + std::to_string(epoch + 1) + why);
}

std::optional<Metrics> Trainer::validateForCallbacks() {
    if (!hasValidation()) {
        return std::nullopt;
    }
    for (const auto& callback : callbacks_) {
        callback->onTestBegin(*this);
    }
    std::optional<Metrics> metrics = validate();
    for (const auto& callback : callbacks_) {
        callback->onTestEnd(*this);
    }
    return metrics;
}

void Trainer::finishEpoch(std::int32_t epoch, double seconds) {
    expectSamples(epoch);
    Logs logs = runningLogs();
    if (validatesAfter(epoch + 1)) {
        const auto begin = Clock::now();
        if (const auto metrics = validateForCallbacks()) {
            for (const auto& [name, value] : metrics->logs) {
                setLog(logs, "val_" + name, value);
            }
        }
        not_training_ += Clock::now() - begin;
    }
    // Callbacks may take a while (a checkpoint): what is known is out before.
    reporter_->flush();
    for (const auto& callback : callbacks_) {
        callback->onEpochEnd(*this, epoch, logs);
    }
    observer_.report(spec::EpochEnd{epoch, iterations_, seconds, logs});
    reportWeights(epoch);
    if (backup_ != nullptr && backup_->isDueAfterEpoch()) {
        writeBackup(epoch + 1, 0);
    }
    if (measured_from_ == Clock::time_point{}) {
        measured_from_ = Clock::now();
        measured_from_step_ = iterations_;
        not_training_ = {};
    }
}

double Trainer::imagesPerSecond() const {
    const std::chrono::duration<double> seconds = measured_to_ - measured_from_ - not_training_;
    const auto images = static_cast<double>((iterations_ - measured_from_step_) * task_.global_batch_size);
    return seconds.count() > 0 ? images / seconds.count() : 0;
}

void Trainer::finish(FitOutcome& outcome) {
    reporter_->flush();
    if (flow_ == Flow::kContinue) {
        for (const auto& callback : callbacks_) {
            callback->onEpochsOver(*this);
        }
    }
    finishAverages();
    if (flow_ == Flow::kContinue) {
        for (const auto& callback : callbacks_) {
            callback->onTrainEnd(*this);
        }
    }
    if (flow_ != Flow::kStopNow) {
        writeLastCheckpoint(outcome);
    }
    if (flow_ == Flow::kStop) {
        writeBackup(epoch_, epoch_steps_);
    }
    if (flow_ != Flow::kStopNow) {
        saveWeights(outcome);
    }
    if (outcome.state != spec::TaskState::kFailed) {
        outcome.state = flow_ == Flow::kContinue ? spec::TaskState::kDone : spec::TaskState::kStopped;
    }
    auto& results = outcome.finished.results;
    if (flow_ != Flow::kStopNow && options_.dataset.test != nullptr) {
        const Metrics metrics = evaluateTest();
        for (const auto& [name, value] : metrics.logs) {
            results.emplace_back("test_" + name, value);
        }
    }
    if (measured_from_ != Clock::time_point{} && iterations_ > measured_from_step_) {
        results.emplace_back("images_per_s", imagesPerSecond());
    }
    results.emplace_back("first_step_unix_ns", static_cast<double>(first_step_unix_ns_));
    results.emplace_back("steps", static_cast<double>(iterations_));
    executor_->syncVariables();
    outcome.finished.weights_sha256 = weightsSha256(*variables_);
    outcome.finished.checkpoint = last_saved_;
    reporter_.reset();
}

// The weights end as their moving averages, where the optimizer keeps some.
void Trainer::finishAverages() {
    if (!plan::updateRule(run_.compile.optimizer).keeps_average || iterations_ == 0 || flow_ != Flow::kContinue) {
        return;
    }
    executor_->syncVariables();
    for (const AveragedWeight& one : averagedWeights(*variables_)) {
        std::copy(one.average.begin(), one.average.end(), one.weights.begin());
    }
    executor_->reloadVariables();
}

void Trainer::writeLastCheckpoint(FitOutcome& outcome) {
    const std::filesystem::path folder = options_.run_dir / "checkpoints";
    const std::int32_t epoch = std::min(epoch_, static_cast<std::int32_t>(run_.fit.epochs - 1));
    const bool saves_itself = std::any_of(run_.callbacks.begin(), run_.callbacks.end(),
                                          [](const spec::ObjectSpec& callback) { return callback.class_name == "ModelCheckpoint"; });
    if (flow_ == Flow::kStop && last_saved_step_ != iterations_) {
        saveCheckpoint(folder / ("step_" + std::to_string(iterations_)), epoch, false);
    } else if (flow_ == Flow::kContinue && !saves_itself) {
        saveCheckpoint(folder / ("ckpt_" + std::to_string(run_.fit.epochs)), epoch, false);
    } else if (!failed_prefix_.empty()) {
        saveCheckpoint(std::filesystem::path(failed_prefix_), epoch, false);
    }
    if (!failed_prefix_.empty()) {
        outcome.state = spec::TaskState::kFailed;
        outcome.detail = "the last checkpoint, " + relativeToRun(failed_prefix_) + ", could not be written: " + failed_because_;
    }
}

}  // namespace engine::train
