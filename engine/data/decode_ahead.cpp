#include "engine/data/decode_ahead.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/data/read_report.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace engine::data {
namespace {

constexpr std::size_t kTaken = 8;  // samples a thread takes at once

}  // namespace

DecodeAhead::DecodeAhead(std::shared_ptr<const Samples> samples, BatchStream& batches, const DecodeOptions& options)
    : samples_(std::move(samples)),
      batches_(batches),
      options_(options),
      sample_bytes_(static_cast<std::size_t>(elementsOf(samples_->sample_shape)) * tensor::sizeOf(samples_->sample_dtype)),
      label_bytes_(static_cast<std::size_t>(elementsOf(samples_->label_shape)) * tensor::sizeOf(samples_->label_dtype)) {
    ENGINE_CHECK(samples_->decoder != nullptr && options_.threads >= 1);
    const auto largest = static_cast<std::size_t>(batches_.largestBatch());
    const std::size_t most = largest + static_cast<std::size_t>(batches_.mostGuests());
    const std::size_t count = static_cast<std::size_t>(std::max<std::int64_t>(options_.batches_ahead, 1)) + 1;
    for (std::size_t i = 0; i < count; ++i) {
        auto slot = std::make_unique<Slot>();
        slot->drawn.reserve(most);
        slot->is_bad.reserve(most);
        slot->elements.reserve(largest);
        slot->indices.reserve(largest);
        if (batches_.isMixed()) {
            slot->drawn_mixings.reserve(largest);
            slot->mixings.reserve(largest);
        }
        if (samples_->cache == nullptr) {
            slot->samples = ByteBuffer(most * sample_bytes_);
            slot->labels = ByteBuffer(most * label_bytes_);
        }
        free_.push_back(slot.get());
        slots_.push_back(std::move(slot));
    }
}

DecodeAhead::~DecodeAhead() {
    for (std::jthread& thread : threads_) {
        thread.request_stop();
    }
}

void DecodeAhead::restart() {
    {
        MutexLock lock(mutex_);
        for (Slot* slot : open_) {
            slot->drawn.resize(slot->taken);  // nobody begins the rest
        }
        open_.clear();
        batch_done_.wait(lock, [&]() TANDEM_REQUIRES(mutex_) {
            return std::all_of(waiting_.begin(), waiting_.end(), [](const Slot* slot) { return slot->done == slot->drawn.size(); });
        });
    }
    free_.insert(free_.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
    if (shown_ != nullptr) {
        free_.push_back(std::exchange(shown_, nullptr));
    }
    stream_ended_ = false;
}

bool DecodeAhead::next(tensor::BatchView& view, std::span<const std::uint32_t>& elements) {
    if (shown_ != nullptr) {
        free_.push_back(std::exchange(shown_, nullptr));
    }
    drawAhead();
    view.indices = view.parts = view.numbers = {};
    elements = {};
    if (waiting_.empty()) {
        return false;
    }
    shown_ = waiting_.front();
    waiting_.pop_front();
    std::exception_ptr error;
    {
        MutexLock lock(mutex_);
        batch_done_.wait(lock, [&]() TANDEM_REQUIRES(mutex_) { return shown_->done == shown_->drawn.size(); });
        error = shown_->error;
    }
    if (error) {
        std::rethrow_exception(error);
    }
    yieldSlot(*shown_, view);
    elements = shown_->elements;
    return true;
}

void DecodeAhead::drawAhead() {
    while (!stream_ended_ && !free_.empty()) {
        std::span<const std::uint32_t> drawn;
        if (!batches_.next(drawn)) {
            stream_ended_ = true;
            return;
        }
        Slot& slot = *free_.back();
        free_.pop_back();
        waiting_.push_back(&slot);
        slot.drawn.assign(drawn.begin(), drawn.end());
        slot.own = drawn.size();
        const std::span<const std::uint32_t> guests = batches_.guests();
        slot.drawn.insert(slot.drawn.end(), guests.begin(), guests.end());
        const std::span<const Mixing> mixings = batches_.mixings();
        slot.drawn_mixings.assign(mixings.begin(), mixings.end());
        slot.is_bad.assign(slot.drawn.size(), 0);
        const std::span<const std::uint32_t> parts = batches_.parts();
        slot.drawn_parts.assign(parts.begin(), parts.end());
        slot.error = nullptr;
        if (isCached(slot)) {
            const MutexLock lock(mutex_);
            slot.taken = slot.done = slot.drawn.size();
            continue;
        }
        while (threads_.size() < static_cast<std::size_t>(options_.threads)) {
            threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
        }
        {
            const MutexLock lock(mutex_);
            slot.taken = slot.done = 0;
            open_.push_back(&slot);
        }
        work_came_.notify_all();
    }
}

bool DecodeAhead::isCached(const Slot& slot) const {
    if (samples_->cache == nullptr) {
        return slot.drawn.empty();
    }
    return std::all_of(slot.drawn.begin(), slot.drawn.end(),
                       [&](std::uint32_t index) { return samples_->cache->states.at(index) >= DecodedStates::kReady; });
}

void DecodeAhead::work(const std::stop_token& stop) {
    MutexLock lock(mutex_);
    while (work_came_.wait(lock, stop, [&]() TANDEM_REQUIRES(mutex_) { return !open_.empty(); })) {
        Slot& slot = *open_.front();
        const std::size_t begin = slot.taken;
        const std::size_t end = std::min(begin + kTaken, slot.drawn.size());
        slot.taken = end;
        if (end == slot.drawn.size()) {
            open_.pop_front();
        }
        lock.unlock();
        decodeSome(slot, begin, end);
        lock.lock();
    }
}

void DecodeAhead::decodeSome(Slot& slot, std::size_t begin, std::size_t end) {
    std::exception_ptr error;
    std::size_t at = begin;
    try {
        for (; at < end; ++at) {
            decodeOne(slot, at);
        }
    } catch (...) {
        error = std::current_exception();
    }
    {
        const MutexLock lock(mutex_);
        if (error && (!slot.error || at < slot.error_at)) {
            slot.error = error;
            slot.error_at = at;
        }
        slot.done += end - begin;
        if (slot.done < slot.drawn.size()) {
            return;
        }
    }
    batch_done_.notify_all();
}

// With a cache the state of the sample says whether it is bad; without one, the slot does.
void DecodeAhead::decodeOne(Slot& slot, std::size_t position) const {
    const std::int64_t index = slot.drawn[position];
    DecodedCache* cache = samples_->cache.get();
    if (cache != nullptr && !cache->states.claim(index)) {
        return;
    }
    std::byte* into = cache != nullptr ? cache->bytes.data() + static_cast<std::size_t>(index) * sample_bytes_
                                       : slot.samples.data() + position * sample_bytes_;
    DecodedStates::State state = DecodedStates::kReady;
    try {
        try {
            samples_->decoder->decode(index, into);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kDataLoss || samples_->report == nullptr) {
                throw;
            }
            samples_->report->bad(error.what());
            state = DecodedStates::kBad;
            slot.is_bad[position] = 1;
        }
    } catch (...) {
        if (cache != nullptr) {
            cache->states.finish(index, DecodedStates::kMissing);
        }
        throw;
    }
    if (cache != nullptr) {
        cache->states.finish(index, state);
    }
}

