#include <cmath>

#include "engine/spec/error.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train {
namespace {

class TerminateOnNan final : public Callback {
public:
    explicit TerminateOnNan(const spec::Fields& config) : raises_(config.getBool("raise_error", false)) {}

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

std::unique_ptr<Callback> makeTerminateOnNan(const spec::Fields& config) {
    return std::make_unique<TerminateOnNan>(config);
}

}  // namespace engine::train
