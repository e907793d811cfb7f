// One wrong field of one layer: its diagnostic, with path, expectation and fact.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/sample_check.h"
#include "engine/spec/validate/validate.h"
#include "tests/support/model_builder.h"

namespace engine::spec {
namespace {

using tests::support::layer;
using tests::support::model;

struct Row {
    std::string name;
    Shape input;
    LayerSpec layer;
    std::string path;     // below model.layers[0]
    std::string message;  // a part of it
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

std::int64_t n(std::int64_t value) {
    return value;
}
std::string s(const char* text) {
    return text;
}
ObjectBox object(const char* class_name, Fields config = {}) {
    return ObjectSpec{class_name, std::move(config)};
}
std::vector<ObjectBox> list(std::initializer_list<ObjectSpec> layers) {
    return {layers.begin(), layers.end()};
}
using Axes = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;
LayerSpec einsum(const char* equation, Axes output_shape, const char* bias_axes = "") {
    return layer("EinsumDense", "a", {{"equation", s(equation)}, {"output_shape", std::move(output_shape)}, {"bias_axes", s(bias_axes)}});
}

const std::vector<Row> kRows{
    {"ActivationUnknown", {4}, layer("Activation", "a", {{"activation", s("rleu")}}), ".activation", "got \"rleu\""},
    {"UnitsAsList",
     {4},
     layer("Dense", "a", {{"units", Axes{100}}}),
     ".units",
     "expected an integer of at least 1 and at most 1048576, got [100]"},
    {"ActivationMissing", {4}, layer("Activation", "a"), ".activation", "got nothing"},
    {"DenseActivation", {4}, layer("Dense", "a", {{"units", n(3)}, {"activation", s("tahn")}}), ".activation", "got \"tahn\""},
    {"ReluLimit", {4}, layer("ReLU", "a", {{"max_value", -1.0}}), ".max_value", "expected a number of at least 0, got -1.0"},
    {"ReluSlope", {4}, layer("ReLU", "a", {{"negative_slope", -0.5}}), ".negative_slope", "got -0.5"},
    {"ReluSlopeBelowFloat",
     {4},
     layer("ReLU", "a", {{"negative_slope", 1e-320}}),
     ".negative_slope",
     "expected a number of at least 0, got"},
    {"ReluThreshold", {4}, layer("ReLU", "a", {{"threshold", s("x")}}), ".threshold", "got \"x\""},
    {"LeakySlope", {4}, layer("LeakyReLU", "a", {{"negative_slope", -0.5}}), ".negative_slope", "got -0.5"},
    {"LeakyOldName", {4}, layer("LeakyReLU", "a", {{"alpha", 0.5}}), ".alpha", "expected one of the fields negative_slope, got alpha"},
    {"EluAlpha", {4}, layer("ELU", "a", {{"alpha", -1.0}}), ".alpha", "got -1.0"},
    {"PreluAxis", {4, 3}, layer("PReLU", "a", {{"shared_axes", Axes{1, 3}}}), ".shared_axes", "expected axes from 1 to 2, got 3"},
    {"PreluBatchAxis", {4, 3}, layer("PReLU", "a", {{"shared_axes", Axes{0}}}), ".shared_axes", "of at least 1"},
    {"PreluInitializer", {4}, layer("PReLU", "a", {{"alpha_initializer", s("nonsense")}}), ".alpha_initializer", "got nonsense"},
    {"AttentionOfRows", {4}, layer("SelfAttention", "a", {{"num_heads", n(2)}, {"key_dim", n(3)}}), "", "expected input rank 3"},
    {"AttentionWithoutHeads", {4, 3}, layer("SelfAttention", "a", {{"key_dim", n(3)}}), ".num_heads", "expected an integer"},
    {"AttentionOfManyHeads",
     {4, 3},
     layer("SelfAttention", "a", {{"num_heads", n(1 << 20)}, {"key_dim", n(1)}, {"value_dim", n(2)}}),
     ".num_heads",
     "expected at most 1048576 values of all heads together, got 2097152"},
    {"AttentionDropsAll",
     {4, 3},
     layer("SelfAttention", "a", {{"num_heads", n(2)}, {"key_dim", n(3)}, {"dropout", 1.0}}),
     ".dropout",
     "expected less than 1, got 1"},
    {"AttentionRule",
     {4, 3},
     layer("SelfAttention", "a", {{"num_heads", n(2)}, {"key_dim", n(3)}, {"kernel_regularizer", object("OrthogonalRegularizer", {})}}),
     ".kernel_regularizer",
     "expected weights of two axes for OrthogonalRegularizer, got a/query/kernel (3, 2, 3)"},
    {"PositionsOfRows", {4}, layer("PositionEmbedding", "a"), "", "expected input rank 3"},
    {"ResidualNothing", {4}, layer("Residual", "a"), ".layers", "expected a list of layers, got nothing"},
    {"ResidualEmpty", {4}, layer("Residual", "a", {{"layers", Axes{}}}), ".layers", "expected at least one layer, got none"},
    {"ResidualNoList", {4}, layer("Residual", "a", {{"layers", n(64)}}), ".layers", "expected a list of layers, got 64"},
    {"ResidualUnknown", {4}, layer("Residual", "a", {{"layers", list({{"Densely", {}}})}}), ".layers", "got Densely"},
    {"ResidualIds",
     {4},
     layer("Residual", "a", {{"layers", list({{"Embedding", {{"input_dim", n(3)}, {"output_dim", n(4)}}}})}}),
     ".layers",
     "got Embedding"},
    {"ResidualIdsOfEveryTime",
     {4, 3},
     layer("Residual", "a",
           {{"layers", list({{"TimeDistributed", {{"layer", object("Embedding", {{"input_dim", n(3)}, {"output_dim", n(4)}})}}}})}}),
     ".layers",
     "expected layers that take numbers, got an Embedding, which takes ids"},
    {"ResidualInnerField",
     {8, 8, 4},
     layer("Residual", "a", {{"layers", list({{"BatchNormalization", {}}, {"Conv2D", {{"filters", n(0)}, {"kernel_size", n(3)}}}})}}),
     ".layers",
     "conv2d.filters: expected an integer of at least 1"},
    {"ResidualInnerShape",
     {8, 8, 4},
     layer("Residual", "a", {{"layers", list({{"LSTM", {{"units", n(4)}}}})}}),
     ".layers",
     "lstm: expected input rank 3"},
    {"ResidualInnerPenalty",
     {4},
     layer("Residual", "a", {{"layers", list({{"Dense", {{"units", n(4)}, {"activity_regularizer", object("L2")}}}})}}),
     ".layers",
     "dense.activity_regularizer: expected none of a layer inside another (not supported), got one"},
    {"ResidualNoShortcut",
     {8, 8, 4},
     layer("Residual", "a", {{"layers", list({{"Conv2D", {{"filters", n(6)}, {"kernel_size", n(3)}, {"strides", n(2)}}}})}}),
     ".shortcut",
     "expected layers that make the output (None, 3, 3, 6) of the input (None, 8, 8, 4), such as a Conv2D with kernel_size 1, got none"},
    {"ResidualOtherShortcut",
     {4},
     layer("Residual", "a", {{"layers", list({{"Dense", {{"units", n(6)}}}})}, {"shortcut", list({{"Dense", {{"units", n(5)}}}})}}),
     ".shortcut",
     "expected an output as that of the layers, (None, 6), got (None, 5)"},
    {"ResidualTooLarge",
     {1 << 20, 1 << 10, 4},
     layer("Residual", "a", {{"layers", list({{"UpSampling2D", {{"size", Axes{1 << 20, 1 << 20}}}}, {"GlobalMaxPooling2D", {}}})}}),
     ".layers",
     "expected at most 1e12 values behind each layer, got (None, 1099511627776, 1073741824, 4) behind up_sampling2d"},
    {"SoftmaxAxis", {4, 3}, layer("Softmax", "a", {{"axis", n(3)}}), ".axis", "expected an axis from 1 to 2, or -1 for the last, got 3"},
    {"SoftmaxAxes",
     {4, 3},
     layer("Softmax", "a", {{"axis", Axes{1, 2}}}),
     ".axis",
     "expected an axis from 1 to 2, or -1 for the last, got 1, 2"},
    {"LayerNormAxisTwice",
     {4, 3},
     layer("LayerNormalization", "a", {{"axis", Axes{2, -1}}}),
     ".axis",
     "expected axes from 1 to 2, or from -1 downwards, each once, got 2, -1"},
    {"LayerNormAxisOfBatch", {4, 3}, layer("LayerNormalization", "a", {{"axis", Axes{0, 1}}}), ".axis", "each once, got 0, 1"},
    {"GroupNormAxisBefore", {4, 3}, layer("GroupNormalization", "a", {{"axis", n(-3)}}), ".axis", "or -1 for the last, got -3"},
    {"GroupNormGroupsOfAxis", {4, 3}, layer("GroupNormalization", "a", {{"groups", n(3)}, {"axis", n(1)}}), ".groups", "of 4 channels"},
    {"ChannelsFirstKernel",
     {3, 6, 4},
     layer("Conv2D", "a", {{"filters", n(2)}, {"kernel_size", n(5)}, {"data_format", s("channels_first")}}),
     ".kernel_size",
     "expected a window of at most 4 columns (the input is (None, 6, 4, 3)), got 5"},
    {"ChannelsFirstSoftmax",
     {3, 6, 4},
     layer("Conv2D", "a", {{"filters", n(2)}, {"kernel_size", n(2)}, {"data_format", s("channels_first")}, {"activation", s("softmax")}}),
     ".activation",
     "expected a function of each value by itself with data_format channels_first, got softmax"},
    {"DataFormat",
     {3, 6, 4},
     layer("MaxPooling2D", "a", {{"data_format", s("channels_middle")}}),
     ".data_format",
     "channels_first, got \"channels_middle\""},
    {"BatchNormAxis", {4, 3}, layer("BatchNormalization", "a", {{"axis", n(0)}}), ".axis", "from 1 to 2, or -1 for the last, got 0"},
    {"BatchNormAxisBeyond", {4, 3}, layer("BatchNormalization", "a", {{"axis", n(3)}}), ".axis", "got 3"},
    {"BatchNormMomentum", {4}, layer("BatchNormalization", "a", {{"momentum", 1.5}}), ".momentum", "at most 1, got 1.5"},
    {"BatchNormEpsilon", {4}, layer("BatchNormalization", "a", {{"epsilon", -1e-3}}), ".epsilon", "of at least 0"},
    {"BatchNormCenter", {4}, layer("BatchNormalization", "a", {{"center", n(1)}}), ".center", "expected true or false, got 1"},
    {"BatchNormScale", {4}, layer("BatchNormalization", "a", {{"scale", s("no")}}), ".scale", "expected true or false, got \"no\""},
    {"BatchNormSynchronized", {4}, layer("BatchNormalization", "a", {{"synchronized", n(2)}}), ".synchronized", "got 2"},
    {"BatchNormField", {4}, layer("BatchNormalization", "a", {{"renorm", true}}), ".renorm", "got renorm"},
    {"NormalizationAxis", {4, 3}, layer("Normalization", "a", {{"axis", n(0)}}), ".axis", "an axis from 1 to 2, or -1 for the last, got 0"},
    {"NormalizationAxes", {4, 3, 2}, layer("Normalization", "a", {{"axis", Axes{1, 3}}}), ".axis", "that lie side by side, got [1, 3]"},
    {"NormalizationMeanAlone", {4}, layer("Normalization", "a", {{"mean", 0.5}}), ".variance", "beside those of mean, got none"},
    {"NormalizationVarianceAlone", {4}, layer("Normalization", "a", {{"variance", 0.5}}), ".mean", "beside those of variance, got none"},
    {"NormalizationMeans",
     {4},
     layer("Normalization", "a", {{"mean", std::vector<double>{1, 2}}, {"variance", 1.0}}),
     ".mean",
     "expected one number or 4, got 2"},
    {"NormalizationMeansOfNoAxis",
     {2},
     layer("Normalization", "a", {{"axis", Axes{}}, {"mean", std::vector<double>{1, 2}}, {"variance", std::vector<double>{1, 2}}}),
     ".mean",
     "expected one number, got 2"},
    {"NormalizationVariances",
     {2},
     layer("Normalization", "a", {{"mean", std::vector<double>{1, 2}}, {"variance", 1.0}}),
     ".variance",
     "expected as many numbers as mean has, 2, got 1"},
    {"NormalizationNegativeVariance", {2}, layer("Normalization", "a", {{"mean", 0.0}, {"variance", -1.0}}), ".variance", "of at least 0"},
    {"EncodingTokens", {4}, layer("CategoryEncoding", "a", {{"num_tokens", n(0)}}), ".num_tokens", "of at least 1"},
    {"EncodingOfImages",
     {4, 3},
     layer("CategoryEncoding", "a", {{"num_tokens", n(5)}}),
     "",
     "expected input rank 2 (batch and values) with multi_hot, got (None, 4, 3)"},
    {"EncodingMode", {4}, layer("CategoryEncoding", "a", {{"num_tokens", n(5)}, {"output_mode", s("int")}}), ".output_mode", "got \"int\""},
    {"EncodingSparse", {4}, layer("CategoryEncoding", "a", {{"num_tokens", n(5)}, {"sparse", true}}), ".sparse", "got true"},
    {"Boundaries",
     {4},
     layer("Discretization", "a", {{"bin_boundaries", std::vector<double>{1, 1, 0.5}}}),
     ".bin_boundaries",
     "expected rising numbers, got [1.0, 1.0, 0.5]"},
    {"NoBoundaries",
     {4},
     layer("Discretization", "a", {{"bin_boundaries", std::vector<double>{}}}),
     ".bin_boundaries",
     "or num_bins, got none"},
    {"BoundariesAndBins",
     {4},
     layer("Discretization", "a", {{"bin_boundaries", std::vector<double>{0, 1}}, {"num_bins", n(3)}}),
     ".num_bins",
     "expected none beside bin_boundaries, got 3"},
    {"OneBin", {4}, layer("Discretization", "a", {{"num_bins", n(1)}}), ".num_bins", "of at least 2"},
    {"NoVocabulary",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{}}}),
     ".max_tokens",
     "expected a number where there is no vocabulary, got none"},
    {"TokensForOthersAlone",
     {4},
     layer("IntegerLookup", "a", {{"max_tokens", n(3)}, {"num_oov_indices", n(2)}, {"mask_token", n(0)}}),
     ".max_tokens",
     "expected more than the 3 places in front of the vocabulary, got 3"},
    {"RowsOfUnknownSize",
     {4},
     layer("IntegerLookup", "a", {{"max_tokens", n(3)}, {"output_mode", s("count")}}),
     ".pad_to_max_tokens",
     "expected true where there is no vocabulary, got false"},
    {"NoWeights",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"output_mode", s("tf_idf")}}),
     ".idf_weights",
     "expected as many numbers as vocabulary has, 2, got 0"},
    {"WeightsWithoutUse",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"idf_weights", std::vector<double>{1, 2}}}),
     ".idf_weights",
     "expected none without tf_idf, got 2"},
    {"SaltWithoutHash",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"salt", Axes{1, 2}}}),
     ".salt",
     "expected none without farmhash, got [1, 2]"},
    {"LookupSalt",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"oov_method", s("farmhash")}, {"salt", Axes{1, 2, 3}}}),
     ".salt",
     "one or two whole numbers, got [1, 2, 3]"},
    {"RepeatedVocabulary",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5, 3}}}),
     ".vocabulary",
     "each value once, got 3 again"},
    {"MaskInVocabulary",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"mask_token", n(5)}}),
     ".vocabulary",
     "each value once, got 5 again"},
    {"FewTokens",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"max_tokens", n(2)}, {"pad_to_max_tokens", true}}),
     ".max_tokens",
     "expected at least the 3 places of the vocabulary, got 2"},
    {"NoTokensToPad",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"pad_to_max_tokens", true}}),
     ".max_tokens",
     "expected a number with pad_to_max_tokens, got none"},
    {"InvertedRows",
     {4},
     layer("IntegerLookup", "a", {{"vocabulary", Axes{3, 5}}, {"invert", true}, {"output_mode", s("count")}}),
     ".output_mode",
     "expected int with invert, got count"},
    {"HashingBins", {4}, layer("Hashing", "a", {{"num_bins", n(0)}}), ".num_bins", "of at least 1"},
    {"HashingSalt",
     {4},
     layer("Hashing", "a", {{"num_bins", n(5)}, {"salt", Axes{1, 2, 3}}}),
     ".salt",
     "one or two whole numbers, got [1, 2, 3]"},
    {"HashingNoSalt", {4}, layer("Hashing", "a", {{"num_bins", n(5)}, {"salt", Axes{}}}), ".salt", "one or two whole numbers, got []"},
    {"HashingSparse",
     {4},
     layer("Hashing", "a", {{"num_bins", n(5)}, {"output_mode", s("count")}, {"sparse", true}}),
     ".sparse",
     "got true"},
    {"HashingRowsForEach",
     {4},
     layer("Hashing", "a", {{"num_bins", n(5)}, {"output_mode", s("one_hot")}}),
     "",
     "expected a last axis of 1 with one_hot, got (None, 4)"},
    {"HashingOfImages",
     {4, 3},
     layer("Hashing", "a", {{"num_bins", n(5)}, {"output_mode", s("count")}}),
     "",
     "expected input rank 2 (batch and values) with count, got (None, 4, 3)"},
    {"TextsWithoutLength",
     {1},
     layer("TextVectorization", "a"),
     ".output_sequence_length",
     "expected a number with output_mode int, so that all texts have one length, got none"},
    {"TextsOfARow",
     {1},
     layer("TextVectorization", "a", {{"output_mode", s("count")}, {"output_sequence_length", n(4)}}),
     ".output_sequence_length",
     "expected none with output_mode count, got 4"},
    {"TextsOfUnknownWidth",
     {1},
     layer("TextVectorization", "a", {{"output_mode", s("multi_hot")}, {"max_tokens", n(4)}}),
     ".pad_to_max_tokens",
     "expected a vocabulary or pad_to_max_tokens, which say how many values a row has, got none"},
    {"TextsRagged",
     {1},
     layer("TextVectorization", "a", {{"output_sequence_length", n(4)}, {"ragged", true}}),
     ".ragged",
     "expected false (not supported), got true"},
    {"TextsOfSeveralInputs",
     {4},
     layer("TextVectorization", "a", {{"output_sequence_length", n(4)}}),
     "",
     "expected one text a sample, (None, 1), got (None, 4)"},
    {"TextsTwice",
     {1},
     layer("TextVectorization", "a", {{"output_sequence_length", n(4)}, {"vocabulary", Texts{"b", "a", "b"}}}),
     ".vocabulary",
     "expected each value once, got \"b\" again"},
    {"TextsWithTheirMask",
     {1},
     layer("StringLookup", "a", {{"mask_token", s("b")}, {"vocabulary", Texts{"a", "b"}}}),
     ".vocabulary",
     "expected each value once, got \"b\" again"},
    {"TextsBeyondTheMost",
     {1},
     layer("StringLookup", "a", {{"max_tokens", n(2)}, {"vocabulary", Texts{"a", "b"}}}),
     ".max_tokens",
     "expected at least the 3 places of the vocabulary, got 2"},
    {"TextsWithoutPlaces",
     {1},
     layer("StringLookup", "a", {{"max_tokens", n(2)}, {"num_oov_indices", n(2)}}),
     ".max_tokens",
     "expected more than the 2 places in front of the vocabulary, got 2"},
    {"TextsWithoutWeights",
     {1},
     layer("StringLookup", "a", {{"output_mode", s("tf_idf")}, {"vocabulary", Texts{"a", "b"}}}),
     ".idf_weights",
     "expected one for each of the 2 texts of the vocabulary, got none"},
    {"TextsOfFewWeights",
     {1},
     layer("StringLookup", "a",
           {{"output_mode", s("tf_idf")}, {"vocabulary", Texts{"[UNK]", "a", "b"}}, {"idf_weights", std::vector<double>{1, 2}}}),
     ".idf_weights",
     "expected one for each of the 3 texts of the vocabulary, got 2"},
    {"TextsOfIdleWeights",
     {1},
     layer("StringLookup", "a", {{"vocabulary", Texts{"a"}}, {"idf_weights", std::vector<double>{1}}}),
     ".idf_weights",
     "expected none but with tf_idf and a vocabulary, got 1"},
    {"TextsInverted", {1}, layer("StringLookup", "a", {{"invert", true}}), ".invert", "expected false (not supported), got true"},
    {"TextsSparse", {1}, layer("StringLookup", "a", {{"sparse", true}}), ".sparse", "expected false (not supported), got true"},
    {"TextsSalt", {1}, layer("StringLookup", "a", {{"salt", Axes{1, 2, 3}}}), ".salt", "one or two whole numbers, got [1, 2, 3]"},
    {"LayerNormAxis", {4, 3}, layer("LayerNormalization", "a", {{"axis", n(3)}}), ".axis", "from -1 downwards, each once, got 3"},
    {"LayerNormBatchAxis", {4}, layer("LayerNormalization", "a", {{"axis", Axes{0, 1}}}), ".axis", "got 0, 1"},
    {"LayerNormEpsilon", {4}, layer("LayerNormalization", "a", {{"epsilon", -1.0}}), ".epsilon", "got -1.0"},
    {"RmsNormAxis", {4, 3}, layer("RMSNormalization", "a", {{"axis", n(1)}}), ".axis", "without the batch, got 1"},
    {"RmsNormEpsilon", {4}, layer("RMSNormalization", "a", {{"epsilon", -1.0}}), ".epsilon", "got -1.0"},
    {"LayerNormRms", {4}, layer("LayerNormalization", "a", {{"rms_scaling", true}}), ".rms_scaling", "expected false"},
    {"GroupNormGroups", {4, 6}, layer("GroupNormalization", "a", {{"groups", n(4)}}), ".groups", "expected a divisor of 6 channels"},
    {"GroupNormNoGroups", {4, 6}, layer("GroupNormalization", "a", {{"groups", n(0)}}), ".groups", "got 0"},
    {"GroupNormDefaultGroups", {4, 6}, layer("GroupNormalization", "a"), ".groups", "got 32"},
    {"GroupNormAxis", {4, 6}, layer("GroupNormalization", "a", {{"groups", n(2)}, {"axis", n(3)}}), ".axis", "got 3"},
    {"UnitNormAxis", {4, 6}, layer("UnitNormalization", "a", {{"axis", n(0)}}), ".axis", "got 0"},
    {"EmbeddingSizes", {4}, layer("Embedding", "a", {{"input_dim", n(0)}, {"output_dim", n(3)}}), ".input_dim", "of at least 1"},
    {"EmbeddingOutput", {4}, layer("Embedding", "a", {{"input_dim", n(9)}}), ".output_dim", "got nothing"},
    {"EmbeddingTooMany", {4}, layer("Embedding", "a", {{"input_dim", n(1) << 25}, {"output_dim", n(3)}}), ".input_dim", "at most 16777216"},
    {"EmbeddingMask",
     {4},
     layer("Embedding", "a", {{"input_dim", n(9)}, {"output_dim", n(3)}, {"mask_zero", n(1)}}),
     ".mask_zero",
     "expected true or false, got 1"},
    {"ReversibleOutput", {4}, layer("ReversibleEmbedding", "a", {{"input_dim", n(9)}}), ".output_dim", "got nothing"},
    {"ReversibleTies",
     {4},
     layer("ReversibleEmbedding", "a", {{"input_dim", n(9)}, {"output_dim", n(3)}, {"tie_weights", n(1)}}),
     ".tie_weights",
     "expected true or false, got 1"},
    {"ReversibleType",
     {4},
     layer("ReversibleEmbedding", "a", {{"input_dim", n(9)}, {"output_dim", n(3)}, {"reverse_dtype", s("int8")}}),
     ".reverse_dtype",
     "float32, float64, float16 or bfloat16"},
    {"ReversibleCap",
     {4},
     layer("ReversibleEmbedding", "a", {{"input_dim", n(9)}, {"output_dim", n(3)}, {"logit_soft_cap", 0.0}}),
     ".logit_soft_cap",
     "got 0"},
    {"MaskingValue", {4, 2}, layer("Masking", "a", {{"mask_value", s("none")}}), ".mask_value", "got \"none\""},
    {"RnnInput", {4}, layer("SimpleRNN", "a", {{"units", n(3)}}), "", "expected input rank 3 (batch, time and features), got rank 2"},
    {"RnnUnits", {4, 2}, layer("SimpleRNN", "a", {{"units", n(0)}}), ".units", "got 0"},
    {"RnnActivation", {4, 2}, layer("SimpleRNN", "a", {{"units", n(3)}, {"activation", s("softmax")}}), ".activation", "got \"softmax\""},
    {"RnnDropout", {4, 2}, layer("SimpleRNN", "a", {{"units", n(3)}, {"dropout", 1.5}}), ".dropout", "got 1.5"},
    {"RnnGate",
     {4, 2},
     layer("SimpleRNN", "a", {{"units", n(3)}, {"recurrent_activation", s("tanh")}}),
     ".recurrent_activation",
     "expected one of the fields"},
    {"LstmGate",
     {4, 2},
     layer("LSTM", "a", {{"units", n(3)}, {"recurrent_activation", s("sigmod")}}),
     ".recurrent_activation",
     "got \"sigmod\""},
    {"LstmRecurrentDropout",
     {4, 2},
     layer("LSTM", "a", {{"units", n(3)}, {"recurrent_dropout", -0.1}}),
     ".recurrent_dropout",
     "of at least 0 and at most 1, got -0.1"},
    {"InitializerMode",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"kernel_initializer", object("VarianceScaling", {{"mode", s("bad")}})}}),
     ".kernel_initializer.mode",
     "expected fan_in, fan_out or fan_avg, got \"bad\""},
    {"InitializerScale",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"kernel_initializer", object("VarianceScaling", {{"scale", -1.0}})}}),
     ".kernel_initializer.scale",
     "above 0, got -1.0"},
    {"InitializerType",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"kernel_initializer", object("RandomUniform", {{"minval", s("x")}})}}),
     ".kernel_initializer.minval",
     "expected a number, got \"x\""},
    {"InitializerField",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"kernel_initializer", object("RandomNormal", {{"foo", n(2)}})}}),
     ".kernel_initializer.foo",
     "expected one of the fields mean, stddev or seed, got foo"},
    {"InitializerSeed",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"kernel_initializer", object("GlorotUniform", {{"seed", s("x")}})}}),
     ".kernel_initializer.seed",
     "expected an integer, got \"x\""},
    {"OrthogonalBias",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"bias_initializer", s("orthogonal")}}),
     ".bias_initializer",
     "expected weights of two or more axes for Orthogonal, got a/bias (3,)"},
    {"IdentityKernel",
     {6, 6, 1},
     layer("Conv2D", "a", {{"filters", n(3)}, {"kernel_size", n(3)}, {"kernel_initializer", object("Identity")}}),
     ".kernel_initializer",
     "expected weights of two axes for Identity, got a/kernel (3, 3, 1, 3)"},
    {"ConstraintClass",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"kernel_constraint", object("MinNorm")}}),
     ".kernel_constraint",
     "expected MaxNorm, NonNeg, UnitNorm or MinMaxNorm, got MinNorm"},
    {"ConstraintField",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"kernel_constraint", object("MaxNorm", {{"max_value", -1.0}})}}),
     ".kernel_constraint.max_value",
     "of at least 0, got -1.0"},
    {"ConstraintAxis",
     {4},
     layer("Dense", "a", {{"units", n(3)}, {"bias_constraint", object("UnitNorm", {{"axis", n(1)}})}}),
     ".bias_constraint.axis",
     "expected axes of a/bias (3,), from 0 to 0, got 1"},
    {"ConstraintAxisInside",
     {4, 2},
     layer("TimeDistributed", "a",
           {{"layer", object("Dense", {{"units", n(3)}, {"kernel_constraint", object("UnitNorm", {{"axis", n(2)}})}})}}),
     ".layer.kernel_constraint.axis",
     "expected axes of a/layer/kernel (2, 3), from 0 to 1, got 2"},
    {"BidirectionalNothing", {4, 2}, layer("Bidirectional", "a"), ".layer", "expected LSTM, GRU or SimpleRNN, got nothing"},
    {"BidirectionalName", {4, 2}, layer("Bidirectional", "a", {{"layer", s("LSTM")}}), ".layer", "got its name alone"},
    {"BidirectionalDense",
     {4, 2},
     layer("Bidirectional", "a", {{"layer", object("Dense", {{"units", n(3)}})}}),
     ".layer",
     "expected LSTM, GRU or SimpleRNN, got Dense"},
    {"BidirectionalInner",
     {4, 2},
     layer("Bidirectional", "a", {{"layer", object("LSTM", {{"units", n(0)}})}}),
     ".layer",
     "LSTM.units: expected an integer of at least 1"},
    {"BidirectionalInput",
     {4},
     layer("Bidirectional", "a", {{"layer", object("LSTM", {{"units", n(3)}})}}),
     ".layer",
     "LSTM: expected input rank 3"},
    {"BidirectionalMode",
     {4, 2},
     layer("Bidirectional", "a", {{"layer", object("LSTM", {{"units", n(3)}})}, {"merge_mode", s("add")}}),
     ".merge_mode",
     "expected concat, sum, ave or mul, got \"add\""},
    {"BidirectionalDirections",
     {4, 2},
     layer("Bidirectional", "a", {{"layer", object("LSTM", {{"units", n(3)}})}, {"backward_layer", object("LSTM", {{"units", n(3)}})}}),
     ".backward_layer",
     "expected one of the two layers with go_backwards, got it in none"},
    {"BidirectionalUnits",
     {4, 2},
     layer("Bidirectional", "a",
           {{"layer", object("LSTM", {{"units", n(3)}})},
            {"merge_mode", s("sum")},
            {"backward_layer", object("GRU", {{"units", n(2)}, {"go_backwards", true}})}}),
     ".backward_layer",
     "expected the 3 units of the forward layer, got 2"},
    {"BidirectionalSequences",
     {4, 2},
     layer("Bidirectional", "a",
           {{"layer", object("LSTM", {{"units", n(3)}})},
            {"backward_layer", object("LSTM", {{"units", n(3)}, {"go_backwards", true}, {"return_sequences", true}})}}),
     ".backward_layer",
     "expected the return_sequences of the forward layer"},
    {"SpectralClass",
     {4, 2},
     layer("SpectralNormalization", "a", {{"layer", object("LSTM", {{"units", n(3)}})}}),
     ".layer",
     "Conv3DTranspose, DepthwiseConv1D or DepthwiseConv2D, got LSTM"},
    {"SpectralEmbedding",
     {4},
     layer("SpectralNormalization", "a", {{"layer", object("Embedding", {{"input_dim", n(3)}, {"output_dim", n(4)}})}}),
     ".layer",
     "DepthwiseConv1D or DepthwiseConv2D, got Embedding"},
    {"SpectralInner",
     {4},
     layer("SpectralNormalization", "a", {{"layer", object("Dense", {{"units", n(0)}})}}),
     ".layer",
     "Dense.units: expected an integer of at least 1"},
    {"SpectralPowers",
     {4},
     layer("SpectralNormalization", "a", {{"layer", object("Dense", {{"units", n(3)}})}, {"power_iterations", n(0)}}),
     ".power_iterations",
     "of at least 1"},
    {"CellAlone", {4, 2}, layer("LSTMCell", "a", {{"units", n(3)}}), "", "expected an RNN around the cell, got LSTMCell alone"},
    {"RnnNothing", {4, 2}, layer("RNN", "a"), ".cell", "expected a cell or a list of them, got nothing"},
    {"RnnEmpty", {4, 2}, layer("RNN", "a", {{"cell", Axes{}}}), ".cell", "expected at least one cell, got none"},
    {"RnnNoCell", {4, 2}, layer("RNN", "a", {{"cell", n(3)}}), ".cell", "expected a cell or a list of them, got 3"},
    {"RnnOfALayer",
     {4, 2},
     layer("RNN", "a", {{"cell", object("LSTM", {{"units", n(3)}})}}),
     ".cell",
     "expected cells of class LSTMCell, GRUCell or SimpleRNNCell, got LSTM"},
    {"RnnOfAStackInAStack",
     {4, 2},
     layer("RNN", "a", {{"cell", list({{"LSTMCell", {{"units", n(3)}}}, {"StackedRNNCells", {}}})}}),
     ".cell",
     "expected cells of class LSTMCell, GRUCell or SimpleRNNCell, got StackedRNNCells"},
    {"RnnInner",
     {4, 2},
     layer("RNN", "a", {{"cell", list({{"GRUCell", {{"units", n(3)}}}, {"GRUCell", {{"units", n(0)}}}})}}),
     ".cell",
     "gru_cell_1.units: expected an integer of at least 1"},
    {"RnnFieldOfTheLayer",
     {4, 2},
     layer("RNN", "a", {{"cell", object("LSTMCell", {{"units", n(3)}, {"return_sequences", true}})}}),
     ".cell",
     "lstm_cell.return_sequences: expected one of the fields units"},
    {"RnnOfRows", {4}, layer("RNN", "a", {{"cell", object("LSTMCell", {{"units", n(3)}})}}), "", "expected input rank 3"},
    {"RnnState",
     {4, 2},
     layer("RNN", "a", {{"cell", object("LSTMCell", {{"units", n(3)}})}, {"return_state", true}}),
     ".return_state",
     "expected false (not supported), got true"},
    {"RnnStateful",
     {4, 2},
     layer("RNN", "a", {{"cell", object("LSTMCell", {{"units", n(3)}})}, {"stateful", true}}),
     ".stateful",
     "expected false (not supported), got true"},
    {"RnnConstraintAxis",
     {4, 2},
     layer("RNN", "a", {{"cell", object("LSTMCell", {{"units", n(3)}, {"kernel_constraint", object("UnitNorm", {{"axis", n(2)}})}})}}),
     ".cell/lstm_cell.kernel_constraint.axis",
     "expected axes of a/cell/lstm_cell/kernel (2, 12), from 0 to 1, got 2"},
    {"BidirectionalRnn",
     {4, 2},
     layer("Bidirectional", "a", {{"layer", object("RNN", {{"cell", object("LSTMCell", {{"units", n(3)}})}})}}),
     ".layer",
     "expected LSTM, GRU or SimpleRNN, got RNN"},
    {"TimeDistributedClass",
     {4, 2},
     layer("TimeDistributed", "a", {{"layer", object("BatchNormalization")}}),
     ".layer",
     "got BatchNormalization"},
    {"TimeDistributedInner",
     {4, 2},
     layer("TimeDistributed", "a", {{"layer", object("Conv2D", {{"filters", n(3)}, {"kernel_size", n(3)}})}}),
     ".layer",
     "Conv2D: expected input rank 4 (batch, rows, columns and channels), got (None, 2)"},
    {"TimeDistributedInput",
     {4},
     layer("TimeDistributed", "a", {{"layer", object("Dense", {{"units", n(3)}})}}),
     "",
     "expected input rank 3 or more (batch, time and values), got rank 2"},
    {"LstmStateful", {4, 2}, layer("LSTM", "a", {{"units", n(3)}, {"stateful", true}}), ".stateful", "expected false"},
    {"EinsumForm", {4, 2}, einsum("abc,cd", {-1, 3}), ".equation", "expected the form X,Y->Z"},
    {"EinsumOneEllipsis", {4, 2}, einsum("...c,cd->abd", {-1, 3}), ".equation", "expected the form X,Y->Z"},
    {"EinsumTwice", {4, 2}, einsum("abb,bd->abd", {-1, 3}), ".equation", "once in X, in Y and in Z, got \"abb,bd->abd\""},
    {"EinsumBatch", {4, 2}, einsum("abc,cd->bad", {-1, 3}), ".equation", "the batch first in X and Z"},
    {"EinsumEach", {4, 2}, einsum("abc,bcd->abd", {-1, 3}), ".equation", "expected b in two of X, Y and Z, got \"abc,bcd->abd\""},
    {"EinsumLost", {4, 2}, einsum("abc,d->abd", {-1, 3}), ".equation", "expected c in two of X, Y and Z, got \"abc,d->abd\""},
    {"EinsumOrder", {4, 2}, einsum("abc,dc->abd", {-1, 3}), ".equation", "expected the letters of Y that X has before those that Z has"},
    {"EinsumRank", {4, 2}, einsum("ab,bc->ac", {3}), "", "expected input rank 2 for \"ab,bc->ac\", got (None, 4, 2)"},
    {"EinsumRankOfTheRest", {4}, einsum("...abc,cd->...abd", {-1, -1, 3}), "", "expected rank 3 or more of the input for"},
    {"EinsumSizes", {4, 2}, einsum("abc,cd->abd", {3}), ".output_shape", "expected 2 sizes for \"abc,cd->abd\", got 1"},
    {"EinsumOpen", {4, 2}, einsum("abc,cd->abd", {-1, -1}), ".output_shape", "expected a size of at least 1 for d, got None"},
    {"EinsumOther", {4, 2}, einsum("abc,cd->abd", {5, 3}), ".output_shape", "expected 4, the input's size, for b, got 5"},
    {"EinsumBias", {4, 2}, einsum("abc,cd->abd", {-1, 3}, "c"), ".bias_axes", "expected letters of Z but the batch's, got c"},
    {"ConvLstmStateful",
     {4, 5, 2},
     layer("ConvLSTM1D", "a", {{"filters", n(3)}, {"kernel_size", n(2)}, {"stateful", true}}),
     ".stateful",
     "expected false"},
    {"ConvLstmReturnState",
     {4, 5, 5, 2},
     layer("ConvLSTM2D", "a", {{"filters", n(3)}, {"kernel_size", n(2)}, {"return_state", true}}),
     ".return_state",
     "expected false"},
    {"ConvLstmOnImages", {5, 5, 2}, layer("ConvLSTM2D", "a", {{"filters", n(3)}, {"kernel_size", n(2)}}), "", "rank 5 (batch, time, rows"},
    {"ConvLstmOnSequences", {5, 2}, layer("ConvLSTM1D", "a", {{"filters", n(3)}, {"kernel_size", n(2)}}), "", "rank 4 (batch, time, steps"},
    {"ConvLstmOnPictures", {4, 5, 5, 2}, layer("ConvLSTM3D", "a", {{"filters", n(3)}, {"kernel_size", n(2)}}), "", "rank 6"},
    {"ConvLstmKernel",
     {4, 5, 5, 2},
     layer("ConvLSTM2D", "a", {{"filters", n(3)}, {"kernel_size", n(6)}}),
     ".kernel_size",
     "at most 5 rows (the input is (None, 4, 5, 5, 2)), got 6"},
    {"ConvLstmWithoutKernel", {4, 5, 5, 2}, layer("ConvLSTM2D", "a", {{"filters", n(3)}}), ".kernel_size", "got nothing"},
    {"ConvLstmDilation",
     {4, 9, 2},
     layer("ConvLSTM1D", "a", {{"filters", n(3)}, {"kernel_size", n(2)}, {"strides", n(2)}, {"dilation_rate", n(2)}}),
     ".dilation_rate",
     "expected 1"},
    {"ConvLstmFunction",
     {4, 9, 2},
     layer("ConvLSTM1D", "a", {{"filters", n(3)}, {"kernel_size", n(2)}, {"activation", s("gelu")}}),
     ".activation",
     "got \"gelu\""},
    {"LstmReturnState", {4, 2}, layer("LSTM", "a", {{"units", n(3)}, {"return_state", true}}), ".return_state", "expected false"},
    {"LstmForget", {4, 2}, layer("LSTM", "a", {{"units", n(3)}, {"unit_forget_bias", n(1)}}), ".unit_forget_bias", "got 1"},
    {"LstmSequences", {4, 2}, layer("LSTM", "a", {{"units", n(3)}, {"return_sequences", s("yes")}}), ".return_sequences", "got \"yes\""},
    {"LstmInitializer",
     {4, 2},
     layer("LSTM", "a", {{"units", n(3)}, {"recurrent_initializer", s("nonsense")}}),
     ".recurrent_initializer",
     "got nonsense"},
    {"GruReset", {4, 2}, layer("GRU", "a", {{"units", n(3)}, {"reset_after", n(0)}}), ".reset_after", "got 0"},
    {"GruBackwards", {4, 2}, layer("GRU", "a", {{"units", n(3)}, {"go_backwards", n(0)}}), ".go_backwards", "got 0"},
};

