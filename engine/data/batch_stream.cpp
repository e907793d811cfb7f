#include "engine/data/batch_stream.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/spec/error.h"
#include "engine/tensor/random.h"

namespace engine::data {
namespace {

class CycledBatches final : public BatchStream {
public:
    CycledBatches(ElementStreamPtr source, std::vector<std::int64_t> sizes, Remainder remainder, const Pieces& pieces)
        : source_(std::move(source)),
          sizes_(std::move(sizes)),
          remainder_(remainder),
          pieces_(pieces),
          buffer_(static_cast<std::size_t>(pieces_.most(*std::max_element(sizes_.begin(), sizes_.end())))),
          parts_(static_cast<std::size_t>(pieces_.devices)) {}

    void start(std::uint64_t pass) override {
        source_->start(pass);
        turn_ = 0;
    }

    bool next(std::span<const std::uint32_t>& batch) override {
        const std::int64_t wanted = sizes_[turn_], left = source_->left();
        turn_ = (turn_ + 1) % sizes_.size();
        const bool is_whole = left == ElementStream::kEndless || left >= wanted;
        batch = {};
        if (!is_whole && (left == 0 || remainder_ == Remainder::kDrop)) {
            source_->skip(static_cast<std::size_t>(left));
            return false;
        }
        batch = readPieces(static_cast<std::size_t>(is_whole ? wanted : left));
        return true;
    }
    std::span<const std::uint32_t> parts() const override { return std::span(parts_).first(parts_.size() > 1 ? parts_.size() : 0); }

    std::int64_t count() const override {
        const std::int64_t all = source_->count();
        if (all == ElementStream::kEndless) {
            return all;
        }
        const std::int64_t round = std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{0});
        std::int64_t batches = all / round * static_cast<std::int64_t>(sizes_.size());
        std::int64_t left = all % round;
        for (std::size_t i = 0; left > 0; ++i) {
            batches += left >= sizes_[i] || remainder_ == Remainder::kKeep ? 1 : 0;
            left -= sizes_[i];
        }
        return batches;
    }

    std::int64_t largestBatch() const override { return static_cast<std::int64_t>(buffer_.size()); }

private:
    // Goes through the next `size` elements of the source.
    std::span<const std::uint32_t> readPieces(std::size_t size) {
        std::size_t at = 0, kept = 0;
        for (int device = 0; device < pieces_.devices; ++device) {
            const Pieces::Place place = pieces_.of(size, device);
            at += source_->skip(place.begin - at);
            const std::size_t got = source_->read(std::span(buffer_).subspan(kept, place.size));
            ENGINE_CHECK(at == place.begin && got == place.size);  // the source has said that there are so many
            at += got;
            kept += got;
            parts_[static_cast<std::size_t>(device)] = static_cast<std::uint32_t>(got);
        }
        source_->skip(size - at);
        return std::span(buffer_).first(kept);
    }

    ElementStreamPtr source_;
    std::vector<std::int64_t> sizes_;
    Remainder remainder_;
    const Pieces pieces_;
    std::vector<std::uint32_t> buffer_;  // the pieces of the latest batch, and
    std::vector<std::uint32_t> parts_;   // how many elements are in each
    std::size_t turn_ = 0;
};

class SplitBatches final : public BatchStream {
public:
    SplitBatches(BatchStreamPtr source, const Pieces& pieces)
        : source_(std::move(source)), pieces_(pieces), parts_(static_cast<std::size_t>(pieces_.devices)) {
        batch_.reserve(static_cast<std::size_t>(largestBatch()));
        if (isMixed()) {
            mixings_.reserve(static_cast<std::size_t>(largestBatch()));
            guests_.reserve(static_cast<std::size_t>(mostGuests()));
        }
    }

