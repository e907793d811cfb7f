// Decodes the samples of the next batches while the executor works on this one.
//
// The caller's thread draws batches from the stream, some ahead, and hands their samples to threads of its own; batches come back in the
// stream's order, whatever thread was first. With a cache, samples are decoded into it once and later passes find them there.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "engine/data/batch_stream.h"
#include "engine/data/dataset.h"
#include "engine/thread/mutex.h"

namespace engine::data {

struct DecodeOptions {
    std::int64_t batches_ahead = 2;
    int threads = 1;
};

// All calls from one thread. A bad sample ends the pass with the error of the first one in the stream's order, or (samples->report skips)
// is left out of its batch, in each pass the same.
class DecodeAhead {
public:
    // `samples` has a decoder; `batches` outlives this.
    DecodeAhead(std::shared_ptr<const Samples> samples, BatchStream& batches, const DecodeOptions& options);
    ~DecodeAhead();
    DecodeAhead(const DecodeAhead&) = delete;
    DecodeAhead& operator=(const DecodeAhead&) = delete;

    // Forgets what was drawn ahead. Comes after start() of the stream.
    void restart();
    // Does what BatchStream::next() does, with the samples decoded. `view` gets samples, labels, indices, numbers and parts, valid until
    // the next call; its other members stay. `elements` receives the positions in the set. Throws what decoding threw.
    bool next(tensor::BatchView& view, std::span<const std::uint32_t>& elements);
    // What the latest batch's samples are mixed with, valid as it is: partners are places in view.samples. A sample whose partner is bad is
    // its own.
    std::span<const Mixing> mixings() const;

private:
    struct Slot {
        std::vector<std::uint32_t> drawn;        // positions in the set: the batch, then its guests
        std::size_t own = 0;                     // of them, without the guests
        std::vector<Mixing> drawn_mixings;       // BatchStream::mixings()
        std::vector<std::uint8_t> is_bad;        // one a position
        std::vector<std::uint32_t> drawn_parts;  // BatchStream::parts()
        std::size_t taken = 0, done = 0;         // guarded by mutex_
        std::exception_ptr error;                // of the lowest position; guarded by mutex_
        std::size_t error_at = 0;
        ByteBuffer samples, labels;           // without a cache
        std::vector<std::uint32_t> elements;  // drawn without the bad ones
        std::vector<std::uint32_t> indices;   // of the view
        std::vector<std::uint32_t> parts;     // drawn_parts without the bad ones
        std::vector<Mixing> mixings;          // the same of drawn_mixings
    };

    void drawAhead();
    bool isCached(const Slot& slot) const;
    void work(const std::stop_token& stop);
    void decodeSome(Slot& slot, std::size_t begin, std::size_t end);
    void decodeOne(Slot& slot, std::size_t position) const;
    bool isBad(const Slot& slot, std::size_t position) const;
    std::uint32_t placeOf(const Slot& slot, std::size_t position) const;
    void yieldSlot(Slot& slot, tensor::BatchView& view);

    // Constant after construction.
    const std::shared_ptr<const Samples> samples_;
    BatchStream& batches_;
    const DecodeOptions options_;
    const std::size_t sample_bytes_, label_bytes_;

    // Used by the caller's thread alone.
    std::vector<std::unique_ptr<Slot>> slots_;
    std::deque<Slot*> waiting_;  // in the stream's order
    std::vector<Slot*> free_;
    Slot* shown_ = nullptr;
    bool stream_ended_ = false;

    Mutex mutex_;
    std::condition_variable_any work_came_;
    std::condition_variable_any batch_done_;
    std::deque<Slot*> open_ TANDEM_GUARDED_BY(mutex_);  // with positions that nobody took
    std::vector<std::jthread> threads_;                 // last: they use the others; started when there is something to decode
};

}  // namespace engine::data
