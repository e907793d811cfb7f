// Layers of images and sequences: the shapes that Keras gives, and for every wrong field its diagnostic.
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

struct ShapeRow {
    const char* name;
    Shape input;
    const char* layer;  // JSON of one layer
    Shape output;
    std::int64_t parameters;
};
void PrintTo(const ShapeRow& row, std::ostream* out) {
    *out << row.name;
}

RunSpec runOf(const Shape& input, const std::string& layer) {
    std::string shape;
    for (std::int64_t size : input) shape += (shape.empty() ? "" : ",") + std::to_string(size);
    const ProjectReport report = parseProject(R"({"version":1,"model":{"input_shape":[)" + shape + R"(],"layers":[)" + layer + "]}}");
    EXPECT_TRUE(report.diagnostics.empty()) << report.diagnostics.front().path << ": " << report.diagnostics.front().message;
    return report.run;
}

const ShapeRow kShapes[] = {
    {"Conv1D", {9, 4}, R"({"class_name":"Conv1D","config":{"filters":6,"kernel_size":[3],"strides":2}})", {4, 6}, 78},
    {"Causal", {9, 4}, R"({"class_name":"Conv1D","config":{"filters":6,"kernel_size":3,"padding":"causal","groups":2}})", {9, 6}, 42},
    {"Depthwise", {8, 9, 3}, R"({"class_name":"DepthwiseConv2D","config":{"kernel_size":3,"depth_multiplier":2}})", {6, 7, 6}, 60},
    {"Separable", {8, 9, 3}, R"({"class_name":"SeparableConv2D","config":{"filters":5,"kernel_size":[3,2]}})", {6, 8, 5}, 38},
    {"Transposed", {4, 5, 2}, R"({"class_name":"Conv2DTranspose","config":{"filters":3,"kernel_size":3,"strides":2}})", {9, 11, 3}, 57},
    {"TransposedSame",
     {4, 5, 2},
     R"({"class_name":"Conv2DTranspose","config":{"filters":3,"kernel_size":3,"strides":2,"padding":"same","output_padding":[0,1]}})",
     {7, 10, 3},
     57},
    {"AveragePooling2D", {5, 6, 2}, R"({"class_name":"AveragePooling2D","config":{"padding":"same"}})", {3, 3, 2}, 0},
    {"MaxPooling1D", {7, 2}, R"({"class_name":"MaxPooling1D","config":{"pool_size":3,"strides":1}})", {5, 2}, 0},
    {"GlobalMax", {5, 6, 2}, R"({"class_name":"GlobalMaxPooling2D"})", {2}, 0},
    {"GlobalAverage", {5, 2}, R"({"class_name":"GlobalAveragePooling1D","config":{"keepdims":true}})", {1, 2}, 0},
    {"Reshape", {4, 6}, R"({"class_name":"Reshape","config":{"target_shape":[2,-1,3]}})", {2, 4, 3}, 0},
    {"Permute", {4, 6, 5}, R"({"class_name":"Permute","config":{"dims":[3,1,2]}})", {5, 4, 6}, 0},
    {"RepeatVector", {4}, R"({"class_name":"RepeatVector","config":{"n":3}})", {3, 4}, 0},
    {"Padding", {4, 6, 5}, R"({"class_name":"ZeroPadding2D","config":{"padding":[[1,2],[0,3]]}})", {7, 9, 5}, 0},
    {"PaddingOfRowsAndColumns", {4, 6, 5}, R"({"class_name":"ZeroPadding2D","config":{"padding":[1,2]}})", {6, 10, 5}, 0},
    {"Padding1D", {4, 6}, R"({"class_name":"ZeroPadding1D","config":{"padding":[1,2]}})", {7, 6}, 0},
    {"Cropping", {4, 6, 5}, R"({"class_name":"Cropping2D","config":{"cropping":[[1,2],[0,3]]}})", {1, 3, 5}, 0},
    {"Cropping1D", {4, 6}, R"({"class_name":"Cropping1D"})", {2, 6}, 0},
    {"UpSampling", {4, 6, 5}, R"({"class_name":"UpSampling2D","config":{"size":[3,1],"interpolation":"bilinear"}})", {12, 6, 5}, 0},
    {"UpSampling1D", {4, 6}, R"({"class_name":"UpSampling1D"})", {8, 6}, 0},
    {"Conv3D", {5, 8, 9, 3}, R"({"class_name":"Conv3D","config":{"filters":4,"kernel_size":3,"strides":[1,2,2]}})", {3, 3, 4, 4}, 328},
    {"Conv3DGroups",
     {5, 8, 9, 4},
     R"({"class_name":"Conv3D","config":{"filters":6,"kernel_size":[1,2,3],"groups":2,"padding":"same"}})",
     {5, 8, 9, 6},
     78},
    {"Conv3DTranspose",
     {2, 4, 5, 3},
     R"({"class_name":"Conv3DTranspose","config":{"filters":2,"kernel_size":3,"strides":2,"padding":"same"}})",
     {4, 8, 10, 2},
     164},
    {"Conv1DTranspose", {5, 3}, R"({"class_name":"Conv1DTranspose","config":{"filters":2,"kernel_size":3,"strides":2}})", {11, 2}, 20},
    {"Depthwise1D", {9, 3}, R"({"class_name":"DepthwiseConv1D","config":{"kernel_size":3,"depth_multiplier":2}})", {7, 6}, 24},
    {"Separable1D", {9, 3}, R"({"class_name":"SeparableConv1D","config":{"filters":5,"kernel_size":[2]}})", {8, 5}, 26},
    {"MaxPooling3D", {5, 6, 7, 2}, R"({"class_name":"MaxPooling3D"})", {2, 3, 3, 2}, 0},
    {"AveragePooling3D", {5, 6, 7, 2}, R"({"class_name":"AveragePooling3D","config":{"padding":"same"}})", {3, 3, 4, 2}, 0},
    {"GlobalMax3D", {5, 6, 7, 2}, R"({"class_name":"GlobalMaxPooling3D"})", {2}, 0},
    {"GlobalAverage3D", {5, 6, 7, 2}, R"({"class_name":"GlobalAveragePooling3D","config":{"keepdims":true}})", {1, 1, 1, 2}, 0},
    {"Adaptive1D", {7, 3}, R"({"class_name":"AdaptiveAveragePooling1D","config":{"output_size":[9]}})", {9, 3}, 0},
    {"Adaptive2D", {7, 6, 3}, R"({"class_name":"AdaptiveMaxPooling2D","config":{"output_size":2}})", {2, 2, 3}, 0},
    {"Adaptive3D", {5, 6, 7, 2}, R"({"class_name":"AdaptiveMaxPooling3D","config":{"output_size":[2,6,3]}})", {2, 6, 3, 2}, 0},
    {"Padding3D", {4, 6, 5, 1}, R"({"class_name":"ZeroPadding3D","config":{"padding":[[1,2],[0,3],[1,1]]}})", {7, 9, 7, 1}, 0},
    {"PaddingOfAxes", {4, 6, 5, 1}, R"({"class_name":"ZeroPadding3D","config":{"padding":[1,2,0]}})", {6, 10, 5, 1}, 0},
    {"Cropping3D", {4, 6, 5, 1}, R"({"class_name":"Cropping3D"})", {2, 4, 3, 1}, 0},
    {"UpSampling3D", {4, 6, 5, 1}, R"({"class_name":"UpSampling3D","config":{"size":[3,1,2]}})", {12, 6, 10, 1}, 0},
    {"Spatial3D", {4, 6, 5, 1}, R"({"class_name":"SpatialDropout3D","config":{"rate":0.5}})", {4, 6, 5, 1}, 0},
    {"Identity", {4, 6, 5, 1}, R"({"class_name":"Identity"})", {4, 6, 5, 1}, 0},
    {"ActivityRegularization", {4}, R"({"class_name":"ActivityRegularization","config":{"l1":0.1}})", {4}, 0},
    {"AlphaDropout", {4, 6}, R"({"class_name":"AlphaDropout","config":{"rate":0.5,"noise_shape":[null,1,6]}})", {4, 6}, 0},
    {"Rescaling", {4, 6}, R"({"class_name":"Rescaling","config":{"scale":0.5}})", {4, 6}, 0},
    {"NoiseShape", {4, 6}, R"({"class_name":"Dropout","config":{"rate":0.5,"noise_shape":[null,1,6]}})", {4, 6}, 0},
    {"Resizing", {4, 6, 3}, R"({"class_name":"Resizing","config":{"height":9,"width":2}})", {9, 2, 3}, 0},
    {"CenterCrop", {4, 6, 3}, R"({"class_name":"CenterCrop","config":{"height":7,"width":2}})", {7, 2, 3}, 0},
    {"RandomCrop", {4, 6, 3}, R"({"class_name":"RandomCrop","config":{"height":2,"width":9,"seed":3}})", {2, 9, 3}, 0},
    {"RandomGrayscale", {4, 6, 1}, R"({"class_name":"RandomGrayscale","config":{"factor":0.25}})", {4, 6, 1}, 0},
    {"RandomColorJitter", {4, 6, 2}, R"({"class_name":"RandomColorJitter","config":{"brightness_factor":0.2}})", {4, 6, 2}, 0},
    {"RandomSharpness", {4, 6, 2}, R"({"class_name":"RandomSharpness","config":{"factor":0.3,"value_range":[0,1]}})", {4, 6, 2}, 0},
    {"RandomGaussianBlur",
     {4, 6, 2},
     R"({"class_name":"RandomGaussianBlur","config":{"kernel_size":[3,9],"sigma":[0.5,3]}})",
     {4, 6, 2},
     0},
    {"AutoContrast", {4, 6, 2}, R"({"class_name":"AutoContrast"})", {4, 6, 2}, 0},
    {"Equalization", {4, 6, 2}, R"({"class_name":"Equalization","config":{"bins":16}})", {4, 6, 2}, 0},
    {"RandAugment", {4, 6, 1}, R"({"class_name":"RandAugment","config":{"num_ops":0,"factor":[0.5,0.2]}})", {4, 6, 1}, 0},
    {"AugMix", {4, 6, 3}, R"({"class_name":"AugMix","config":{"chain_depth":0,"alpha":0.1}})", {4, 6, 3}, 0},
    {"AugMixOfAnyChannels", {4, 6, 5}, R"({"class_name":"AugMix","config":{"all_ops":false}})", {4, 6, 5}, 0},
    {"Tiles",
     {4, 6, 2},
     R"({"class_name":"ContrastLimitedAdaptiveHistogramEqualization","config":{"tile_grid_size":[8,12],"clip_limit":-1}})",
     {4, 6, 2},
     0},
    {"Elastic", {4, 6, 2}, R"({"class_name":"RandomElasticTransform","config":{"scale":[0.5,9],"fill_mode":"wrap"}})", {4, 6, 2}, 0},
    {"RandomZoom", {4, 6, 3}, R"({"class_name":"RandomZoom","config":{"height_factor":[-0.2,0.3],"width_factor":null}})", {4, 6, 3}, 0},
};