    void start(std::uint64_t pass) override { source_->start(pass); }
    bool next(std::span<const std::uint32_t>& batch) override {
        std::span<const std::uint32_t> whole;
        mixings_.clear();
        guests_.clear();
        if (!source_->next(whole)) {
            batch = {};
            return false;
        }
        batch_.clear();
        for (std::size_t device = 0; device < parts_.size(); ++device) {
            const Pieces::Place place = pieces_.of(whole.size(), static_cast<int>(device));
            batch = whole.subspan(place.begin, place.size);
            parts_[device] = static_cast<std::uint32_t>(batch.size());
            if (parts_.size() > 1) {
                batch_.insert(batch_.end(), batch.begin(), batch.end());
            }
        }
        if (parts_.size() > 1) {
            batch = batch_;
        }
        if (isMixed()) {
            splitMixings(whole, static_cast<std::uint32_t>(batch.size()));
        }
        return true;
    }
    std::span<const std::uint32_t> parts() const override { return std::span(parts_).first(parts_.size() > 1 ? parts_.size() : 0); }
    std::int64_t count() const override { return source_->count(); }
    std::int64_t largestBatch() const override { return pieces_.most(source_->largestBatch()); }
    std::span<const Mixing> mixings() const override { return mixings_; }
    std::span<const std::uint32_t> guests() const override { return guests_; }
    std::int64_t mostGuests() const override { return isMixed() && pieces_.workers > 1 ? largestBatch() : 0; }
    bool isMixed() const override { return source_->isMixed(); }

private:
    // Partners are places in the whole batch; here they become places in this worker's, or guests.
    void splitMixings(std::span<const std::uint32_t> whole, std::uint32_t own) {
        const std::span<const Mixing> all = source_->mixings();
        const auto workers = static_cast<std::size_t>(pieces_.workers), index = static_cast<std::size_t>(pieces_.index);
        const std::size_t size = pieces_.sizeOf(whole.size());
        for (std::size_t device = 0; device < parts_.size(); ++device) {
            const std::size_t begin = pieces_.of(whole.size(), static_cast<int>(device)).begin;
            for (std::size_t i = 0; i < parts_[device]; ++i) {
                Mixing mixing = all[begin + i];
                const std::size_t piece = mixing.partner / size, place = mixing.partner % size;
                if (piece % workers == index) {  // the pieces before that of its device are full
                    mixing.partner = static_cast<std::uint32_t>(piece / workers * size + place);
                } else {
                    guests_.push_back(whole[mixing.partner]);
                    mixing.partner = own + static_cast<std::uint32_t>(guests_.size()) - 1;
                }
                mixings_.push_back(mixing);
            }
        }
    }

    BatchStreamPtr source_;
    const Pieces pieces_;
    std::vector<std::uint32_t> parts_;  // of the latest batch
    std::vector<std::uint32_t> batch_;  // of several devices, whose pieces do not lie beside each other
    std::vector<Mixing> mixings_;       // of the latest batch, and
    std::vector<std::uint32_t> guests_;
};

class DealtBatches final : public BatchStream {
public:
    DealtBatches(BatchStreamPtr source, int devices)
        : source_(std::move(source)),
          each_(static_cast<std::size_t>((source_->largestBatch() + devices - 1) / devices)),
          parts_(static_cast<std::size_t>(devices)) {}

    void start(std::uint64_t pass) override { source_->start(pass); }
    bool next(std::span<const std::uint32_t>& batch) override {
        const bool more = source_->next(batch);
        std::size_t left = more ? batch.size() : 0;
        for (std::uint32_t& part : parts_) {
            part = static_cast<std::uint32_t>(std::min(each_, left));
            left -= part;
        }
        return more;
    }
    std::span<const std::uint32_t> parts() const override { return parts_; }
    std::span<const Mixing> mixings() const override { return source_->mixings(); }
    std::int64_t count() const override { return source_->count(); }
    std::int64_t largestBatch() const override { return source_->largestBatch(); }
    bool isMixed() const override { return source_->isMixed(); }

private:
    BatchStreamPtr source_;
    std::size_t each_;
    std::vector<std::uint32_t> parts_;
};

class TakenBatches final : public BatchStream {
public:
    TakenBatches(BatchStreamPtr source, std::int64_t n) : source_(std::move(source)), n_(n) {}

    void start(std::uint64_t pass) override {
        source_->start(pass);
        left_ = n_;
    }
    bool next(std::span<const std::uint32_t>& batch) override {
        if (left_ == 0 || !source_->next(batch)) {
            batch = {};
            return false;
        }
        --left_;
        return true;
    }
    std::span<const std::uint32_t> parts() const override { return source_->parts(); }
    std::int64_t count() const override { return source_->count() == ElementStream::kEndless ? n_ : std::min(n_, source_->count()); }
    std::int64_t largestBatch() const override { return source_->largestBatch(); }

private:
    BatchStreamPtr source_;
    std::int64_t n_;
    std::int64_t left_ = 0;
};

class ShuffledBatches final : public BatchStream {
public:
    ShuffledBatches(BatchStreamPtr source, std::int64_t buffer, std::uint64_t seed, std::uint64_t stream)
        : source_(std::move(source)),
          seed_(seed),
          stream_(stream),
          random_(tensor::RandomKey{}),
          widest_(static_cast<std::size_t>(source_->largestBatch())) {
        const std::int64_t all = source_->count();
        sizes_.resize(static_cast<std::size_t>(all == ElementStream::kEndless ? buffer : std::min(buffer, all)));
        window_.resize(sizes_.size() * widest_);
        drawn_.resize(widest_);
        drawn_parts_.resize(source_->parts().size());
        parts_.resize(sizes_.size() * drawn_parts_.size());
    }

