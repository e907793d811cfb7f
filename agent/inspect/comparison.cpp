#include "agent/inspect/comparison.h"

#include <cmath>
#include <vector>

#include "agent/worker/project_loader.h"
#include "engine/backend/executor.h"
#include "engine/export/keras_file.h"
#include "engine/plan/compile.h"
#include "engine/plan/traffic.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/train/task_plans.h"

namespace agent::worker {

namespace backend = engine::backend;
namespace exporter = engine::exporter;
namespace spec = engine::spec;

namespace {

void readInto(backend::Variables& variables, const std::string& checkpoint, const spec::ModelSpec& model) {
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
    }
    exporter::readWeights(checkpoint, model, views);
}

}  // namespace

spec::StepTraffic stepTraffic(const spec::RunSpec& run) {
    requireValid(run);
    const spec::TaskPlan task = spec::planTasks(run).front();
    return {engine::plan::trafficOfStep(engine::train::trainingPlan(run, task, 0, run.data.batch_size_per_replica))};
}

spec::WeightDifference weightDifference(const spec::EngineQuestion& question, const spec::WeightsQuestion& asked) {
    const spec::RunSpec run = modelAlone(question);
    const engine::plan::Plan plan = engine::plan::compile(run, {.batch = 1, .training = false});
    backend::Variables values(plan), reference(plan);
    readInto(values, asked.checkpoint, run.model);
    readInto(reference, asked.reference, run.model);
    spec::WeightDifference found;
    for (std::size_t i = 0; i < values.entries().size(); ++i) {
        const backend::Variables::Entry& entry = values.entries()[i];
        addDifference(found, entry.name, entry.values, reference.entries()[i].values);
    }
    return found;
}

void addDifference(spec::WeightDifference& found, const std::string& variable, std::span<const float> values,
                   std::span<const float> reference) {
    ENGINE_CHECK(values.size() == reference.size());
    double distance = found.distance * found.distance, norm = found.norm * found.norm;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double a = values[i], b = reference[i], difference = std::abs(a - b);
        ++found.values;
        if (!std::isfinite(a) || !std::isfinite(b)) {
            const bool is_same = a == b || (std::isnan(a) && std::isnan(b));
            found.not_finite += is_same ? 0 : 1;
            continue;
        }
        distance += difference * difference;
        norm += b * b;
        if (difference > found.largest) {
            found.largest = difference;
            found.variable = variable;
        }
    }
    found.distance = std::sqrt(distance);
    found.norm = std::sqrt(norm);
}

}  // namespace agent::worker
