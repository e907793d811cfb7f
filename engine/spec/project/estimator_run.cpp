#include "engine/spec/project/estimator_run.h"

#include <algorithm>
#include <limits>

namespace engine::spec {

RunSpec trainedRun(const RunSpec& run) {
    if (!run.estimator) {
        return run;
    }
    const EstimatorSpec& estimator = *run.estimator;
    RunSpec trained = run;
    trained.callbacks.clear();
    if (estimator.run_config.saves_checkpoints) {
        ObjectSpec backup{"BackupAndRestore", {}};
        if (estimator.run_config.save_checkpoints_steps) {
            backup.config.set("save_freq", *estimator.run_config.save_checkpoints_steps);
        }
        trained.callbacks.push_back(std::move(backup));
    }
    trained.data.validate_on_test = true;
    FitSpec& fit = trained.fit;
    fit.epochs = 1;
    fit.initial_epoch = 0;
    fit.steps = 0;
    fit.steps_per_epoch = 0;
    fit.validation_epochs.clear();
    fit.validation_freq = std::numeric_limits<std::int32_t>::max();  // its one epoch ends without
    fit.validation_steps = estimator.eval_spec.steps.value_or(0);
    fit.seed = estimator.run_config.tf_random_seed.value_or(fit.seed);
    return trained;
}

void useEstimator(RunSpec& run) {
    if (run.estimator) {
        return;
    }
    run.estimator.emplace();
    if (run.fit.steps > 0) {
        run.estimator->train_spec = {.max_steps = run.fit.steps, .input_repeats = 0};
        run.fit.steps = 0;
    }
}

std::int64_t estimatorSteps(const RunSpec& run, std::int64_t steps_per_pass) {
    const TrainSpec& spec = run.estimator->train_spec;
    const std::int64_t most = spec.max_steps.value_or(std::numeric_limits<std::int64_t>::max());
    if (spec.input_repeats == 0) {
        return most;
    }
    const std::int64_t passes = steps_per_pass > most / spec.input_repeats ? most : steps_per_pass * spec.input_repeats;
    return std::min(most, passes);
}

}  // namespace engine::spec