    void start(std::uint64_t pass) override {
        source_->start(pass);
        random_ = tensor::RandomStream({seed_, tensor::RandomPurpose::kShuffle, stream_, pass, 0});
        draws_ = 0;
        filled_ = 0;
        while (filled_ < sizes_.size() && fill(filled_)) {
            ++filled_;
        }
    }

    bool next(std::span<const std::uint32_t>& batch) override {
        batch = {};
        if (filled_ == 0) {
            return false;
        }
        const std::size_t slot = random_.below(0, draws_++, filled_);
        batch = std::span(drawn_).first(sizes_[slot]);
        std::copy_n(slotOf(slot), sizes_[slot], drawn_.begin());
        std::copy_n(partsOf(slot), drawn_parts_.size(), drawn_parts_.begin());
        if (!fill(slot) && slot != --filled_) {
            sizes_[slot] = sizes_[filled_];
            std::copy_n(slotOf(filled_), sizes_[filled_], slotOf(slot));
            std::copy_n(partsOf(filled_), drawn_parts_.size(), partsOf(slot));
        }
        return true;
    }

    std::span<const std::uint32_t> parts() const override { return drawn_parts_; }
    std::int64_t count() const override { return source_->count(); }
    std::int64_t largestBatch() const override { return source_->largestBatch(); }

private:
    std::vector<std::uint32_t>::iterator slotOf(std::size_t slot) { return window_.begin() + static_cast<std::ptrdiff_t>(slot * widest_); }
    std::vector<std::uint32_t>::iterator partsOf(std::size_t slot) {
        return parts_.begin() + static_cast<std::ptrdiff_t>(slot * drawn_parts_.size());
    }
    // False when the source has come to its end.
    bool fill(std::size_t slot) {
        std::span<const std::uint32_t> incoming;
        if (!source_->next(incoming)) {
            return false;
        }
        sizes_[slot] = incoming.size();
        std::copy(incoming.begin(), incoming.end(), slotOf(slot));
        std::copy_n(source_->parts().begin(), drawn_parts_.size(), partsOf(slot));
        return true;
    }

    BatchStreamPtr source_;
    std::uint64_t seed_;
    std::uint64_t stream_;
    tensor::RandomStream random_;
    std::uint64_t draws_ = 0;
    std::size_t widest_;
    std::vector<std::uint32_t> window_;  // slots of widest_ each
    std::vector<std::size_t> sizes_;     // of the batches in the slots
    std::vector<std::uint32_t> parts_;   // of each slot's batch, where a task has several devices
    std::size_t filled_ = 0;
    std::vector<std::uint32_t> drawn_, drawn_parts_;
};

class RepeatedBatches final : public BatchStream {
public:
    explicit RepeatedBatches(BatchStreamPtr source) : source_(std::move(source)) {}

    void start(std::uint64_t pass) override {
        inner_pass_ = pass << 32U;
        source_->start(inner_pass_);
    }
    bool next(std::span<const std::uint32_t>& batch) override {
        if (source_->next(batch)) {
            return true;
        }
        source_->start(++inner_pass_);
        if (source_->next(batch)) {
            return true;
        }
        batch = {};
        return false;
    }
    std::span<const std::uint32_t> parts() const override { return source_->parts(); }
    std::int64_t count() const override { return source_->count() == 0 ? 0 : ElementStream::kEndless; }
    std::int64_t largestBatch() const override { return source_->largestBatch(); }

private:
    BatchStreamPtr source_;
    std::uint64_t inner_pass_ = 0;
};

class FrozenBatches final : public BatchStream {
public:
    explicit FrozenBatches(BatchStreamPtr source) : source_(std::move(source)) {}

