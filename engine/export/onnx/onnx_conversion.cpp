#include "engine/export/onnx/onnx_conversion.h"

#include <string>
#include <vector>

#include "engine/export/atomic_file.h"
#include "engine/export/keras_file.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/spec/catalog/shape_inference.h"

namespace engine::exporter {

std::int64_t convertToOnnx(const std::filesystem::path& checkpoint, const spec::ModelSpec& model, std::optional<std::int64_t> batch,
                           const files::Place& file) {
    struct Weight {
        spec::VariableInfo info;
        std::vector<float> values;
    };
    std::vector<Weight> weights;
    for (const spec::LayerInfo& layer : spec::inferShapes(model)) {
        for (const spec::VariableInfo& variable : layer.variables) {
            std::size_t count = 1;
            for (std::int64_t size : variable.shape) count *= static_cast<std::size_t>(size);
            weights.push_back({variable, std::vector<float>(count)});
        }
    }
    std::vector<MutableVariableView> read;
    std::vector<VariableView> written;
    for (Weight& weight : weights) {
        read.push_back({weight.info.name, weight.info.shape, weight.values});
        written.push_back({weight.info.name, weight.info.shape, weight.values});
    }
    readWeights(checkpoint, model, read);
    const std::string bytes = onnxBytes(model, written, batch);
    writeFileAtomically(file, bytes);
    return static_cast<std::int64_t>(bytes.size());
}

}  // namespace engine::exporter
