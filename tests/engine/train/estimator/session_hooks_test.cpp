#include "engine/train/estimator/session_hooks.h"

#include <gtest/gtest.h>

#include "tests/support/fake_training_context.h"

namespace engine::train::estimator {
namespace {

using tests::support::FakeContext;

class SessionHooks : public testing::Test {
protected:
    void SetUp() override {
        run.estimator.emplace();
        run.estimator->run_config = {.save_summary_steps = 0, .save_checkpoints_steps = 4, .log_step_count_steps = 3};
        run.estimator->eval_spec.throttle_secs = 0;
    }

    // As the trainer calls them.
    void train(std::int64_t steps, Evaluation evaluation = Evaluation::kElsewhere) {
        const Callbacks hooks = sessionHooks(run, evaluation);
        for (const auto& hook : hooks) hook->onTrainBegin(context);
        for (std::int64_t step = 1; step <= steps; ++step) {
            context.done = step;
            for (const auto& hook : hooks) {
                if (hook->wantsSteps()) hook->onStepEnd(context, 0, step - 1);
            }
        }
        for (const auto& hook : hooks) hook->onTrainEnd(context);
    }

    bool saysWith(const std::string& begin) const {
        return std::any_of(context.lines.begin(), context.lines.end(), [&](const std::string& line) { return line.starts_with(begin); });
    }

    spec::RunSpec run = tests::support::quarterRun();
    FakeContext context;
};

TEST_F(SessionHooks, SaveAtTheBeginEverySoManyStepsAndAtTheEnd) {
    train(10);
    EXPECT_EQ(context.saved, (std::vector<std::string>{"checkpoints/model.ckpt-0", "checkpoints/model.ckpt-4", "checkpoints/model.ckpt-8",
                                                       "checkpoints/model.ckpt-10"}));
    EXPECT_EQ(context.kept, 5);
    EXPECT_EQ(context.backups, 0) << "those by steps are the callback's";
    EXPECT_TRUE(saysWith("Saving checkpoints for 4 into "));
}

TEST_F(SessionHooks, SaveOnceWhereTheEndIsDue) {
    train(8);
    EXPECT_EQ(context.saved.size(), 3U);
}

TEST_F(SessionHooks, SaveNothingWhereNoneIsWanted) {
    run.estimator->run_config.save_checkpoints_steps.reset();
    run.estimator->run_config.saves_checkpoints = false;
    train(10);
    EXPECT_TRUE(context.saved.empty());
}

TEST_F(SessionHooks, SaveBySecondsAndKeepABackupWithEach) {
    run.estimator->run_config.save_checkpoints_steps.reset();
    run.estimator->run_config.save_checkpoints_secs = 1e-9;
    train(2);
    EXPECT_EQ(context.saved,
              (std::vector<std::string>{"checkpoints/model.ckpt-0", "checkpoints/model.ckpt-1", "checkpoints/model.ckpt-2"}));
    EXPECT_EQ(context.backups, 3);
}

TEST_F(SessionHooks, LogAsTensorFlowDoes) {
    context.running_loss = 0.25;
    train(7);
    EXPECT_EQ(context.lines[0].substr(0, 30), "Saving checkpoints for 0 into ");
    EXPECT_TRUE(saysWith("loss = 0.25, step = 0"));
    EXPECT_TRUE(saysWith("loss = 0.25, step = 3 ("));
    EXPECT_TRUE(saysWith("loss = 0.25, step = 6 ("));
    EXPECT_FALSE(saysWith("loss = 0.25, step = 1"));
    EXPECT_TRUE(saysWith("global_step/sec: "));
    EXPECT_TRUE(saysWith("Loss for final step: 0.25."));
}

TEST_F(SessionHooks, EvaluateAfterCheckpointsButTheFirst) {
    train(10, Evaluation::kHere);
    for (const char* step : {"4", "8", "10"}) {
        EXPECT_TRUE(
            saysWith(std::string("Saving dict for global step ") + step + ": accuracy = 0.75, global_step = " + step + ", loss = 0.5"))
            << step;
    }
    EXPECT_FALSE(saysWith("Saving dict for global step 0"));
}

TEST_F(SessionHooks, EvaluateTheLastCheckpointWhateverTheThrottle) {
    run.estimator->eval_spec.throttle_secs = 600;
    train(10, Evaluation::kHere);
    EXPECT_FALSE(saysWith("Saving dict for global step 4"));
    EXPECT_TRUE(saysWith("Saving dict for global step 10"));
}

TEST_F(SessionHooks, LeaveEvaluationsToAnEvaluator) {
    train(10);
    EXPECT_FALSE(saysWith("Starting evaluation"));
}

TEST_F(SessionHooks, SaidToLookAtAStepNoLaterThanItIsDue) {
    const Callbacks hooks = sessionHooks(run, Evaluation::kElsewhere);
    for (const auto& hook : hooks) hook->onTrainBegin(context);
    for (std::int64_t step = 1; step <= 20; ++step) {
        context.done = step;
        for (const auto& hook : hooks) {
            if (hook->wantsSteps()) {
                EXPECT_GE(hook->stepsToLook(step - 1), 1);
                hook->onStepEnd(context, 0, step - 1);
            }
        }
    }
    EXPECT_EQ(hooks.back()->stepsToLook(20), 4);
    EXPECT_EQ(hooks.back()->nameOfLast(20), "checkpoints/model.ckpt-20");
}

TEST_F(SessionHooks, ExportTheBestTheLatestAndTheFinalModel) {
    run.estimator->eval_spec.exporters = {{"BestExporter", {}}, {"LatestExporter", {}}, {"FinalExporter", {}}};
    train(8, Evaluation::kHere);
    std::vector<std::string> exported;
    for (const std::string& file : context.saved) {
        if (file.starts_with("export/")) exported.push_back(file);
    }
    EXPECT_EQ(exported, (std::vector<std::string>{"export/best_exporter/4.keras best", "export/latest/4.keras", "export/latest/8.keras",
                                                  "export/final/8.keras"}))
        << "the second evaluation was no better than the first";
}

}  // namespace
}  // namespace engine::train::estimator