    void start(std::uint64_t /*pass*/) override { source_->start(0); }
    bool next(std::span<const std::uint32_t>& batch) override { return source_->next(batch); }
    std::span<const std::uint32_t> parts() const override { return source_->parts(); }
    std::int64_t count() const override { return source_->count(); }
    std::int64_t largestBatch() const override { return source_->largestBatch(); }

private:
    BatchStreamPtr source_;
};

}  // namespace

std::size_t Pieces::sizeOf(std::size_t batch) const {
    const std::size_t pieces = static_cast<std::size_t>(workers) * static_cast<std::size_t>(devices);
    return (batch + pieces - 1) / pieces;
}

Pieces::Place Pieces::of(std::size_t batch, int device) const {
    const std::size_t size = sizeOf(batch),
                      piece = static_cast<std::size_t>(index) + static_cast<std::size_t>(device) * static_cast<std::size_t>(workers);
    const std::size_t begin = std::min(batch, size * piece);
    return {begin, std::min(size, batch - begin)};
}

std::int64_t Pieces::most(std::int64_t batch) const {
    return static_cast<std::int64_t>(sizeOf(static_cast<std::size_t>(batch))) * devices;
}

BatchStreamPtr batch(ElementStreamPtr source, std::int64_t n, Remainder remainder, const Pieces& pieces) {
    return cycledBatches(std::move(source), {n}, remainder, pieces);
}

BatchStreamPtr splitBatches(BatchStreamPtr source, int workers, int index, int devices) {
    ENGINE_CHECK(workers >= 1 && index >= 0 && index < workers && devices >= 1);
    return std::make_unique<SplitBatches>(std::move(source), Pieces{workers, index, devices});
}

BatchStreamPtr dealBatches(BatchStreamPtr source, int devices) {
    ENGINE_CHECK(devices >= 1);
    return devices == 1 ? std::move(source) : std::make_unique<DealtBatches>(std::move(source), devices);
}

BatchStreamPtr cycledBatches(ElementStreamPtr source, std::vector<std::int64_t> sizes, Remainder remainder, const Pieces& pieces) {
    ENGINE_CHECK(!sizes.empty() && *std::min_element(sizes.begin(), sizes.end()) >= 1);
    ENGINE_CHECK(pieces.workers >= 1 && pieces.index >= 0 && pieces.index < pieces.workers && pieces.devices >= 1);
    return std::make_unique<CycledBatches>(std::move(source), std::move(sizes), remainder, pieces);
}

BatchStreamPtr takeBatches(BatchStreamPtr source, std::int64_t n) {
    ENGINE_CHECK(n >= 0);
    return std::make_unique<TakenBatches>(std::move(source), n);
}

BatchStreamPtr shuffleBatches(BatchStreamPtr source, std::int64_t buffer, std::uint64_t seed, std::uint64_t stream) {
    ENGINE_CHECK(buffer >= 1);
    return std::make_unique<ShuffledBatches>(std::move(source), buffer, seed, stream);
}

BatchStreamPtr repeatBatches(BatchStreamPtr source) {
    return std::make_unique<RepeatedBatches>(std::move(source));
}

BatchStreamPtr frozenBatches(BatchStreamPtr source) {
    return std::make_unique<FrozenBatches>(std::move(source));
}

std::vector<std::int64_t> replicaBatchSizes(std::int64_t global, int replicas, int index) {
    ENGINE_CHECK(replicas >= 1 && index >= 0 && index < replicas);
    if (global < replicas) {
        throw Error(ErrorCode::kInvalidArgument, "data: expected a global batch of at least one sample per replica (" +
                                                     std::to_string(replicas) + "), got " + std::to_string(global));
    }
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(replicas), global / replicas);
    for (std::int64_t i = 0; i < global % replicas; ++i) {
        ++sizes[static_cast<std::size_t>(i)];
    }
    std::rotate(sizes.begin(), sizes.begin() + index, sizes.end());
    return sizes;
}

std::vector<Extent> shardFiles(const std::vector<Extent>& files, int workers, int index) {
    ENGINE_CHECK(workers >= 1 && index >= 0 && index < workers);
    if (files.size() < static_cast<std::size_t>(workers)) {
        throw Error(ErrorCode::kInvalidArgument, "data: FILE sharding expects at least one file per worker (" + std::to_string(workers) +
                                                     "), the data set has " + std::to_string(files.size()));
    }
    std::vector<Extent> mine;
    for (auto i = static_cast<std::size_t>(index); i < files.size(); i += static_cast<std::size_t>(workers)) {
        mine.push_back(files[i]);
    }
    return mine;
}

}  // namespace engine::data
