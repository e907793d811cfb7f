// The training loop: epochs, steps, controls.
#include <algorithm>
#include <thread>
#include <utility>

#include "engine/data/read_report.h"
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

// How often a coordinated worker tells what its epoch adds up to, and its coordinator asks for it.
constexpr std::chrono::milliseconds kSumsEvery{200};

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
        finishEpoch(epoch, seconds.count());
        progress_.nextEpoch();
    }
    clock_.end(Clock::now());
    FitOutcome outcome;
    finish(outcome);
    if (outcome.state == spec::TaskState::kDone) {
        backups_.finish();
    }
    return outcome;
}

void Trainer::prepareTraining() {
    makeWeightsFolder();
    std::span<std::byte> region;
    if (collective_ != nullptr) {
        region = collective_->allocateRegion(static_cast<std::size_t>(executors_.trainingPlan().shared_bytes));
        if (distribute::ExchangeProgress* progress = collective_->progress()) {
            std::vector<distribute::ExchangeProgress::Bucket> buckets;
            for (const plan::Bucket& bucket : executors_.trainingPlan().buckets) {
                buckets.push_back({static_cast<std::size_t>(bucket.offset_bytes), static_cast<std::size_t>(bucket.bytes)});
            }
            progress->nameBuckets(region.data(), std::move(buckets));
        }
    }
    agreeWithPeers();
    progress_.begin(static_cast<std::int32_t>(run_.fit.initial_epoch));
    if (task_.servers == 0 && run_.fit.initial_weights.empty()) {
        batches_.goOnAfter(0);  // initial_epoch passes over epochs, not over samples: as Keras', a new run begins with the first batch
    }
    if (!restored_) {
        beginWeights();
    }
    readBackup();
    if (!restored_) {
        adaptToSamples();
    }
    broadcastWeights();
    backups_.agree({.steps = steps_.done(), .epoch = progress_.epoch(), .step = progress_.stepsDone(), .learning_rate = learningRate()},
                   executors_.variables());
    steps_.lookAt(executors_.variables());
    executors_.startTraining(region);
    tested_.reset();
    if (options_.prepared) {
        options_.prepared();
    }
    progress_.setLength(batches_.stepsPerEpoch(collective_));
    placeInitialState();
    progress_.countSteps(std::min(progress_.stepsDone(), progress_.length()));
    beginServed();
    looks_.layers.begin(steps_.done(), region);
    std::vector<std::string> names;
    for (const plan::NamedMetric& metric : executors_.trainingPlan().metrics) {
        names.push_back(metric.name);
    }
    if (executors_.served() != nullptr && !coordinates(task_) && names.size() < spec::kMaximumMetrics) {
        names.emplace_back("staleness");
    }
    reporter_ =
        std::make_unique<StepReporter>(observer_, StepReporterOptions{.examples_per_step = static_cast<std::int32_t>(batches_.largest()),
                                                                      .aggregated = executors_.served() == nullptr,
                                                                      .metric_names = std::move(names)});
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
    for (const backend::Variables::Entry& entry : executors_.variables().entries()) {
        if (!entry.is_slot || restored_) {
            collective_->broadcast(std::as_writable_bytes(entry.values), 0);
        }
    }
}

void Trainer::announce() {
    spec::RunStarted started;
    started.steps_per_epoch = progress_.length();
    started.epochs = run_.fit.epochs;
    started.global_batch_size = task_.global_batch_size;
    started.resumed_step = backups_.hasResumed() || begins_from_ != BeginsFrom::kSeed ? steps_.done() : 0;
    for (const backend::Variables::Entry& entry : executors_.variables().entries()) {
        started.parameters += entry.is_slot ? 0 : static_cast<std::int64_t>(entry.values.size());
    }
    for (const plan::Bucket& bucket : executors_.trainingPlan().buckets) {
        started.gradient_bytes += bucket.bytes;
    }
    started.executor = executors_.describe();
    started.transport = executors_.served() != nullptr ? executors_.served()->description()
                        : collective_ == nullptr       ? ""
                                                       : collective_->describe();
    observer_.report(std::move(started));
    announceDevices();
}

