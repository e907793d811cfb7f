// Residual: a chain of layers and a shortcut over one input, added. Each has its own tape; the gradients of the input are added. Without
// layers the shortcut is the input itself, and the gradient of the sum goes straight back.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/shape_inference.h"

namespace engine::plan {
namespace {

// The chain's layers one after the other, as one part.
LayerBuilder::Part lowerPath(LayerBuilder& builder, TensorId x, const std::string& field) {
    const std::vector<spec::LayerSpec> chain = spec::chainOf(builder.layer(), field);
    LayerBuilder::Part whole{.x = x, .y = x};
    if (chain.empty()) return whole;
    const auto without_batch = [&](TensorId id) { return spec::Shape(builder.shape(id).begin() + 1, builder.shape(id).end()); };
    const TensorId mask = builder.mask();
    const std::vector<spec::LayerInfo> infos =
        spec::inferChain(chain, without_batch(x), mask == kNoTensor ? std::nullopt : std::optional(without_batch(mask)));
    // The same bytes under a name of its own: so is its gradient a tensor of its own.
    whole.x = whole.y = builder.activation(field, builder.shape(x));
    builder.emit({.kind = OpKind::kReshape, .inputs = {x}, .outputs = {whole.x}});
    for (std::size_t i = 0; i < chain.size(); ++i) {
        LayerBuilder::Part part = builder.lowerNested(chain[i], infos[i].output_shape, whole.y, findLayerLowering(chain[i].class_name),
                                                      {.inside = Nesting::Inside::kChain});
        if (!infos[i].output_mask) builder.setMask(kNoTensor);
        whole.y = part.y;
        std::move(part.tape.begin(), part.tape.end(), std::back_inserter(whole.tape));
    }
    builder.setMask(mask);
    return whole;
}

// Emits what goes back through the chain. It reads the gradient under a name of its own: fuse() finds a chain's ops by what they read.
TensorId differentiateChain(LayerBuilder& builder, const LayerBuilder::Part& chain, TensorId dy, InputGradient needed) {
    if (chain.tape.empty()) return dy;
    const TensorId same = builder.gradientOf(chain.y);
    builder.emit({.kind = OpKind::kReshape, .inputs = {dy}, .outputs = {same}});
    return builder.differentiatePart(chain, same, needed);
}

bool readsParameters(const LayerBuilder::Part& part) {
    return std::any_of(part.tape.begin(), part.tape.end(),
                       [](const LayerBuilder::TapeEntry& entry) { return entry.reads == LayerBuilder::Reads::kParameters; });
}

TensorId lowerResidual(LayerBuilder& builder, TensorId x) {
    const LayerBuilder::Part main = lowerPath(builder, x, "layers"), side = lowerPath(builder, x, "shortcut");
    const TensorId y = builder.activation("sum", builder.outputShape());
    const MergeAttributes sum{MergeMode::kSum};
    builder.emit({.kind = OpKind::kMerge, .inputs = {main.y, side.y}, .outputs = {y}, .attributes = sum});
    const auto reads = readsParameters(main) || readsParameters(side) ? LayerBuilder::Reads::kParameters : LayerBuilder::Reads::kInputAlone;
    builder.onBackward(x, y, reads, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        const TensorId first = differentiateChain(b, main, dy, needed), second = differentiateChain(b, side, dy, needed);
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMerge, .inputs = {first, second}, .outputs = {dx}, .attributes = sum});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> residualRows() {
    static constexpr LayerRow kRows[] = {
        {"Residual", lowerResidual},
    };
    return kRows;
}

}  // namespace engine::plan
