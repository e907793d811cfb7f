// The table of models that every back-end must train as the reference does. To add a case: one row in modelCases(). A back-end's test is
//   for (const ModelCase& c : modelCases()) expectTrainsLikeReference(c, makeMyExecutor, {.fuse = true});
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/tensor/random.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace tests::support {

struct ModelCase {
    std::string name;
    engine::spec::ModelSpec model;
    engine::spec::CompileSpec compile;
    std::int64_t batch = 8;
    std::int64_t samples = 8;  // present in each step
    float learning_rate = 0.05F;
    bool samples_meet = false;  // statistics of the batch, a mean over what counts of it: parts of it train differently
};

inline void PrintTo(const ModelCase& c, std::ostream* out) {
    *out << c.name;
}

// Keyed random samples and labels in memory, uint8 like a cached image set.
class FakeData {
public:
    FakeData(std::int64_t count, std::int64_t elements, std::int64_t classes, std::uint64_t seed)
        : elements_(elements), samples_(static_cast<std::size_t>(count * elements)), labels_(static_cast<std::size_t>(count)) {
        const engine::tensor::RandomStream stream({.seed = seed, .purpose = engine::tensor::RandomPurpose::kAugmentation});
        for (std::size_t i = 0; i < samples_.size(); ++i) samples_[i] = static_cast<std::uint8_t>(stream.bits(0, i) & 0xFF);
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            labels_[i] = static_cast<std::uint8_t>(stream.below(1, i, static_cast<std::uint64_t>(classes)));
        }
    }
    // `indices` must outlive the view.
    engine::tensor::BatchView view(std::span<const std::uint32_t> indices) const {
        return {.samples = reinterpret_cast<const std::byte*>(samples_.data()),
                .sample_elements = elements_,
                .scale = 1.0F / 255.0F,
                .labels = reinterpret_cast<const std::byte*>(labels_.data()),
                .indices = indices};
    }

private:
    std::int64_t elements_;
    std::vector<std::uint8_t> samples_;
    std::vector<std::uint8_t> labels_;
};

using ExecutorFactory = std::function<std::unique_ptr<engine::backend::Executor>(const engine::plan::Plan&, engine::backend::Variables&,
                                                                                 const engine::backend::ExecutorOptions&)>;

