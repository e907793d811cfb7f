// RandAugment and AugMix: training sends the images through other layers, each behind a gate of which a drawn choice opens one; otherwise
// the identity, without an op.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/layer_catalog.h"

namespace engine::plan {
namespace {

// By the number of their choice. AugMix leaves out those from kOfValues on where all_ops is false.
constexpr std::array<std::string_view, 11> kAugmentations{
    "RandomShear",  "RandomTranslation", "RandomRotation",          "RandomPosterization", "Solarization",   "AutoContrast",
    "Equalization", "RandomBrightness",  "RandomColorDegeneration", "RandomContrast",      "RandomSharpness"};
constexpr std::size_t kOfValues = 7;

// Two numbers in any order, or one number f for 0 to f.
std::vector<double> readFactor(const spec::Settings& settings) {
    const std::vector<double> values = settings.getDoubles("factor");
    if (values.size() == 1) return {0, values[0]};
    return {std::min(values[0], values[1]), std::max(values[0], values[1])};
}

// The layer with the fields that it shares with the one around it: all that end in "factor" are that one's factor, bits its part of 8.
spec::LayerSpec augmentation(const LayerBuilder& builder, std::string_view class_name, const std::string& place, std::int64_t seed) {
    const spec::Settings outer = builder.settings();
    const std::vector<double> factor = readFactor(outer);
    spec::LayerSpec inner{std::string(class_name), builder.layer().name + "/" + place + "/" + std::string(class_name), {}};
    for (const spec::FieldSchema& field : spec::findLayerSchema(class_name)->fields) {
        if (field.name == "seed") inner.config.set(field.name, seed);
        if (field.name == "interpolation") inner.config.set(field.name, outer.getString(field.name));
        if (field.name == "value_range") inner.config.set(field.name, outer.getDoubles(field.name));
        if (!field.name.ends_with("factor")) continue;
        constexpr double kBits = 8;
        if (field.kind == spec::FieldKind::kIntPair) {
            inner.config.set(field.name, std::max(static_cast<std::int64_t>(kBits * factor[1]), std::int64_t{1}));
        } else {
            inner.config.set(field.name, factor);
        }
    }
    return inner;
}

// The seed of a layer within the current one. `number`: 1 to 255, for the bits between those of randomSeed() and those that tell the draws
// of one layer apart.
std::int64_t innerSeed(const LayerBuilder& builder, std::int64_t number) {
    constexpr int kNumberBit = 32;
    return randomSeed(builder) + (number << kNumberBit);
}

// The first `count` augmentations, of which `gate` opens the one that is drawn, or none where there are more choices. `place` names them,
// seed_of(i) is the seed of number i.
template <typename SeedOf>
LayerBuilder::Part lowerChosen(LayerBuilder& builder, TensorId x, const std::string& place, std::size_t count, Gate gate,
                               const SeedOf& seed_of) {
    LayerBuilder::Part whole{.x = x, .y = x};
    const spec::Shape shape(builder.shape(x).begin() + 1, builder.shape(x).end());
    for (std::size_t i = 0; i < count; ++i) {
        gate.open_at = static_cast<int>(i);
        const spec::LayerSpec inner = augmentation(builder, kAugmentations[i], place, seed_of(i));
        LayerBuilder::Part part = builder.lowerNested(inner, shape, whole.y, findLayerLowering(inner.class_name), {.gate = gate});
        whole.y = part.y;
        std::move(part.tape.begin(), part.tape.end(), std::back_inserter(whole.tape));
    }
    return whole;
}

// A layer that is drawn twice in a step changes the images twice by the same numbers, as in Keras.
TensorId lowerRandAugment(LayerBuilder& builder, TensorId x) {
    if (!builder.training()) return x;
    const auto ops = static_cast<int>(builder.settings().getInt("num_ops"));
    const auto seed_of = [&](std::size_t i) { return innerSeed(builder, static_cast<std::int64_t>(i) + 1); };
    for (int op = 0; op < ops; ++op) {
        const Gate gate{.seed = randomSeed(builder), .draw = op, .choices = static_cast<int>(kAugmentations.size())};
        LayerBuilder::Part part = lowerChosen(builder, x, std::to_string(op + 1), kAugmentations.size(), gate, seed_of);
        x = part.y;
        builder.append(std::move(part));
    }
    return x;
}

// x under a name of its own, so that its gradient is a tensor of its own.
TensorId lowerSame(LayerBuilder& builder, TensorId x, const std::string& suffix) {
    const spec::Shape shape = builder.shape(x);
    const TensorId same = builder.activation(suffix, shape);
    builder.emit({.kind = OpKind::kReshape, .inputs = {x}, .outputs = {same}});
    return same;
}

// The parts of a chain, one after the other. Every place draws its own numbers; one choice more than there are layers leaves it empty.
LayerBuilder::Part lowerChain(LayerBuilder& builder, TensorId x, std::int64_t chain, std::int64_t depth, std::size_t count) {
    LayerBuilder::Part whole;
    whole.x = whole.y = lowerSame(builder, x, "chain_" + std::to_string(chain + 1));
    for (std::int64_t i = 0; i < depth; ++i) {
        const std::int64_t number = chain * depth + i;
        const Gate gate{.seed = randomSeed(builder), .draw = static_cast<int>(number), .choices = static_cast<int>(count) + 1};
        const std::string place = std::to_string(chain + 1) + "/" + std::to_string(i + 1);
        LayerBuilder::Part part =
            lowerChosen(builder, whole.y, place, count, gate, [&](std::size_t) { return innerSeed(builder, number + 1); });
        whole.y = part.y;
        std::move(part.tape.begin(), part.tape.end(), std::back_inserter(whole.tape));
    }
    return whole;
}

TensorId lowerAugMix(LayerBuilder& builder, TensorId x) {
    if (!builder.training()) return x;
    const spec::Settings settings = builder.settings();
    const std::vector<double> range = settings.getDoubles("value_range");
    const std::size_t count = settings.getBool("all_ops") ? kAugmentations.size() : kOfValues;
    const std::int64_t depth = settings.getInt("chain_depth");
    std::vector<TensorId> mixed{lowerSame(builder, x, "image")};
    std::vector<LayerBuilder::Part> chains;
    for (std::int64_t chain = 0; chain < settings.getInt("num_chains"); ++chain) {
        chains.push_back(lowerChain(builder, x, chain, depth, count));
        mixed.push_back(chains.back().y);
    }
    constexpr std::int64_t kMixPurpose = std::int64_t{1} << 40;  // beside the layers' and the gates' numbers
    const RandomMix mix{.alpha = settings.getDouble("alpha"), .low = range[0], .high = range[1], .seed = randomSeed(builder) + kMixPurpose};
    const spec::Shape shape = builder.shape(x);
    const TensorId y = builder.activation("mixed", shape);
    const TensorId weights = builder.scratch("weights", {shape.front(), static_cast<std::int64_t>(mixed.size())}, tensor::DType::kFloat32);
    builder.emit({.kind = OpKind::kRandomMix, .inputs = mixed, .outputs = {y, weights}, .attributes = mix});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        std::vector<TensorId> inputs{dy, weights}, gradients;
        inputs.insert(inputs.end(), mixed.begin(), mixed.end());
        for (const TensorId id : mixed) gradients.push_back(b.gradientOf(id));
        b.emit({.kind = OpKind::kRandomMixBack, .inputs = inputs, .outputs = gradients, .attributes = mix});
        TensorId sum = gradients.front();
        for (std::size_t i = 0; i < chains.size(); ++i) {
            const TensorId of_chain = b.differentiatePart(chains[i], gradients[i + 1], needed);
            const TensorId more = i + 1 == chains.size() ? b.gradientOf(x) : b.activation("sum_" + std::to_string(i + 1), shape);
            b.emit({.kind = OpKind::kMerge, .inputs = {sum, of_chain}, .outputs = {more}, .attributes = MergeAttributes{MergeMode::kSum}});
            sum = more;
        }
        return sum;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> randomChoicesRows() {
    static constexpr LayerRow kRows[] = {
        {"RandAugment", lowerRandAugment},
        {"AugMix", lowerAugMix},
    };
    return kRows;
}

}  // namespace engine::plan
