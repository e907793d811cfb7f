// Construction, evaluation, prediction, checkpoints. The training loop is in trainer_fit.cpp.
#include "engine/train/trainer.h"

#include <algorithm>
#include <utility>

#include "engine/backend/device_group.h"
#include "engine/backend/initialize.h"
#include "engine/export/keras_file.h"
#include "engine/export/tf_checkpoint.h"
#include "engine/plan/metric.h"
#include "engine/plan/optimizer.h"
#include "engine/spec/error.h"
#include "engine/train/task_plans.h"

namespace engine::train {
namespace {

constexpr std::int64_t kGoodEvaluationBatch = 256;                     // fewer samples keep the kernels from their speed
constexpr std::int64_t kFreeEvaluationBytes = std::int64_t{32} << 20;  // nobody minds that much

bool isAccuracy(const plan::MetricAttributes& metric) {
    return metric.kind <= plan::MetricKind::kSparseCategoricalAccuracy;
}

void addHeader(const backend::StepResult& result, std::vector<double>& totals) {
    std::transform(totals.begin(), totals.end(), result.header.begin(), totals.begin(),
                   [](double sum, float value) { return sum + value; });
}

std::shared_ptr<const files::SafeFolder> opened(const TrainerOptions& options) {
    if (options.run_folder != nullptr || options.run_dir.empty()) {
        return options.run_folder;
    }
    return std::make_shared<const files::SafeFolder>(files::SafeFolder::make(options.run_dir));
}

}  // namespace

Trainer::Trainer(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, TrainingObserver& observer,
                 TrainerOptions options)
    : run_(run),
      task_(task),
      collective_(collective),
      observer_(observer),
      options_(std::move(options)),
      run_folder_(opened(options_)),
      callbacks_(makeCallbacks(run.callbacks)),
      backup_(BackupAndRestore::ofRun(run)),
      rate_(run.compile.optimizer) {
    ENGINE_CHECK(options_.make_executor != nullptr && options_.dataset.train != nullptr);
    ENGINE_CHECK((collective_ == nullptr ? 1 : collective_->size()) == task_.replicas);
    for (const spec::ObjectSpec& callback : run_.callbacks) {
        if (callback.class_name != "BackupAndRestore") {
            callback_names_.push_back(callback.class_name);
        }
        const bool sets_rate = callback.class_name == "LearningRateScheduler" || callback.class_name == "ReduceLROnPlateau";
        if (sets_rate && rate_.hasSchedule()) {
            throw Error(ErrorCode::kInvalidArgument,
                        "callbacks: " + callback.class_name + " expects an optimizer with a plain learning rate, this one has a schedule");
        }
    }
    split_ = data::splitTraining(run_.data, options_.dataset.train->count);
    pipeline_ = std::make_unique<data::Pipeline>(
        data::trainingPipeline(run_.data, options_.dataset.train, split_.train, data::shareOf(run_, task_)));

    const std::int64_t batch = (pipeline_->largestBatch() + devices() - 1) / devices();
    train_plan_ = std::make_unique<plan::Plan>(trainingPlan(run_, task_, 0, batch));
    evaluation_plan_ = std::make_unique<plan::Plan>(evaluationPlan());
    classes_ = evaluation_plan_->tensors[static_cast<std::size_t>(evaluation_plan_->output)].shape.back();
    data::checkAgainstModel(*options_.dataset.train, run_.model.input_shape, labelNeed(*evaluation_plan_));
    if (options_.dataset.test != nullptr) {
        data::checkAgainstModel(*options_.dataset.test, run_.model.input_shape, labelNeed(*evaluation_plan_));
    }
    variables_ = std::make_unique<backend::Variables>(*train_plan_);
    epoch_totals_ = step_totals_ = zeroTotals(*train_plan_);
    for (const auto& callback : callbacks_) {
        callbacks_want_steps_ = callbacks_want_steps_ || callback->wantsSteps();
    }
}

Trainer::~Trainer() = default;

std::unique_ptr<backend::Executor> Trainer::makeExecutor(const plan::Plan& first, std::span<std::byte> region) {
    if (devices() == 1) {
        distribute::Collective* collective = first.training ? collective_ : nullptr;
        return options_.make_executor(first, *variables_, {.threads = options_.threads, .collective = collective, .region = region});
    }
    std::vector<plan::Plan> plans{first};
    while (plans.size() < task_.devices.size()) {
        plans.push_back(first.training ? trainingPlan(run_, task_, plans.size(), first.batch)
                                       : forwardPlan(run_, task_, plans.size(), first.batch));
    }
    return backend::makeDeviceGroup(options_.make_executor, plans, *variables_,
                                    {.devices = task_.devices,
                                     .threads = options_.threads,
                                     .between = first.training ? collective_ : nullptr,
                                     .region = region,
                                     .connect = options_.connect_devices,
                                     .loss = {}});
}

// Of a large batch, as long as it needs no more memory than training does.
plan::Plan Trainer::evaluationPlan() const {
    const std::int64_t least = train_plan_->batch;
    for (std::int64_t batch = std::max(kGoodEvaluationBatch, least);; batch = std::max(batch / 2, least)) {
        plan::Plan plan = forwardPlan(run_, task_, 0, batch);
        if (batch == least || plan.private_bytes <= std::max(train_plan_->private_bytes, kFreeEvaluationBytes)) {
            return plan;
        }
    }
}

std::string Trainer::describeExecutor() const {
    return executor_ == nullptr ? "" : executor_->describe();
}

std::string Trainer::planText() const {
    return executor_ == nullptr ? "" : executor_->planText();
}

void Trainer::restore(const std::filesystem::path& checkpoint) {
    const bool is_keras = exporter::isKerasFileName(checkpoint);
    const auto prefix = is_keras ? std::optional(checkpoint) : exporter::latestCheckpoint(checkpoint);
    if (!prefix) {
        throw Error(ErrorCode::kNotFound,
                    checkpoint.string() + ": expected a checkpoint (PREFIX.index or a folder with a file \"checkpoint\"), found none");
    }
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : variables_->entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
        if (entry.is_slot) std::fill(entry.values.begin(), entry.values.end(), entry.initial);  // those that the file lacks begin anew
    }
    const exporter::RestoredState state = is_keras ? exporter::readKerasWeights(*prefix, run_.model, run_.compile.optimizer, views)
                                                   : exporter::readTfCheckpoint(*prefix, run_.model, views);
    iterations_ = state.iterations;
    left_out_ = 0;
    restored_ = true;
    if (executor_ != nullptr) {
        executor_->reloadVariables();
    }
    if (evaluation_executor_ != nullptr) {
        evaluation_executor_->reloadVariables();
    }
}

