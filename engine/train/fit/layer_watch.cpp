#include "engine/train/fit/layer_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "engine/plan/optimizer.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/error.h"

namespace engine::train {
namespace {

constexpr std::string_view kSlot = ":momentum";
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

spec::RunSpec twinOf(const spec::RunSpec& run) {
    spec::RunSpec twin = run;
    twin.compile.optimizer = {"SGD", {{"learning_rate", 1.0}, {"momentum", 0.5}}};
    return twin;
}

// A worker with parameter servers is alone with its gradients.
spec::TaskPlan aloneIfServed(spec::TaskPlan task) {
    if (task.servers > 0) {
        task.servers = task.coordinated_workers = 0;
        task.replicas = 1;
    }
    return task;
}

// Among tasks with parameter servers one speaks for all.
bool tells(const spec::TaskPlan& task) {
    return task.coordinated_workers > 0 ? task.task == spec::TaskId{"worker", 0} : task.is_chief;
}

bool measures(const spec::RunSpec& run, const spec::TaskPlan& task) {
    return run.fit.histogram_freq > 0 && spec::isTrainer(task) && !spec::coordinates(task) && (task.servers == 0 || tells(task));
}

struct Sum {
    double squares = 0;  // of finite values
    std::int64_t not_finite = 0;

    // Adds value(0) ... value(count - 1), in lanes, which the compiler turns into vectors; squares of floats don't overflow a double, so
    // that the sum tells if there is a value to count as not finite.
    template <typename Value>
    void add(std::size_t count, Value value) {
        constexpr std::size_t kLanes = 16;
        double lanes[kLanes] = {};
        std::size_t i = 0;
        for (; i + kLanes <= count; i += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const auto one = static_cast<double>(value(i + lane));
                lanes[lane] += one * one;
            }
        }
        double sum = 0;
        for (; i < count; ++i) sum += static_cast<double>(value(i)) * static_cast<double>(value(i));
        for (const double lane : lanes) sum += lane;
        if (std::isfinite(sum)) {
            squares += sum;
            return;
        }
        for (i = 0; i < count; ++i) {
            const auto one = static_cast<double>(value(i));
            squares += std::isfinite(one) ? one * one : 0;
            not_finite += std::isfinite(one) ? 0 : 1;
        }
    }
    void add(std::span<const float> values) {
        add(values.size(), [values](std::size_t i) { return values[i]; });
    }
};

const backend::Variables::Entry* findEntry(const backend::Variables& variables, std::string_view name) {
    const auto at = std::ranges::find(variables.entries(), name, &backend::Variables::Entry::name);
    return at == variables.entries().end() ? nullptr : &*at;
}

// 0 where the loss is not scaled.
float lossScale(const backend::Variables& variables) {
    const backend::Variables::Entry* scale = findEntry(variables, spec::kDynamicScale);
    return scale == nullptr ? 0 : scale->values[0];
}

}  // namespace

std::int64_t nextMeasuredStep(std::int64_t done, std::int64_t update_every) {
    constexpr std::int64_t kFirst[] = {1, 2, 5, 10, 20, 50}, kOften = 100, kRarelyFrom = 1000, kRarely = 500;
    const auto updating = [&](std::int64_t step) { return (step + update_every - 1) / update_every * update_every; };
    for (const std::int64_t step : kFirst) {
        if (updating(step) > done) {
            return updating(step);
        }
    }
    const std::int64_t every = done < kRarelyFrom ? kOften : kRarely;
    return updating((done / every + 1) * every);
}

LayerWatch::LayerWatch(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, LayerWatchOptions options,
                       std::int64_t batch)
    : run_(twinOf(run)),
      task_(aloneIfServed(task)),
      collective_(task.servers > 0 ? nullptr : collective),
      options_(std::move(options)),
      batch_(batch),
      update_every_(std::max<std::int64_t>(1, plan::updateRule(run.compile.optimizer).accumulation_steps)),
      measures_(measures(run, task)),
      tells_(tells(task)) {}

LayerWatch::~LayerWatch() = default;

void LayerWatch::begin(std::int64_t done, std::span<std::byte> region) {
    region_ = region;
    next_ = measures_ ? nextMeasuredStep(done, update_every_) : 0;
}

