#include "engine/train/estimator/session_hooks.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "engine/export/event_file.h"
#include "engine/plan/optimizer.h"
#include "engine/spec/error.h"
#include "engine/train/estimator/evaluation.h"

namespace engine::train::estimator {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kUsualSecondsBetween = 600;  // between checkpoints, where the project says neither steps nor seconds
constexpr const char* kCheckpoint = "checkpoints/model.ckpt";

double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

// TensorFlow's "%g"-like text of a number in a line of the log.
std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

// CheckpointSaverHook: at the beginning, every so many steps or seconds, and at the end. In a session that evaluates here, an evaluation
// may follow a checkpoint.
class CheckpointSaver final : public Callback {
public:
    CheckpointSaver(const spec::RunConfigSpec& config, const spec::EvalSpec& eval, Evaluation evaluation)
        : config_(config), evaluates_(evaluation == Evaluation::kHere), throttle_secs_(eval.throttle_secs), evaluations_(eval) {}

    bool wantsSteps() const override { return config_.saves_checkpoints; }
    std::int64_t stepsToLook(std::int64_t done) const override {
        if (!config_.save_checkpoints_steps) return std::numeric_limits<std::int64_t>::max();  // a look now and then is enough
        return std::max<std::int64_t>(1, saved_at_.value_or(0) + *config_.save_checkpoints_steps - done);
    }
    std::string nameOfLast(std::int64_t step) const override {
        return config_.saves_checkpoints ? std::string(kCheckpoint) + "-" + std::to_string(step) : std::string();
    }

    void onTrainBegin(TrainingContext& context) override {
        begun_ = saved_ = Clock::now();
        context.keepCheckpoints(config_.keep_checkpoint_max, config_.keep_checkpoint_every_n_hours);
        if (config_.saves_checkpoints) saveNow(context);
    }

    void onStepEnd(TrainingContext& context, std::int32_t /*epoch*/, std::int64_t /*batch*/) override {
        if (!isDue(context.iterations()) || endsInAverages(context)) return;
        saveNow(context);
        if (evaluates_ && secondsSince(evaluated_.value_or(begun_)) >= throttle_secs_) evaluate(context);
    }

    void onTrainEnd(TrainingContext& context) override {
        if (config_.saves_checkpoints && saved_at_ != context.iterations()) saveNow(context);
        context.log(spec::LogLevel::kInfo, "Loss for final step: " + float32Repr(static_cast<float>(context.lastLoss())) + ".");
        if (evaluates_ && evaluated_at_ != context.iterations()) evaluate(context);
        if (evaluates_) evaluations_.finish(context, context.iterations());
    }

private:
    bool isDue(std::int64_t step) const {
        if (config_.save_checkpoints_steps) return step - saved_at_.value_or(0) >= *config_.save_checkpoints_steps;
        return secondsSince(saved_) >= config_.save_checkpoints_secs.value_or(kUsualSecondsBetween);
    }

    // After the last step the weights become the moving averages that an optimizer keeps: the last checkpoint and the last evaluation are
    // those of onTrainEnd(), which have them.
    static bool endsInAverages(const TrainingContext& context) {
        const spec::FitSpec& fit = context.run().fit;
        const std::int64_t steps = fit.steps > 0 ? fit.steps : fit.steps_per_epoch;
        return steps > 0 && context.iterations() >= steps && plan::updateRule(context.run().compile.optimizer).keeps_average;
    }

    void saveNow(TrainingContext& context) {
        saved_ = Clock::now();
        saved_at_ = context.iterations();
        if (!context.isChief()) return;
        const std::filesystem::path prefix = context.runDir() / kCheckpoint;
        context.log(spec::LogLevel::kInfo,
                    "Saving checkpoints for " + std::to_string(context.iterations()) + " into " + prefix.string() + ".");
        context.saveCheckpoint(prefix.string() + "-" + std::to_string(context.iterations()), 0, false);
        if (!config_.save_checkpoints_steps) context.backUp();  // those by steps are the callback BackupAndRestore's
    }

    void evaluate(TrainingContext& context) {
        evaluated_ = Clock::now();
        evaluated_at_ = context.iterations();
        evaluations_.run(context, *evaluated_at_);
    }

