// Pictures as PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace engine::exporter {

// 8 bits a channel, rows from the top, channels last: (height, width, channels). 1 channel is grey, 3 are red, green, blue, 4 with opacity.
struct Picture {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 1;
    std::vector<std::uint8_t> pixels;
};

// The file's bytes. Throws Error(kInvalidArgument) for sizes that do not fit together.
std::string encodePng(const Picture& picture);

}  // namespace engine::exporter
