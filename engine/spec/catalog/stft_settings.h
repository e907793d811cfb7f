// What the fields of an STFTSpectrogram come to, for its shape rule, its lowering and what its kernels begin with.
#pragma once

#include <cstdint>
#include <string>

#include "engine/spec/model_spec.h"

namespace engine::spec {

struct StftSettings {
    std::string mode;
    std::int64_t frame_length = 256, frame_step = 128, fft_length = 256, frequencies = 129;
    bool has_real = true, has_imag = true;  // which of the two kernels there are
};
StftSettings readStftSettings(const LayerSpec& layer);

}  // namespace engine::spec
