#include "engine/data/element_stream.h"

#include <algorithm>
#include <utility>

#include "engine/spec/error.h"
#include "engine/tensor/random.h"

namespace engine::data {
namespace {

class Extents final : public ElementStream {
public:
    explicit Extents(std::vector<Extent> parts) : parts_(std::move(parts)) {}

    void start(std::uint64_t /*pass*/) override {
        part_ = 0;
        next_ = parts_.empty() ? 0 : parts_[0].begin;
    }

    std::size_t read(std::span<std::uint32_t> out) override {
        std::size_t done = 0;
        while (done < out.size() && part_ < parts_.size()) {
            const std::size_t some = std::min<std::size_t>(out.size() - done, parts_[part_].end - next_);
            for (std::size_t i = 0; i < some; ++i) {
                out[done + i] = next_++;
            }
            done += some;
            if (next_ == parts_[part_].end && ++part_ < parts_.size()) {
                next_ = parts_[part_].begin;
            }
        }
        return done;
    }

    std::int64_t count() const override {
        std::int64_t sum = 0;
        for (const Extent& part : parts_) {
            sum += part.end - part.begin;
        }
        return sum;
    }

private:
    std::vector<Extent> parts_;
    std::size_t part_ = 0;
    std::uint32_t next_ = 0;
};

class Take final : public ElementStream {
public:
    Take(ElementStreamPtr source, std::int64_t n) : source_(std::move(source)), n_(n) {}

    void start(std::uint64_t pass) override {
        source_->start(pass);
        left_ = n_;
    }
    std::size_t read(std::span<std::uint32_t> out) override {
        const std::size_t got = source_->read(out.first(std::min(out.size(), static_cast<std::size_t>(left_))));
        left_ -= static_cast<std::int64_t>(got);
        return got;
    }
    std::int64_t count() const override { return source_->count() == kEndless ? n_ : std::min(n_, source_->count()); }

private:
    ElementStreamPtr source_;
    std::int64_t n_;
    std::int64_t left_ = 0;
};

class Shard final : public ElementStream {
public:
    Shard(ElementStreamPtr source, int shards, int index)
        : source_(std::move(source)), shards_(static_cast<std::size_t>(shards)), index_(static_cast<std::size_t>(index)), row_(shards_) {}

    void start(std::uint64_t pass) override { source_->start(pass); }
    std::size_t read(std::span<std::uint32_t> out) override {
        std::size_t done = 0;
        while (done < out.size()) {
            const std::size_t got = source_->read(row_);
            if (got > index_) {
                out[done++] = row_[index_];
            }
            if (got < shards_) {
                break;
            }
        }
        return done;
    }
    std::int64_t count() const override {
        const std::int64_t all = source_->count();
        const auto shards = static_cast<std::int64_t>(shards_);
        return all == kEndless ? kEndless : (all + shards - 1 - static_cast<std::int64_t>(index_)) / shards;
    }

private:
    ElementStreamPtr source_;
    std::size_t shards_;
    std::size_t index_;
    std::vector<std::uint32_t> row_;
};

class Shuffle final : public ElementStream {
public:
    Shuffle(ElementStreamPtr source, std::int64_t buffer, std::uint64_t seed, std::uint64_t stream)
        : source_(std::move(source)), seed_(seed), stream_(stream), random_(tensor::RandomKey{}) {
        const std::int64_t all = source_->count();
        window_.resize(static_cast<std::size_t>(all == kEndless ? buffer : std::min(buffer, all)));
        incoming_.resize(256);
    }

    void start(std::uint64_t pass) override {
        source_->start(pass);
        random_ = tensor::RandomStream({seed_, tensor::RandomPurpose::kShuffle, stream_, pass, 0});
        draws_ = 0;
        filled_ = source_->read(window_);
        incoming_at_ = incoming_count_ = 0;
        exhausted_ = filled_ < window_.size();
    }

