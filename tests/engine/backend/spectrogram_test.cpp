// Spectrograms of signals: what the kernels begin with, and what a batch's samples have to do with each other, against Keras' numbers where
// there are some (tests/data/keras/spectrograms.py).
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/initialize.h"
#include "engine/backend/signal/mel_spectrogram.h"
#include "tests/support/golden.h"
#include "tests/support/layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::Fusion;
using tests::support::isNear;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;
using tests::support::toArray;

std::int64_t n(std::int64_t value) {
    return value;
}

TEST(Spectrogram, KernelsBeginAsInKeras) {
    const nlohmann::json golden = tests::support::readGolden("spectrogram_parts.json");
    for (const nlohmann::json& one : golden.at("kernels")) {
        SCOPED_TRACE(one.at("config").dump());
        const spec::ModelSpec net = model({100, 1}, {layer("STFTSpectrogram", "stft", tests::support::toFields(one.at("config")))});
        LayerRig rig(net, 1, Fusion::kOff);
        initializeVariables(rig.variables(), net, 1);
        const auto step = one.at("step").get<std::size_t>();
        for (const char* part : {"real", "imag"}) {
            const std::string name = std::string("stft/") + part + "_kernel";
            const auto entries = rig.variables().entries();
            const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Variables::Entry& e) { return e.name == name; });
            ASSERT_NE(entry, entries.end());
            const auto frequencies = static_cast<std::size_t>(entry->shape.back());
            std::vector<float> values;
            for (std::size_t i = 0; i < entry->values.size(); ++i) {
                if (i % frequencies % step == 0) values.push_back(entry->values[i]);
            }
            EXPECT_TRUE(isNear(values, toArray(one.at(part)).values, 2e-6)) << part;
        }
    }
}

TEST(Spectrogram, OfSoundIsAsInKeras) {
    std::vector<float> x;
    for (int i = 0; i < 16000; ++i) x.push_back(static_cast<float>(std::sin(1e-5 * i * i) / 2 + 0.3 * std::sin(0.3 * i)));
    plan::MelSpectrogram mel;
    mel.fft_length = mel.length = 512;
    mel.stride = 500;
    mel.bands = 20;
    mel.exponent = 2;
    const MelFrames frames(mel, 16000);
    const Array expected = toArray(tests::support::readGolden("spectrogram_parts.json").at("speech"));
    ASSERT_EQ((spec::Shape{1, 20, frames.sizes().frames}), expected.shape);
    std::vector<float> y(expected.values.size());
    std::vector<double> scratch(static_cast<std::size_t>(frames.scratchBytes()) / sizeof(double));
    frames.forward(x.data(), y.data(), reinterpret_cast<std::byte*>(scratch.data()));
    const float least = melFloor(mel, *std::max_element(y.begin(), y.end()));
    for (float& value : y) value = std::max(value, least);
    EXPECT_TRUE(isNear(y, expected.values, 1e-4));
}

spec::ModelSpec melOf(spec::Fields config) {
    config.set("fft_length", n(8));
    config.set("sequence_stride", n(3));
    config.set("num_mel_bins", n(3));
    config.set("sampling_rate", n(1000));
    return model({13}, {layer("MelSpectrogram", "mel", std::move(config))});
}

TEST(Spectrogram, SilenceBesideSoundIsHeldAboveTheSound) {
    LayerRig rig(melOf({{"top_db", 30.0}}), 2, Fusion::kOff);
    std::vector<float> x(26, 0.0F);
    for (std::size_t i = 0; i < 13; ++i) x[i] = static_cast<float>(i % 4) - 1.5F;
    const std::span<const float> y = rig.forward(x);
    const auto half = static_cast<std::ptrdiff_t>(y.size() / 2);
    const float largest = *std::max_element(y.begin(), y.begin() + half);
    EXPECT_GT(largest, 0);
    for (auto value = y.begin() + half; value != y.end(); ++value) EXPECT_EQ(*value, largest - 30);
}

TEST(Spectrogram, SilenceAloneIsTheLeastPower) {
    LayerRig rig(melOf({}), 1, Fusion::kOff);
    const std::vector<float> x(13, 0.0F);
    const std::span<const float> y = rig.forward(x);
    for (const float value : y) EXPECT_FLOAT_EQ(value, -100);
    rig.backward(std::vector<float>(y.size(), 1.0F));
    for (const float value : rig.tensor("input:grad")) EXPECT_EQ(value, 0);
}

TEST(Spectrogram, WindowsAreAsLongAsTheyAreTold) {
    plan::MelSpectrogram mel{.fft_length = 8, .length = 4};
    std::vector<double> window;
    for (int i = 0; i < 8; ++i) window.push_back(melWindow(mel, i));
    for (const int outside : {0, 1, 2, 6, 7}) EXPECT_NEAR(window[static_cast<std::size_t>(outside)], 0, 1e-15) << outside;
    EXPECT_NEAR(window[3], 0.5, 1e-15);
    EXPECT_NEAR(window[4], 1, 1e-15);
    EXPECT_NEAR(window[5], 0.5, 1e-15);
    mel.length = 5;  // TensorFlow ends it as it begins
    EXPECT_NEAR(melWindow(mel, 5), 0, 1e-15);
    EXPECT_NEAR(melWindow(mel, 3), 1, 1e-15);
}

}  // namespace
}  // namespace engine::backend