backend::Executor& Trainer::evaluationExecutor() {
    if (executor_ != nullptr) {
        executor_->syncVariables();
    }
    if (evaluation_executor_ == nullptr) {
        evaluation_executor_ = makeExecutor(*evaluation_plan_, {});
    }
    evaluation_executor_->reloadVariables();
    return *evaluation_executor_;
}

Metrics Trainer::evaluateTest() {
    if (options_.dataset.test == nullptr) {
        throw Error(ErrorCode::kFailedPrecondition, "data: the set \"" + options_.dataset.name + "\" has no test samples to evaluate with");
    }
    return evaluate(options_.dataset.test, {0, static_cast<std::uint32_t>(options_.dataset.test->count)});
}

Metrics Trainer::evaluate(const std::shared_ptr<const data::Samples>& samples, data::Extent part) {
    data::Pipeline pipeline =
        data::evaluationPipeline(run_.data, samples, part, task_.replicas, task_.rank, evaluation_plan_->batch * devices());
    backend::Executor& executor = evaluationExecutor();
    Totals mine = zeroTotals(*evaluation_plan_);
    tensor::BatchView view;
    while (pipeline.next(view)) {
        addHeader(executor.evaluateStep(view), mine);
    }
    Totals sum = mine;
    if (collective_ != nullptr) {
        Totals all(mine.size() * static_cast<std::size_t>(collective_->size()));
        collective_->allGather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::size_t i = 0; i < all.size(); ++i) {
            sum[i % sum.size()] += all[i];
        }
    }
    const std::vector<plan::NamedMetric>& metrics = evaluation_plan_->metrics;
    const auto accuracy = std::find_if(metrics.begin(), metrics.end(), [](const auto& metric) { return isAccuracy(metric.attributes); });
    return {.loss = plan::lossValue(sum),
            .accuracy = accuracy == metrics.end() ? 0 : plan::metricValue(accuracy->attributes, sum),
            .samples = static_cast<std::int64_t>(sum[plan::StepHeader::kCount]),
            .logs = logsOf(metrics, sum)};
}

// Samples that validation_steps batches hold, or all. How they are batched here is the evaluation's own choice.
data::Extent Trainer::validated(data::Extent part) const {
    if (run_.fit.validation_steps > 0) {
        const std::int64_t batch = run_.fit.validation_batch_size > 0 ? run_.fit.validation_batch_size : task_.global_batch_size;
        const std::int64_t all = part.end - part.begin;
        const bool fewer = run_.fit.validation_steps < (all + batch - 1) / batch;
        part.end = fewer ? part.begin + static_cast<std::uint32_t>(run_.fit.validation_steps * batch) : part.end;
    }
    return part;
}

bool Trainer::hasValidation() const {
    return split_.validation.begin < split_.validation.end || (run_.data.validate_on_test && options_.dataset.test != nullptr);
}

std::optional<Metrics> Trainer::validate() {
    if (split_.validation.begin < split_.validation.end) {
        return evaluate(options_.dataset.train, validated(split_.validation));
    }
    if (run_.data.validate_on_test && options_.dataset.test != nullptr) {
        return evaluate(options_.dataset.test, validated({0, static_cast<std::uint32_t>(options_.dataset.test->count)}));
    }
    return std::nullopt;
}

