// The APIs that people write such programs in, by their names.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace engine::script {

enum class Api { kKeras, kCustomLoop, kEstimator, kTorch };

struct ApiRow {
    Api api;
    std::string_view name;   // on the command line: "custom-loop"
    std::string_view title;  // for people: "TensorFlow, by a loop of its own"
    std::string_view file;   // what the file is called where nobody says it: "train_torch.py"
};
const std::vector<ApiRow>& apis();
std::optional<Api> apiOf(std::string_view name);
const ApiRow& rowOf(Api api);

}  // namespace engine::script