class ImageLayerShapes : public ::testing::TestWithParam<ShapeRow> {};

TEST_P(ImageLayerShapes, AreThoseOfKeras) {
    const LayerInfo info = inferShapes(runOf(GetParam().input, GetParam().layer).model).front();
    EXPECT_TRUE(info.known) << info.error;
    EXPECT_EQ(info.output_shape, GetParam().output);
    EXPECT_EQ(info.parameters, GetParam().parameters);
}

INSTANTIATE_TEST_SUITE_P(Rows, ImageLayerShapes, ::testing::ValuesIn(kShapes),
                         [](const auto& param) { return std::string(param.param.name); });

struct FaultRow {
    const char* name;
    const char* class_name;
    const char* config;
    const char* field;  // "" = the layer
    const char* words;  // of the message
    Shape input{8, 8, 4};
};
void PrintTo(const FaultRow& row, std::ostream* out) {
    *out << row.name;
}

const Shape kSequence{8, 4}, kVector{4}, kVolume{8, 8, 8, 4};

const FaultRow kFaults[] = {
    {"Conv1DOnImages", "Conv1D", R"({"filters":2,"kernel_size":3})", "", "rank 3 (batch, steps and channels), got (None, 8, 8, 4)"},
    {"Conv1DKernel", "Conv1D", R"({"filters":2,"kernel_size":9})", ".kernel_size", "at most 8 steps", kSequence},
    {"Conv1DTwoNumbers", "Conv1D", R"({"filters":2,"kernel_size":[3,3]})", ".kernel_size", "got [3, 3]", kSequence},
    {"Conv1DPadding", "Conv1D", R"({"filters":2,"kernel_size":3,"padding":"full"})", ".padding", "valid, same or causal", kSequence},
    {"Conv1DGroups", "Conv1D", R"({"filters":2,"kernel_size":3,"groups":3})", ".groups", "got 3", kSequence},
    {"Conv2DCausal", "Conv2D", R"({"filters":2,"kernel_size":3,"padding":"causal"})", ".padding", "valid or same"},
    {"DepthwiseKernel", "DepthwiseConv2D", "{}", ".kernel_size", "got nothing"},
    {"DepthwiseMultiplier", "DepthwiseConv2D", R"({"kernel_size":3,"depth_multiplier":0})", ".depth_multiplier", "at least 1"},
    {"DepthwiseDilation", "DepthwiseConv2D", R"({"kernel_size":2,"strides":2,"dilation_rate":2})", ".dilation_rate", "expected 1"},
    {"DepthwiseInitializer", "DepthwiseConv2D", R"({"kernel_size":2,"depthwise_initializer":"Gloro"})", ".depthwise_initializer", "Gloro"},
    {"DepthwiseFilters", "DepthwiseConv2D", R"({"kernel_size":2,"filters":3})", ".filters", "expected one of the fields"},
    {"SeparableFilters", "SeparableConv2D", R"({"kernel_size":3})", ".filters", "got nothing"},
    {"SeparableKernel", "SeparableConv2D", R"({"filters":3,"kernel_size":[9,1]})", ".kernel_size", "at most 8 rows"},
    {"TransposedPadding", "Conv2DTranspose", R"({"filters":3,"kernel_size":3,"strides":2,"output_padding":2})", ".output_padding",
     "less than the strides (2), got 2"},
    {"TransposedNothingLeft",
     "Conv2DTranspose",
     R"({"filters":3,"kernel_size":2,"padding":"same","output_padding":0})",
     ".output_padding",
     "at least one row",
     {1, 1, 4}},
    {"TransposedOnVectors", "Conv2DTranspose", R"({"filters":3,"kernel_size":3})", "", "rank 4", kVector},
    {"PoolTooLarge", "AveragePooling2D", R"({"pool_size":9})", ".pool_size", "at most 8 rows"},
    {"PoolStrides", "AveragePooling2D", R"({"strides":0})", ".strides", "at least 1"},
    {"Pool1DOnImages", "MaxPooling1D", "{}", "", "rank 3"},
    {"GlobalKeepdims", "GlobalMaxPooling2D", R"({"keepdims":1})", ".keepdims", "true or false"},
    {"GlobalOnVectors", "GlobalAveragePooling2D", "{}", "", "rank 4", kVector},
    {"ReshapeProduct", "Reshape", R"({"target_shape":[3,-1]})", ".target_shape", "product is 256"},
    {"ReshapeTwoRests", "Reshape", R"({"target_shape":[-1,-1]})", ".target_shape", "got [-1, -1]"},
    {"ReshapeZero", "Reshape", R"({"target_shape":[0,256]})", ".target_shape", "got [0, 256]"},
    {"ReshapeHuge", "Reshape", R"({"target_shape":[1000000000000,1000000000000]})", ".target_shape", "product is 256"},
    {"PermuteTwice", "Permute", R"({"dims":[1,1,2]})", ".dims", "each axis from 1 to 3 once"},
    {"PermuteFromZero", "Permute", R"({"dims":[0,1,2]})", ".dims", "at least 1"},
    {"RepeatImages", "RepeatVector", R"({"n":2})", "", "rank 2"},
    {"RepeatNothing", "RepeatVector", R"({"n":0})", ".n", "at least 1", kVector},
    {"PaddingNegative", "ZeroPadding2D", R"({"padding":-1})", ".padding", "at least 0"},
    {"PaddingThreeNumbers", "ZeroPadding2D", R"({"padding":[1,2,3]})", ".padding", "one, two or four numbers, got [1, 2, 3]"},
    {"Padding1DFourNumbers", "ZeroPadding1D", R"({"padding":[[1,2],[3,4]]})", ".padding", "one or two numbers", kSequence},
    {"CroppingAll", "Cropping2D", R"({"cropping":[[4,4],[0,0]]})", ".cropping", "got 8 to take from 8"},
    {"Cropping1DAll", "Cropping1D", R"({"cropping":4})", ".cropping", "got 8 to take from 8", kSequence},
    {"UpSamplingSize", "UpSampling2D", R"({"size":0})", ".size", "at least 1"},
    {"UpSamplingInterpolation", "UpSampling2D", R"({"interpolation":"bicubic"})", ".interpolation", "nearest or bilinear"},
    {"RescalingWithoutScale", "Rescaling", R"({"offset":1})", ".scale", "got nothing"},
    {"NoiseShapeRank", "Dropout", R"({"rate":0.5,"noise_shape":[1,8]})", ".noise_shape", "(None, 8, 8, 4)"},
    {"NoiseShapeSize", "Dropout", R"({"rate":0.5,"noise_shape":[null,1,3,4]})", ".noise_shape", "got [-1, 1, 3, 4]"},
    {"NoiseShapeOfTheBatch", "Dropout", R"({"rate":0.5,"noise_shape":[1,8,8,4]})", ".noise_shape", "the batch"},
    {"SpatialRate", "SpatialDropout2D", R"({"rate":-0.1})", ".rate", "at least 0"},
    {"Spatial1DOnImages", "SpatialDropout1D", R"({"rate":0.1})", "", "rank 3"},
    {"NoiseDeviation", "GaussianNoise", R"({"stddev":-1})", ".stddev", "at least 0"},
    {"GaussianRate", "GaussianDropout", R"({"rate":1})", ".rate", "expected less than 1, got 1"},
    {"AlphaRate", "AlphaDropout", R"({"rate":1})", ".rate", "expected less than 1, got 1"},
    {"Conv3DOnImages", "Conv3D", R"({"filters":2,"kernel_size":3})", "", "rank 5 (batch, planes, rows, columns and channels)"},
    {"Conv3DKernel", "Conv3D", R"({"filters":2,"kernel_size":[9,1,1]})", ".kernel_size", "at most 8 planes", kVolume},
    {"Conv3DTwoNumbers", "Conv3D", R"({"filters":2,"kernel_size":[3,3]})", ".kernel_size", "one or three integers", kVolume},
    {"Conv3DDilation", "Conv3D", R"({"filters":2,"kernel_size":2,"strides":[2,1,1],"dilation_rate":2})", ".dilation_rate", "expected 1",
     kVolume},
    {"Transposed1DPadding", "Conv1DTranspose", R"({"filters":3,"kernel_size":3,"strides":2,"output_padding":2})", ".output_padding",
     "less than the strides (2), got 2", kSequence},
    {"Transposed1DNothingLeft",
     "Conv1DTranspose",
     R"({"filters":3,"kernel_size":2,"padding":"same","output_padding":0})",
     ".output_padding",
     "at least one step",
     {1, 4}},
    {"Separable1DOnImages", "SeparableConv1D", R"({"filters":3,"kernel_size":3})", "", "rank 3"},
    {"Depthwise1DKernel", "DepthwiseConv1D", R"({"kernel_size":9})", ".kernel_size", "at most 8 steps", kSequence},
    {"Pool3DTooLarge", "AveragePooling3D", R"({"pool_size":[1,1,9]})", ".pool_size", "at most 8 columns", kVolume},
    {"Global3DOnImages", "GlobalMaxPooling3D", "{}", "", "rank 5"},
    {"AdaptiveWithoutSize", "AdaptiveMaxPooling2D", "{}", ".output_size", "got nothing"},
    {"AdaptiveToNothing", "AdaptiveAveragePooling2D", R"({"output_size":[2,0]})", ".output_size", "at least 1"},
    {"Adaptive3DTwoNumbers", "AdaptiveMaxPooling3D", R"({"output_size":[2,2]})", ".output_size", "one or three integers", kVolume},
    {"Adaptive1DOnImages", "AdaptiveMaxPooling1D", R"({"output_size":2})", "", "rank 3"},
    {"Padding3DFourNumbers", "ZeroPadding3D", R"({"padding":[1,2,3,4]})", ".padding", "one, three or six numbers, got [1, 2, 3, 4]",
     kVolume},
    {"Cropping3DAll", "Cropping3D", R"({"cropping":[0,4,0]})", ".cropping", "got 8 to take from 8", kVolume},
    {"UpSampling3DSize", "UpSampling3D", R"({"size":[1,2]})", ".size", "one or three integers", kVolume},
    {"Spatial3DOnImages", "SpatialDropout3D", R"({"rate":0.1})", "", "rank 5"},
    {"ActivityFactor", "ActivityRegularization", R"({"l1":-1})", ".l1", "at least 0"},
    {"IdentityField", "Identity", R"({"rate":1})", ".rate", "field"},
    {"FlipMode", "RandomFlip", R"({"mode":"both"})", ".mode", "horizontal, vertical or horizontal_and_vertical"},
    {"FlipVectors", "RandomFlip", "{}", "", "rank 4", kVector},
    {"RotationFactor", "RandomRotation", R"({"factor":1.5})", ".factor", "at most 1"},
    {"RotationThreeNumbers", "RandomRotation", R"({"factor":[0.1,0.2,0.3]})", ".factor", "one or two numbers"},
    {"RotationNoNumber", "RandomRotation", R"({"factor":[]})", ".factor", "expected one or two numbers, got []"},
    {"ZoomEmptyList", "RandomZoom", R"({"height_factor":[[]]})", ".height_factor", "one or two numbers"},
    {"ZoomEmptyWidth", "RandomZoom", R"({"height_factor":0.1,"width_factor":[]})", ".width_factor", "one or two numbers"},
    {"TranslationEmptyList", "RandomTranslation", R"({"height_factor":0.1,"width_factor":[]})", ".width_factor", "one or two numbers"},
    {"RotationFill", "RandomRotation", R"({"factor":0.1,"fill_mode":"mirror"})", ".fill_mode", "reflect, constant, wrap or nearest"},
    {"ZoomToNothing", "RandomZoom", R"({"height_factor":[-1,0.5]})", ".height_factor", "above -1"},
    {"ZoomWithoutHeight", "RandomZoom", R"({"width_factor":0.1})", ".height_factor", "got nothing"},
    {"TranslationWithoutWidth", "RandomTranslation", R"({"height_factor":0.1})", ".width_factor", "got nothing"},
    {"ShearFactor", "RandomShear", R"({"x_factor":-0.5})", ".x_factor", "at least 0"},
    {"ShearThreeNumbers", "RandomShear", R"({"y_factor":[0.1,0.2,0.3]})", ".y_factor", "one or two numbers"},
    {"ShearInterpolation", "RandomShear", R"({"interpolation":"cubic"})", ".interpolation", "bilinear or nearest"},
    {"PerspectiveScale", "RandomPerspective", R"({"scale":1.5})", ".scale", "at most 1"},
    {"PerspectiveFactor", "RandomPerspective", R"({"factor":[]})", ".factor", "one or two numbers"},
    {"PerspectiveFill", "RandomPerspective", R"({"fill_mode":"wrap"})", ".fill_mode", "expected one of the fields"},
    {"ErasingFactor", "RandomErasing", R"({"factor":1.5})", ".factor", "at most 1"},
    {"ErasingScale", "RandomErasing", R"({"scale":[0.1,0.2,0.3]})", ".scale", "one or two numbers"},
    {"ErasingFill", "RandomErasing", R"({"fill_value":[1,2,3]})", ".fill_value",
     "expected one number, or three for an input of 3 channels, got [1.0, 2.0, 3.0]"},
    {"ErasingNoFill", "RandomErasing", R"({"fill_value":[]})", ".fill_value", "one number, or three"},
    {"ErasingRange", "RandomErasing", R"({"value_range":[1,1]})", ".value_range", "two rising numbers"},
    {"StftOnVectors", "STFTSpectrogram", "{}", "", "rank 3 (batch, steps and channels)", kVector},
    {"StftStep", "STFTSpectrogram", R"({"frame_length":4,"frame_step":5})", ".frame_step", "expected at most the frame_length, 4, got 5",
     kSequence},
    {"StftTransform", "STFTSpectrogram", R"({"frame_length":4,"fft_length":3})", ".fft_length",
     "expected at least the frame_length, 4, got 3", kSequence},
    {"StftFrame", "STFTSpectrogram", R"({"frame_length":9})", ".frame_length", "expected a window of at most 8 steps", kSequence},
    {"StftWindow", "STFTSpectrogram", R"({"frame_length":4,"window":"parzen"})", ".window", "boxcar or none, got \"parzen\"", kSequence},
    {"StftWindowOfNumbers", "STFTSpectrogram", R"({"frame_length":2,"window":[1,1]})", ".window", "got [1, 1]", kSequence},
    {"StftMode", "STFTSpectrogram", R"({"frame_length":4,"mode":"power"})", ".mode", "expected log, magnitude, psd", kSequence},
    {"MelOnSequences", "MelSpectrogram", "{}", "", "expected input rank 2 (batch and samples), got (None, 8, 4)", kSequence},
    {"MelWindow", "MelSpectrogram", R"({"window":"blackman"})", ".window", "expected hann, hamming or none", kVector},
    {"MelLength", "MelSpectrogram", R"({"fft_length":4,"sequence_length":5})", ".sequence_length",
     "expected at most the fft_length, 4, got 5", kVector},
    {"MelOfShortSignals", "MelSpectrogram", R"({"fft_length":64})", ".fft_length", "expected at most twice the samples less one", kVector},
    {"MelRange", "MelSpectrogram", R"({"fft_length":4,"sampling_rate":100,"min_freq":50})", ".min_freq",
     "expected less than max_freq, 50.0, got 50.0", kVector},
    {"MelFrames", "MelSpectrogram", R"({"fft_length":4,"sequence_stride":1})", ".sequence_stride",
     "expected as many frames as Keras' shape has", kVector},
    {"MelLeast", "MelSpectrogram", R"({"fft_length":4,"min_power":0})", ".min_power", "a number above 0", kVector},
    {"ResizingWithoutWidth", "Resizing", R"({"height":4})", ".width", "got nothing"},
    {"ResizingToNothing", "Resizing", R"({"height":0,"width":4})", ".height", "at least 1"},
    {"ResizingInterpolation", "Resizing", R"({"height":4,"width":4,"interpolation":"bicubic"})", ".interpolation", "bilinear or nearest"},
    {"ResizingAntialias", "Resizing", R"({"height":4,"width":4,"antialias":true})", ".antialias",
     "expected false (not supported), got true"},
    {"ResizingBothWays", "Resizing", R"({"height":4,"width":4,"crop_to_aspect_ratio":true,"pad_to_aspect_ratio":true})",
     ".pad_to_aspect_ratio", "expected false with crop_to_aspect_ratio, got true"},
    {"ResizingFill", "Resizing", R"({"height":4,"width":4,"fill_mode":"reflect"})", ".fill_mode", "expected constant"},
    {"ResizingVectors", "Resizing", R"({"height":4,"width":4})", "", "rank 4", kVector},
    {"CenterCropHeight", "CenterCrop", R"({"height":-1,"width":4})", ".height", "at least 1"},
    {"RandomCropWithoutHeight", "RandomCrop", R"({"width":4})", ".height", "got nothing"},
    {"BrightnessFactor", "RandomBrightness", R"({"factor":1.5})", ".factor", "at most 1"},
    {"BrightnessWithoutFactor", "RandomBrightness", "{}", ".factor", "got nothing"},
    {"BrightnessThreeNumbers", "RandomBrightness", R"({"factor":[0.1,0.2,0.3]})", ".factor", "one or two numbers"},
    {"BrightnessVectors", "RandomBrightness", R"({"factor":0.1})", "", "rank 4", kVector},
    {"BrightnessOneEnd", "RandomBrightness", R"({"factor":0.1,"value_range":1})", ".value_range", "two rising numbers, got [1.0]"},
    {"ContrastFallingRange", "RandomContrast", R"({"factor":0.1,"value_range":[1,0]})", ".value_range",
     "two rising numbers, got [1.0, 0.0]"},
    {"ContrastFactor", "RandomContrast", R"({"factor":-0.1})", ".factor", "at least 0"},
    {"SaturationChannels", "RandomSaturation", R"({"factor":0.1})", "", "expected an input of 3 channels, got (None, 8, 8, 4)"},
    {"HueChannels", "RandomHue", R"({"factor":0.1})", "", "an input of 3 channels"},
    {"HueFactor", "RandomHue", R"({"factor":-0.1})", ".factor", "at least 0"},
    {"GrayscaleChannels", "RandomGrayscale", "{}", "", "an input of 1 or 3 channels"},
    {"GrayscaleTwoNumbers", "RandomGrayscale", R"({"factor":[0.1,0.2]})", ".factor", "expected a number"},
    {"DegenerationChannels", "RandomColorDegeneration", R"({"factor":0.1})", "", "an input of 3 channels"},
    {"InvertFactor", "RandomInvert", R"({"factor":1.1})", ".factor", "at most 1"},
    {"SolarizationThreshold", "Solarization", R"({"threshold_factor":[]})", ".threshold_factor", "one or two numbers"},
    {"PosterizationBits", "RandomPosterization", R"({"factor":9})", ".factor", "at most 8"},
    {"PosterizationParts", "RandomPosterization", R"({"factor":2.5})", ".factor", "one or two integers"},
    {"JitterChannels", "RandomColorJitter", R"({"hue_factor":0.1})", "", "an input of 3 channels"},
    {"JitterFactor", "RandomColorJitter", R"({"brightness_factor":[0.1,0.1,0.1]})", ".brightness_factor", "one or two numbers"},
    {"SharpnessWithoutFactor", "RandomSharpness", "{}", ".factor", "got nothing"},
    {"SharpnessFactor", "RandomSharpness", R"({"factor":-0.1})", ".factor", "at least 0"},
    {"SharpnessThreeNumbers", "RandomSharpness", R"({"factor":[0.1,0.2,0.3]})", ".factor", "one or two numbers"},
    {"SharpnessVectors", "RandomSharpness", R"({"factor":0.1})", "", "rank 4", kVector},
    {"SharpnessRange", "RandomSharpness", R"({"factor":0.1,"value_range":[1,0]})", ".value_range", "two rising numbers, got [1.0, 0.0]"},
    {"BlurFactor", "RandomGaussianBlur", R"({"factor":2})", ".factor", "at most 1"},
    {"BlurWindow", "RandomGaussianBlur", R"({"kernel_size":[3,4]})", ".kernel_size", "expected one or two odd integers, got [3, 4]"},
    {"BlurLargeWindow", "RandomGaussianBlur", R"({"kernel_size":257})", ".kernel_size", "at most 255"},
    {"BlurNoWindow", "RandomGaussianBlur", R"({"kernel_size":-1})", ".kernel_size", "at least 1"},
    {"BlurSigma", "RandomGaussianBlur", R"({"sigma":1.5})", ".sigma",
     "expected one number of at most 1, or two of which the first is at most 1, got [1.5]"},
    {"BlurSigmas", "RandomGaussianBlur", R"({"sigma":[2,3]})", ".sigma", "of which the first is at most 1, got [2.0, 3.0]"},
    {"BlurThreeSigmas", "RandomGaussianBlur", R"({"sigma":[1,2,3]})", ".sigma", "one number of at most 1"},
    {"BlurOneEnd", "RandomGaussianBlur", R"({"value_range":1})", ".value_range", "two rising numbers"},
    {"ContrastVectors", "AutoContrast", "{}", "", "rank 4", kVector},
    {"EqualizationBins", "Equalization", R"({"bins":0})", ".bins", "at least 1"},
    {"EqualizationRange", "Equalization", R"({"value_range":[2,1]})", ".value_range", "two rising numbers"},
    {"TilesBeyondTheMirror", "ContrastLimitedAdaptiveHistogramEqualization", R"({"tile_grid_size":[17,8]})", ".tile_grid_size",
     "at most two tiles for each of 8 rows and 8 columns, got [17, 8]"},
    {"TilesBothWays", "ContrastLimitedAdaptiveHistogramEqualization", R"({"tile_grid_size":4})", ".tile_grid_size",
     "expected two integers, got [4]"},
    {"TilesNone", "ContrastLimitedAdaptiveHistogramEqualization", R"({"tile_grid_size":[0,4]})", ".tile_grid_size", "at least 1"},
    {"TilesRange", "ContrastLimitedAdaptiveHistogramEqualization", R"({"value_range":[1,0]})", ".value_range", "two rising numbers"},
    {"TilesOfVectors", "ContrastLimitedAdaptiveHistogramEqualization", "{}", "", "rank 4", kVector},
    {"ElasticFactor", "RandomElasticTransform", R"({"factor":2})", ".factor", "at most 1"},
    {"ElasticFactors", "RandomElasticTransform", R"({"factor":[0.1,0.2,0.3]})", ".factor", "one or two numbers"},
    {"ElasticScale", "RandomElasticTransform", R"({"scale":1.5})", ".scale",
     "expected one number of at most 1, or two of which the first is at most 1, got [1.5]"},
    {"ElasticLargeScale", "RandomElasticTransform", R"({"scale":[1,21]})", ".scale", "at most 20"},
    {"ElasticMirror", "RandomElasticTransform", R"({"fill_mode":"mirror"})", ".fill_mode", "reflect, constant, wrap or nearest"},
    {"ElasticRange", "RandomElasticTransform", R"({"value_range":[1,1]})", ".value_range", "two rising numbers"},
    {"ElasticOfVectors", "RandomElasticTransform", "{}", "", "rank 4", kVector},
    {"ContrastEqualEnds", "AutoContrast", R"({"value_range":[1,1]})", ".value_range", "two rising numbers, got [1.0, 1.0]"},
    {"AugmentChannels", "RandAugment", "{}", "", "expected an input of 1 or 3 channels, got (None, 8, 8, 4)"},
    {"AugmentVectors", "RandAugment", "{}", "", "rank 4", kVector},
    {"AugmentFactor", "RandAugment", R"({"factor":1.2})", ".factor", "at most 1"},
    {"AugmentThreeFactors", "RandAugment", R"({"factor":[0.1,0.2,0.3]})", ".factor", "one or two numbers"},
    {"AugmentNoFactor", "RandAugment", R"({"factor":[]})", ".factor", "one or two numbers"},
    {"AugmentOps", "RandAugment", R"({"num_ops":-1})", ".num_ops", "at least 0"},
    {"AugmentManyOps", "RandAugment", R"({"num_ops":65})", ".num_ops", "at most 64"},
    {"AugmentRange", "RandAugment", R"({"value_range":[1,0]})", ".value_range", "two rising numbers"},
    {"AugmentInterpolation", "RandAugment", R"({"interpolation":"cubic"})", ".interpolation", "bilinear or nearest"},
    {"MixChannels", "AugMix", "{}", "", "an input of 1 or 3 channels"},
    {"MixChains", "AugMix", R"({"num_chains":0})", ".num_chains", "at least 1"},
    {"MixManyChains", "AugMix", R"({"num_chains":17})", ".num_chains", "at most 16"},
    {"MixDepth", "AugMix", R"({"chain_depth":16})", ".chain_depth", "at most 15"},
    {"MixNegativeDepth", "AugMix", R"({"chain_depth":-1})", ".chain_depth", "at least 0"},
    {"MixAlpha", "AugMix", R"({"alpha":0})", ".alpha", "at least"},
    {"MixAllOps", "AugMix", R"({"all_ops":2})", ".all_ops", "got 2"},
    {"TranslationInterpolation", "RandomTranslation", R"({"height_factor":0.1,"width_factor":0.1,"interpolation":"cubic"})",
     ".interpolation", "bilinear or nearest"},
};

class ImageLayerFaults : public ::testing::TestWithParam<FaultRow> {};

TEST_P(ImageLayerFaults, AreToldBeforeARun) {
    const FaultRow& row = GetParam();
    const RunSpec run =
        runOf(row.input, std::string(R"({"class_name":")") + row.class_name + R"(","name":"layer","config":)" + row.config + "}");
    std::vector<Diagnostic> found;
    for (const Diagnostic& d : validate(run)) {
        if (d.severity == Severity::kError && d.path.starts_with("model.layers[0]")) found.push_back(d);
    }
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().path, std::string("model.layers[0]") + row.field);
    EXPECT_NE(found.front().message.find(row.words), std::string::npos) << found.front().message;
    EXPECT_NE(found.front().message.find("expected"), std::string::npos) << found.front().message;
    EXPECT_NE(found.front().message.find("got"), std::string::npos) << found.front().message;
}

INSTANTIATE_TEST_SUITE_P(Rows, ImageLayerFaults, ::testing::ValuesIn(kFaults),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace engine::spec