std::vector<float> Trainer::predict(const std::shared_ptr<const data::Samples>& samples, data::Extent part) {
    data::Pipeline pipeline = data::evaluationPipeline(run_.data, samples, part, 1, 0, evaluation_plan_->batch * devices());
    backend::Executor& executor = evaluationExecutor();
    const plan::TensorDesc& output = evaluation_plan_->tensors[static_cast<std::size_t>(evaluation_plan_->output)];
    const auto width = static_cast<std::size_t>(plan::elementCount(output) / evaluation_plan_->batch);
    std::vector<float> outputs(static_cast<std::size_t>(part.end - part.begin) * width);
    std::span<float> rest(outputs);
    tensor::BatchView view;
    while (pipeline.next(view)) {
        const std::size_t floats = view.indices.size() * width;
        executor.predictStep(view, rest.first(floats));
        rest = rest.subspan(floats);
    }
    return outputs;
}

Trainer::Totals Trainer::zeroTotals(const plan::Plan& plan) const {
    return Totals(static_cast<std::size_t>(plan::elementCount(plan.tensors[static_cast<std::size_t>(plan.header)])), 0.0);
}

// Sorted by name, as Keras does.
Logs Trainer::logsOf(const std::vector<plan::NamedMetric>& metrics, const Totals& totals) const {
    Logs logs{{"loss", plan::lossValue(totals)}};
    for (const plan::NamedMetric& metric : metrics) {
        logs.emplace_back(metric.name, plan::metricValue(metric.attributes, totals));
    }
    std::sort(logs.begin(), logs.end());
    return logs;
}

Logs Trainer::runningLogs() const {
    return logsOf(train_plan_->metrics, epoch_totals_);
}

void Trainer::log(spec::LogLevel level, const std::string& text) {
    observer_.report(spec::LogLine{level, text});
}

std::string Trainer::relativeToRun(const std::filesystem::path& path) const {
    const std::filesystem::path relative = path.lexically_relative(options_.run_dir);
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

const files::SafeFolder& Trainer::runFolder() const {
    ENGINE_CHECK(run_folder_ != nullptr);
    return *run_folder_;
}

files::Place Trainer::placeOf(const std::filesystem::path& file) const {
    return {runFolder(), file.lexically_relative(options_.run_dir)};
}

backend::Variables& Trainer::currentVariables() {
    if (executor_ != nullptr) {
        executor_->syncVariables();
    }
    return *variables_;
}

void Trainer::variablesChanged() {
    if (executor_ != nullptr) {
        executor_->reloadVariables();
    }
}

std::vector<GradientProbe::Gradient> Trainer::gradients() {
    if (last_batch_.indices.empty()) {
        return {};
    }
    if (gradient_probe_ == nullptr) {
        gradient_probe_ = std::make_unique<GradientProbe>(run_, pipeline_->largestBatch(), options_.make_executor, options_.threads);
    }
    return gradient_probe_->at(currentVariables(), last_batch_, last_control_);
}

void Trainer::saveCheckpoint(const std::filesystem::path& prefix, std::int32_t epoch, bool best) {
    if (!task_.is_chief) {
        return;
    }
    if (executor_ != nullptr) {
        executor_->syncVariables();
        countLeftOut();
    }
    const auto begin = std::chrono::steady_clock::now();
    exporter::CheckpointContents contents;
    contents.model = &run_.model;
    contents.optimizer = run_.compile.optimizer;
    for (const backend::Variables::Entry& entry : variables_->entries()) {
        contents.variables.push_back({entry.name, entry.shape, entry.values});
    }
    contents.iterations = appliedSteps();
    contents.learning_rate = learningRate();
    contents.save_counter = save_counter_ + 1;
    std::int64_t bytes = 0;
    std::vector<std::string> prefixes = saved_prefixes_;
    std::erase(prefixes, prefix.string());
    prefixes.push_back(prefix.string());
    try {
        const files::Place place = placeOf(prefix);
        place.parent().makeFolder();
        if (exporter::isKerasFileName(prefix)) {
            bytes = exporter::writeKerasFile(place, contents, run_.compile);
            prefixes = saved_prefixes_;  // the folder's file `checkpoint` names TensorFlow's alone
        } else {
            bytes = exporter::writeTfCheckpoint(place, contents);
            exporter::writeCheckpointState(place.parent(), prefixes);
        }
    } catch (const Error& error) {
        failed_prefix_ = prefix;
        failed_because_ = error.what();
        log(spec::LogLevel::kError,
            "the checkpoint " + relativeToRun(prefix) + " could not be written: " + error.what() + "; earlier checkpoints are unchanged");
        return;
    }
    ++save_counter_;
    failed_prefix_.clear();
    saved_prefixes_ = std::move(prefixes);
    last_saved_ = relativeToRun(prefix);
    last_saved_step_ = iterations_;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    observer_.report(spec::CheckpointSaved{last_saved_, epoch, iterations_, bytes, seconds.count(), best});
}

}  // namespace engine::train
