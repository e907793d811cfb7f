// Nets of layers of images and sequences, with odd sizes and short batches, for every back-end: see model_cases.h.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/model_cases.h"

namespace tests::support {

inline std::vector<std::int64_t> ints(std::initializer_list<std::int64_t> values) {
    return values;
}

inline std::vector<double> reals(std::initializer_list<double> values) {
    return values;
}

inline std::vector<ModelCase> imageCases() {
    using rows::conv;
    using rows::dense;
    using rows::kAdam;
    using rows::kMomentum;
    using rows::kRelu;
    using rows::kSgd;
    using rows::n;
    using rows::s;
    return {
        {"DepthwiseThenGlobalAverage",
         model({11, 9, 5}, {layer("DepthwiseConv2D", "depthwise", {{"kernel_size", n(3)}, {"activation", s("relu")}}),
                            layer("GlobalAveragePooling2D", "pool"), dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3},
        {"DepthwiseOfVectorsWithStride",
         model({9, 8, 16}, {layer("DepthwiseConv2D", "depthwise", {{"kernel_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}}),
                            layer("GlobalMaxPooling2D", "pool"), dense("dense", 3, "linear")}),
         compileWith(kMomentum), 4, 4, 0.02F},
        {"DepthwiseWithMultiplierAndDilation",
         model({9, 10, 7}, {layer("DepthwiseConv2D", "depthwise",
                                  {{"kernel_size", n(2)}, {"depth_multiplier", n(3)}, {"dilation_rate", n(2)}, {"padding", s("same")}}),
                            layer("AveragePooling2D", "pool", {{"pool_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}}),
                            layer("Flatten", "flatten"), dense("dense", 4, "linear")}),
         compileWith(kSgd), 4, 2},
        {"TwoSeparable",
         model({8, 9, 3},
               {layer("SeparableConv2D", "separable", {{"filters", n(18)}, {"kernel_size", n(3)}, {"activation", s("relu")}}),
                layer("SeparableConv2D", "separable_1", {{"filters", n(7)}, {"kernel_size", n(3)}, {"depth_multiplier", n(2)}}),
                layer("GlobalAveragePooling2D", "pool", {{"keepdims", true}}), layer("Flatten", "flatten"), dense("dense", 3, "linear")}),
         compileWith(kAdam), 4, 4, 0.005F},
        {"TransposedUpAndDown",
         model({5, 4, 2},
               {layer("Conv2DTranspose", "up",
                      {{"filters", n(6)}, {"kernel_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}, {"activation", s("relu")}}),
                layer("Conv2DTranspose", "up_1",
                      {{"filters", n(3)}, {"kernel_size", n(2)}, {"strides", ints({3, 2})}, {"output_padding", ints({1, 0})}}),
                conv("conv2d", 4, 3, kRelu), layer("Flatten", "flatten"), dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3, 0.02F},
        {"TransposedOfVectors",
         model({4, 5, 16}, {layer("Conv2DTranspose", "up", {{"filters", n(32)}, {"kernel_size", n(3)}, {"strides", n(2)}}),
                            layer("AveragePooling2D", "pool"), layer("Flatten", "flatten"), dense("dense", 3, "linear")}),
         compileWith(kSgd), 2, 2},
        {"Sequences",
         model({23, 4},
               {layer("Conv1D", "conv1d", {{"filters", n(8)}, {"kernel_size", n(3)}, {"padding", s("causal")}, {"activation", s("relu")}}),
                layer("MaxPooling1D", "pool"),
                layer("Conv1D", "conv1d_1", {{"filters", n(6)}, {"kernel_size", n(3)}, {"strides", n(2)}, {"padding", s("same")}}),
                layer("AveragePooling1D", "pool_1"), layer("Reshape", "reshape", {{"target_shape", ints({-1, 2})}}),
                layer("GlobalMaxPooling1D", "pool_2"), dense("dense", 3, "linear")}),
         compileWith(kMomentum), 5, 4, 0.02F},
        {"LargePoolingWindow", model({18, 17, 3}, {layer("GlobalMaxPooling2D", "pool"), dense("dense", 3, "linear")}), compileWith(kSgd), 3,
         3},
        {"MovedImages",
         model({9, 7, 3},
               {layer("ZeroPadding2D", "pad", {{"padding", ints({1, 2, 0, 3})}}), layer("UpSampling2D", "up", {{"size", ints({2, 1})}}),
                conv("conv2d", 5, 3, kRelu), layer("Cropping2D", "crop", {{"cropping", ints({2, 1, 0, 1})}}),
                layer("UpSampling2D", "up_1", {{"interpolation", s("bilinear")}}), layer("Permute", "permute", {{"dims", ints({3, 1, 2})}}),
                layer("Permute", "permute_1", {{"dims", ints({2, 1, 3})}}), layer("Rescaling", "scale", {{"scale", 0.5}, {"offset", -0.1}}),
                layer("AveragePooling2D", "pool", {{"pool_size", n(3)}}), layer("Flatten", "flatten"), dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3, 0.02F},
        {"ResizedImages",
         model({9, 7, 3},
               {layer("Resizing", "larger", {{"height", n(13)}, {"width", n(10)}}), conv("conv2d", 5, 3, kRelu),
                layer("Resizing", "smaller", {{"height", n(6)}, {"width", n(11)}, {"interpolation", s("nearest")}}),
                layer("Resizing", "padded", {{"height", n(7)}, {"width", n(6)}, {"pad_to_aspect_ratio", true}, {"fill_value", 0.3}}),
                layer("Resizing", "cut", {{"height", n(8)}, {"width", n(3)}, {"crop_to_aspect_ratio", true}}),
                layer("CenterCrop", "center", {{"height", n(5)}, {"width", n(2)}}),
                layer("CenterCrop", "center_1", {{"height", n(7)}, {"width", n(3)}}), layer("Flatten", "flatten"),
                dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3, 0.02F},
        {"ResizedVectors",
         model({6, 5, 16}, {conv("conv2d", 16, 3, kRelu), layer("Resizing", "resize", {{"height", n(9)}, {"width", n(2)}}),
                            layer("Resizing", "padded", {{"height", n(4)}, {"width", n(8)}, {"pad_to_aspect_ratio", true}}),
                            layer("GlobalAveragePooling2D", "pool"), dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3},
        {"RepeatedVector",
         model({11}, {dense("dense", 9, "relu"), layer("RepeatVector", "repeat", {{"n", n(5)}}),
                      layer("Permute", "permute", {{"dims", ints({2, 1})}}), layer("ZeroPadding1D", "pad"),
                      layer("Conv1D", "conv1d", {{"filters", n(4)}, {"kernel_size", n(3)}}),
                      layer("Cropping1D", "crop", {{"cropping", ints({1, 2})}}), layer("UpSampling1D", "up"), layer("Flatten", "flatten"),
                      dense("dense_1", 3, "linear")}),
         compileWith(kSgd), 4, 3},
        {"RandomImagesAtTheStart",
         model({10, 9, 3}, {layer("RandomFlip", "flip"), layer("RandomRotation", "turn", {{"factor", 0.1}}),
                            layer("RandomZoom", "zoom", {{"height_factor", 0.3}, {"width_factor", 0.2}, {"fill_mode", s("constant")}}),
                            layer("RandomTranslation", "shift", {{"height_factor", 0.2}, {"width_factor", 0.2}, {"fill_mode", s("wrap")}}),
                            layer("RandomShear", "shear", {{"x_factor", 0.3}, {"y_factor", 0.2}, {"fill_mode", s("nearest")}}),
                            layer("RandomPerspective", "corners", {{"scale", 0.4}, {"fill_value", 0.2}}),
                            layer("RandomErasing", "erase", {{"value_range", reals({-1, 1})}}), conv("conv2d", 4, 3, kRelu),
                            layer("Flatten", "flatten"), dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3},
        {"RandomColorsAtTheStart",
         model({10, 9, 3},
               {layer("RandomBrightness", "brightness", {{"factor", 0.2}, {"value_range", reals({-1, 1})}}),
                layer("RandomContrast", "contrast", {{"factor", reals({0.3, 0.6})}, {"value_range", reals({-1, 1})}}),
                layer("RandomInvert", "invert", {{"value_range", reals({-1, 1})}, {"factor", 0.5}}),
                layer("Rescaling", "scale", {{"scale", 100.0}, {"offset", 120.0}}),
                layer("RandomSaturation", "saturation", {{"factor", 0.7}}), layer("RandomHue", "hue", {{"factor", 0.3}}),
                layer("RandomGrayscale", "gray", {{"factor", 0.3}}), layer("RandomColorDegeneration", "degeneration", {{"factor", 0.4}}),
                layer("Solarization", "sun", {{"addition_factor", 0.4}, {"threshold_factor", 0.9}}),
                layer("RandomPosterization", "poster", {{"factor", ints({3, 8})}}),
                layer("RandomColorJitter", "jitter",
                      {{"brightness_factor", 0.1}, {"contrast_factor", 0.2}, {"saturation_factor", 0.6}, {"hue_factor", 0.2}}),
                layer("Rescaling", "scale_1", {{"scale", 0.01}}), conv("conv2d", 4, 3, kRelu), layer("Flatten", "flatten"),
                dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3, 0.02F},
        {"RandomColorsInTheMiddle",
         model({8, 9, 2},
               {conv("conv2d", 17, 3, kRelu), layer("RandomContrast", "contrast", {{"factor", 0.5}, {"value_range", reals({0, 0.6})}}),
                layer("RandomBrightness", "brightness", {{"factor", 0.2}, {"value_range", reals({0, 0.7})}}),
                layer("RandomErasing", "erase", {{"fill_value", 0.3}}), conv("conv2d_1", 3, 2, kRelu),
                layer("RandomSaturation", "saturation", {{"factor", reals({0.2, 0.9})}}),
                layer("RandomColorDegeneration", "degeneration", {{"factor", 0.5}}), layer("GlobalAveragePooling2D", "pool"),
                dense("dense", 3, "linear")}),
         compileWith(kSgd), 4, 3, 0.02F},
        {"RandomInTheMiddle",
         model({8, 9, 2},
               {conv("conv2d", 17, 3, kRelu), layer("RandomRotation", "turn", {{"factor", 0.1}}),
                layer("SpatialDropout2D", "spatial", {{"rate", 0.3}}), layer("GaussianNoise", "noise", {{"stddev", 0.2}}),
                layer("Dropout", "dropout", {{"rate", 0.3}, {"noise_shape", ints({-1, 6, 1, 17})}}),
                layer("Reshape", "reshape", {{"target_shape", ints({-1, 17})}}), layer("SpatialDropout1D", "spatial_1", {{"rate", 0.3}}),
                layer("GlobalAveragePooling1D", "pool"), dense("dense", 3, "linear")}),
         compileWith(kMomentum), 4, 3, 0.02F},
    };
}

}  // namespace tests::support
