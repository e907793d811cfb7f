#include <cmath>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train {
namespace {

// Ends training after a step whose running loss is no number; with raise_error the run fails instead.
class TerminateOnNan final : public Callback {
public:
    explicit TerminateOnNan(const spec::Settings& settings) : raises_(settings.getBool("raise_error")) {}

    bool wantsSteps() const override { return true; }

    void onStepEnd(TrainingContext& context, std::int32_t /*epoch*/, std::int64_t batch) override {
        const Logs logs = context.runningLogs();
        const double* loss = findLog(logs, "loss");
        if (loss == nullptr || std::isfinite(*loss)) {
            return;
        }
        if (raises_) {
            throw Error(ErrorCode::kFailedPrecondition, "NaN or Inf loss encountered in batch " + std::to_string(batch));
        }
        if (context.isChief()) {
            context.log(spec::LogLevel::kWarning, "Batch " + std::to_string(batch) + ": Invalid loss, terminating training");
        }
        context.stopTraining();
    }

private:
    const bool raises_;
};

}  // namespace

std::span<const CallbackRow> terminateOnNanRows() {
    static constexpr CallbackRow kRows[] = {
        {"TerminateOnNaN", makeFromSettings<TerminateOnNan>},
    };
    return kRows;
}

}  // namespace engine::train
