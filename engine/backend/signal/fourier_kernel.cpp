#include "engine/backend/signal/fourier_kernel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/stft_settings.h"

namespace engine::backend {
namespace {

// Windows that are a few cosines: a[0] - a[1] cos(2 pi i / n) + a[2] cos(4 pi i / n) - ...
std::vector<double> cosinesOf(std::string_view name) {
    if (name == "hann") return {0.5, 0.5};
    if (name == "hamming") return {0.54, 0.46};
    if (name == "blackman") return {0.42, 0.5, 0.08};
    if (name == "nuttall") return {0.3635819, 0.4891775, 0.1365995, 0.0106411};
    if (name == "blackmanharris") return {0.35875, 0.48829, 0.14128, 0.01168};
    if (name == "flattop") return {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368};
    return {1};  // boxcar
}

double windowValue(std::string_view name, std::int64_t i, std::int64_t length) {
    const auto at = static_cast<double>(i), last = static_cast<double>(length - 1);
    if (name == "bartlett") return 1 - std::abs(2 * at / last - 1);
    if (name == "triang") return 1 - std::abs(2 * at - last) / static_cast<double>(length + length % 2);
    if (name == "cosine") return std::sin(std::numbers::pi * (at + 0.5) / static_cast<double>(length));
    double value = 0, sign = 1;
    const std::vector<double> cosines = cosinesOf(name);
    for (std::size_t wave = 0; wave < cosines.size(); ++wave, sign = -sign) {
        value += sign * cosines[wave] * std::cos(2 * std::numbers::pi * static_cast<double>(wave) * at / last);
    }
    return value;
}

}  // namespace

std::vector<double> signalWindow(std::string_view name, std::int64_t length, bool is_periodic) {
    std::vector<double> window;
    for (std::int64_t i = 0; i < length; ++i) window.push_back(length == 1 ? 1 : windowValue(name, i, length + (is_periodic ? 1 : 0)));
    return window;
}

void fillFourierKernel(const spec::LayerSpec& layer, std::string_view variable, std::span<float> values) {
    const spec::Settings settings = spec::settingsOf(layer);
    const spec::StftSettings stft = spec::readStftSettings(layer);
    const std::string name = settings.getString("window"), scaling = settings.getString("scaling");
    std::vector<float> window(static_cast<std::size_t>(stft.frame_length), 1.0F);
    float scale = 1;
    if (name != "none") {
        const std::vector<double> exact = signalWindow(name, stft.frame_length, settings.getBool("periodic"));
        std::transform(exact.begin(), exact.end(), window.begin(), [](double value) { return static_cast<float>(value); });
        double squares = 0, sizes = 0;
        for (const float value : window) {
            squares += static_cast<double>(value) * static_cast<double>(value);
            sizes += std::abs(static_cast<double>(value));
        }
        if (scaling == "density") scale = static_cast<float>(std::sqrt(squares));
        if (scaling == "spectrum") scale = static_cast<float>(sizes);
    }
    const auto frequencies = static_cast<std::size_t>(stft.frequencies);
    const auto whole = static_cast<float>(2 * (stft.frequencies - 1));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t time = i / frequencies;
        const float part = static_cast<float>(i % frequencies) / whole;
        const float angle = -2 * static_cast<float>(time) * part * std::numbers::pi_v<float>;
        const double wave = variable == "real_kernel" ? std::cos(static_cast<double>(angle)) : std::sin(static_cast<double>(angle));
        values[i] = static_cast<float>(wave) * window[time] / scale;
    }
}

}  // namespace engine::backend