void Trainer::announceDevices() {
    const spec::TaskId* task = task_.tf_config.empty() ? nullptr : &task_.task;
    const bool is_mirrored = spec::strategyKind(run_.strategy.name) == spec::StrategyKind::kMirrored;
    if (task_.devices.size() > 1) {
        std::string names;
        for (const std::string& device : task_.devices) {
            names += (names.empty() ? "'" : ", '") + plan::deviceName(task, device) + "'";
        }
        log(spec::LogLevel::kInfo, "Using " + run_.strategy.name + " with devices (" + names + ")");
        const bool on_cpus = task_.devices.front().starts_with("CPU");
        if (on_cpus && is_mirrored && run_.strategy.cross_device_ops.class_name == "NcclAllReduce") {
            log(spec::LogLevel::kInfo, "NcclAllReduce: all devices are CPUs, so a ring over their memory takes its place");
        }
    }
    if (is_mirrored) {
        log(spec::LogLevel::kInfo, "Number of devices: " + std::to_string(task_.devices.size()));
    }
    if (!run_.strategy.log_device_placement) {
        return;
    }
    const plan::Plan& first = executors_.trainingPlan();
    for (std::size_t device = 0; device < task_.devices.size(); ++device) {
        const plan::Plan plan = device == 0 ? first : trainingPlan(run_, task_, device, first.batch);
        for (const plan::Placed& placed : plan::placements(plan, static_cast<int>(device))) {
            log(spec::LogLevel::kInfo, toString(placed));
        }
    }
}

void Trainer::trainEpoch(std::int32_t epoch) {
    progress_.startSums();
    if (coordinates(task_)) {
        watchEpoch(epoch);
        return;
    }
    if (task_.coordinated_workers > 0) {
        executors_.served()->waitForEpoch(epoch);
        takeToldRate();
    }
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
    }
}

// A coordinator trains nothing: it looks where the workers are, and does what is due between steps.
void Trainer::watchEpoch(std::int32_t epoch) {
    constexpr std::chrono::milliseconds kLook{10};
    ServedExecutor& served = *executors_.served();
    served.openEpoch(epoch);
    followOthers(epoch);
    while (progress_.stepsLeft() > 0 && controls_.goesOn()) {
        const std::int64_t before = steps_.done();
        const ControlWord word = controls_.ask(std::chrono::milliseconds(0));
        if (const auto asked = decodeControl({word.verb, word.value})) {
            apply(*asked);
        }
        served.watch(kLook);
        followOthers(epoch);
        if (steps_.done() != before) {
            clock_.stepDone(nowUnixNs());
            warmUp(epoch);
            if (Clock::now() >= tells_epoch_at_) {
                tells_epoch_at_ = Clock::now() + kSumsEvery;
                served.collectEpoch(epoch, progress_.sums());
                tellCollected(epoch);
            }
            // Callbacks that count steps count those of all workers.
            for (std::int64_t step = before + 1; step <= steps_.done(); ++step) {
                callbacks_.stepEnd(*this, epoch, std::max<std::int64_t>(0, progress_.stepsDone() - 1 - (steps_.done() - step)));
            }
            backUpIfDue(epoch, before);
            controls_.stepsDone();
        }
        if (controls_.isPaused()) {
            pauseUntilTold();
        }
    }
}

// The epoch's loss and metrics, from all workers that have told them. One that is lost is not waited for long, and none where the
// coordinator itself ends training in the middle of an epoch.
void Trainer::collectEpoch(std::int32_t epoch) {
    constexpr std::chrono::seconds kLongest{10};
    constexpr std::chrono::milliseconds kLook{10};
    ServedExecutor& served = *executors_.served();
    const auto deadline = Clock::now() + kLongest;
    while (served.collectEpoch(epoch, progress_.sums()) < task_.coordinated_workers && progress_.stepsLeft() <= 0 &&
           Clock::now() < deadline) {
        std::this_thread::sleep_for(kLook);
    }
    tellCollected(epoch);
}

// The curve of a coordinator: the means of the epoch so far, over the steps of all workers, as Keras' progress bar has them.
void Trainer::tellCollected(std::int32_t epoch) {
    const StepTotals& totals = progress_.totals();
    if (totals.samples() == 0) {
        return;
    }
    StepPoint point;
    point.step = steps_.done();
    point.epoch = epoch;
    point.time_unix_ns = nowUnixNs();
    point.loss = static_cast<float>(totals.loss());
    for (std::size_t i = 0; i < totals.metrics(); ++i) {
        point.metrics[i] = static_cast<float>(totals.metric(i));
    }
    point.learning_rate = learningRate();
    reporter_->push(point);
}

// A coordinator to which no worker has told anything yet has nothing to say, nor has a worker of an epoch whose steps were all others'.
Logs Trainer::runningLogs() const {
    const bool knows_none = task_.servers > 0 && progress_.totals().samples() == 0;
    return knows_none ? Logs() : progress_.totals().logs();
}

