#include "engine/data/readers/cifar_reader.h"

#include "engine/data/mapped_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

constexpr std::size_t kPlane = std::size_t{32} * 32;
constexpr std::size_t kPixels = 3 * kPlane;

void interleave(const std::byte* planes, std::byte* pixels) {
    for (std::size_t p = 0; p < kPlane; ++p) {
        pixels[3 * p] = planes[p];
        pixels[3 * p + 1] = planes[kPlane + p];
        pixels[3 * p + 2] = planes[2 * kPlane + p];
    }
}

}  // namespace

Samples readCifar(const std::vector<std::filesystem::path>& files, CifarLabels labels) {
    const std::size_t label_bytes = labels == CifarLabels::kTen ? 1 : 2;
    const std::size_t record = label_bytes + kPixels;
    Samples samples;
    std::vector<MappedFile> mapped;
    for (const std::filesystem::path& file : files) {
        mapped.emplace_back(file);
        const std::size_t size = mapped.back().size();
        if (size == 0 || size % record != 0) {
            throw Error(ErrorCode::kDataLoss, file.string() + ": expected whole records of " + std::to_string(record) + " bytes, got " +
                                                  std::to_string(size) + " bytes");
        }
        const auto begin = static_cast<std::uint32_t>(samples.count);
        samples.count += static_cast<std::int64_t>(size / record);
        samples.files.push_back({begin, static_cast<std::uint32_t>(samples.count)});
    }
    samples.source = samples.label_source = files.empty() ? "" : files.front().string();
    samples.sample_shape = {32, 32, 3};
    samples.samples = ByteBuffer(static_cast<std::size_t>(samples.count) * kPixels);
    samples.labels = ByteBuffer(static_cast<std::size_t>(samples.count));
    std::size_t at = 0;
    for (const MappedFile& file : mapped) {
        for (std::size_t i = 0; i < file.size() / record; ++i, ++at) {
            const std::byte* from = file.bytes().data() + i * record;
            samples.labels.data()[at] = from[labels == CifarLabels::kFine ? 1 : 0];
            interleave(from + label_bytes, samples.samples.data() + at * kPixels);
        }
    }
    return samples;
}

}  // namespace engine::data
