#include <algorithm>
#include <cmath>

#include "engine/spec/error.h"
#include "engine/spec/schedule.h"
#include "engine/train/callback.h"

namespace engine::train {
namespace {

class LearningRateScheduler final : public Callback {
public:
    explicit LearningRateScheduler(const spec::Fields& config)
        : table_{"LearningRateScheduler", config}, verbose_(config.getInt("verbose", 0) > 0) {
        const std::vector<std::int64_t> epochs = config.getInts("epochs", {});
        const std::vector<double> rates = config.getDoubles("rates", {});
        const std::string name = "callbacks.learning_rate_scheduler: ";
        if (epochs.empty() || epochs.size() != rates.size()) {
            throw Error(ErrorCode::kInvalidArgument, name + "expected as many epochs as rates and at least one, got " +
                                                         std::to_string(epochs.size()) + " epochs and " + std::to_string(rates.size()) +
                                                         " rates");
        }
        if (!std::is_sorted(epochs.begin(), epochs.end())) {
            throw Error(ErrorCode::kInvalidArgument, name + "expected epochs in ascending order");
        }
        for (const double rate : rates) {
            if (!std::isfinite(rate) || rate < 0) {
                throw Error(ErrorCode::kInvalidArgument, name + "expected rates of 0 or more, got " + pythonRepr(rate));
            }
        }
    }

    void onEpochBegin(TrainingContext& context, std::int32_t epoch) override {
        const auto rate = spec::tableRate(table_, epoch);
        if (!rate) {
            return;
        }
        context.setLearningRate(static_cast<float>(*rate));
        if (verbose_ && context.isChief()) {
            context.log(spec::LogLevel::kInfo, "Epoch " + std::to_string(epoch + 1) + ": LearningRateScheduler setting learning rate to " +
                                                   pythonRepr(*rate) + ".");
        }
    }

    void onEpochEnd(TrainingContext& context, std::int32_t /*epoch*/, Logs& logs) override {
        setLog(logs, "learning_rate", static_cast<double>(context.learningRate()));
    }

private:
    const spec::ObjectSpec table_;
    const bool verbose_;
};

class PrintLr final : public Callback {
public:
    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& /*logs*/) override {
        context.log(spec::LogLevel::kInfo, "Learning rate for epoch " + std::to_string(epoch + 1) + " is " +
                                               pythonRepr(static_cast<double>(context.learningRate())));
    }
};

}  // namespace

std::unique_ptr<Callback> makeLearningRateScheduler(const spec::Fields& config) {
    return std::make_unique<LearningRateScheduler>(config);
}

std::unique_ptr<Callback> makePrintLr(const spec::Fields& /*config*/) {
    return std::make_unique<PrintLr>();
}

}  // namespace engine::train
