#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/project/schedule.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train {
namespace {

// A table: from epochs[i] (from 0) on the rate is rates[i]. Adds learning_rate to the logs.
class LearningRateScheduler final : public Callback {
public:
    explicit LearningRateScheduler(const spec::ObjectSpec& table) : table_(table) {
        const spec::Settings settings = spec::callbackSettings(table_);
        verbose_ = settings.getInt("verbose") > 0;
        const std::vector<std::int64_t> epochs = settings.getInts("epochs");
        const std::vector<double> rates = settings.getDoubles("rates");
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
        auto rate = spec::tableRate(table_, epoch);
        if (!rate) {
            return;
        }
        *rate *= context.learningRateScale();
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
    bool verbose_ = false;
};

// A number as Python's ".5f", ".3e" and ".4g" give it; as repr() for every other format.
std::string formatted(double value, const std::string& format) {
    char kind = 0;
    int digits = 0;
    if (std::sscanf(format.c_str(), ".%2d%c", &digits, &kind) != 2 || std::string_view("feg").find(kind) == std::string_view::npos) {
        return pythonRepr(value);
    }
    std::array<char, 400> text{};
    const char* pattern = kind == 'f' ? "%.*f" : kind == 'e' ? "%.*e" : "%.*g";
    std::snprintf(text.data(), text.size(), pattern, digits, value);
    return text.data();
}

// "Learning rate for epoch 1 is 0.0010000000474974513", as the tutorial's class.
class PrintLr final : public Callback {
public:
    explicit PrintLr(std::string text) : text_(std::move(text)) {}

    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& /*logs*/) override {
        const auto rate = static_cast<double>(context.learningRate());
        std::string line;
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t open = std::min(text_.find('{', at), text_.size());
            const std::size_t close = text_.find('}', open);
            line += text_.substr(at, open - at);
            if (close == std::string::npos) {
                line += text_.substr(open);
                break;
            }
            const std::string field = text_.substr(open + 1, close - open - 1);
            const std::string name = field.substr(0, field.find(':'));
            if (name == "epoch") {
                line += std::to_string(epoch + 1);
            } else if (name == "index") {
                line += std::to_string(epoch);
            } else if (name == "rate") {
                line += formatted(rate, field.size() > name.size() ? field.substr(name.size() + 1) : "");
            } else {
                line += text_.substr(open, close - open + 1);
            }
            at = close + 1;
        }
        // A line of the log is one; print()'s empty ones around it are none.
        const std::size_t first = line.find_first_not_of("\n\r"), last = line.find_last_not_of("\n\r");
        if (first != std::string::npos) context.log(spec::LogLevel::kInfo, line.substr(first, last - first + 1));
    }

private:
    const std::string text_;
};

}  // namespace

std::span<const CallbackRow> learningRateCallbacksRows() {
    static constexpr CallbackRow kRows[] = {
        {"LearningRateScheduler",
         [](const spec::ObjectSpec& callback) -> std::unique_ptr<Callback> { return std::make_unique<LearningRateScheduler>(callback); }},
        {"PrintLR",
         [](const spec::ObjectSpec& callback) -> std::unique_ptr<Callback> {
             return std::make_unique<PrintLr>(spec::callbackSettings(callback).getString("text"));
         }},
    };
    return kRows;
}

}  // namespace engine::train