std::span<const Mixing> DecodeAhead::mixings() const {
    return shown_ == nullptr ? std::span<const Mixing>() : shown_->mixings;
}

bool DecodeAhead::isBad(const Slot& slot, std::size_t position) const {
    const DecodedCache* cache = samples_->cache.get();
    return cache != nullptr ? cache->states.at(slot.drawn[position]) == DecodedStates::kBad : slot.is_bad[position] != 0;
}

// Where the sample lies: in the cache, or among those of the slot.
std::uint32_t DecodeAhead::placeOf(const Slot& slot, std::size_t position) const {
    return samples_->cache != nullptr ? slot.drawn[position] : static_cast<std::uint32_t>(position);
}

void DecodeAhead::yieldSlot(Slot& slot, tensor::BatchView& view) {
    slot.elements.clear();
    slot.indices.clear();
    slot.mixings.clear();
    slot.parts.assign(slot.drawn_parts.size(), 0);
    std::size_t part = 0, part_ends = slot.drawn_parts.empty() ? slot.own : slot.drawn_parts[0];
    const DecodedCache* cache = samples_->cache.get();
    for (std::size_t i = 0; i < slot.own; ++i) {
        while (i == part_ends) {
            part_ends += slot.drawn_parts[++part];
        }
        if (isBad(slot, i)) {
            continue;
        }
        if (!slot.parts.empty()) {
            ++slot.parts[part];
        }
        slot.elements.push_back(slot.drawn[i]);
        slot.indices.push_back(placeOf(slot, i));
        if (!slot.drawn_mixings.empty()) {
            Mixing mixing = slot.drawn_mixings[i];
            const bool is_alone = isBad(slot, mixing.partner);
            mixing.partner = placeOf(slot, is_alone ? i : mixing.partner);
            slot.mixings.push_back(mixing);
        }
    }
    const bool has_labels = samples_->labels.size() > 0;  // what is to be predicted has none
    for (std::size_t i = 0; cache == nullptr && has_labels && i < slot.drawn.size(); ++i) {
        std::memcpy(slot.labels.data() + i * label_bytes_, samples_->labels.data() + static_cast<std::size_t>(slot.drawn[i]) * label_bytes_,
                    label_bytes_);
    }
    view.samples = cache != nullptr ? cache->bytes.data() : slot.samples.data();
    view.labels = cache != nullptr ? samples_->labels.data() : slot.labels.data();
    view.indices = slot.indices;
    view.numbers = cache != nullptr ? std::span<const std::uint32_t>() : slot.elements;
    view.parts = slot.parts;
}

}  // namespace engine::data
