// What layers of images do with the range that their values lie in.
#pragma once

#include "engine/tensor/device_function.h"

namespace engine::backend::value_range {

TANDEM_DEVICE inline float clip(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}
// How fast clip(x) grows with x.
TANDEM_DEVICE inline float clipSlope(float x, float low, float high) {
    return x < low || x > high ? 0.0F : 1.0F;
}

// From the layer's range of values to 0 .. 255 and back, rounded as Keras rounds.
inline constexpr float kBytes = 255;
TANDEM_DEVICE inline float toBytes(float x, float low, float high) {
    return low == 0 && high == kBytes ? x : (x - low) / (high - low) * kBytes;
}
TANDEM_DEVICE inline float fromBytes(float x, float low, float high) {
    return low == 0 && high == kBytes ? x : x / kBytes * (high - low) + low;
}

}  // namespace engine::backend::value_range