class LayerFields : public ::testing::TestWithParam<Row> {};

TEST_P(LayerFields, AreDiagnosedByPath) {
    RunSpec run;
    run.model = model(GetParam().input, {GetParam().layer});
    const Diagnostics diagnostics = validate(run);
    const std::string path = "model.layers[0]" + GetParam().path;
    const auto found = std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) { return d.path == path; });
    ASSERT_NE(found, diagnostics.end()) << path;
    EXPECT_EQ(found->severity, Severity::kError);
    EXPECT_NE(found->message.find(GetParam().message), std::string::npos) << found->message;
}
INSTANTIATE_TEST_SUITE_P(Rows, LayerFields, ::testing::ValuesIn(kRows), [](const auto& row) { return row.param.name; });

TEST(LayersWithMasks, SayWhichTheyCannotTake) {
    const LayerSpec masking = layer("Masking", "masking");
    const LayerSpec each = layer("TimeDistributed", "each", {{"layer", object("LSTM", {{"units", n(3)}})}});
    const struct {
        Shape input;
        LayerSpec before, layer;
        std::string message;
    } rows[] = {
        {{4, 2}, masking, layer("Softmax", "a"), "a: expected an input without a mask"},
        {{5, 4, 2}, each, layer("GRU", "a", {{"units", n(3)}}), "a: expected a mask of the sizes (None, 5), got (None, 5, 4)"},
        {{5, 4, 2}, each, layer("BatchNormalization", "a"), "a: expected a mask of the sizes (None, 5), got (None, 5, 4)"},
        {{5, 4, 2}, each, layer("GlobalAveragePooling1D", "a"), "a: expected a mask of the sizes (None, 5), got (None, 5, 4)"},
        {{5, 4, 2},
         each,
         layer("Dense", "a", {{"units", n(3)}}),
         "a: expected an output with a mask of the sizes (None, 5) or none, got one of (None, 5, 4)"},
        {{4, 2}, masking, layer("TimeDistributed", "a", {{"layer", object("Softmax")}}), "a: Softmax: expected an input without a mask"},
    };
    for (const auto& row : rows) {
        RunSpec run;
        run.model = model(row.input, {masking, row.before, row.layer});
        if (row.before.class_name == "Masking") run.model.layers.erase(run.model.layers.begin());
        const Diagnostics diagnostics = validate(run);
        const bool found = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) {
            return d.severity == Severity::kError && d.message.starts_with(row.message);
        });
        EXPECT_TRUE(found) << row.message << (diagnostics.empty() ? "" : "\n" + diagnostics.front().message);
    }
}

