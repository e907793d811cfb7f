// Small data, small models and an observer with memory, for tests of the trainer.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/trainer.h"
#include "tests/support/model_builder.h"

namespace tests::support {

namespace data = engine::data;
namespace spec = engine::spec;

// (size, size) images whose class tells which quarter is bright: learnt in a few steps.
inline std::shared_ptr<const data::Samples> quarterImages(std::int64_t count, std::int64_t size = 8, std::uint32_t salt = 1) {
    auto samples = std::make_shared<data::Samples>();
    samples->source = "quarters";
    samples->label_source = "quarter labels";
    samples->count = count;
    samples->sample_shape = {size, size};
    samples->samples = data::ByteBuffer(static_cast<std::size_t>(count * size * size));
    samples->labels = data::ByteBuffer(static_cast<std::size_t>(count));
    std::uint32_t state = salt * 2654435761U + 1;
    for (std::int64_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        const std::int64_t quarter = state >> 30U;
        samples->labels.data()[i] = static_cast<std::byte>(quarter);
        for (std::int64_t p = 0; p < size * size; ++p) {
            state = state * 1664525U + 1013904223U;
            const std::int64_t here = (p / size >= size / 2 ? 2 : 0) + (p % size >= size / 2 ? 1 : 0);
            samples->samples.data()[i * size * size + p] = static_cast<std::byte>((state >> 25U) + (here == quarter ? 120 : 0));
        }
    }
    return samples;
}

inline spec::RunSpec quarterRun() {
    spec::RunSpec run;
    run.name = "quarters";
    run.model = model(
        {8, 8, 1},
        {layer("Conv2D", "conv2d", {{"filters", std::int64_t{4}}, {"kernel_size", std::int64_t{3}}, {"activation", std::string("relu")}}),
         layer("MaxPooling2D", "max_pooling2d"), layer("Flatten", "flatten"), layer("Dense", "dense", {{"units", std::int64_t{4}}})});
    run.compile = compileWith({"Adam", {{"learning_rate", 0.01}}});
    run.compile.metrics = {"accuracy"};
    run.data.batch_size_per_replica = 16;
    run.data.shuffle = 100;
    run.fit.epochs = 2;
    return run;
}

// One of so many tasks that train together, on the devices of the project's strategy.
inline spec::TaskPlan replica(const spec::RunSpec& run, int rank = 0, int replicas = 1) {
    spec::TaskPlan task;
    task.task = {"worker", rank};
    task.is_chief = rank == 0;
    task.rank = rank;
    task.replicas = replicas;
    task.devices.clear();
    for (const spec::DeviceName& device : spec::devicesOf(run.strategy)) {
        task.devices.push_back(toString(device));
    }
    task.global_batch_size = run.data.batch_size_per_replica * replicas * static_cast<std::int64_t>(task.devices.size());
    return task;
}

// Keeps every event; answers takeControl from a queue, whose entries may be tied to a step.
class RecordingObserver final : public engine::train::TrainingObserver {
public:
    void report(spec::EventBody body) override {
        const std::lock_guard lock(mutex_);
        if (const auto* state = std::get_if<spec::StateChanged>(&body); state != nullptr && when_state_) {
            if (auto control = when_state_(*state)) {
                controls_.push_back(*control);
                told_.notify_all();
            }
        }
        events_.push_back(std::move(body));
    }
    std::optional<spec::Control> takeControl(std::chrono::milliseconds wait) override {
        std::unique_lock lock(mutex_);
        ++asked_;
        if (ask_after_ && asked_ > *ask_after_) {
            ask_after_.reset();
            return first_;
        }
        if (wait.count() > 0) {
            told_.wait_for(lock, wait, [&] { return !controls_.empty(); });
        }
        if (controls_.empty()) {
            return std::nullopt;
        }
        const spec::Control control = controls_.front();
        controls_.pop_front();
        return control;
    }
    // `control` is asked for before step `step` (from 1).
    void askBeforeStep(std::int64_t step, spec::Control control) {
        ask_after_ = step - 1;
        first_ = control;
    }
    // Answers a state with a control.
    void whenState(std::function<std::optional<spec::Control>(const spec::StateChanged&)> answer) { when_state_ = std::move(answer); }

    template <typename Body>
    std::vector<Body> all() const {
        const std::lock_guard lock(mutex_);
        std::vector<Body> found;
        for (const spec::EventBody& body : events_) {
            if (const auto* one = std::get_if<Body>(&body)) {
                found.push_back(*one);
            }
        }
        return found;
    }
    std::vector<spec::TaskState> states() const {
        std::vector<spec::TaskState> states;
        for (const auto& change : all<spec::StateChanged>()) {
            states.push_back(change.state);
        }
        return states;
    }
    std::vector<float> column(const std::string& name) const {
        std::vector<float> values;
        for (const auto& pack : all<spec::StepPoints>()) {
            for (const auto& one : pack.columns) {
                if (one.name == name) {
                    values.insert(values.end(), one.values.begin(), one.values.end());
                }
            }
        }
        return values;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable told_;
    std::vector<spec::EventBody> events_;
    std::deque<spec::Control> controls_;
    std::int64_t asked_ = 0;
    std::optional<std::int64_t> ask_after_;
    spec::Control first_;
    std::function<std::optional<spec::Control>(const spec::StateChanged&)> when_state_;
};

inline double result(const engine::train::FitOutcome& outcome, const std::string& name) {
    const double* value = engine::train::findLog(outcome.finished.results, name);
    return value == nullptr ? -1 : *value;
}

}  // namespace tests::support