    std::size_t read(std::span<std::uint32_t> out) override {
        std::size_t done = 0;
        while (done < out.size() && filled_ > 0) {
            std::uint32_t& drawn = window_[random_.below(0, draws_++, filled_)];
            out[done++] = drawn;
            if (refill()) {
                drawn = incoming_[incoming_at_++];
            } else {
                drawn = window_[--filled_];
            }
        }
        return done;
    }

    std::int64_t count() const override { return source_->count(); }

private:
    // True when an incoming element waits.
    bool refill() {
        if (incoming_at_ < incoming_count_) {
            return true;
        }
        if (exhausted_) {
            return false;
        }
        incoming_at_ = 0;
        incoming_count_ = source_->read(incoming_);
        exhausted_ = incoming_count_ < incoming_.size();
        return incoming_count_ > 0;
    }

    ElementStreamPtr source_;
    std::uint64_t seed_;
    std::uint64_t stream_;
    tensor::RandomStream random_;
    std::uint64_t draws_ = 0;
    std::vector<std::uint32_t> window_;
    std::size_t filled_ = 0;
    std::vector<std::uint32_t> incoming_;
    std::size_t incoming_at_ = 0;
    std::size_t incoming_count_ = 0;
    bool exhausted_ = false;
};

class Repeat final : public ElementStream {
public:
    explicit Repeat(ElementStreamPtr source) : source_(std::move(source)) {}

    void start(std::uint64_t pass) override {
        inner_pass_ = pass << 32U;
        source_->start(inner_pass_);
    }
    std::size_t read(std::span<std::uint32_t> out) override {
        std::size_t done = 0;
        bool fresh = false;
        while (done < out.size()) {
            const std::size_t got = source_->read(out.subspan(done));
            done += got;
            if (done == out.size() || (got == 0 && fresh)) {
                break;
            }
            source_->start(++inner_pass_);
            fresh = true;
        }
        return done;
    }
    std::int64_t count() const override { return source_->count() == 0 ? 0 : kEndless; }

private:
    ElementStreamPtr source_;
    std::uint64_t inner_pass_ = 0;
};

class Frozen final : public ElementStream {
public:
    explicit Frozen(ElementStreamPtr source) : source_(std::move(source)) {}

    void start(std::uint64_t /*pass*/) override { source_->start(0); }
    std::size_t read(std::span<std::uint32_t> out) override { return source_->read(out); }
    std::int64_t count() const override { return source_->count(); }

private:
    ElementStreamPtr source_;
};

}  // namespace

ElementStreamPtr extents(std::vector<Extent> parts) {
    for (const Extent& part : parts) {
        ENGINE_CHECK(part.begin <= part.end);
    }
    std::erase_if(parts, [](const Extent& part) { return part.begin == part.end; });
    return std::make_unique<Extents>(std::move(parts));
}

ElementStreamPtr range(std::uint32_t begin, std::uint32_t end) {
    return extents({{begin, end}});
}

ElementStreamPtr take(ElementStreamPtr source, std::int64_t n) {
    ENGINE_CHECK(n >= 0);
    return std::make_unique<Take>(std::move(source), n);
}

ElementStreamPtr shard(ElementStreamPtr source, int shards, int index) {
    ENGINE_CHECK(shards >= 1 && index >= 0 && index < shards);
    return std::make_unique<Shard>(std::move(source), shards, index);
}

ElementStreamPtr shuffle(ElementStreamPtr source, std::int64_t buffer, std::uint64_t seed, std::uint64_t stream) {
    ENGINE_CHECK(buffer >= 1);
    return std::make_unique<Shuffle>(std::move(source), buffer, seed, stream);
}

ElementStreamPtr repeat(ElementStreamPtr source) {
    return std::make_unique<Repeat>(std::move(source));
}

ElementStreamPtr frozen(ElementStreamPtr source) {
    return std::make_unique<Frozen>(std::move(source));
}

}  // namespace engine::data
