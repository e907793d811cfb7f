// Construction, and what callbacks see and do. The training loop is in trainer_fit.cpp.
#include "engine/train/trainer.h"

#include <algorithm>
#include <utility>

#include "engine/export/keras_file.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/spec/error.h"
#include "engine/spec/project/estimator_run.h"
#include "engine/train/estimator/evaluation_lines.h"

namespace engine::train {
namespace {

TrainerOptions complete(TrainerOptions options) {
    ENGINE_CHECK(options.make_executor != nullptr && options.dataset.train != nullptr);
    return options;
}

LearningRate rateOf(const spec::RunSpec& run) {
    LearningRate rate(run.compile.optimizer);
    for (const spec::ObjectSpec& callback : run.callbacks) {
        const bool sets_rate = callback.class_name == "LearningRateScheduler" || callback.class_name == "ReduceLROnPlateau";
        if (sets_rate && rate.hasSchedule()) {
            throw Error(ErrorCode::kInvalidArgument,
                        "callbacks: " + callback.class_name + " expects an optimizer with a plain learning rate, this one has a schedule");
        }
    }
    return rate;
}

// A worker with parameter servers counts the steps of all: its epochs are so many of them. Its samples come in an order of its own, and
// what callbacks do is the chief's.
spec::RunSpec ownRun(const spec::RunSpec& run, const spec::TaskPlan& task) {
    spec::RunSpec own = run;
    if (task.servers == 0) {
        return own;
    }
    if (run.fit.steps > 0) {
        own.fit.epochs = 1;
        own.fit.steps_per_epoch = run.fit.steps;
    }
    own.fit.seed = spec::orderSeed(run, task);
    if (!task.is_chief) {
        own.callbacks.clear();
    }
    return own;
}

}  // namespace

Trainer::Trainer(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, TrainingObserver& observer,
                 TrainerOptions options)
    : run_(ownRun(run, task)),
      task_(task),
      collective_(collective),
      observer_(observer),
      options_(complete(std::move(options))),
      folder_(options_.run_dir, options_.run_folder),
      callbacks_(run_.callbacks, options_.hooks ? options_.hooks() : Callbacks()),
      backups_(run_, task_, collective_, folder_, observer_),
      rate_(rateOf(run_)),
      batches_(run_, task_, options_.dataset.train),
      executors_(
          run_, task_, collective_,
          {.make_executor = options_.make_executor,
           .threads = options_.threads,
           .connect_devices = options_.connect_devices,
           .servers = options_.servers,
           .served = {.is_chief = task_.is_chief,
                      .restore = [this] { return restoreLastSaved(); },
                      .waits =
                          [this](const std::string& text) {
                              observer_.report(spec::StateChanged{spec::TaskState::kWaiting, text});
                          },
                      .warns = [this](const std::string& text) { log(spec::LogLevel::kWarning, text); },
                      .is_cancelled = options_.is_cancelled,
                      .chief_away_at_most = std::chrono::milliseconds(static_cast<std::int64_t>(run_.cluster.start_timeout_s * 1000))}},
          batches_.largest()),
      evaluator_(run_, task_, collective_, options_.dataset, batches_.heldBack(), executors_),
      looks_{.gradients = {run_, batches_.largest(), options_.make_executor, options_.threads},
             .layers = {run_,
                        task_,
                        collective_,
                        {.make_executor = options_.make_executor, .threads = options_.threads, .connect_devices = options_.connect_devices},
                        batches_.largest()}},
      steps_(rate_),
      progress_(executors_.trainingPlan()),
      controls_(task_, observer_),
      checkpoints_(run_, folder_, observer_) {
    ENGINE_CHECK((collective_ == nullptr ? 1 : collective_->size()) == task_.replicas);
    executors_.requireFit(*options_.dataset.train);
    if (options_.dataset.test != nullptr) {
        executors_.requireFit(*options_.dataset.test);
    }
}

Trainer::~Trainer() = default;

void Trainer::restore(const std::filesystem::path& checkpoint) {
    steps_.goOnAfter(readCheckpoint(checkpoint));
    restored_ = true;
    variablesChanged();
}

void Trainer::variablesChanged() {
    tested_.reset();
    executors_.reload();
}

Metrics Trainer::evaluateTest() {
    if (tested_ && tested_->step == steps_.done()) return tested_->metrics;
    Metrics metrics = evaluator_.test();
    remember(metrics);
    return metrics;
}

Metrics Trainer::measureValidation(const Evaluator::Looked& looked) {
    Metrics metrics = evaluator_.validate(looked);
    if (evaluator_.validatesWithWholeTest()) remember(metrics);
    return metrics;
}

// A task alone decides for itself: replicas must all measure, or none. Weights on servers change without this task's steps.
void Trainer::remember(const Metrics& metrics) {
    if (collective_ == nullptr && executors_.served() == nullptr) tested_ = Tested{steps_.done(), metrics};
}

std::int64_t Trainer::readCheckpoint(const std::filesystem::path& checkpoint) {
    const bool is_keras = exporter::isKerasFileName(checkpoint);
    const auto prefix = is_keras ? std::optional(checkpoint) : exporter::latestCheckpoint(checkpoint);
    if (!prefix) {
        throw Error(ErrorCode::kNotFound,
                    checkpoint.string() + ": expected a checkpoint (PREFIX.index or a folder with a file \"checkpoint\"), found none");
    }
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : executors_.variables().entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
        if (entry.is_slot) std::fill(entry.values.begin(), entry.values.end(), entry.initial);  // those that the file lacks begin anew
    }
    const exporter::RestoredState state = is_keras ? exporter::readKerasWeights(*prefix, run_.model, run_.compile.optimizer, views)
                                                   : exporter::readTfCheckpoint(*prefix, run_.model, views);
    return state.iterations;
}

