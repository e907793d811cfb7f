// The kernels of layers, op by op against the reference: the nets that every back-end trains, and layers at the sizes that the kernels tell
// apart. Where kernels are emulated, threads run in several orders: the bytes must be the same.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/cuda_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/cuda/bind_op.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/plan/lower.h"
#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"
#include "tests/support/cuda_op_rig.h"
#include "tests/support/image_cases.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"

namespace engine::backend::cuda {
namespace {

using plan::OpKind;
using tests::support::CudaOpRig;
using tests::support::forEachOrder;
using tests::support::layer;
using tests::support::model;
using tests::support::ModelCase;
namespace rows = tests::support::rows;
using rows::n;
using rows::s;

std::optional<BoundOp> bindLayerOp(const Context& context, const plan::Op& op) {
    using plan::OpFamily;
    if (op.kind == OpKind::kMovingAverage) return bindMovingAverages(context, {&op, 1});  // this one alone
    const OpFamily family = plan::rowOf(op.kind).family;
    constexpr OpFamily kLayers[] = {OpFamily::kBias,      OpFamily::kActivation, OpFamily::kPrelu,     OpFamily::kPooling,
                                    OpFamily::kBatchNorm, OpFamily::kGroupNorm,  OpFamily::kEmbedding, OpFamily::kMerge,
                                    OpFamily::kMask,      OpFamily::kCast,       OpFamily::kAffine,    OpFamily::kStandardize,
                                    OpFamily::kIds,       OpFamily::kImage,      OpFamily::kNoise,     OpFamily::kSpectralNorm,
                                    OpFamily::kSignal};
    if (std::find(std::begin(kLayers), std::end(kLayers), family) == std::end(kLayers)) return std::nullopt;
    return bindOp(context, op, 0);
}

// What a run leaves on the device, tensor by tensor.
using Result = std::vector<std::vector<std::byte>>;
Result resultOf(CudaOpRig& rig) {
    Result result;
    for (std::size_t i = 0; i < rig.plan().tensors.size(); ++i) result.push_back(rig.bytes(static_cast<plan::TensorId>(i)));
    return result;
}

// --- The nets of the table ---

// `policy`: of all layers; empty: float32.
std::set<std::string> runModel(const ModelCase& c, const std::string& policy, int steps) {
    ModelCase run = c;
    if (!policy.empty()) run.model.dtype_policy = policy;
    const plan::Plan plan = plan::compile(tests::support::runOf(run), {.batch = c.batch, .fuse = false});
    std::int64_t elements = 1;
    for (std::int64_t size : c.model.input_shape) elements *= size;
    const plan::Plan forward = plan::compile(tests::support::runOf(c), {.batch = c.batch, .training = false});
    const tests::support::FakeData data(64, elements, forward.tensors[static_cast<std::size_t>(forward.output)].shape.back(), 3);
    std::set<std::string> seen;
    std::optional<Result> first;
    forEachOrder([&] {
        CudaOpRig rig(plan, bindLayerOp);
        initializeVariables(rig.variables(), c.model, 7);
        std::vector<std::uint32_t> indices(static_cast<std::size_t>(c.samples));
        for (int step = 0; step < steps; ++step) {
            for (std::size_t i = 0; i < indices.size(); ++i) {
                indices[i] = static_cast<std::uint32_t>((static_cast<std::size_t>(step) * indices.size() + i * 5) % 64);
            }
            const tensor::BatchView batch = data.view(indices);
            rig.run({.batch = &batch,
                     .control = {.learning_rate = c.learning_rate, .iteration = step, .seed = 11, .epoch = 2},
                     .samples = c.samples});
        }
        seen.insert(rig.seen().begin(), rig.seen().end());
        Result result = resultOf(rig);
        if (!first)
            first = std::move(result);
        else
            EXPECT_EQ(*first, result) << "another order of threads, other bytes";
    });
    return seen;
}

std::vector<ModelCase> allCases() {
    std::vector<ModelCase> cases = tests::support::modelCases();
    for (ModelCase& c : tests::support::imageCases()) cases.push_back(std::move(c));
    return cases;
}

TEST(CudaLayerOps, AgreeWithTheReferenceInEveryModelOfTheTable) {
    std::set<std::string> seen;
    for (const ModelCase& c : allCases()) {
        SCOPED_TRACE(c.name);
        const std::set<std::string> more = runModel(c, "", 2);
        seen.insert(more.begin(), more.end());
    }
    for (const char* kind : {"BiasAdd", "BiasAddBack", "MovingAverage", "Activation", "MaxPool2D", "MaskedMean"}) {
        EXPECT_TRUE(seen.contains(kind)) << kind;
    }
}

TEST(CudaLayerOps, AgreeInMixedPrecision) {
    std::set<std::string> seen;
    for (const char* policy : {"mixed_bfloat16", "mixed_float16"}) {
        for (const ModelCase& c : allCases()) {
            SCOPED_TRACE(c.name + ", " + policy);
            const std::set<std::string> more = runModel(c, policy, 1);
            seen.insert(more.begin(), more.end());
        }
    }
    for (const char* kind : {"Cast", "BiasAdd", "BatchNormBack", "MaxPool2DBack", "DropoutBack", "GroupNormBack", "EmbeddingBack"}) {
        EXPECT_TRUE(seen.contains(kind)) << kind;
    }
}

// --- Layers alone ---

struct LayerCase {
    std::string name;
    spec::ModelSpec model;
    std::int64_t batch = 4, samples = 4;
    float scale = 1;  // of the input's values
    int replicas = 1;
};

std::vector<float> someValues(std::size_t count, std::uint64_t stream, float scale) {
    const tensor::RandomStream random({.seed = 1, .purpose = tensor::RandomPurpose::kAugmentation, .stream = stream});
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = scale * (2 * random.uniform(0, i) - 1);
    return values;
}

std::set<std::string> runLayers(const LayerCase& c, const std::string& policy, bool in_every_order = true) {
    spec::ModelSpec model = c.model;
    plan::Plan plan = plan::lowerLayers(model, {.batch = c.batch, .replicas = c.replicas, .input_gradient = true});
    if (!policy.empty()) {
        model.dtype_policy = policy;
        plan = plan::withMixedPrecision(std::move(plan), model);
    }
    std::set<std::string> seen;
    std::optional<Result> first;
    const auto run = [&] {
        CudaOpRig rig(plan, bindLayerOp);
        std::uint64_t stream = 10;
        for (const Variables::Entry& entry : rig.variables().entries()) {
            const std::vector<float> values = someValues(entry.values.size(), stream++, 0.7F);
            const bool is_variance = entry.name.find("variance") != std::string::npos;
            std::transform(values.begin(), values.end(), entry.values.begin(), [&](float v) { return is_variance ? v * v + 0.1F : v; });
        }
        const auto elements = [&](plan::TensorId id) {
            return static_cast<std::size_t>(plan::elementCount(plan.tensors[static_cast<std::size_t>(id)]));
        };
        const plan::TensorId dy = plan::findTensor(plan, "output:grad");
        std::vector<float> input = someValues(elements(plan.input), 1, c.scale), gradient = someValues(elements(dy), 2, 1);
        if (model.input_dtype == "int32") {
            for (float& value : input) value = std::floor(std::abs(value));
        }
        // As the gather and the loss leave what a step lacks.
        const auto clear = [&](std::vector<float>& values) {
            const auto absent = static_cast<std::ptrdiff_t>(values.size() / static_cast<std::size_t>(c.batch)) * (c.batch - c.samples);
            std::fill(values.end() - absent, values.end(), 0.0F);
        };
        clear(input);
        clear(gradient);
        rig.set(plan.input, input);
        rig.set(dy, gradient);
        std::vector<std::uint32_t> indices;
        for (std::int64_t i = 0; i < c.samples; ++i) indices.push_back(static_cast<std::uint32_t>(3 + 7 * i));
        const tensor::BatchView batch{.indices = indices};
        rig.run({.batch = &batch, .control = {.iteration = 4, .seed = 5, .epoch = 1}, .samples = c.samples});
        seen.insert(rig.seen().begin(), rig.seen().end());
        Result result = resultOf(rig);
        if (!first)
            first = std::move(result);
        else
            EXPECT_EQ(*first, result) << "another order of threads, other bytes";
    };
    in_every_order ? forEachOrder(run) : run();
    return seen;
}

spec::LayerSpec each(const char* name, const char* class_name, spec::Fields config) {
    return layer("TimeDistributed", name, {{"layer", spec::ObjectBox({class_name, std::move(config)})}});
}
std::vector<std::int64_t> ints(std::initializer_list<std::int64_t> values) {
    return values;
}

std::vector<LayerCase> layerCases() {
    std::vector<LayerCase> cases;
    for (const plan::NamedActivation* named :
         {plan::findActivation("relu"), plan::findActivation("relu6"), plan::findActivation("leaky_relu")}) {
        cases.push_back(
            {std::string(named->name), model({37}, {layer("Activation", "act", {{"activation", std::string(named->name)}})}), 5, 3, 8});
    }
    const auto add = [&](std::string name, spec::Shape shape, std::vector<spec::LayerSpec> layers, std::int64_t batch = 4,
                         std::int64_t samples = 4, float scale = 1, int replicas = 1) {
        cases.push_back({std::move(name), model(std::move(shape), std::move(layers)), batch, samples, scale, replicas});
    };
    for (const char* name :
         {"elu",         "selu",        "celu",        "gelu",       "gelu_approximate", "sigmoid",       "hard_sigmoid", "tanh",
          "hard_tanh",   "softplus",    "softsign",    "silu",       "hard_silu",        "mish",          "exponential",  "log_sigmoid",
          "tanh_shrink", "soft_shrink", "hard_shrink", "squareplus", "sparse_plus",      "sparse_sigmoid"}) {
        add(name, {41}, {layer("Activation", "act", {{"activation", s(name)}})}, 5, 4, 6);
    }
    for (const std::int64_t columns : {1, 3, 10, 64, 129, 1100, 2500}) {
        for (const char* name : {"softmax", "log_softmax", "sparsemax"}) {
            if (columns > 1100 && std::string(name) == "sparsemax") continue;
            add(name + std::to_string(columns), {3, columns}, {layer("Activation", "act", {{"activation", s(name)}})}, 3, 2, 3);
        }
    }
    add("PreluOfEveryElement", {5, 4, 8}, {layer("PReLU", "prelu")}, 9, 6);
    add("PreluShared", {5, 7, 6}, {layer("PReLU", "prelu", {{"shared_axes", ints({1, 2})}})}, 9, 9);
    add("PreluSharedInTheMiddle", {5, 7, 6}, {layer("PReLU", "prelu", {{"shared_axes", ints({2})}})}, 40, 33);
    add("PreluSharedByChannels", {60, 50, 8}, {layer("PReLU", "prelu", {{"shared_axes", ints({1, 2, 3})}})}, 2, 2);
    for (const std::int64_t channels : {3, 8}) {
        const std::string of = "Of" + std::to_string(channels);
        add("MaxPool" + of, {9, 8, channels}, {layer("MaxPooling2D", "pool")});
        add("MaxPoolSame" + of, {9, 8, channels},
            {layer("MaxPooling2D", "pool", {{"padding", s("same")}, {"pool_size", n(3)}, {"strides", n(2)}})}, 4, 3);
        add("MaxPoolOverlapping" + of, {9, 8, channels}, {layer("MaxPooling2D", "pool", {{"pool_size", ints({3, 2})}, {"strides", n(1)}})});
        add("MaxPoolWithGaps" + of, {11, 9, channels}, {layer("MaxPooling2D", "pool", {{"pool_size", n(2)}, {"strides", n(3)}})});
        add("GlobalMaxPool" + of, {17, 18, channels}, {layer("GlobalMaxPooling2D", "pool")}, 3, 3);
        add("AveragePool" + of, {9, 8, channels}, {layer("AveragePooling2D", "pool")}, 4, 2);
        add("AveragePoolSame" + of, {9, 8, channels},
            {layer("AveragePooling2D", "pool", {{"padding", s("same")}, {"pool_size", n(3)}, {"strides", n(2)}})});
        for (const char* kind : {"Max", "Average"}) {
            const auto adapt = [&](std::int64_t rows, std::int64_t columns) {
                return layer(std::string("Adaptive") + kind + "Pooling2D", "pool", {{"output_size", ints({rows, columns})}});
            };
            add(std::string("Adaptive") + kind + of, {9, 8, channels}, {adapt(4, 5)}, 4, 3);
            add(std::string("AdaptiveLarger") + kind + of, {7, 18, channels}, {adapt(10, 18)}, 3, 3);
            add(std::string("AdaptiveWide") + kind + of, {35, 33, channels}, {adapt(2, 2)}, 3, 2);
        }
        add("GlobalAveragePool" + of, {7, 5, channels}, {layer("GlobalAveragePooling2D", "pool")});
        add("Upsample" + of, {5, 4, channels}, {layer("UpSampling2D", "up", {{"size", ints({2, 3})}})}, 3, 2);
        add("UpsampleBilinear" + of, {5, 4, channels},
            {layer("UpSampling2D", "up", {{"size", ints({3, 2})}, {"interpolation", s("bilinear")}})});
        add("UpsampleBilinearOfOneCell" + of, {1, 1, channels},
            {layer("UpSampling2D", "up", {{"size", ints({3, 2})}, {"interpolation", s("bilinear")}})});
        for (const char* interpolation : {"bilinear", "nearest"}) {
            const auto resize = [&](std::int64_t height, std::int64_t width, bool pads, bool cuts) {
                return layer("Resizing", "resize",
                             {{"height", height},
                              {"width", width},
                              {"interpolation", s(interpolation)},
                              {"pad_to_aspect_ratio", pads},
                              {"crop_to_aspect_ratio", cuts},
                              {"fill_value", 0.4}});
            };
            add(std::string("ResizeLarger") + interpolation + of, {6, 5, channels}, {resize(13, 11, false, false)}, 3, 2);
            add(std::string("ResizeSmaller") + interpolation + of, {16, 15, channels}, {resize(3, 4, false, false)}, 3, 2);
            add(std::string("ResizePadded") + interpolation + of, {6, 5, channels}, {resize(3, 11, true, false)}, 3, 3);
            add(std::string("ResizeCut") + interpolation + of, {6, 15, channels}, {resize(9, 7, false, true)}, 3, 3);
        }
        add("RandomCrop" + of, {9, 11, channels}, {layer("RandomCrop", "crop", {{"height", n(4)}, {"width", n(6)}})}, 4, 3);
        add("RandomCropOfSmall" + of, {5, 11, channels}, {layer("RandomCrop", "crop", {{"height", n(6)}, {"width", n(6)}})}, 3, 3);
        add("CenterCropOfSmall" + of, {6, 5, channels}, {layer("CenterCrop", "crop", {{"height", n(9)}, {"width", n(3)}})});
        add("PadAndCrop" + of, {6, 5, channels},
            {layer("ZeroPadding2D", "pad", {{"padding", ints({1, 2, 0, 3})}}),
             layer("Cropping2D", "crop", {{"cropping", ints({2, 1, 0, 1})}})});
        add("Affine" + of, {6, 5, channels}, {layer("Rescaling", "scale", {{"scale", 0.5}, {"offset", -0.1}})}, 3, 2);
        for (const char* fill : {"reflect", "constant", "wrap", "nearest"}) {
            add(std::string("RandomImages") + fill + of, {11, 13, channels},
                {layer("Activation", "act", {{"activation", s("tanh")}}), layer("RandomFlip", "flip"),
                 layer("RandomRotation", "turn", {{"factor", 0.3}, {"fill_mode", s(fill)}, {"fill_value", 0.3}}),
                 layer("RandomZoom", "zoom", {{"height_factor", 0.4}, {"fill_mode", s(fill)}, {"interpolation", s("nearest")}}),
                 layer("RandomTranslation", "shift", {{"height_factor", 0.3}, {"width_factor", 0.3}, {"fill_mode", s(fill)}}),
                 layer("RandomShear", "shear", {{"x_factor", 0.3}, {"y_factor", 0.2}, {"fill_mode", s(fill)}}),
                 layer("RandomPerspective", "corners", {{"scale", 0.4}})},
                5, 4);
        }
        const std::vector<double> range{-0.9, 0.8};
        add("RandomValues" + of, {11, 13, channels},
            {layer("Activation", "act", {{"activation", s("tanh")}}),
             layer("RandomBrightness", "brightness", {{"factor", 0.2}, {"value_range", range}}),
             layer("RandomInvert", "invert", {{"factor", 0.5}, {"value_range", range}})},
            5, 4);
        for (const char* with : {"Noise", "Color"}) {
            spec::Fields config{{"factor", std::vector<double>{0.5, 1}}, {"value_range", range}};
            if (std::string(with) == "Color") config.set("fill_value", 0.4);
            add(std::string("RandomErasing") + with + of, {11, 13, channels},
                {layer("Activation", "act", {{"activation", s("tanh")}}), layer("RandomErasing", "erase", config)}, 5, 4);
        }
        add("RandomContrast" + of, {11, 13, channels},
            {layer("Activation", "act", {{"activation", s("tanh")}}),
             layer("RandomContrast", "contrast", {{"factor", std::vector<double>{0.3, 0.6}}, {"value_range", range}})},
            5, 4);
        add("RandomSharpness" + of, {11, 13, channels},
            {layer("Activation", "act", {{"activation", s("tanh")}}),
             layer("RandomSharpness", "sharpness", {{"factor", 1.0}, {"value_range", range}})},
            5, 4);
        for (const auto& size : {ints({3, 3}), ints({1, 7}), ints({5, 3})}) {
            add("RandomGaussianBlur" + std::to_string(size[0]) + std::to_string(size[1]) + of, {11, 13, channels},
                {layer("Activation", "act", {{"activation", s("tanh")}}), layer("RandomGaussianBlur", "blur",
                                                                                {{"factor", std::vector<double>{0.5, 1}},
                                                                                 {"kernel_size", size},
                                                                                 {"sigma", std::vector<double>{0.3, 2}},
                                                                                 {"value_range", range}})},
                5, 4);
        }
        for (const char* fill : {"reflect", "constant", "wrap", "nearest"}) {
            for (const char* interpolation : {"bilinear", "nearest"}) {
                add(std::string("Elastic") + fill + interpolation + of, {11, 13, channels},
                    {layer("RandomElasticTransform", "elastic",
                           {{"factor", std::vector<double>{0.5, 1}},
                            {"scale", std::vector<double>{1, 9}},
                            {"interpolation", s(interpolation)},
                            {"fill_mode", s(fill)},
                            {"fill_value", 0.3},
                            {"value_range", range}})},
                    5, 4);
            }
        }
        for (const auto& grid : {ints({1, 1}), ints({3, 5}), ints({22, 9})}) {
            add("Tiles" + std::to_string(grid[0]) + std::to_string(grid[1]) + of, {11, 13, channels},
                {layer("ContrastLimitedAdaptiveHistogramEqualization", "tiles",
                       {{"tile_grid_size", grid}, {"clip_limit", grid[0] == 3 ? 0.0 : 2.0}, {"value_range", range}})},
                5, 4);
        }
        for (const std::int64_t bins : {1, 2, 300}) {
            add("Equalization" + std::to_string(bins) + of, {11, 13, channels},
                {layer("Equalization", "levels", {{"bins", bins}, {"value_range", range}})}, 5, 4);
        }
        add("AutoContrast" + of, {11, 13, channels}, {layer("AutoContrast", "contrast", {{"value_range", range}})}, 5, 4);
    }
    const std::vector<double> parts{0, 1};
    for (const auto& [class_name, config] :
         std::vector<std::pair<const char*, spec::Fields>>{{"RandomSaturation", {{"factor", 0.8}, {"value_range", parts}}},
                                                           {"RandomHue", {{"factor", 0.4}, {"value_range", parts}}},
                                                           {"RandomGrayscale", {}},
                                                           {"RandomColorDegeneration", {{"factor", 0.8}, {"value_range", parts}}}}) {
        add(class_name, {11, 13, 3}, {layer("Activation", "act", {{"activation", s("sigmoid")}}), layer(class_name, "colors", config)}, 5,
            4);
    }
    add("Solarization", {11, 13, 3},
        {layer("Rescaling", "scale", {{"scale", 100.0}, {"offset", 100.0}}),
         layer("Solarization", "sun", {{"addition_factor", 0.3}, {"threshold_factor", 0.8}}),
         layer("Rescaling", "scale_1", {{"scale", 0.01}})},
        5, 4);
    add("Posterization", {11, 13, 3},
        {layer("Rescaling", "scale", {{"scale", 100.0}, {"offset", 100.0}}), layer("RandomPosterization", "poster", {{"factor", n(6)}}),
         layer("Rescaling", "scale_1", {{"scale", 0.01}})},
        5, 4);
    for (const char* mode : {"log", "magnitude", "psd", "angle", "stft"}) {
        add(std::string("Spectrum") + mode, {37, 2},
            {layer("STFTSpectrogram", "stft", {{"mode", s(mode)}, {"frame_length", n(9)}, {"frame_step", n(2)}, {"fft_length", n(70)}})}, 5,
            4);
    }
    add("SpectraOfEveryTime", {3, 11, 2}, {each("each", "STFTSpectrogram", {{"frame_length", n(4)}, {"expand_dims", true}})}, 3, 2);
    for (const std::int64_t length : {2, 9, 16, 64}) {
        for (const bool decibels : {true, false}) {
            add("MelSpectrogram" + std::to_string(length) + (decibels ? "Decibels" : "Powers"), {70},
                {layer("MelSpectrogram", "mel",
                       {{"fft_length", length},
                        {"sequence_stride", n(11)},
                        {"num_mel_bins", n(7)},
                        {"sampling_rate", n(1000)},
                        {"power_to_db", decibels},
                        {"mag_exp", decibels ? 2.0 : 1.5},
                        {"min_power", 0.01},
                        {"top_db", 12.0}})},
                6, 5);
        }
    }
    for (const auto& dims : {ints({3, 1, 2}), ints({2, 1, 3}), ints({1, 3, 2}), ints({3, 2, 1})}) {
        add("Permute" + std::to_string(dims[0]) + std::to_string(dims[1]), {35, 6, 40}, {layer("Permute", "permute", {{"dims", dims}})}, 2,
            1);
    }
    add("PermuteOfPlain", {5, 33}, {layer("Permute", "permute", {{"dims", ints({2, 1})}})});
    for (const std::int64_t units : {7, 24}) {
        const std::string of = "Of" + std::to_string(units);
        add("Dropout" + of, {5, units}, {layer("Dropout", "dropout", {{"rate", 0.4}})}, 6, 5);
        add("DropoutOfAll" + of, {5, units}, {layer("Dropout", "dropout", {{"rate", 1.0}})});
        add("DropoutShared" + of, {4, 5, units}, {layer("Dropout", "dropout", {{"rate", 0.4}, {"noise_shape", ints({-1, 4, 1, units})}})},
            3, 2);
        add("SpatialDropout" + of, {4, 5, units}, {layer("SpatialDropout2D", "dropout", {{"rate", 0.4}})});
        add("GaussianNoise" + of, {5, units}, {layer("GaussianNoise", "noise", {{"stddev", 0.5}})}, 6, 4);
        add("GaussianDropout" + of, {5, units}, {layer("GaussianDropout", "noise", {{"rate", 0.3}})}, 6, 4);
        add("TilesOfEveryTime" + of, {3, 4, 5, units},
            {each("each", "ContrastLimitedAdaptiveHistogramEqualization",
                  {{"tile_grid_size", ints({2, 3})}, {"value_range", std::vector<double>{-1, 1}}})},
            3, 2);
        add("RandomOfEveryTime" + of, {3, 4, 5, units},
            {each("each", "Dropout", {{"rate", 0.3}}), each("each_1", "SpatialDropout2D", {{"rate", 0.3}}),
             each("each_2", "GaussianNoise", {{"stddev", 0.3}}), each("each_4", "GaussianDropout", {{"rate", 0.2}}),
             each("each_3", "RandomTranslation", {{"height_factor", 0.4}, {"width_factor", 0.4}}),
             each("each_6", "RandomErasing", {{"value_range", std::vector<double>{-1, 1}}}),
             each("each_11", "Equalization", {{"bins", n(4)}}),
             each("each_8", "RandomSharpness", {{"factor", 0.9}, {"value_range", std::vector<double>{-1, 1}}}),
             each("each_13", "RandomElasticTransform", {{"scale", std::vector<double>{1, 9}}, {"value_range", std::vector<double>{-1, 1}}}),
             each("each_9", "RandomGaussianBlur", {{"value_range", std::vector<double>{-1, 1}}}),
             each("each_10", "AutoContrast", {{"value_range", std::vector<double>{-1, 1}}}),
             each("each_5", "RandomContrast", {{"factor", 0.4}, {"value_range", std::vector<double>{-1, 1}}}),
             each("each_7", "RandomCrop", {{"height", n(3)}, {"width", n(3)}})},
            3, 2);
    }
    const std::vector<double> ends{-1, 1};
    for (const std::int64_t channels : {1, 3}) {
        const std::string of = "Of" + std::to_string(channels);
        const auto tanh = layer("Activation", "act", {{"activation", s("tanh")}});
        add("RandAugment" + of, {11, 13, channels},
            {tanh, layer("RandAugment", "augment", {{"num_ops", n(4)}, {"factor", 0.6}, {"value_range", ends}})}, 5, 4);
        add("AugMix" + of, {11, 13, channels}, {tanh, layer("AugMix", "mix", {{"alpha", 0.6}, {"value_range", ends}})}, 5, 4);
        add("AugmentedOfEveryTime" + of, {3, 4, 5, channels},
            {each("each", "RandAugment", {{"num_ops", n(1)}, {"value_range", ends}}),
             each("each_1", "AugMix", {{"num_chains", n(16)}, {"chain_depth", n(1)}, {"value_range", ends}})},
            3, 2);
    }
    const std::vector<double> four{0.5, -1, 0, 2}, variances{1, 0.25, 3, 0.5};
    const auto given = [](spec::Fields config) { return layer("Normalization", "given", std::move(config)); };
    add("Standardized", {30, 40}, {given({})}, 20, 17);
    add("StandardizedOfPlanes", {5, 9, 8}, {given({{"axis", n(1)}, {"invert", true}})}, 12, 11);
    add("StandardizedByNumbers", {9, 4}, {given({{"mean", four}, {"variance", variances}})}, 5, 4);
    add("StandardizedByManyNumbers", {30, 31}, {given({{"axis", ints({1, 2})}, {"mean", 0.5}, {"variance", 2.0}, {"invert", true}})}, 3, 2);
    add("StandardizedByOneNumber", {7, 3}, {given({{"axis", std::vector<std::int64_t>{}}, {"mean", 0.5}, {"variance", 2.0}})}, 3, 3);
    add("Buckets", {9, 7}, {layer("Discretization", "buckets", {{"bin_boundaries", std::vector<double>{-0.5, 0, 0.1, 0.5}}})}, 6, 5);
    std::vector<std::int64_t> words;
    for (std::int64_t i = 0; i < 900; ++i) words.push_back(7 * i % 911 - 3);
    const std::vector<double> steps{-0.75, -0.5, -0.25, 0, 0.25, 0.5};
    for (const char* mode : {"int", "one_hot", "multi_hot", "count"}) {
        add(std::string("LookedUp") + mode, {33},
            {layer("Discretization", "buckets", {{"bin_boundaries", steps}}),
             layer("IntegerLookup", "lookup",
                   {{"vocabulary", words}, {"num_oov_indices", n(3)}, {"mask_token", n(-9)}, {"output_mode", s(mode)}})},
            7, 6);
    }
    for (const char* mode : {"int", "count", "tf_idf"}) {
        std::vector<double> weights;
        for (std::size_t i = 0; i < words.size() && std::string(mode) == "tf_idf"; ++i) weights.push_back(0.5 + static_cast<double>(i % 7));
        add(std::string("LookedUpByHash") + mode, {33},
            {layer("Discretization", "buckets", {{"bin_boundaries", steps}}), layer("IntegerLookup", "lookup",
                                                                                    {{"vocabulary", words},
                                                                                     {"num_oov_indices", n(3)},
                                                                                     {"mask_token", n(-9)},
                                                                                     {"oov_method", s("farmhash")},
                                                                                     {"idf_weights", weights},
                                                                                     {"output_mode", s(mode)}})},
            7, 6);
    }
    for (const char* mode : {"int", "one_hot", "multi_hot", "count"}) {
        const std::string text(mode);
        add("Hashed" + text, text == "one_hot" ? spec::Shape{33, 1} : spec::Shape{33},
            {layer("Discretization", "buckets", {{"bin_boundaries", steps}}),
             layer("Hashing", "hash", {{"num_bins", n(9)}, {"mask_value", n(2)}, {"output_mode", s(mode)}})},
            7, 6);
    }
    const auto norm = [](spec::Fields config) { return layer("BatchNormalization", "norm", std::move(config)); };
    add("BatchNormOfRows", {30, 40}, {norm({})}, 20, 17, 3);
    add("BatchNormOfOddChannels", {9, 7, 5}, {norm({{"scale", false}})}, 6, 6, 3);
    add("BatchNormOfManyChannels", {260}, {norm({{"center", false}})}, 70, 70, 2);
    add("BatchNormOfPlanes", {5, 9, 8}, {norm({{"axis", n(1)}})}, 12, 11, 2);
    add("BatchNormOfNothing", {9, 8}, {norm({})}, 4, 0);
    add("FrozenBatchNorm", {9, 8}, {norm({{"trainable", false}})}, 4, 3);
    add("BatchNormOfReplicas", {9, 8}, {norm({{"synchronized", true}})}, 5, 4, 2, 2);
    add("BatchNormOfReplicasOfPlanes", {3, 9, 8}, {norm({{"synchronized", true}, {"axis", n(1)}, {"scale", false}})}, 5, 5, 2, 2);
    add("BatchNormOfReplicasOfNothing", {9, 8}, {norm({{"synchronized", true}})}, 5, 0, 2, 2);
    const auto masked = [&](spec::LayerSpec then) {
        return std::vector<spec::LayerSpec>{layer("ReLU", "cut", {{"threshold", 0.5}}), layer("Masking", "masking"), std::move(then)};
    };
    add("MaskedBatchNorm", {9, 8}, masked(norm({})), 11, 9);
    add("MaskedBatchNormOfSteps", {9, 3}, masked(norm({{"axis", n(1)}})), 11, 11);
    add("MaskedMean", {9, 3}, masked(layer("GlobalAveragePooling1D", "mean")), 5, 4);
    add("MaskedDropout", {9, 3}, masked(layer("Dropout", "dropout", {{"rate", 0.4}})), 5, 4);
    add("LayerNorm", {5, 21}, {layer("LayerNormalization", "norm")}, 6, 4, 3);
    add("LayerNormOfWideRows", {3, 1500}, {layer("LayerNormalization", "norm")}, 6, 6, 3);
    add("LayerNormWithoutBeta", {5, 64}, {layer("LayerNormalization", "norm", {{"center", false}})}, 30, 29, 3);
    add("GroupNorm", {6, 5, 12}, {layer("GroupNormalization", "norm", {{"groups", n(3)}})}, 5, 4, 2);
    add("GroupNormOfOneGroup", {16, 9, 12}, {layer("GroupNormalization", "norm", {{"groups", n(1)}})}, 3, 3, 2);
    add("InstanceNorm", {6, 5, 12}, {layer("GroupNormalization", "norm", {{"groups", n(12)}, {"scale", false}})}, 5, 5, 2);
    add("FrozenGroupNorm", {6, 5, 12}, {layer("GroupNormalization", "norm", {{"groups", n(4)}, {"trainable", false}})}, 5, 4);
    add("RmsNorm", {5, 21}, {layer("RMSNormalization", "norm")}, 6, 4, 3);
    add("RmsNormOfWideRows", {3, 1500}, {layer("RMSNormalization", "norm")}, 6, 6, 3);
    add("FrozenRmsNorm", {5, 64}, {layer("RMSNormalization", "norm", {{"trainable", false}})}, 30, 29);
    add("UnitNorm", {6, 5}, {layer("UnitNormalization", "norm")}, 5, 3, 2);
    add("UnitNormOfWideRows", {2, 1300}, {layer("UnitNormalization", "norm")}, 3, 3, 2);
    for (const std::int64_t units : {1, 40, 300}) {
        const spec::ObjectBox inner({"Dense", {{"units", units}}});
        add("SpectralNorm" + std::to_string(units), {520},
            {layer("SpectralNormalization", "spectral", {{"layer", inner}, {"power_iterations", n(units == 40 ? 3 : 1)}})}, 3, 2);
    }
    for (const char* mode : {"concat", "sum", "ave", "mul"}) {
        for (const std::int64_t units : {4, 5}) {
            for (const bool sequences : {true, false}) {
                const spec::ObjectBox inner({"SimpleRNN", {{"units", units}, {"return_sequences", sequences}}});
                add(std::string("Merge") + mode + std::to_string(units) + (sequences ? "Sequences" : ""), {4, 3},
                    {layer("Bidirectional", "both", {{"layer", inner}, {"merge_mode", s(mode)}})}, 5, 4);
            }
        }
    }
    const auto embed = [&](std::string name, spec::Shape shape, std::int64_t words, std::int64_t width, std::int64_t batch,
                           std::int64_t samples) {
        LayerCase c{std::move(name),
                    model(std::move(shape), {layer("Embedding", "embedding", {{"input_dim", words}, {"output_dim", width}})}), batch,
                    samples, static_cast<float>(words)};
        c.model.input_dtype = "int32";
        cases.push_back(std::move(c));
    };
    embed("Embedding", {9}, 200, 7, 6, 5);
    embed("EmbeddingOfVectors", {70}, 130, 40, 9, 9);
    embed("EmbeddingOfOneWord", {30}, 1, 8, 20, 20);
    return cases;
}

TEST(CudaLayerOps, AgreeWithTheReferenceAloneAtEverySize) {
    std::set<std::string> seen;
    for (const LayerCase& c : layerCases()) {
        SCOPED_TRACE(c.name);
        const std::set<std::string> more = runLayers(c, "");
        EXPECT_FALSE(more.empty());
        seen.insert(more.begin(), more.end());
    }
    for (const char* kind : {"Activation",
                             "ActivationBack",
                             "Prelu",
                             "PreluBack",
                             "BatchNorm",
                             "BatchNormBack",
                             "BatchSums",
                             "BatchBackSums",
                             "GroupNorm",
                             "GroupNormBack",
                             "UnitNorm",
                             "UnitNormBack",
                             "Embedding",
                             "EmbeddingBack",
                             "Merge",
                             "MergeBack",
                             "MaxPool2D",
                             "MaxPool2DBack",
                             "AveragePool2D",
                             "AveragePool2DBack",
                             "Mask",
                             "ApplyMask",
                             "MaskedMean",
                             "MaskedMeanBack",
                             "Transpose",
                             "Pad2D",
                             "Upsample2D",
                             "Upsample2DBack",
                             "Affine",
                             "Dropout",
                             "DropoutBack",
                             "GaussianNoise",
                             "RandomImage",
                             "RandomImageBack",
                             "RandomColors",
                             "RandomColorsBack",
                             "Resample2D",
                             "Resample2DBack",
                             "RandomErasing",
                             "RandomErasingBack",
                             "RandomBlur",
                             "RandomBlurBack",
                             "RandomElastic",
                             "RandomElasticBack",
                             "ImageLevels",
                             "ImageLevelsBack",
                             "Standardize",
                             "Index",
                             "Encode",
                             "Spectrum",
                             "SpectrumBack",
                             "MelSpectrogram",
                             "MelSpectrogramBack"}) {
        EXPECT_TRUE(seen.contains(kind)) << kind;
    }
}

TEST(CudaLayerOps, AgreeAloneInMixedPrecision) {
    for (const char* policy : {"mixed_bfloat16", "mixed_float16"}) {
        for (const LayerCase& c : layerCases()) {
            SCOPED_TRACE(c.name + ", " + policy);
            runLayers(c, policy, false);
        }
    }
}

// Sizes at which sums are taken in many parts, put together by a launch of their own.
TEST(CudaLayerOps, SumOverLargeBatchesInParts) {
    const auto norm = layer("BatchNormalization", "norm");
    runLayers({"columns", model({1100, 32}, {norm}), 32, 31, 5}, "", false);
    runLayers({"planes", model({3, 11000}, {layer("BatchNormalization", "norm", {{"axis", n(1)}})}), 32, 30, 5}, "", false);
    runLayers({"gradients", model({900, 12}, {layer("LayerNormalization", "norm"), layer("PReLU", "prelu", {{"shared_axes", ints({1})}})}),
               33, 33, 3},
              "", false);
    runLayers({"bias", model({300, 6}, {layer("Dense", "dense", {{"units", n(20)}})}), 41, 40, 3}, "", false);
}

// A mean far from 0: the squares of the values would say nothing of the variance.
TEST(CudaLayerOps, TakeTheVarianceOfValuesFarFromZero) {
    const plan::Plan plan = plan::lowerLayers(model({50, 8}, {layer("BatchNormalization", "norm")}), {.batch = 30, .input_gradient = true});
    // As near as a mean in float32 can be to one in double.
    CudaOpRig rig(plan, bindLayerOp, {.values = 1e-3, .sums = 1e-3});
    std::vector<float> input = someValues(30 * 50 * 8, 3, 0.01F);
    for (float& value : input) value += 300;
    for (const Variables::Entry& entry : rig.variables().entries()) {
        const bool is_one = entry.name.find("gamma") != std::string::npos || entry.name.find("variance") != std::string::npos;
        std::fill(entry.values.begin(), entry.values.end(), is_one ? 1.0F : 0.0F);
    }
    rig.set(plan.input, input);
    rig.set(plan::findTensor(plan, "output:grad"), someValues(30 * 50 * 8, 4, 1));
    rig.run({.samples = 30});
}

TEST(CudaLayerOps, SayWhichIdIsBeyondTheTable) {
    const plan::Plan plan = plan::lowerLayers(model({2}, {layer("Embedding", "words", {{"input_dim", n(6)}, {"output_dim", n(3)}})}),
                                              {.batch = 3, .input_gradient = true});
    // The interpreter throws by itself: kernels alone.
    for (const float id : {6.0F, -1.0F}) {
        CudaOpRig rig(plan, [](const Context& context, const plan::Op& op) { return bindLayerOp(context, op); });
        rig.set(plan.input, std::vector<float>{0, 5, 1, id, 9, 9});  // the last sample is not there
        EXPECT_THROW(rig.run({.samples = 2}), Error);
        try {
            rig.throwFaults();
            FAIL() << "expected an error";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kOutOfRange);
            EXPECT_THAT(error.what(), ::testing::HasSubstr("words: expected ids from 0 to 5, got " + std::to_string(static_cast<int>(id)) +
                                                           " in sample 1 of the batch"));
        }
    }
}

}  // namespace
}  // namespace engine::backend::cuda
