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
        left_ = count();
    }

    std::size_t read(std::span<std::uint32_t> out) override {
        std::size_t done = 0;
        while (done < out.size() && part_ < parts_.size()) {
            const std::size_t some = std::min<std::size_t>(out.size() - done, parts_[part_].end - next_);
            for (std::size_t i = 0; i < some; ++i) {
                out[done + i] = next_++;
            }
            done += some;
            leavePart();
        }
        left_ -= static_cast<std::int64_t>(done);
        return done;
    }

    std::size_t skip(std::size_t n) override {
        std::size_t done = 0;
        while (done < n && part_ < parts_.size()) {
            const std::size_t some = std::min<std::size_t>(n - done, parts_[part_].end - next_);
            next_ += static_cast<std::uint32_t>(some);
            done += some;
            leavePart();
        }
        left_ -= static_cast<std::int64_t>(done);
        return done;
    }

    std::int64_t count() const override {
        std::int64_t sum = 0;
        for (const Extent& part : parts_) {
            sum += part.end - part.begin;
        }
        return sum;
    }
    std::int64_t left() const override { return left_; }

private:
    // Goes on to the next part behind the end of one.
    void leavePart() {
        if (next_ == parts_[part_].end && ++part_ < parts_.size()) {
            next_ = parts_[part_].begin;
        }
    }

    std::vector<Extent> parts_;
    std::size_t part_ = 0;
    std::uint32_t next_ = 0;
    std::int64_t left_ = 0;
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
    std::size_t skip(std::size_t n) override {
        const std::size_t got = source_->skip(std::min(n, static_cast<std::size_t>(left_)));
        left_ -= static_cast<std::int64_t>(got);
        return got;
    }
    std::int64_t count() const override { return source_->count() == kEndless ? n_ : std::min(n_, source_->count()); }
    std::int64_t left() const override { return source_->left() == kEndless ? left_ : std::min(left_, source_->left()); }

private:
    ElementStreamPtr source_;
    std::int64_t n_;
    std::int64_t left_ = 0;
};

class Shard final : public ElementStream {
public:
    Shard(ElementStreamPtr source, int shards, int index)
        : source_(std::move(source)), shards_(static_cast<std::size_t>(shards)), index_(static_cast<std::size_t>(index)) {}

    void start(std::uint64_t pass) override { source_->start(pass); }
    std::size_t read(std::span<std::uint32_t> out) override {
        std::size_t done = 0;
        while (done < out.size() && source_->skip(index_) == index_ && source_->read(out.subspan(done, 1)) == 1) {
            ++done;
            source_->skip(shards_ - 1 - index_);
        }
        return done;
    }
    std::size_t skip(std::size_t n) override {
        const auto done =
            static_cast<std::size_t>(left() == kEndless ? static_cast<std::int64_t>(n) : std::min(static_cast<std::int64_t>(n), left()));
        source_->skip(done * shards_);
        return done;
    }
    std::int64_t count() const override { return ofThisShard(source_->count()); }
    std::int64_t left() const override { return ofThisShard(source_->left()); }

private:
    // How many of the source's next elements are this shard's: what is read ends with a whole row of shards.
    std::int64_t ofThisShard(std::int64_t all) const {
        const auto shards = static_cast<std::int64_t>(shards_);
        return all == kEndless ? kEndless : (all + shards - 1 - static_cast<std::int64_t>(index_)) / shards;
    }

    ElementStreamPtr source_;
    std::size_t shards_;
    std::size_t index_;
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
        draw(out.size(), [&](std::uint32_t drawn) { out[done++] = drawn; });
        return done;
    }
    std::size_t skip(std::size_t n) override {
        return draw(n, [](std::uint32_t) {});
    }

    std::int64_t count() const override { return source_->count(); }
    std::int64_t left() const override {
        const std::int64_t behind = source_->left();
        return behind == kEndless ? kEndless : static_cast<std::int64_t>(filled_ + incoming_count_ - incoming_at_) + behind;
    }

private:
    // Draws n elements, as long as there are any, and hands each to `use`; returns how many. As many as wait to come in are drawn at a
    // time: each finds the window full.
    template <typename Use>
    std::size_t draw(std::size_t n, Use use) {
        std::size_t done = 0;
        while (done < n && refill()) {
            const std::size_t some = std::min(n - done, incoming_count_ - incoming_at_);
            for (std::size_t i = 0; i < some; ++i) {
                std::uint32_t& drawn = window_[random_.below(0, draws_++, filled_)];
                use(drawn);
                drawn = incoming_[incoming_at_++];
            }
            done += some;
        }
        for (; done < n && filled_ > 0; ++done) {
            std::uint32_t& drawn = window_[random_.below(0, draws_++, filled_)];
            use(drawn);
            drawn = window_[--filled_];
        }
        return done;
    }
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
        return through(out.size(), [&](std::size_t done) { return source_->read(out.subspan(done)); });
    }
    std::size_t skip(std::size_t n) override {
        return through(n, [&](std::size_t done) { return source_->skip(n - done); });
    }
    std::int64_t count() const override { return source_->count() == 0 ? 0 : kEndless; }
    std::int64_t left() const override { return count(); }

private:
    // Goes through n elements, pass after pass; `go` goes on with the present one behind those that are done.
    template <typename Go>
    std::size_t through(std::size_t n, Go go) {
        std::size_t done = 0;
        bool fresh = false;
        while (done < n) {
            const std::size_t got = go(done);
            done += got;
            if (done == n || (got == 0 && fresh)) {
                break;
            }
            source_->start(++inner_pass_);
            fresh = true;
        }
        return done;
    }

    ElementStreamPtr source_;
    std::uint64_t inner_pass_ = 0;
};

class Frozen final : public ElementStream {
public:
    explicit Frozen(ElementStreamPtr source) : source_(std::move(source)) {}

    void start(std::uint64_t /*pass*/) override { source_->start(0); }
    std::size_t read(std::span<std::uint32_t> out) override { return source_->read(out); }
    std::size_t skip(std::size_t n) override { return source_->skip(n); }
    std::int64_t count() const override { return source_->count(); }
    std::int64_t left() const override { return source_->left(); }

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
