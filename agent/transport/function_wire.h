// What both sides of functions.proto read and write alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "agent/proto/functions.pb.h"
#include "agent/transport/function_values.h"
#include "engine/spec/error.h"

namespace agent::worker {

inline constexpr std::uint32_t kFunctionProtocol = 1;

inline proto::FunctionValues toProto(const FunctionValues& values) {
    proto::FunctionValues told;
    told.mutable_numbers()->Add(values.numbers.begin(), values.numbers.end());
    told.set_data(values.bytes);
    return told;
}

inline FunctionValues fromProto(const proto::FunctionValues& told) {
    return {.numbers = {told.numbers().begin(), told.numbers().end()}, .bytes = told.data()};
}

// A number that stands for none is an error of the other side.
inline engine::ErrorCode errorCodeOf(int number) {
    const auto code = static_cast<engine::ErrorCode>(number);
    constexpr int kFirst = static_cast<int>(engine::ErrorCode::kCancelled), kLast = static_cast<int>(engine::ErrorCode::kDataLoss);
    constexpr int kUnknown = 2;  // gRPC's, which is none of ours
    return number < kFirst || number > kLast || number == kUnknown ? engine::ErrorCode::kInternal : code;
}

inline std::string secondsText(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace agent::worker
