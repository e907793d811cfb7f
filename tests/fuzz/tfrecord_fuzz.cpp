// TFRecord files of tf.train.Example. The first byte chooses the format and whether the rest is a file or one record, which is then put
// into a file with right checksums: mutations would hardly ever find these.
#include <vector>

#include "engine/checksum/crc32c.h"
#include "engine/data/dataset.h"
#include "engine/data/readers/tfrecord_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

namespace {

void appendNumber(std::string& file, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
        file.push_back(static_cast<char>(value >> (8 * i) & 255));
    }
}

std::string framed(std::string_view record) {
    namespace checksum = engine::checksum;
    std::string file;
    appendNumber(file, record.size(), 8);
    appendNumber(file, checksum::maskCrc(checksum::crc32c(file)), 4);
    file += record;
    appendNumber(file, checksum::maskCrc(checksum::crc32c(record)), 4);
    return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    const std::uint8_t choice = input.byte();
    constexpr const char* kEncodings[] = {"raw", "image", "list", "raw"};
    constexpr const char* kTypes[] = {"uint8", "int32", "float32", "uint8"};
    engine::spec::TfRecordFormat format;
    format.encoding = kEncodings[choice & 3];
    format.dtype = kTypes[choice >> 2 & 3];
    format.shape = {2, 2};
    if ((choice & 16) != 0) {
        format.label_shape = {3};
    }
    engine::spec::ImageFormat images{.size = {3, 2}};
    images.color_mode = (choice & 32) != 0 ? "grayscale" : "rgb";
    const tests::fuzz::MemoryFile file((choice & 64) != 0 ? std::string(input.rest()) : framed(input.rest()));
    const auto report =
        std::make_shared<data_sets::ReadReport>((choice & 128) != 0 ? engine::spec::BadRecord::kSkip : engine::spec::BadRecord::kRefuse);
    tests::fuzz::expectErrorAtMost([&] {
        const data_sets::Samples samples = data_sets::readTfRecords({file.path()}, format, images, report);
        std::vector<std::byte> sample(static_cast<std::size_t>(data_sets::elementsOf(samples.sample_shape)) *
                                      engine::tensor::sizeOf(samples.sample_dtype));
        for (std::int64_t i = 0; i < std::min<std::int64_t>(samples.count, 16); ++i) {
            tests::fuzz::expectErrorAtMost([&] { samples.decoder->decode(i, sample.data()); });
        }
    });
    return 0;
}
