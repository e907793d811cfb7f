// PNG and JPEG pictures, decoded and resized. The first byte chooses the channels, the new size's interpolation and whether the checksums
// of a PNG's chunks are put right first.
#include <vector>

#include <zlib.h>

#include "engine/data/readers/image_decoder.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

namespace {

void rightChecksums(std::string& png) {
    constexpr std::size_t kSignature = 8, kHead = 8, kTail = 4;
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(png[at])); };
    for (std::size_t at = kSignature; at + kHead + kTail <= png.size();) {
        const std::size_t length = byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
        if (length > png.size() - at - kHead - kTail) {
            return;
        }
        const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(png.data() + at + 4), static_cast<uInt>(length + 4));
        for (std::size_t i = 0; i < kTail; ++i) {
            png[at + kHead + length + i] = static_cast<char>(crc >> (24 - 8 * i) & 255);
        }
        at += kHead + length + kTail;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    const std::uint8_t choice = input.byte();
    std::string bytes(input.rest());
    if ((choice & 4) != 0) {
        rightChecksums(bytes);
    }
    const int channels = (choice & 1) != 0 ? 1 : 3;
    tests::fuzz::expectErrorAtMost([&] {
        data_sets::Image image;
        data_sets::decodeImage(std::as_bytes(std::span(bytes)), channels, image);
        std::vector<std::byte> resized(static_cast<std::size_t>(5 * 3 * image.channels));
        data_sets::resizeImage(image, 5, 3, (choice & 2) != 0 ? data_sets::Interpolation::kNearest : data_sets::Interpolation::kBilinear,
                               resized.data());
    });
    return 0;
}
