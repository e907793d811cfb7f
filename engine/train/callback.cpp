#include "engine/train/callback.h"

#include <array>
#include <string_view>

#include "engine/spec/error.h"

namespace engine::train {
namespace {

struct Kind {
    std::string_view class_name;
    std::unique_ptr<Callback> (*make)(const spec::Fields&);
};
constexpr std::array kKinds{
    Kind{"ModelCheckpoint", &makeModelCheckpoint},
    Kind{"LearningRateScheduler", &makeLearningRateScheduler},
    Kind{"PrintLR", &makePrintLr},
    Kind{"CSVLogger", &makeCsvLogger},
};

bool namesAnError(std::string_view name) {
    return name.ends_with("loss") || name.ends_with("error") || name.ends_with("divergence") || name.ends_with("mse") ||
           name.ends_with("mae");
}
bool namesASuccess(std::string_view name) {
    return name.ends_with("accuracy") || name.ends_with("acc") || name.ends_with("auc") || name.ends_with("precision") ||
           name.ends_with("recall");
}

}  // namespace

Callbacks makeCallbacks(const spec::CallbackSpecs& specs) {
    Callbacks callbacks;
    for (const spec::ObjectSpec& object : specs) {
        std::string known;
        for (const Kind& kind : kKinds) {
            known += (known.empty() ? "" : ", ") + std::string(kind.class_name);
            if (kind.class_name == object.class_name) {
                callbacks.push_back(kind.make(object.config));
                known.clear();
                break;
            }
        }
        if (!known.empty()) {
            throw Error(ErrorCode::kUnimplemented, "callbacks: expected one of " + known + ", got \"" + object.class_name + "\"");
        }
    }
    return callbacks;
}

Monitor::Monitor(const std::string& name, const std::string& mode) : name_(name) {
    if (mode == "min" || mode == "max") {
        smaller_is_better_ = mode == "min";
        return;
    }
    if (mode != "auto") {
        throw Error(ErrorCode::kInvalidArgument, "callbacks: mode: expected auto, min or max, got \"" + mode + "\"");
    }
    if (!namesAnError(name) && !namesASuccess(name)) {
        throw Error(ErrorCode::kInvalidArgument,
                    "callbacks: monitor \"" + name + "\" does not tell whether smaller or larger is better; set mode to min or max");
    }
    smaller_is_better_ = namesAnError(name);
}

}  // namespace engine::train
