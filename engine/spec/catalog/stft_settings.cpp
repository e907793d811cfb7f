#include "engine/spec/catalog/stft_settings.h"

#include "engine/spec/catalog/settings.h"

namespace engine::spec {

StftSettings readStftSettings(const LayerSpec& layer) {
    const Settings settings = settingsOf(layer);
    StftSettings stft{.mode = settings.getString("mode"), .frame_length = settings.getInt("frame_length")};
    stft.frame_step = settings.findInt("frame_step").value_or(stft.frame_length / 2);
    std::int64_t power = 1;
    while (power < stft.frame_length) power *= 2;
    stft.fft_length = settings.findInt("fft_length").value_or(power);
    stft.frequencies = stft.fft_length / 2 + 1;
    stft.has_real = stft.mode != "imag";
    stft.has_imag = stft.mode != "real";
    return stft;
}

}  // namespace engine::spec