TEST(LayerFieldsOfIds, ComeFromTheInput) {
    RunSpec run;
    run.model =
        model({4, 2}, {layer("Dense", "dense", {{"units", n(3)}}), layer("Embedding", "a", {{"input_dim", n(9)}, {"output_dim", n(3)}})});
    const Diagnostics diagnostics = validate(run);
    EXPECT_TRUE(std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
        return d.path == "model.layers[1]" && d.message == "expected ids from the model's input, got the output of a layer Dense";
    }));
}

// What a layer takes from the training samples comes into the model: Keras' adapt() is given nothing else.
TEST(LayerFields, WhatTakesSamplesComesFirst) {
    const auto found = [](const ModelSpec& tested) {
        RunSpec run;
        run.model = tested;
        std::vector<std::string> texts;
        for (const Diagnostic& one : validate(run)) {
            if (one.message.starts_with("expected a layer that takes values from the training samples"))
                texts.push_back(one.path + one.message);
        }
        return texts;
    };
    const LayerSpec dense = layer("Dense", "dense", {{"units", n(3)}}), taken = layer("Normalization", "a");
    const LayerSpec given = layer("Normalization", "a", {{"mean", 0.5}, {"variance", 2.0}});
    EXPECT_TRUE(found(model({4}, {taken, dense})).empty());
    EXPECT_TRUE(found(model({4}, {dense, given})).empty());
    EXPECT_EQ(
        found(model({4}, {dense, taken})),
        std::vector<std::string>{"model.layers[1]expected a layer that takes values from the training samples as the model's first, got "
                                 "Normalization behind a layer Dense"});
    EXPECT_EQ(
        found(model({4}, {layer("Residual", "b", {{"layers", std::vector<ObjectBox>{ObjectSpec{"Normalization", {}}}}}), dense})),
        std::vector<std::string>{"model.layers[0]expected a layer that takes values from the training samples as the model's first, got "
                                 "Normalization in a layer Residual"});
}

