#include "engine/data/mixing/mixed_batches.h"

#include <utility>
#include <vector>

#include "engine/tensor/random.h"

namespace engine::data {
namespace {

class MixedBatches final : public BatchStream {
public:
    MixedBatches(BatchStreamPtr source, const MixRule& rule, std::uint64_t stream, const Pieces& pieces)
        : source_(std::move(source)),
          rule_(rule),
          stream_(stream),
          pieces_(pieces),
          mixings_(static_cast<std::size_t>(source_->largestBatch())) {}

    void start(std::uint64_t pass) override {
        source_->start(pass);
        pass_ = pass;
        batches_ = 0;
        size_ = 0;
    }
    bool next(std::span<const std::uint32_t>& batch) override {
        if (!source_->next(batch)) {
            size_ = 0;
            return false;
        }
        size_ = batch.size();
        const tensor::RandomStream random({rule_.seed, tensor::RandomPurpose::kMixing, stream_, pass_, batches_++});
        const std::span<Mixing> all = std::span(mixings_).first(size_);
        for (int device = 0; device < pieces_.devices; ++device) {
            const Pieces::Place place = pieces_.of(size_, device);
            drawShares(rule_, random, all, place.begin, place.size);
        }
        drawPartners(random, all);
        return true;
    }
    std::span<const Mixing> mixings() const override { return std::span(mixings_).first(size_); }
    std::int64_t count() const override { return source_->count(); }
    std::int64_t largestBatch() const override { return source_->largestBatch(); }
    bool isMixed() const override { return true; }

private:
    BatchStreamPtr source_;
    const MixRule rule_;
    const std::uint64_t stream_;
    const Pieces pieces_;
    std::vector<Mixing> mixings_;  // of the largest batch; the first size_ are of the latest
    std::size_t size_ = 0;
    std::uint64_t pass_ = 0, batches_ = 0;
};

}  // namespace

BatchStreamPtr mixBatches(BatchStreamPtr source, const MixRule& rule, std::uint64_t stream, const Pieces& pieces) {
    return std::make_unique<MixedBatches>(std::move(source), rule, stream, pieces);
}

}  // namespace engine::data
