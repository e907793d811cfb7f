// Losses and metrics through a whole executor: a model whose output is any given matrix, or an activation of it. Sample i is the i-th unit
// vector, so that a Dense layer without bias puts out row i of its kernel; its gradient is that of the scores, and SGD with rate 1 takes
// exactly it off.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "tests/support/model_builder.h"

namespace tests::support {

using MakeExecutor = std::function<std::unique_ptr<engine::backend::Executor>(const engine::plan::Plan&, engine::backend::Variables&,
                                                                              const engine::backend::ExecutorOptions&)>;

struct Scores {
    std::int64_t samples = 0, columns = 0;
    std::vector<float> values;          // (samples, columns)
    std::vector<std::int64_t> shape{};  // of a sample; empty: (columns)
    std::string activation = "linear";  // what makes the model's output of them
    double penalty = 0;                 // of the output: times the sum of its squares
    bool penalised_behind = false;      // by a layer of its own
};

// The labels of a batch: integers (one a sample) or float32 of the scores' shape.
struct Labels {
    std::vector<std::int32_t> classes{};
    std::vector<float> values{};
    std::vector<float> weights{};  // of samples; empty: none
};

class ScoreRig {
public:
    ScoreRig(const MakeExecutor& make, engine::spec::CompileSpec compile, const Scores& scores, bool training, bool weighted,
             bool fuse = true)
        : scores_(scores), plan_(makePlan(std::move(compile), scores, training, weighted, fuse)), variables_(plan_) {
        setScores(scores.values);
        executor_ = make(plan_, variables_, {});
        executor_->reloadVariables();
        for (std::int64_t i = 0; i < scores.samples; ++i) {
            indices_.push_back(static_cast<std::uint32_t>(i));
            for (std::int64_t k = 0; k < scores.samples; ++k) input_.push_back(i == k ? 1.0F : 0.0F);
        }
    }

    const engine::plan::Plan& plan() const { return plan_; }
    void setScores(const std::vector<float>& values) {
        std::copy(values.begin(), values.end(), variables_.values("dense/kernel").begin());
        if (executor_ != nullptr) executor_->reloadVariables();
    }

    // `labels` must outlive the step.
    engine::backend::StepResult step(const Labels& labels) {
        engine::tensor::BatchView view{.samples = reinterpret_cast<const std::byte*>(input_.data()),
                                       .sample_dtype = engine::tensor::DType::kFloat32,
                                       .sample_elements = scores_.samples};
        if (labels.values.empty()) {
            view.labels = reinterpret_cast<const std::byte*>(labels.classes.data());
            view.label_dtype = engine::tensor::DType::kInt32;
            view.label_elements = static_cast<std::int64_t>(labels.classes.size()) / scores_.samples;
        } else {
            view.labels = reinterpret_cast<const std::byte*>(labels.values.data());
            view.label_dtype = engine::tensor::DType::kFloat32;
            view.label_elements = static_cast<std::int64_t>(labels.values.size()) / scores_.samples;
        }
        if (!labels.weights.empty()) view.sample_weights = labels.weights.data();
        view.indices = indices_;
        return plan_.training ? executor_->trainStep(view, {.learning_rate = 1}) : executor_->evaluateStep(view);
    }

    // Returns the gradient of the scores, after the first training step.
    std::vector<float> gradient() {
        executor_->syncVariables();
        std::vector<float> result;
        const auto after = variables_.values("dense/kernel");
        for (std::size_t i = 0; i < after.size(); ++i) result.push_back(scores_.values[i] - after[i]);
        return result;
    }

private:
    static engine::plan::Plan makePlan(engine::spec::CompileSpec compile, const Scores& scores, bool training, bool weighted, bool fuse) {
        engine::spec::RunSpec run;
        std::vector<engine::spec::LayerSpec> layers{
            layer("Dense", "dense", {{"units", scores.columns}, {"use_bias", false}, {"activation", scores.activation}})};
        if (scores.penalty != 0 && scores.penalised_behind) {
            layers.push_back(layer("ActivityRegularization", "size", {{"l2", scores.penalty}}));
        } else if (scores.penalty != 0) {
            layers.front().config.set("activity_regularizer", engine::spec::ObjectBox({"L2", {{"l2", scores.penalty}}}));
        }
        if (!scores.shape.empty()) layers.push_back(layer("Reshape", "reshape", {{"target_shape", scores.shape}}));
        run.model = model({scores.samples}, std::move(layers));
        run.compile = std::move(compile);
        run.compile.optimizer = {"SGD", {{"learning_rate", 1.0}}};
        if (weighted) run.fit.class_weight = {{0, 1.0}};
        return engine::plan::compile(run, {.batch = scores.samples, .training = training, .fuse = fuse});
    }

    const Scores scores_;
    engine::plan::Plan plan_;
    engine::backend::Variables variables_;
    std::unique_ptr<engine::backend::Executor> executor_;
    std::vector<float> input_;
    std::vector<std::uint32_t> indices_;
};

}  // namespace tests::support