TEST(LayerFields, TextsComeIntoTheFirstLayerAlone) {
    const auto found = [](const ModelSpec& tested, const char* dtype) {
        RunSpec run;
        run.model = tested;
        run.model.input_dtype = dtype;
        std::string texts;
        for (const Diagnostic& one : validate(run)) {
            if (one.message.find("texts") != std::string::npos && one.path.starts_with("model"))
                texts += one.path + " " + one.message + " " + one.fix;
        }
        return texts;
    };
    const LayerSpec dense = layer("Dense", "dense", {{"units", n(3)}}), lookup = layer("StringLookup", "a");
    EXPECT_EQ(found(model({1}, {lookup, dense}), "string"), "");
    EXPECT_EQ(
        found(model({1}, {lookup, dense}), "float32"),
        "model.input_dtype expected string, the type of the texts that a layer StringLookup takes, got float32 Set model.input_dtype to "
        "string.");
    EXPECT_EQ(
        found(model({1}, {dense}), "string"),
        "model.layers[0] expected a layer that takes the texts of the model's input, got a layer Dense Put a TextVectorization first, or "
        "set model.input_dtype to float32.");
    EXPECT_EQ(found(model({1}, {dense, lookup}), "float32"),
              "model.layers[1] expected a layer that takes texts as the model's first, got StringLookup behind a layer Dense Put the "
              "StringLookup first.");
    EXPECT_EQ(
        found(model({1}, {layer("Residual", "b", {{"layers", std::vector<ObjectBox>{ObjectSpec{"StringLookup", {}}}}}), dense}), "float32"),
        "model.layers[0] expected a layer that takes texts as the model's first, got StringLookup in a layer Residual Put the "
        "StringLookup first.");
    RunSpec run;
    run.model = model({1}, {lookup, dense});
    run.model.input_dtype = "string";
    const Diagnostics all = checkSamples(run);  // of MNIST
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Diagnostic& one) {
        return one.path == "data.dataset" &&
               one.message == "expected text or text_folder, which have texts for the model's input of type string, got mnist";
    }));
}

