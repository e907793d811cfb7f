// One evaluation after another of the same run: what each prints, the event file that TensorBoard reads, and the models that it exports.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/export/event_file.h"
#include "engine/spec/project/estimator_spec.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train::estimator {

// Owned by the session or the evaluator that evaluates; one thread.
class Evaluations {
public:
    // `eval` with a name writes below "eval_<name>" of the run's folder, else below "eval".
    explicit Evaluations(spec::EvalSpec eval) : eval_(std::move(eval)) {}

    // Evaluates the weights as they are, those after global step `step`: logs what TensorFlow's estimators log, writes the event file, and
    // lets the exporters write. `checkpoint`: where the weights come from, for the log. Answers what was measured, "global_step" among it.
    Logs run(TrainingContext& context, std::int64_t step, const std::string& checkpoint = "");
    // Training is over, and the last evaluation was of its last weights.
    void finish(TrainingContext& context, std::int64_t step);

private:
    void write(TrainingContext& context, std::int64_t step, const Logs& logs);
    void exportModels(TrainingContext& context, std::int64_t step, const Logs& logs);
    void exportModel(TrainingContext& context, const spec::ObjectSpec& exporter, std::int64_t step);

    const spec::EvalSpec eval_;
    std::optional<exporter::EventFile> file_;
    std::optional<double> best_loss_;
    std::map<std::string, std::vector<std::filesystem::path>> exported_;  // by exporter, oldest first, below the run's folder
};

// "average_loss = 0.5, global_step = 10, loss = 0.5": sorted by name, numbers as Python prints float32.
std::string resultText(const Logs& logs);

}  // namespace engine::train::estimator
