#include "engine/train/estimator/sidecar_evaluator.h"

#include <utility>

#include "engine/distribute/peer_lost.h"
#include "engine/spec/error.h"
#include "engine/train/estimator/evaluation.h"

namespace engine::train::estimator {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kSidecarLook{200};

Clock::duration seconds(double value) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

}  // namespace

SidecarOutcome followCheckpoints(const spec::RunSpec& run, const CheckpointSource& source, CheckpointEvaluator& evaluator,
                                 const std::function<void(spec::EventBody)>& report) {
    const spec::EvalSpec eval = run.estimator ? run.estimator->eval_spec : spec::EvalSpec{.start_delay_secs = 0, .throttle_secs = 0};
    Evaluations evaluations(eval);
    SidecarOutcome outcome;
    Clock::time_point next = Clock::now() + seconds(eval.start_delay_secs);
    std::string told;
    std::optional<std::int64_t> evaluated_step;  // a file under a fixed name is written again and again
    const auto tell = [&](const std::string& detail) {
        if (std::exchange(told, detail) != detail) report(spec::StateChanged{spec::TaskState::kWaiting, detail});
    };
    while (!source.is_cancelled()) {
        const bool is_over = source.is_over();  // before the look: what is written by then is seen
        const std::optional<spec::ListedCheckpoint> latest = source.latest();
        const bool is_new = latest && (latest->file != outcome.checkpoint || latest->step != evaluated_step);
        if (is_over && !is_new) {
            if (!outcome.checkpoint.empty()) evaluations.finish(evaluator.context(), latest ? latest->step : 0);
            return outcome;
        }
        const std::optional<std::string> lost = is_over || !source.lost ? std::nullopt : source.lost();
        if (lost && !is_new) throw distribute::PeerLost(*lost);
        if (!is_over && !lost && (!is_new || Clock::now() < next)) {
            tell(is_new ? "waiting for the time of the next evaluation" : "waiting for a checkpoint");
            source.wait(kSidecarLook);
            continue;
        }
        try {
            next = Clock::now() + seconds(eval.throttle_secs);
            evaluator.restore(*latest);
            told.clear();
            report(spec::StateChanged{spec::TaskState::kTraining, "evaluates " + latest->file});
            outcome.last = evaluations.run(evaluator.context(), latest->step, latest->file);
        } catch (const Error& error) {
            const bool is_written_anew =
                error.code() == ErrorCode::kDataLoss;  // the two files of a name are of different saves for a moment
            if ((error.code() != ErrorCode::kNotFound && !is_written_anew) || is_over) throw;
            report(spec::LogLine{spec::LogLevel::kWarning, latest->file + ": is gone, the next one is waited for"});
        }
        outcome.checkpoint = latest->file;
        evaluated_step = latest->step;
    }
    outcome.state = spec::TaskState::kStopped;
    return outcome;
}

}  // namespace engine::train::estimator