TEST(LayerFields, IdsMayBeMadeOfTheInput) {
    const auto found = [](const ModelSpec& tested) {
        RunSpec run;
        run.model = tested;
        std::string texts;
        for (const Diagnostic& one : validate(run)) {
            if (one.message.starts_with("expected ids from the model's input")) texts += one.path + " " + one.message + " " + one.fix;
        }
        return texts;
    };
    const LayerSpec dense = layer("Dense", "dense", {{"units", n(3)}}), flat = layer("Flatten", "flat");
    const LayerSpec embedding = layer("Embedding", "a", {{"input_dim", n(9)}, {"output_dim", n(3)}});
    const auto buckets = [](const char* mode) {
        return layer("Discretization", "b", {{"bin_boundaries", std::vector<double>{0, 1}}, {"output_mode", s(mode)}});
    };
    EXPECT_EQ(found(model({4}, {flat, buckets("int"), embedding, layer("Flatten", "flat_1"), dense})), "");
    EXPECT_EQ(found(model({4}, {buckets("count"), embedding, layer("Flatten", "flat_1"), dense})),
              "model.layers[1] expected ids from the model's input, got the output of a layer Discretization Put the Embedding first.");
    EXPECT_EQ(found(model({4}, {dense, layer("CategoryEncoding", "c", {{"num_tokens", n(3)}})})),
              "model.layers[1] expected ids from the model's input, got the output of a layer Dense Put the CategoryEncoding first.");
}

}  // namespace
}  // namespace engine::spec