// Rows are short by these.
namespace rows {

inline const engine::spec::ObjectSpec kSgd{"SGD", {}};
inline const engine::spec::ObjectSpec kMomentum{"SGD", {{"momentum", 0.9}}};
inline const engine::spec::ObjectSpec kNesterov{"SGD", {{"momentum", 0.9}, {"nesterov", true}}};
inline const engine::spec::ObjectSpec kAdam{"Adam", {}};
inline const engine::spec::ObjectSpec kAmsgrad{"Adam", {{"amsgrad", true}, {"epsilon", 1e-4}}};
inline const engine::spec::Fields kRelu{{"activation", std::string("relu")}};

inline std::int64_t n(std::int64_t value) {
    return value;
}
inline std::string s(const char* text) {
    return text;
}

inline engine::spec::LayerSpec dense(const char* name, std::int64_t units, const char* activation) {
    return layer("Dense", name, {{"units", units}, {"activation", s(activation)}});
}

inline engine::spec::LayerSpec conv(const char* name, std::int64_t filters, std::int64_t size, const engine::spec::Fields& more) {
    engine::spec::Fields config{{"filters", filters}, {"kernel_size", size}};
    for (const auto& [key, value] : more.entries()) config.set(key, value);
    return layer("Conv2D", name, config);
}

inline std::vector<ModelCase> denseCases() {
    return {
        {"OneDense", model({7}, {dense("dense", 5, "linear")}), compileWith(kSgd)},
        {"TwoDenseMomentum", model({20}, {dense("dense", 17, "relu"), dense("dense_1", 10, "linear")}), compileWith(kMomentum)},
        {"DenseWithoutBiasNesterov",
         model({9}, {layer("Dense", "dense", {{"units", n(6)}, {"use_bias", false}}), dense("dense_1", 4, "linear")}),
         compileWith(kNesterov)},
        {"SoftmaxAtTheEndAdam", model({12}, {dense("dense", 16, "relu"), dense("dense_1", 10, "softmax")}), compileWith(kAdam, false), 8, 8,
         0.01F},
        {"SoftmaxLayerAmsgrad",
         model({12}, {dense("dense", 10, "linear"), layer("Activation", "activation", {{"activation", s("softmax")}})}),
         compileWith(kAmsgrad, false), 8, 8, 0.01F},
        {"SoftmaxInTheMiddle", model({12}, {dense("dense", 8, "softmax"), dense("dense_1", 3, "linear")}), compileWith(kSgd)},
        {"LossOnProbabilities", model({12}, {dense("dense", 5, "softmax"), layer("Activation", "activation", kRelu)}),
         compileWith(kSgd, false)},
        {"Dropout", model({30}, {dense("dense", 24, "relu"), layer("Dropout", "dropout", {{"rate", 0.4}}), dense("dense_1", 5, "linear")}),
         compileWith(kSgd)},
        {"GaussianDropout",
         model({30}, {dense("dense", 24, "relu"), layer("GaussianDropout", "dropout", {{"rate", 0.4}}), dense("dense_1", 5, "linear")}),
         compileWith(kSgd)},
        {"FrozenFirstLayer",
         model({9}, {layer("Dense", "dense", {{"units", n(7)}, {"activation", s("relu")}, {"trainable", false}}),
                     dense("dense_1", 6, "relu"), dense("dense_2", 4, "linear")}),
         compileWith(kMomentum)},
        {"FrozenLayerInTheMiddle",
         model({9},
               {dense("dense", 7, "relu"), layer("Dense", "dense_1", {{"units", n(6)}, {"activation", s("relu")}, {"trainable", false}}),
                dense("dense_2", 4, "linear")}),
         compileWith(kAdam), 8, 5, 0.01F},
        {"DenseOnEveryRow", model({4, 6}, {dense("dense", 5, "relu"), layer("Flatten", "flatten"), dense("dense_1", 3, "linear")}),
         compileWith(kAdam), 4, 4, 0.01F},
    };
}

inline std::vector<ModelCase> normalizationCases() {
    const auto act = [](const char* name, const char* activation) { return layer("Activation", name, {{"activation", s(activation)}}); };
    return {
        {"BatchNormalization",
         model({9, 8, 3}, {conv("conv2d", 7, 3, {{"use_bias", false}}), layer("BatchNormalization", "norm", {{"momentum", 0.9}}),
                           layer("ReLU", "relu"), layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"), dense("dense", 9, "linear"),
                           layer("BatchNormalization", "norm_1"), dense("dense_1", 4, "linear")}),
         compileWith(kMomentum), 13, 13, 0.05F, true},
        {"BatchNormalizationWithShortBatch",
         model({6}, {dense("dense", 19, "tanh"), layer("BatchNormalization", "norm", {{"scale", false}}), dense("dense_1", 4, "linear")}),
         compileWith(kAdam), 40, 7, 0.01F, true},
        {"BatchNormalizationWithEmptyBatch",
         model({6}, {dense("dense", 5, "linear"), layer("BatchNormalization", "norm"), dense("dense_1", 4, "linear")}), compileWith(kSgd),
         4, 0, 0.05F, true},
        {"FrozenBatchNormalization",
         model({6},
               {dense("dense", 5, "linear"), layer("BatchNormalization", "norm", {{"trainable", false}}), dense("dense_1", 4, "linear")}),
         compileWith(kSgd), 8, 8},
        {"BatchNormalizationOfRows",
         model({5, 6}, {dense("dense", 7, "linear"), layer("BatchNormalization", "norm", {{"axis", n(1)}, {"center", false}}),
                        layer("Flatten", "flatten"), dense("dense_1", 4, "linear")}),
         compileWith(kSgd), 6, 5, 0.05F, true},
        {"GivenMeans",
         model({5, 6}, {layer("Normalization", "norm"), dense("dense", 7, "tanh"),
                        layer("Normalization", "given",
                              {{"mean", std::vector<double>{0.5, -1, 0, 0.25, 2, 0, 1}},
                               {"variance", std::vector<double>{1, 2, 0.5, 3, 0.25, 1, 4}}}),
                        layer("Normalization", "back", {{"axis", n(1)}, {"mean", 0.5}, {"variance", 2.0}, {"invert", true}}),
                        layer("Flatten", "flatten"), dense("dense_1", 4, "linear")}),
         compileWith(kSgd), 6, 5},
        {"Buckets",
         model({5}, {layer("Discretization", "buckets", {{"bin_boundaries", std::vector<double>{-0.5, 0, 0.25, 0.5}}}),
                     layer("Embedding", "words", {{"input_dim", n(5)}, {"output_dim", n(3)}}), layer("Flatten", "flatten"),
                     dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 5},
        {"CountedBuckets",
         model({5}, {layer("Discretization", "buckets", {{"bin_boundaries", std::vector<double>{-0.5, 0, 0.5}}}),
                     layer("IntegerLookup", "lookup", {{"vocabulary", std::vector<std::int64_t>{2, 0}}, {"num_oov_indices", n(2)}}),
                     layer("CategoryEncoding", "ones", {{"num_tokens", n(4)}, {"output_mode", s("count")}}), dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 4},
        {"HashedBuckets",
         model({5}, {layer("Discretization", "buckets", {{"bin_boundaries", std::vector<double>{-0.5, 0, 0.25, 0.5}}}),
                     layer("Hashing", "hash", {{"num_bins", n(7)}, {"mask_value", n(2)}}),
                     layer("Embedding", "words", {{"input_dim", n(7)}, {"output_dim", n(3)}}), layer("Flatten", "flatten"),
                     dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 5},
        {"WeightedBuckets",
         model({5}, {layer("Discretization", "buckets", {{"bin_boundaries", std::vector<double>{-0.5, 0, 0, 0.5}}}),
                     layer("IntegerLookup", "lookup",
                           {{"vocabulary", std::vector<std::int64_t>{2, 0}},
                            {"num_oov_indices", n(3)},
                            {"idf_weights", std::vector<double>{0.5, 1.25}},
                            {"output_mode", s("tf_idf")}}),
                     dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 4},
        {"TakenBuckets",
         model({5}, {layer("Discretization", "buckets", {{"num_bins", n(4)}}),
                     layer("Embedding", "words", {{"input_dim", n(5)}, {"output_dim", n(3)}}), layer("Flatten", "flatten"),
                     dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 5},
        {"TakenVocabulary",
         model({5}, {layer("IntegerLookup", "lookup", {{"max_tokens", n(6)}, {"mask_token", n(0)}, {"num_oov_indices", n(2)}}),
                     layer("Embedding", "words", {{"input_dim", n(6)}, {"output_dim", n(3)}, {"mask_zero", true}}),
                     layer("GlobalAveragePooling1D", "mean"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 5},
        {"CountedHashes",
         model({5},
               {layer("Discretization", "buckets", {{"bin_boundaries", std::vector<double>{-0.5, 0, 0.5}}}),
                layer("Hashing", "hash", {{"num_bins", n(6)}, {"salt", std::vector<std::int64_t>{133, 137}}, {"output_mode", s("count")}}),
                dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 4},
        {"LayerNormalization",
         model({5, 21}, {dense("dense", 19, "gelu"), layer("LayerNormalization", "norm"), layer("Flatten", "flatten"),
                         dense("dense_1", 4, "linear")}),
         compileWith(kAdam), 7, 5, 0.01F},
        {"GroupNormalization",
         model({7, 6, 2}, {conv("conv2d", 12, 3, {}), layer("GroupNormalization", "norm", {{"groups", n(3)}}), act("activation", "silu"),
                           layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 5, 5},
        {"RmsNormalization",
         model({5, 21},
               {dense("dense", 19, "gelu"), layer("RMSNormalization", "norm"), layer("Flatten", "flatten"), dense("dense_1", 4, "linear")}),
         compileWith(kAdam), 7, 5, 0.01F},
        {"SpectralNormalization",
         model(
             {5, 6, 2},
             {layer("SpectralNormalization", "spectral",
                    {{"layer", engine::spec::ObjectBox({"Conv2D", {{"filters", n(19)}, {"kernel_size", n(3)}, {"activation", s("relu")}}})},
                     {"power_iterations", n(2)}}),
              layer("Flatten", "flatten"),
              layer("SpectralNormalization", "spectral_1",
                    {{"layer", engine::spec::ObjectBox({"Dense", {{"units", n(37)}, {"activation", s("tanh")}}})}}),
              dense("dense", 4, "linear")}),
         compileWith(kMomentum), 6, 5},
        {"SpectralNormalizationWithEmptyBatch",
         model({6}, {layer("SpectralNormalization", "spectral", {{"layer", engine::spec::ObjectBox({"Dense", {{"units", n(9)}}})}}),
                     dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 0},
        {"UnitNormalizationAndPRelu",
         model({6, 7}, {dense("dense", 11, "elu"),
                        layer("PReLU", "prelu", {{"shared_axes", std::vector<std::int64_t>{1}}, {"alpha_initializer", s("ones")}}),
                        layer("UnitNormalization", "norm"), layer("Flatten", "flatten"), dense("dense_1", 4, "linear")}),
         compileWith(kSgd), 5, 4},
        {"SmoothActivations",
         model({17}, {dense("dense", 23, "sigmoid"), dense("dense_1", 23, "softplus"), dense("dense_2", 23, "mish"),
                      dense("dense_3", 23, "selu"), dense("dense_4", 23, "softsign"), dense("dense_5", 23, "gelu_approximate"),
                      act("activation", "log_sigmoid"), dense("dense_6", 4, "linear")}),
         compileWith(kSgd), 6, 5},
        {"ActivationsWithCorners",
         model({17}, {dense("dense", 23, "leaky_relu"), dense("dense_1", 23, "hard_silu"), layer("LeakyReLU", "leaky"),
                      act("activation", "tanh_shrink"), layer("ReLU", "relu", {{"negative_slope", 0.1}, {"max_value", 2.0}}),
                      dense("dense_2", 23, "squareplus"), act("activation_1", "log_softmax"), dense("dense_3", 4, "linear")}),
         compileWith(kSgd), 6, 6},
    };
}

inline std::vector<ModelCase> recurrentCases() {
    // Bytes as ids, as they are.
    const auto ids = [](engine::spec::Shape shape, std::vector<engine::spec::LayerSpec> layers) {
        engine::spec::ModelSpec spec = model(std::move(shape), std::move(layers));
        spec.input_dtype = "int32";
        return spec;
    };
    return {
        {"EmbeddingAndGru",
         ids({9}, {layer("Embedding", "embedding", {{"input_dim", n(256)}, {"output_dim", n(7)}}), layer("GRU", "gru", {{"units", n(5)}}),
                   dense("dense", 4, "linear")}),
         compileWith(kAdam), 6, 5, 0.01F},
        {"EmbeddingOfAFlatInput",
         ids({3, 2}, {layer("Flatten", "flat"), layer("Embedding", "embedding", {{"input_dim", n(256)}, {"output_dim", n(17)}}),
                      layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 6},
        // These look up so many rows that the table is multiplied in their place.
        {"GruOfATable",
         ids({62}, {layer("Embedding", "embedding", {{"input_dim", n(256)}, {"output_dim", n(72)}}), layer("GRU", "gru", {{"units", n(5)}}),
                    dense("dense", 4, "linear")}),
         compileWith(kAdam), 9, 7, 0.01F},
        {"LstmOfAFrozenTable",
         ids({62},
             {layer("Embedding", "embedding", {{"input_dim", n(256)}, {"output_dim", n(72)}, {"mask_zero", true}, {"trainable", false}}),
              layer("LSTM", "lstm", {{"units", n(5)}}), dense("dense", 4, "linear")}),
         compileWith(kMomentum), 9, 9},
        {"DenseOfATable",
         ids({31, 2}, {layer("Flatten", "flat"),
                       layer("Embedding", "embedding",
                             {{"input_dim", n(256)},
                              {"output_dim", n(72)},
                              {"embeddings_regularizer", engine::spec::ObjectBox({"L2", {{"l2", 0.01}}})}}),
                       dense("dense", 19, "relu"), dense("dense_1", 7, "tanh"), layer("GlobalAveragePooling1D", "mean"),
                       dense("dense_2", 4, "linear")}),
         compileWith(kAdam), 9, 8, 0.01F},
        {"EmbeddingWithAWayBack",
         ids({7}, {layer("ReversibleEmbedding", "embedding",
                         {{"input_dim", n(256)}, {"output_dim", n(5)}, {"tie_weights", false}, {"mask_zero", true}}),
                   layer("GRU", "gru", {{"units", n(5)}}), dense("dense", 4, "linear")}),
         compileWith({"AdamW", {{"weight_decay", 0.1}, {"use_ema", true}, {"ema_momentum", 0.5}}}), 6, 5, 0.01F},
        {"EmbeddingWithATiedWayBack",
         ids({7}, {layer("ReversibleEmbedding", "embedding", {{"input_dim", n(256)}, {"output_dim", n(5)}}), layer("Flatten", "flatten"),
                   dense("dense", 4, "linear")}),
         compileWith(kMomentum), 6, 6},
        {"SimpleRnnBackwards",
         model({5, 7}, {layer("SimpleRNN", "rnn", {{"units", n(9)}, {"go_backwards", true}}), dense("dense", 4, "linear")}),
         compileWith(kMomentum), 6, 6},
        {"TwoLstms",
         model({6, 5}, {layer("LSTM", "lstm", {{"units", n(19)}, {"return_sequences", true}}), layer("LSTM", "lstm_1", {{"units", n(7)}}),
                        dense("dense", 4, "linear")}),
         compileWith(kAdam), 9, 7, 0.01F},
        {"Gru",
         model({5, 3}, {layer("GRU", "gru", {{"units", n(11)}, {"return_sequences", true}, {"go_backwards", true}}),
                        layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 7, 5},
        {"GruResetBefore",
         model({5, 3}, {layer("GRU", "gru", {{"units", n(13)}, {"reset_after", false}, {"recurrent_activation", s("hard_sigmoid")}}),
                        dense("dense", 4, "linear")}),
         compileWith(kSgd), 8, 8},
        {"FrozenLstmWithoutBias",
         model({4, 6}, {dense("dense", 5, "relu"), layer("LSTM", "lstm", {{"units", n(6)}, {"use_bias", false}, {"trainable", false}}),
                        dense("dense_1", 4, "linear")}),
         compileWith(kSgd), 5, 5},
        {"EinsumDense",
         model({6, 10}, {layer("EinsumDense", "heads",
                               {{"equation", s("abc,cde->adbe")},
                                {"output_shape", std::vector<std::int64_t>{2, -1, 6}},
                                {"bias_axes", s("de")},
                                {"activation", s("relu")}}),
                         layer("EinsumDense", "join",
                               {{"equation", s("adbe,def->abf")},
                                {"output_shape", std::vector<std::int64_t>{-1, 8}},
                                {"bias_axes", s("f")},
                                {"activation", s("relu")}}),
                         layer("EinsumDense", "last", {{"equation", s("...x,xy->...y")}, {"output_shape", n(4)}}),
                         layer("Flatten", "flatten"), dense("dense", 3, "linear")}),
         compileWith(kSgd), 5, 3, 0.02F},
        {"RecurrentConvolutions",
         model({4, 7, 6, 3},
               {layer("ConvLSTM2D", "images",
                      {{"filters", n(9)},
                       {"kernel_size", n(3)},
                       {"padding", s("same")},
                       {"return_sequences", true},
                       {"recurrent_dropout", 0.2}}),
                layer("ConvLSTM2D", "last", {{"filters", n(5)}, {"kernel_size", std::vector<std::int64_t>{2, 3}}, {"dropout", 0.2}}),
                layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 5, 3, 0.02F},
        {"RecurrentConvolutionsOfVolumes",
         model({3, 4, 3, 5, 2},
               {layer("ConvLSTM3D", "volumes",
                      {{"filters", n(4)},
                       {"kernel_size", std::vector<std::int64_t>{2, 3, 2}},
                       {"padding", s("same")},
                       {"return_sequences", true},
                       {"go_backwards", true},
                       {"recurrent_dropout", 0.3}}),
                layer("TimeDistributed", "each",
                      {{"layer", engine::spec::ObjectBox({"Reshape", {{"target_shape", std::vector<std::int64_t>{12, 20}}}})}}),
                layer("ConvLSTM1D", "sequences", {{"filters", n(6)}, {"kernel_size", n(4)}, {"strides", n(3)}, {"recurrent_dropout", 0.3}}),
                layer("GlobalMaxPooling1D", "pool"), dense("dense", 3, "linear")}),
         compileWith(kMomentum), 4, 3, 0.02F},
        {"RecurrentWithEmptyBatch", model({4, 6}, {layer("GRU", "gru", {{"units", n(6)}}), dense("dense", 4, "linear")}), compileWith(kSgd),
         5, 0},
    };
}

// Cases of what compile() says, beyond the loss of classes.
inline std::vector<ModelCase> compileCases() {
    const auto with = [](engine::spec::ObjectSpec optimizer, const char* loss, std::vector<engine::spec::MetricSpec> metrics) {
        return engine::spec::CompileSpec{.optimizer = std::move(optimizer), .loss = {loss, {}}, .metrics = std::move(metrics)};
    };
    const auto against = [](engine::spec::ObjectSpec loss) {
        return engine::spec::CompileSpec{.optimizer = kSgd, .loss = std::move(loss)};
    };
    engine::spec::CompileSpec sequences = against({"CTC", {}});
    sequences.metrics.clear();
    const auto orthogonal = [](const char* mode) {
        return engine::spec::ObjectBox({"OrthogonalRegularizer", {{"factor", 0.1}, {"mode", s(mode)}}});
    };
    const auto two = [](std::int64_t units, const char* activation) {
        return model({9}, {dense("dense", 13, "relu"), dense("dense_1", units, activation)});
    };
    const engine::spec::FieldValue l2 = engine::spec::ObjectBox({"L2", {{"l2", 0.02}}}),
                                   l1 = engine::spec::ObjectBox({"L1", {{"l1", 0.01}}});
    const engine::spec::FieldValue both = engine::spec::ObjectBox({"L1L2", {{"l1", 0.01}, {"l2", 0.03}}});
    return {
        {"MeanSquaredError", two(1, "linear"), with(kAdam, "MeanSquaredError", {"mae", "accuracy"}), 8, 8, 0.01F},
        {"LogCoshOfAShortBatch", two(1, "linear"), with(kSgd, "LogCosh", {"auc"}), 8, 3},
        {"ShortBatchOfGlobalClipnorm", two(5, "linear"), compileWith({"Adam", {{"global_clipnorm", 0.1}}}), 8, 3, 0.01F},
        {"Clipnorm", two(5, "linear"), compileWith({"RMSprop", {{"clipnorm", 0.05}, {"centered", true}, {"momentum", 0.5}}}), 8, 8, 0.01F},
        {"AccumulatedAndAveraged", two(5, "linear"),
         compileWith(
             {"AdamW", {{"gradient_accumulation_steps", n(2)}, {"use_ema", true}, {"ema_overwrite_frequency", n(3)}, {"clipvalue", 0.02}}}),
         8, 8, 0.01F},
        {"WeightDecayInTheGradient", two(5, "linear"), compileWith({"SGD", {{"momentum", 0.9}, {"weight_decay", 0.1}}})},
        {"Regularizers",
         model({8, 7, 1}, {conv("conv2d", 5, 3, {{"activation", s("relu")}, {"kernel_regularizer", l2}, {"bias_regularizer", l1}}),
                           layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"),
                           layer("Dense", "dense", {{"units", n(6)}, {"activation", s("relu")}, {"activity_regularizer", both}}),
                           layer("Dense", "dense_1", {{"units", n(3)}, {"activation", s("softmax")}, {"activity_regularizer", l1}})}),
         compileWith(kAdam, false), 8, 5, 0.01F},
        {"OrthogonalKernels",
         model({10}, {layer("Dense", "dense", {{"units", n(6)}, {"activation", s("relu")}, {"kernel_regularizer", orthogonal("rows")}}),
                      layer("Dense", "dense_1", {{"units", n(4)}, {"kernel_regularizer", orthogonal("columns")}})}),
         compileWith(kMomentum)},
        {"ScheduleFree", two(5, "linear"), compileWith({"ScheduleFreeAdamW", {{"warmup_steps", n(2)}, {"weight_decay", 0.01}}}), 8, 8,
         0.01F},
        {"GeneralizedCrossEntropy", two(5, "softmax"), against({"CategoricalGeneralizedCrossEntropy", {{"q", 0.7}}})},
        {"SequencesOfAShortBatch",
         model({7, 3}, {layer("LSTM", "lstm", {{"units", n(6)}, {"return_sequences", true}}), dense("dense", 4, "linear")}), sequences, 8,
         6},
    };
}

// Chains of layers with a shortcut.
inline std::vector<ModelCase> residualCases() {
    using Layers = std::vector<engine::spec::ObjectBox>;
    const auto conv_of = [](std::int64_t filters, std::int64_t size, std::int64_t strides) {
        return engine::spec::ObjectSpec{"Conv2D",
                                        {{"filters", filters}, {"kernel_size", size}, {"strides", strides}, {"padding", s("same")}}};
    };
    const engine::spec::ObjectSpec norm{"BatchNormalization", {}}, relu{"Activation", {{"activation", s("relu")}}},
        dropout{"Dropout", {{"rate", 0.2}}};
    const auto activation = [](const char* name) { return layer("Activation", name, {{"activation", s("relu")}}); };
    return {
        {"ResidualBlocks",
         model({9, 8, 3}, {conv("conv2d", 16, 3, {}),
                           layer("Residual", "residual", {{"layers", Layers{conv_of(16, 3, 1), norm, relu, conv_of(16, 3, 1), norm}}}),
                           activation("relu"),
                           layer("Residual", "residual_1",
                                 {{"layers", Layers{conv_of(24, 3, 2), norm, relu, dropout, conv_of(24, 3, 1)}},
                                  {"shortcut", Layers{conv_of(24, 1, 2)}}}),
                           activation("relu_1"), layer("GlobalAveragePooling2D", "mean"), dense("dense", 4, "linear")}),
         compileWith(kMomentum), 7, 5, 0.01F, true},
        {"ResidualOfSpectralNorm",
         model({12},
               {dense("dense", 9, "tanh"),
                layer("Residual", "residual",
                      {{"layers", Layers{engine::spec::ObjectSpec{
                                      "SpectralNormalization",
                                      {{"layer", engine::spec::ObjectBox({"Dense", {{"units", n(9)}, {"activation", s("tanh")}}})}}}}}}),
                dense("dense_1", 4, "linear")}),
         compileWith(kSgd), 6, 6},
        {"ResidualOfRows",
         model({12}, {dense("dense", 9, "relu"),
                      layer("Residual", "residual",
                            {{"layers", Layers{engine::spec::ObjectSpec{"Dense", {{"units", n(9)}, {"activation", s("relu")}}},
                                               engine::spec::ObjectSpec{"Dense", {{"units", n(9)}}}}}}),
                      dense("dense_1", 4, "linear")}),
         compileWith(kSgd), 6, 6},
    };
}

// Sequences that look at themselves. The second has so few samples that the heads are dealt out to the threads.
inline std::vector<ModelCase> attentionCases() {
    using Layers = std::vector<engine::spec::ObjectBox>;
    using engine::spec::ObjectSpec;
    const auto encoder = [](const char* name, std::int64_t heads, std::int64_t size, std::int64_t width, double rate) {
        return layer("Residual", name,
                     {{"layers", Layers{ObjectSpec{"LayerNormalization", {}},
                                        ObjectSpec{"SelfAttention", {{"num_heads", n(heads)}, {"key_dim", n(size)}, {"dropout", rate}}},
                                        ObjectSpec{"Dense", {{"units", n(width)}, {"activation", s("relu")}}}}}});
    };
    return {
        {"Attention",
         model({11, 6}, {dense("dense", 16, "linear"), layer("PositionEmbedding", "position"), encoder("encoder", 4, 5, 16, 0.2),
                         encoder("encoder_1", 2, 9, 16, 0), layer("GlobalAveragePooling1D", "mean"), dense("dense_1", 4, "linear")}),
         compileWith(kAdam), 21, 18, 0.01F, true},
        {"CausalAttention",
         model({7, 8},
               {layer("SelfAttention", "attention",
                      {{"num_heads", n(3)}, {"key_dim", n(4)}, {"value_dim", n(6)}, {"use_causal_mask", true}, {"use_bias", false}}),
                layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kMomentum), 5, 4},
        {"MaskedAttention",
         model({9, 5}, {layer("Masking", "masking"),
                        layer("SelfAttention", "attention", {{"num_heads", n(2)}, {"key_dim", n(4)}, {"dropout", 0.3}}),
                        layer("GRU", "gru", {{"units", n(6)}}), dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 5},
    };
}

// Layers of images and sequences on every time of a sequence.
inline std::vector<ModelCase> everyTimeCases() {
    const auto each = [](const char* name, const char* class_name, engine::spec::Fields config) {
        return layer("TimeDistributed", name, {{"layer", engine::spec::ObjectBox({class_name, std::move(config)})}});
    };
    return {
        {"ConvolutionsOfEveryTime",
         model({3, 9, 8, 1}, {each("each", "Conv2D", {{"filters", n(7)}, {"kernel_size", n(3)}, {"activation", s("relu")}}),
                              each("each_1", "MaxPooling2D", {}), each("each_2", "Flatten", {}), layer("LSTM", "lstm", {{"units", n(6)}}),
                              dense("dense", 4, "linear")}),
         compileWith(kAdam), 7, 5, 0.01F},
        {"ChannelsOfEveryTime",
         model({2, 6, 5, 16},
               {each("each", "Conv2D", {{"filters", n(16)}, {"kernel_size", n(3)}, {"padding", s("same")}}),
                each("each_1", "SpatialDropout2D", {{"rate", 0.3}}), each("each_2", "DepthwiseConv2D", {{"kernel_size", n(3)}}),
                each("each_3", "GroupNormalization", {{"groups", n(4)}}), each("each_4", "GlobalAveragePooling2D", {}),
                layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 6},
        {"SequencesOfEveryTime",
         model({3, 5, 4}, {each("each", "Conv1D", {{"filters", n(5)}, {"kernel_size", n(2)}, {"activation", s("relu")}}),
                           each("each_1", "GRU", {{"units", n(6)}, {"dropout", 0.2}, {"recurrent_dropout", 0.2}}),
                           layer("SimpleRNN", "rnn", {{"units", n(5)}}), dense("dense", 4, "linear")}),
         compileWith(kMomentum), 5, 4},
        {"EveryTimeOfAnEmptyBatch",
         model({2, 6, 6, 1}, {each("each", "Conv2D", {{"filters", n(3)}, {"kernel_size", n(3)}}), layer("Flatten", "flatten"),
                              dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 0},
    };
}

// A step counts where one of its features is above the threshold.
inline std::vector<ModelCase> maskedCases() {
    using engine::spec::ObjectSpec;
    using Cells = std::vector<engine::spec::ObjectBox>;
    const auto cut = [](double threshold) { return layer("ReLU", "cut", {{"threshold", threshold}}); };
    const auto masking = layer("Masking", "masking");
    const auto wrap = [](const char* class_name, const char* name, const char* inner, engine::spec::Fields config) {
        return layer(class_name, name, {{"layer", engine::spec::ObjectBox({inner, std::move(config)})}});
    };
    return {
        {"MaskedLstms",
         model({7, 2}, {cut(0.7), masking, layer("LSTM", "lstm", {{"units", n(9)}, {"return_sequences", true}}),
                        layer("LSTM", "lstm_1", {{"units", n(17)}}), dense("dense", 4, "linear")}),
         compileWith(kAdam), 9, 7, 0.01F},
        {"MaskedGruOfZeros",
         model({7, 2},
               {cut(0.6), masking,
                layer("GRU", "gru", {{"units", n(11)}, {"return_sequences", true}, {"zero_output_for_mask", true}, {"dropout", 0.2}}),
                layer("GRU", "gru_1", {{"units", n(5)}, {"go_backwards", true}, {"reset_after", false}}), dense("dense", 4, "linear")}),
         compileWith(kMomentum), 7, 7},
        {"MaskedBothWays",
         model({6, 3}, {cut(0.7), masking,
                        wrap("Bidirectional", "both", "LSTM", {{"units", n(6)}, {"return_sequences", true}, {"recurrent_dropout", 0.2}}),
                        wrap("TimeDistributed", "each", "Dense", {{"units", n(5)}, {"activation", s("tanh")}}),
                        layer("SimpleRNN", "rnn", {{"units", n(8)}, {"recurrent_dropout", 0.2}}), dense("dense", 4, "linear")}),
         compileWith(kSgd), 6, 4},
        {"MaskedStackOfCells",
         model(
             {6, 3},
             {cut(0.7), masking,
              layer("RNN", "rnn",
                    {{"cell", Cells{ObjectSpec{"LSTMCell", {{"units", n(9)}, {"dropout", 0.2}}}, ObjectSpec{"GRUCell", {{"units", n(7)}}}}},
                     {"return_sequences", true},
                     {"go_backwards", true}}),
              layer("RNN", "rnn_1",
                    {{"cell", engine::spec::ObjectBox(ObjectSpec{"SimpleRNNCell", {{"units", n(8)}, {"recurrent_dropout", 0.2}}})},
                     {"zero_output_for_mask", true}}),
              dense("dense", 4, "linear")}),
         compileWith(kAdam), 7, 5, 0.01F},
        {"MaskedStatistics",
         model({6, 3}, {cut(0.2), masking, dense("dense", 19, "relu"), layer("BatchNormalization", "norm", {{"momentum", 0.9}}),
                        layer("GlobalAveragePooling1D", "mean"), dense("dense_1", 4, "linear")}),
         compileWith(kMomentum), 40, 13, 0.05F, true},
        {"MaskedStatisticsOfSteps",
         model({5, 3}, {cut(0.7), masking, layer("BatchNormalization", "norm", {{"axis", n(1)}, {"center", false}}),
                        layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 9, 9, 0.05F, true},
        {"MaskedSamples", model({2}, {cut(0.6), masking, dense("dense", 4, "softmax")}), compileWith(kSgd, false), 9, 8, 0.05F, true},
        {"MaskedSequencesOfSequences",
         model({3, 4, 2}, {cut(0.6), masking, wrap("TimeDistributed", "each", "GRU", {{"units", n(6)}}), layer("Flatten", "flatten"),
                           dense("dense", 4, "linear")}),
         compileWith(kAdam), 5, 5, 0.01F},
        {"MaskedWithEmptyBatch",
         model({4, 2}, {cut(0.6), masking, layer("BatchNormalization", "norm"), layer("LSTM", "lstm", {{"units", n(6)}}),
                        dense("dense", 4, "linear")}),
         compileWith(kSgd), 5, 0, 0.05F, true},
    };
}

inline std::vector<ModelCase> convolutionCases() {
    return {
        {"Tutorial",
         model({12, 12, 1}, {conv("conv2d", 16, 3, kRelu), layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"),
                             dense("dense", 32, "relu"), dense("dense_1", 10, "softmax")}),
         compileWith(kAdam, false), 16, 16, 0.005F},
        {"TutorialWithShortBatch",
         model({12, 12, 1}, {conv("conv2d", 16, 3, kRelu), layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"),
                             dense("dense", 32, "relu"), dense("dense_1", 10, "linear")}),
         compileWith(kMomentum), 16, 5},
        {"TutorialWithEmptyBatch",
         model({12, 12, 1}, {conv("conv2d", 16, 3, kRelu), layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"),
                             dense("dense", 32, "relu"), dense("dense_1", 10, "linear")}),
         compileWith(kAdam), 16, 0, 0.005F},
        {"OddSizes",
         model({13, 11, 3}, {conv("conv2d", 5, 3, kRelu), layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"),
                             dense("dense", 7, "relu"), dense("dense_1", 3, "linear")}),
         compileWith(kSgd), 3, 3},
        {"TwoBlocks",
         model({14, 14, 1},
               {conv("conv2d", 8, 5, kRelu), layer("MaxPooling2D", "pool"), conv("conv2d_1", 12, 3, kRelu),
                layer("MaxPooling2D", "pool_1", {{"padding", s("valid")}}), layer("Flatten", "flatten"), dense("dense", 10, "linear")}),
         compileWith(kMomentum), 4, 4, 0.02F},
        {"PoolingOfLinearConvolution",
         model({10, 10, 2},
               {conv("conv2d", 6, 3, {}), layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 4},
        {"SamePaddingAndStride",
         model({9, 8, 2}, {conv("conv2d", 6, 3, {{"padding", s("same")}, {"strides", n(2)}, {"activation", s("relu")}}),
                           conv("conv2d_1", 4, 2, {{"padding", s("same")}, {"use_bias", false}}), layer("Flatten", "flatten"),
                           dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 4},
        {"SamePaddingWithPooling",
         model({10, 10, 1}, {conv("conv2d", 16, 3, {{"padding", s("same")}, {"activation", s("relu")}}), layer("MaxPooling2D", "pool"),
                             layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 4},
        {"OverlappingPooling",
         model({11, 11, 2}, {conv("conv2d", 4, 3, kRelu),
                             layer("MaxPooling2D", "pool", {{"pool_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}}),
                             layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 4},
        {"PoolingFirst",
         model({8, 8, 3}, {layer("MaxPooling2D", "pool", {{"padding", s("same")}}), conv("conv2d", 4, 3, kRelu),
                           layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 4},
        {"FrozenConvolution",
         model({10, 10, 2}, {conv("conv2d", 6, 3, kRelu), conv("conv2d_1", 5, 3, {{"trainable", false}, {"activation", s("relu")}}),
                             layer("MaxPooling2D", "pool"), layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 4},
        {"GroupsAndDilation",
         model({9, 9, 4}, {conv("conv2d", 8, 3, {{"groups", n(2)}, {"activation", s("relu")}}),
                           conv("conv2d_1", 4, 2, {{"dilation_rate", n(2)}, {"padding", s("same")}}), layer("Flatten", "flatten"),
                           dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 4},
    };
}

}  // namespace rows

inline std::vector<ModelCase> modelCases() {
    std::vector<ModelCase> cases = rows::denseCases();
    for (const auto& more : {rows::compileCases(), rows::convolutionCases(), rows::normalizationCases(), rows::recurrentCases(),
                             rows::everyTimeCases(), rows::maskedCases(), rows::residualCases(), rows::attentionCases()})
        cases.insert(cases.end(), more.begin(), more.end());
    return cases;
}

struct ComparisonOptions {
    bool fuse = true;
    bool fuse_updates_into_gradients = true;
    int threads = 1;
    int steps = 5;
    double tolerance = 2e-5;
};

inline engine::spec::RunSpec runOf(const ModelCase& c) {
    engine::spec::RunSpec run;
    run.model = c.model;
    run.compile = c.compile;
    return run;
}

// Trains `c` for some steps on the unfused plan of the reference and on a plan of `tested`; losses, right answers, every variable, and
// afterwards evaluation and predictions must agree.
inline void expectTrainsLikeReference(const ModelCase& c, const ExecutorFactory& tested, const ComparisonOptions& options) {
    namespace backend = engine::backend;
    namespace plan = engine::plan;
    SCOPED_TRACE(c.name);
    const engine::spec::RunSpec run = runOf(c);
    plan::CompileTarget target{.batch = c.batch, .fuse = false};
    const plan::Plan plain = plan::compile(run, target);
    target.fuse = options.fuse;
    target.fuse_updates_into_gradients = options.fuse_updates_into_gradients;
    const plan::Plan fused = plan::compile(run, target);
    target.training = false;
    const plan::Plan forward = plan::compile(run, target);

    backend::Variables expected(plain), actual(fused);
    backend::initializeVariables(expected, c.model, 7);
    backend::initializeVariables(actual, c.model, 7);
    const auto oracle = backend::makeReferenceExecutor(plain, expected, {});
    const auto executor = tested(fused, actual, {.threads = options.threads, .collective = nullptr, .region = {}});
    executor->reloadVariables();

    std::int64_t elements = 1;
    for (std::int64_t size : c.model.input_shape) elements *= size;
    const std::int64_t classes = forward.tensors[static_cast<std::size_t>(forward.output)].shape.back();
    constexpr std::int64_t kSamples = 64;
    const FakeData data(kSamples, elements, classes, 3);
    std::vector<std::uint32_t> indices(static_cast<std::size_t>(c.samples));
    for (int step = 0; step < options.steps; ++step) {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            indices[i] = static_cast<std::uint32_t>((static_cast<std::size_t>(step) * indices.size() + i * 5) % kSamples);
        }
        const backend::StepControl control{.learning_rate = c.learning_rate, .iteration = step, .seed = 11, .epoch = 2};
        const backend::StepResult want = oracle->trainStep(data.view(indices), control);
        const backend::StepResult got = executor->trainStep(data.view(indices), control);
        ASSERT_NEAR(got.loss_sum, want.loss_sum, options.tolerance * std::max(1.0, want.loss_sum)) << "step " << step;
        ASSERT_EQ(got.correct, want.correct) << "step " << step;
        ASSERT_EQ(got.count, want.count) << "step " << step;
    }
    executor->syncVariables();
    for (const backend::Variables::Entry& entry : expected.entries()) {
        EXPECT_TRUE(isNear(actual.values(entry.name), entry.values, options.tolerance)) << entry.name;
    }

    const auto forward_oracle = backend::makeReferenceExecutor(forward, expected, {});
    const auto forward_tested = tested(forward, actual, {.threads = options.threads, .collective = nullptr, .region = {}});
    forward_tested->reloadVariables();
    const backend::StepResult want = forward_oracle->evaluateStep(data.view(indices));
    const backend::StepResult got = forward_tested->evaluateStep(data.view(indices));
    EXPECT_NEAR(got.loss_sum, want.loss_sum, 10 * options.tolerance * std::max(1.0, want.loss_sum));
    EXPECT_EQ(got.count, want.count);
    const plan::TensorDesc& output = forward.tensors[static_cast<std::size_t>(forward.output)];
    std::vector<float> wanted(indices.size() * static_cast<std::size_t>(plan::elementCount(output) / c.batch)), predicted(wanted.size());
    forward_oracle->predictStep(data.view(indices), wanted);
    forward_tested->predictStep(data.view(indices), predicted);
    EXPECT_TRUE(isNear(predicted, wanted, 10 * options.tolerance));
}

}  // namespace tests::support
