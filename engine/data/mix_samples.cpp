#include "engine/data/mix_samples.h"

#include <cstring>
#include <memory>
#include <utility>

#include "engine/tensor/random.h"

namespace engine::data {
namespace {

constexpr std::uint64_t kMixStream = ~std::uint64_t{0};  // no worker shuffles with it

class MixedDecoder final : public SampleDecoder {
public:
    MixedDecoder(std::shared_ptr<const SampleDecoder> source, const tensor::RandomPermutation& order)
        : source_(std::move(source)), order_(order) {}
    void decode(std::int64_t index, std::byte* into) const override {
        source_->decode(static_cast<std::int64_t>(order_(static_cast<std::uint64_t>(index))), into);
    }

private:
    const std::shared_ptr<const SampleDecoder> source_;
    const tensor::RandomPermutation order_;
};

ByteBuffer mixed(const ByteBuffer& rows, std::int64_t count, const tensor::RandomPermutation& order) {
    ByteBuffer result(rows.size());
    const std::size_t each = rows.size() / static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        std::memcpy(result.data() + i * each, rows.data() + order(i) * each, each);
    }
    return result;
}

}  // namespace

void mixSamples(Samples& samples, std::uint64_t seed) {
    const tensor::RandomPermutation order({.seed = seed, .purpose = tensor::RandomPurpose::kShuffle, .stream = kMixStream},
                                          static_cast<std::uint64_t>(samples.count));
    samples.labels = mixed(std::as_const(samples).labels, samples.count, order);
    if (samples.decoder != nullptr) {
        samples.decoder = std::make_shared<MixedDecoder>(samples.decoder, order);
    } else {
        samples.samples = mixed(std::as_const(samples).samples, samples.count, order);
    }
    samples.files.clear();
}

}  // namespace engine::data