Logs Trainer::evaluate() {
    if (!evaluator_.validates() && !evaluator_.hasTest()) {
        return {};
    }
    const auto begin = std::chrono::steady_clock::now();
    estimator::EvaluationLines lines(run_.estimator ? run_.estimator->eval_spec.steps.value_or(0) : 0, run_.data.batch_size_per_replica,
                                     [this](const std::string& text) { log(spec::LogLevel::kInfo, text); });
    Metrics metrics = evaluator_.validates() ? measureValidation([&](std::int64_t samples) { lines.looked(samples); }) : evaluateTest();
    if (run_.estimator && run_.estimator->name != "Estimator") {
        if (const auto means = evaluator_.means()) {
            setLog(metrics.logs, "label/mean", means->label);
            setLog(metrics.logs, "prediction/mean", means->prediction);
            if (spec::isBinaryClassifier(run_)) {  // what the more frequent class alone would reach
                setLog(metrics.logs, "accuracy_baseline", std::max(means->label, 1 - means->label));
            }
        }
    }
    clock_.leaveOut(std::chrono::steady_clock::now() - begin);
    Logs told;
    for (const auto& [name, value] : metrics.logs) {
        setLog(told, "val_" + name, value);
    }
    if (reporter_ != nullptr) {
        reporter_->flush();
    }
    observer_.report(spec::EpochEnd{progress_.epoch(), steps_.done(), 0, std::move(told)});
    return metrics.logs;
}

void Trainer::log(spec::LogLevel level, const std::string& text) {
    observer_.report(spec::LogLine{level, text});
}

backend::Variables& Trainer::currentVariables() {
    executors_.sync();
    return executors_.variables();
}

std::vector<GradientProbe::Gradient> Trainer::gradients() {
    if (!looks_.gradients.hasBatch()) {
        return {};
    }
    return looks_.gradients.at(currentVariables());
}

void Trainer::saveCheckpoint(const std::filesystem::path& prefix, std::int32_t epoch, bool best) {
    if (!task_.is_chief && !isEvaluator(task_)) {
        return;
    }
    steps_.lookAt(currentVariables());
    checkpoints_.write(
        prefix, executors_.variables(),
        {.epoch = epoch, .step = steps_.done(), .applied_steps = steps_.applied(), .learning_rate = learningRate(), .best = best});
}

}  // namespace engine::train
