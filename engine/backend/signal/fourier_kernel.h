// What the kernels of an STFTSpectrogram begin with: Keras' initializer STFT.
//   cos or sin of -2 pi t k / F, t = 0 .. frame_length - 1, k = 0 .. frequencies - 1, F = 2 (frequencies - 1),
//   times the window and over its scale: the root of the sum of its squares ("density"), its sum of sizes ("spectrum"), 1
// in the steps of float32 that Keras takes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::backend {

// SciPy's window of that name; periodic: the first values of one that is longer by one.
std::vector<double> signalWindow(std::string_view name, std::int64_t length, bool is_periodic);

// Fills real_kernel or imag_kernel, (frame_length, 1, frequencies), of the layer.
void fillFourierKernel(const spec::LayerSpec& layer, std::string_view variable, std::span<float> values);

}  // namespace engine::backend