    const spec::RunConfigSpec config_;
    const bool evaluates_;
    const double throttle_secs_;
    Evaluations evaluations_;
    Clock::time_point begun_, saved_;
    std::optional<Clock::time_point> evaluated_;
    std::optional<std::int64_t> saved_at_, evaluated_at_;  // global steps
};

// LoggingTensorHook and StepCounterHook: "loss = 0.25, step = 100 (0.125 sec)" and "global_step/sec: 800".
class StepLogger final : public Callback {
public:
    explicit StepLogger(std::int64_t every) : every_(every) {}

    bool wantsSteps() const override { return every_ > 0; }
    std::int64_t stepsToLook(std::int64_t done) const override {
        return last_ ? std::max<std::int64_t>(1, last_->step + every_ - done) : 1;
    }

    void onStepEnd(TrainingContext& context, std::int32_t /*epoch*/, std::int64_t /*batch*/) override {
        const std::int64_t step = context.iterations();
        if (last_ && step - last_->step < every_) return;
        std::string text = "loss = " + shortNumber(context.lastLoss()) + ", step = " + std::to_string(step - 1);
        if (last_) {
            const double seconds = secondsSince(last_->at);
            char took[32];
            std::snprintf(took, sizeof took, " (%.3f sec)", seconds);
            text += took;
            if (seconds > 0) {
                context.log(spec::LogLevel::kInfo, "global_step/sec: " + shortNumber(static_cast<double>(step - last_->step) / seconds));
            }
        }
        context.log(spec::LogLevel::kInfo, text);
        last_ = {Clock::now(), step};
    }

private:
    struct Line {
        Clock::time_point at;
        std::int64_t step = 0;
    };
    const std::int64_t every_;
    std::optional<Line> last_;
};

// SummarySaverHook: loss and global_step/sec in an event file in "logs", which TensorBoard shows beside those of the evaluations.
class SummarySaver final : public Callback {
public:
    explicit SummarySaver(std::int64_t every) : every_(every) {}

    bool wantsSteps() const override { return every_ > 0; }
    std::int64_t stepsToLook(std::int64_t done) const override {
        return written_ ? std::max<std::int64_t>(1, *written_ + every_ - done) : 1;
    }

    void onTrainBegin(TrainingContext& context) override {
        if (every_ == 0 || !context.isChief()) return;
        guarded(context, [&] { file_.emplace(files::Place(context.runFolder(), "logs"), context.iterations() + 1); });
    }

    void onStepEnd(TrainingContext& context, std::int32_t /*epoch*/, std::int64_t /*batch*/) override {
        const std::int64_t step = context.iterations();
        if (written_ && step - *written_ < every_) return;
        const double seconds = secondsSince(at_);
        if (file_) {
            guarded(context, [&] {
                file_->addScalar("loss", step, static_cast<float>(context.lastLoss()));
                if (written_ && seconds > 0) {
                    file_->addScalar("global_step/sec", step, static_cast<float>(static_cast<double>(step - *written_) / seconds));
                }
                file_->flush();
            });
        }
        written_ = step;
        at_ = Clock::now();
    }

    void onTrainEnd(TrainingContext& /*context*/) override { file_.reset(); }

private:
    // A full disk ends the summaries, not the run.
    template <typename Write>
    void guarded(TrainingContext& context, Write write) {
        try {
            write();
        } catch (const Error& error) {
            file_.reset();
            context.log(spec::LogLevel::kError, std::string("summaries for TensorBoard end here: ") + error.what());
        }
    }

    const std::int64_t every_;
    std::optional<exporter::EventFile> file_;
    std::optional<std::int64_t> written_;
    Clock::time_point at_;
};

}  // namespace

Callbacks sessionHooks(const spec::RunSpec& run, Evaluation evaluation) {
    const spec::EstimatorSpec& estimator = *run.estimator;
    Callbacks hooks;
    hooks.push_back(std::make_unique<StepLogger>(estimator.run_config.log_step_count_steps));
    hooks.push_back(std::make_unique<SummarySaver>(estimator.run_config.save_summary_steps));
    hooks.push_back(std::make_unique<CheckpointSaver>(estimator.run_config, estimator.eval_spec, evaluation));
    return hooks;
}

}  // namespace engine::train::estimator
