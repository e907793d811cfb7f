#include <gtest/gtest.h>

#include "engine/spec/project/estimator_run.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

RunSpec estimatorRun() {
    RunSpec run;
    run.model.input_shape = {4};
    run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{3}}}}};
    run.compile.loss = {"SparseCategoricalCrossentropy", {{"from_logits", true}}};
    run.estimator.emplace();
    return run;
}

RunSpec parsed(const std::string& section) {
    const ProjectReport report = parseProject(R"({"version": 1, "estimator": )" + section + "}");
    EXPECT_TRUE(report.diagnostics.empty()) << section << ": " << toString(report.diagnostics.front());
    return report.run;
}

// The first error about the estimator; empty when there is none.
std::string verdict(const RunSpec& run) {
    for (const Diagnostic& one : validate(run)) {
        if (one.severity == Severity::kError && one.path.starts_with("estimator")) return one.path + ": " + one.message;
    }
    return {};
}

TEST(EstimatorSpec, HasTensorFlowsDefaults) {
    const RunSpec run = parsed("{}");
    ASSERT_TRUE(run.estimator);
    EXPECT_EQ(*run.estimator, EstimatorSpec());
    EXPECT_EQ(run.estimator->run_config.keep_checkpoint_max, 5);
    EXPECT_EQ(run.estimator->eval_spec.steps, 100);
    EXPECT_EQ(run.estimator->eval_spec.throttle_secs, 600);
    EXPECT_FALSE(parseProject(R"({"version": 1})").run.estimator);
}

TEST(EstimatorSpec, ComesBackFromItsJson) {
    RunSpec run = estimatorRun();
    EstimatorSpec& estimator = *run.estimator;
    estimator.name = "LinearRegressor";
    estimator.run_config = {.save_summary_steps = 7, .save_checkpoints_steps = 30, .keep_checkpoint_max = 2, .log_step_count_steps = 9};
    estimator.run_config.tf_random_seed = 4;
    estimator.run_config.experimental_max_worker_delay_secs = 12.5;
    estimator.train_spec = {.max_steps = 1000, .input_repeats = 0};
    estimator.eval_spec = {.steps = std::nullopt, .name = "test", .start_delay_secs = 1, .throttle_secs = 2};
    estimator.eval_spec.exporters = {{"BestExporter", {{"name", "best"}, {"exports_to_keep", std::int64_t{3}}}}};
    EXPECT_EQ(parseProject(toProjectJson(run)).run.estimator, run.estimator);
}

TEST(EstimatorSpec, TellsUsualCheckpointsFromNone) {
    EXPECT_TRUE(parsed("{}").estimator->run_config.saves_checkpoints);
    const RunSpec none = parsed(R"({"run_config": {"save_checkpoints_steps": null, "save_checkpoints_secs": null}})");
    EXPECT_FALSE(none.estimator->run_config.saves_checkpoints);
    EXPECT_EQ(parseProject(toProjectJson(none)).run.estimator, none.estimator);
    const RunSpec by_steps = parsed(R"({"run_config": {"save_checkpoints_steps": 50, "save_checkpoints_secs": null}})");
    EXPECT_TRUE(by_steps.estimator->run_config.saves_checkpoints);
    EXPECT_EQ(by_steps.estimator->run_config.save_checkpoints_steps, 50);
}

TEST(EstimatorSpec, IsRefusedInOneSentence) {
    struct Case {
        const char* section;
        const char* verdict;
    };
    const Case cases[] = {
        {"{}", ""},
        {R"({"name": "Forest"})",
         "estimator.name: expected Estimator, LinearRegressor, LinearClassifier, DNNRegressor or DNNClassifier, got Forest"},
        {R"({"run_config": {"save_checkpoints_steps": 500, "save_checkpoints_secs": 60}})",
         "estimator.run_config.save_checkpoints_secs: expected either steps or seconds between checkpoints, got 500 steps and 60.0 "
         "seconds"},
        {R"({"run_config": {"save_checkpoints_secs": 0}})",
         "estimator.run_config.save_checkpoints_secs: expected seconds above 0, got 0.0"},
        {R"({"run_config": {"keep_checkpoint_max": -1}})", "estimator.run_config.keep_checkpoint_max: expected at least 0, got -1"},
        {R"({"run_config": {"experimental_max_worker_delay_secs": -1}})",
         "estimator.run_config.experimental_max_worker_delay_secs: expected seconds of at least 0, got -1.0"},
        {R"({"train_spec": {"max_steps": 0}})", "estimator.train_spec.max_steps: expected at least 1, got 0"},
        {R"({"train_spec": {"input_repeats": 0}})",
         "estimator.train_spec.max_steps: expected a number of steps where the input repeats without end, got none"},
        {R"({"eval_spec": {"steps": 0}})", "estimator.eval_spec.steps: expected at least 1, got 0"},
        {R"({"eval_spec": {"throttle_secs": -1}})", "estimator.eval_spec.throttle_secs: expected seconds of at least 0, got -1.0"},
        {R"({"eval_spec": {"name": "a/b"}})", "estimator.eval_spec.name: expected a name without a slash, got \"a/b\""},
        {R"({"eval_spec": {"exporters": ["BestExporter", {"class_name": "FinalExporter", "config": {"name": "best_exporter"}}]}})",
         "estimator.eval_spec.exporters[1].name: expected a name for each exporter, got \"best_exporter\" a second time"},
        {R"({"eval_spec": {"exporters": ["SavedModel"]}})",
         "estimator.eval_spec.exporters[0]: expected FinalExporter, LatestExporter or BestExporter, got SavedModel"},
    };
    for (const Case& one : cases) {
        RunSpec run = estimatorRun();
        run.estimator = parsed(one.section).estimator;
        EXPECT_EQ(verdict(run), one.verdict) << one.section;
    }
    RunSpec both = estimatorRun();
    both.fit.steps = 100;
    EXPECT_EQ(verdict(both), "estimator.train_spec.max_steps: expected an estimator that counts steps alone, got fit.steps 100 beside it");
}

