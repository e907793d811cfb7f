#include <algorithm>
#include <vector>

#include "engine/export/atomic_file.h"
#include "engine/export/index/name_index.h"
#include "engine/export/onnx/chain_reader.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

onnx::ReadModel readFileAsChain(const std::filesystem::path& file) {
    const std::string bytes = readFile(file);
    onnx::proto::ModelProto model;
    if (bytes.empty() || !model.ParseFromString(bytes) || !model.has_graph() || model.graph().node_size() == 0) {
        throw Error(ErrorCode::kDataLoss, file.string() + ": expected an ONNX model, got bytes that are none");
    }
    return onnx::ChainReader(model.graph(), file.string()).read();
}

std::string text(const spec::Shape& shape) {
    std::string joined;
    for (std::int64_t size : shape) joined += (joined.empty() ? "" : ", ") + std::to_string(size);
    return "(" + joined + ")";
}

}  // namespace

spec::ModelSpec readOnnxModel(const std::filesystem::path& file) {
    return readFileAsChain(file).model;
}

void readOnnxWeights(const std::filesystem::path& file, const spec::ModelSpec& model, std::span<const MutableVariableView> variables) {
    const onnx::ReadModel read = readFileAsChain(file);
    std::vector<spec::VariableInfo> wanted;
    for (const spec::LayerInfo& info : spec::inferShapes(model)) wanted.insert(wanted.end(), info.variables.begin(), info.variables.end());
    if (wanted.size() != read.weights.size()) {
        throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected " + std::to_string(wanted.size()) +
                                                     " variables, as the model has, got " + std::to_string(read.weights.size()));
    }
    struct Copy {
        const MutableVariableView* to;
        const std::vector<float>* from;
    };
    std::vector<Copy> copies;
    const NameIndex<MutableVariableView> by_name(variables);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (read.weights[i].tensor.shape != wanted[i].shape) {
            throw Error(ErrorCode::kInvalidArgument, file.string() + ": " + wanted[i].name + ": expected the shape " +
                                                         text(wanted[i].shape) + ", got " + text(read.weights[i].tensor.shape) + " of " +
                                                         read.weights[i].name);
        }
        const MutableVariableView* to = by_name.find(wanted[i].name);
        if (to != nullptr) copies.push_back({to, &read.weights[i].tensor.values});
    }
    for (const Copy& copy : copies) std::copy(copy.from->begin(), copy.from->end(), copy.to->values.begin());
}

}  // namespace engine::exporter
