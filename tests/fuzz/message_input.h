// A Protobuf message as a fuzz target reads it: what can't be parsed is passed over, what can is handed on.
#pragma once

#include <string_view>

#include "tests/fuzz/fuzz_input.h"

namespace tests::fuzz {

template <typename Message, typename Use>
void parse(std::string_view bytes, Use&& use) {
    Message message;
    if (message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        expectErrorAtMost([&] { use(message); });
    }
}

}  // namespace tests::fuzz