TEST(TrainedRun, IsAnyOtherProjectAsItIs) {
    RunSpec run = estimatorRun();
    run.estimator.reset();
    run.callbacks = {{"EarlyStopping", {}}};
    EXPECT_EQ(trainedRun(run), run);
}

TEST(TrainedRun, OfAnEstimatorGoesOnFromItsCheckpoints) {
    RunSpec run = estimatorRun();
    run.callbacks = {{"EarlyStopping", {}}};
    run.fit.epochs = 12;
    run.estimator->run_config.save_checkpoints_steps = 50;
    run.estimator->run_config.tf_random_seed = 7;
    const RunSpec trained = trainedRun(run);
    ASSERT_EQ(trained.callbacks.size(), 1U);
    EXPECT_EQ(trained.callbacks[0].class_name, "BackupAndRestore");
    EXPECT_EQ(trained.callbacks[0].config.getInt("save_freq", 0), 50);
    EXPECT_EQ(trained.fit.epochs, 1);
    EXPECT_EQ(trained.fit.seed, 7);
    EXPECT_EQ(trained.fit.validation_steps, 100);
    EXPECT_EQ(trainedRun(trained), trained);
    run.estimator->run_config.saves_checkpoints = false;
    EXPECT_TRUE(trainedRun(run).callbacks.empty());
}

TEST(StartDelay, IsOfTheWorkersOfParameterServers) {
    RunSpec run = estimatorRun();
    run.strategy.name = "ParameterServerStrategy";
    EXPECT_EQ(startDelaySeconds(run, 0, false), 0) << "nobody asked for it";
    run.estimator->run_config.experimental_max_worker_delay_secs = 12;
    EXPECT_EQ(startDelaySeconds(run, 0, false), 5);
    EXPECT_EQ(startDelaySeconds(run, 1, false), 10);
    EXPECT_EQ(startDelaySeconds(run, 2, false), 12);
    EXPECT_EQ(startDelaySeconds(run, 0, true), 0);
    run.strategy.name = "MultiWorkerMirroredStrategy";
    EXPECT_EQ(startDelaySeconds(run, 1, false), 0);
    run.estimator.reset();
    EXPECT_EQ(startDelaySeconds(run, 1, false), 0);
}

TEST(UseEstimator, CountsTheStepsInOnePlace) {
    RunSpec run = estimatorRun();
    run.estimator.reset();
    run.fit.steps = 5000;
    useEstimator(run);
    ASSERT_TRUE(run.estimator);
    EXPECT_EQ(run.estimator->train_spec.max_steps, 5000);
    EXPECT_EQ(run.fit.steps, 0);
    EXPECT_EQ(verdict(run), "");
    RunSpec again = run;
    useEstimator(again);
    EXPECT_EQ(again, run);
}

TEST(EstimatorSteps, AreWhatInputAndMaxStepsLeave) {
    RunSpec run = estimatorRun();
    EXPECT_EQ(estimatorSteps(run, 469), 469);
    run.estimator->train_spec.max_steps = 100;
    EXPECT_EQ(estimatorSteps(run, 469), 100);
    run.estimator->train_spec = {.max_steps = 1000, .input_repeats = 2};
    EXPECT_EQ(estimatorSteps(run, 469), 938);
    run.estimator->train_spec.input_repeats = 0;
    EXPECT_EQ(estimatorSteps(run, 469), 1000);
    run.estimator->train_spec = {.max_steps = std::nullopt, .input_repeats = std::int64_t{1} << 62};
    EXPECT_GT(estimatorSteps(run, 469), 0);
}

}  // namespace
}  // namespace engine::spec
