#include "engine/train/callbacks/callback.h"

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
    Kind{"EarlyStopping", &makeEarlyStopping},
    Kind{"ReduceLROnPlateau", &makeReduceLrOnPlateau},
    Kind{"TerminateOnNaN", &makeTerminateOnNan},
    Kind{"TensorBoard", &makeTensorBoard},
};

}  // namespace

Callbacks makeCallbacks(const spec::CallbackSpecs& specs) {
    Callbacks callbacks;
    for (const spec::ObjectSpec& object : specs) {
        if (object.class_name == "BackupAndRestore") {
            continue;
        }
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

}  // namespace engine::train