std::int64_t LayerWatch::stepsUntilDue(std::int64_t done) const {
    return next_ == 0 ? std::numeric_limits<std::int64_t>::max() : std::max<std::int64_t>(1, next_ - done);
}

std::size_t LayerWatch::placeOf(const std::string& layer) {
    const auto [place, is_new] = places_.emplace(layer, layers_.size());
    if (is_new) layers_.push_back({.layer = layer});
    return place->second;
}

void LayerWatch::findVariables() {
    const plan::Plan& plan = twin_->trainingPlan();
    for (const plan::TensorId id : plan::parametersOf(plan)) {
        const plan::TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
        variables_.push_back({.name = tensor.name, .layer = placeOf(tensor.layer), .before = {}});
    }
}

void LayerWatch::look(const backend::Variables& now, const tensor::BatchView& batch, const backend::StepControl& control) {
    const bool is_first = twin_ == nullptr;
    if (is_first) {
        twin_ = std::make_unique<TaskExecutors>(
            run_, task_, collective_,
            TaskExecutorsOptions{
                .make_executor = options_.make_executor, .threads = options_.threads, .connect_devices = options_.connect_devices},
            batch_);
        ENGINE_CHECK(static_cast<std::size_t>(twin_->trainingPlan().shared_bytes) <= region_.size() || collective_ == nullptr);
    }
    backend::Variables& own = twin_->variables();
    for (const backend::Variables::Entry& entry : own.entries()) {
        if (entry.is_slot && entry.name.ends_with(kSlot)) {
            std::ranges::fill(entry.values, 0.0F);
        } else {
            std::ranges::copy(now.values(entry.name), entry.values.begin());
        }
    }
    const float scale = lossScale(own);
    if (is_first) {
        twin_->startTraining(region_);
    } else {
        twin_->reload();
    }
    backend::StepControl step = control;
    step.learning_rate = 1;
    step.control = step.control_value = 0;
    tensor::BatchView view = batch;
    view.set = 0;  // no executor keeps the whole data set for a step in a hundred
    view.count = 0;
    twin_->training().trainStep(view, step);
    if (!tells_) {
        return;
    }
    twin_->sync();

    layers_.clear();
    places_.clear();
    variables_.clear();
    findVariables();
    const bool is_left_out = lossScale(own) < scale;  // the gradients of the scaled loss are too large: no step is taken with them
    std::vector<Sum> gradients(layers_.size()), weights(layers_.size());
    for (Variable& variable : variables_) {
        const std::span<const float> values = now.values(variable.name);
        variable.before.assign(values.begin(), values.end());
        weights[variable.layer].add(values);
        gradients[variable.layer].add(own.values(variable.name + std::string(kSlot)));
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        layers_[i].gradient_norm = is_left_out ? kNan : std::sqrt(gradients[i].squares);
        layers_[i].gradient_not_finite = gradients[i].not_finite;
        layers_[i].weights_norm = std::sqrt(weights[i].squares);
    }
    if (is_first) {
        dead_ = std::make_unique<DeadUnits>(run_, batch_, options_.make_executor, options_.threads);
    }
    const DeadUnits::Counts counts = dead_->at(now, view);
    samples_ = counts.samples;
    const std::size_t trained = layers_.size();
    for (const DeadUnits::Count& count : counts.layers) {
        const std::size_t place = placeOf(count.layer);
        if (place >= trained) layers_[place].gradient_norm = kNan;  // nothing of it is trained
        layers_[place].units += count.units;
        layers_[place].dead_units += count.dead;
    }
}

std::optional<spec::LayerReport> LayerWatch::report(std::int64_t step, std::int32_t epoch, const backend::Variables& now) {
    next_ = nextMeasuredStep(step, update_every_);
    if (!tells_) {
        return std::nullopt;
    }
    std::vector<Sum> updates(layers_.size()), after(layers_.size());
    for (const Variable& variable : variables_) {
        const std::span<const float> values = now.values(variable.name);
        after[variable.layer].add(values);
        updates[variable.layer].add(
            values.size(), [&](std::size_t i) { return static_cast<double>(values[i]) - static_cast<double>(variable.before[i]); });
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        layers_[i].update_norm = std::sqrt(updates[i].squares);
        layers_[i].weights_not_finite = after[i].not_finite;
    }
    return spec::LayerReport{.epoch = epoch, .step = step, .samples = samples_, .layers = layers_};
}

}  // namespace engine::train