void Trainer::tellEpoch(std::int32_t epoch, bool is_whole) {
    if (task_.coordinated_workers == 0 || (!is_whole && Clock::now() < tells_epoch_at_)) {
        return;
    }
    tells_epoch_at_ = Clock::now() + kSumsEvery;
    executors_.served()->tellEpoch(epoch, progress_.totals().sums(), is_whole);
}

// A worker follows the callbacks of its coordinator.
void Trainer::takeToldRate() {
    if (const auto rate = executors_.served()->takeToldRate()) {
        rate_.set(*rate);
    }
}

void Trainer::setLearningRate(float rate) {
    rate_.set(rate);
    if (coordinates(task_) && executors_.served() != nullptr) {
        executors_.served()->tellLearningRate(rate);
    }
}

// A worker with parameter servers takes up where the others are.
void Trainer::beginServed() {
    ServedExecutor* served = executors_.served();
    if (served == nullptr) {
        return;
    }
    served->begin(steps_.done(), ownOrigin());
    if (served->globalStep() != steps_.done()) {
        executors_.sync();
    }
    steps_.goOnAfter(served->globalStep());
    const parameter_server::EpochOrigin& origin = served->origin();
    const std::int64_t behind = std::max<std::int64_t>(0, steps_.done() - origin.step);
    const std::int64_t epoch = std::min(origin.epoch + behind / progress_.length(), std::max(origin.epoch, run_.fit.epochs));
    progress_.begin(static_cast<std::int32_t>(epoch));
    progress_.countSteps(std::max<std::int64_t>(0, steps_.done() - firstStepOf(epoch)));
    if (run_.fit.initial_weights.empty() && !backups_.hasResumed()) {
        batches_.goOnAfter(steps_.done() - origin.step);  // as without servers: initial_epoch passes over epochs, not over samples
    }
}

// Where the epochs of this run begin, in the eyes of a chief whose servers have no values yet. A backup of a run with servers says it:
// behind an epoch's end its place alone does not tell how many steps of the next one others have taken.
parameter_server::EpochOrigin Trainer::ownOrigin() const {
    if (run_.estimator || run_.fit.steps > 0) {
        return {};  // one epoch of all steps
    }
    return saved_origin_.value_or(parameter_server::EpochOrigin{.epoch = progress_.epoch(), .step = steps_.done() - progress_.stepsDone()});
}

std::int64_t Trainer::firstStepOf(std::int64_t epoch) const {
    const parameter_server::EpochOrigin& origin = executors_.served()->origin();
    return origin.step + (epoch - origin.epoch) * progress_.length();
}

// A worker has what the servers hold before it counts an epoch as done: where one of them was lost just then and restored, there are steps
// to take again.
bool Trainer::lostSteps(std::int32_t epoch) {
    const ServedExecutor* served = executors_.served();
    if (served == nullptr || !controls_.goesOn()) {
        return false;
    }
    executors_.sync();
    if (served->globalStep() >= steps_.done()) {
        return false;
    }
    steps_.goOnAfter(served->globalStep());
    progress_.countSteps(std::max<std::int64_t>(0, steps_.done() - firstStepOf(epoch)));
    return progress_.stepsLeft() > 0;
}

// Called after a step, and at the beginning of an epoch: the steps of the others count, too.
void Trainer::followOthers(std::int32_t epoch) {
    const ServedExecutor* served = executors_.served();
    if (served == nullptr) {
        return;
    }
    steps_.goOnAfter(served->globalStep());
    progress_.countSteps(std::max<std::int64_t>(0, steps_.done() - firstStepOf(epoch)));
    if (served->isOver() && !task_.is_chief) {  // to the chief it says no more than its own count of steps does
        controls_.endByCallback();
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

// Others may have taken all steps of the run while this worker validated. The epochs that are left have ended by then, at the same weights,
// which callbacks must not take for training that leads nowhere: the last one stands for all of them.
void Trainer::passEpochsOfOthers() {
    const std::int64_t last = run_.fit.epochs - 1;
    if (executors_.served() == nullptr || task_.coordinated_workers > 0 || !controls_.goesOn() ||
        steps_.done() < firstStepOf(run_.fit.epochs)) {
        return;
    }
    progress_.goToEpoch(static_cast<std::int32_t>(last), steps_.done() - firstStepOf(last));
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

void Trainer::finish(FitOutcome& outcome) {
    reporter_->flush();
    const Flow flow = controls_.flow();
    if (flow == Flow::kContinue) {
        callbacks_.epochsOver(*this);
    }
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
        results.emplace_back("global_step", static_cast<double>(all ? all->global_step : steps_.done()));
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
