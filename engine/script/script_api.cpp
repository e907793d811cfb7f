#include "engine/script/script_api.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace engine::script {

const std::vector<ApiRow>& apis() {
    static const std::vector<ApiRow> table{{Api::kKeras, "keras", "Keras", "train_keras.py"},
                                           {Api::kCustomLoop, "custom-loop", "TensorFlow, by a loop of its own", "train_loop.py"},
                                           {Api::kEstimator, "estimator", "tf.estimator", "train_estimator.py"},
                                           {Api::kTorch, "torch", "PyTorch", "train_torch.py"}};
    return table;
}

std::optional<Api> apiOf(std::string_view name) {
    for (const ApiRow& row : apis()) {
        if (row.name == name) return row.api;
    }
    return std::nullopt;
}

const ApiRow& rowOf(Api api) {
    const auto found = std::find_if(apis().begin(), apis().end(), [api](const ApiRow& row) { return row.api == api; });
    ENGINE_CHECK(found != apis().end());
    return *found;
}

}  // namespace engine::script
