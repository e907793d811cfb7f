// TextVectorization and StringLookup: y = x. Their work is done where samples are read, and what comes into the plan is their output.
#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

TensorId lowerTexts(LayerBuilder& builder, TensorId x) {
    if (!builder.isInput(x) || builder.shape(x) != builder.outputShape()) {
        throw Error(ErrorCode::kUnimplemented,
                    builder.layer().name + ": expected texts from the model's input, got the output of another layer");
    }
    return x;
}

}  // namespace

std::span<const LayerRow> textRows() {
    static constexpr LayerRow kRows[] = {
        {"TextVectorization", lowerTexts},
        {"StringLookup", lowerTexts},
    };
    return kRows;
}

}  // namespace engine::plan
