#include "engine/distribute/ring.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>

#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/direct_reduce.h"
#include "engine/distribute/ring_steps.h"
#include "engine/distribute/segments.h"
#include "engine/distribute/sum.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace engine::distribute {
namespace {

// Up to this many bytes received a member, everyone gets everything and adds it up itself: n-1 hops in place of 2 (n-1). (Two members do so
// in place: allReduceSteps.)
constexpr std::size_t kGatherBytes = 96 * 1024;

// A region's address in an all-gather.
struct RegionRecord {
    std::uint64_t region_bytes;
    std::uint64_t address_bytes;
    std::byte address[112];
};

// A sum that was started. Operations are numbered in the order of the calls, which is the same on every member.
struct RingJob {
    std::span<float> data;
    std::uint64_t sequence = 0;
};

class RingCollective final : public Collective {
public:
    RingCollective(std::unique_ptr<Transport> transport, RingOptions options)
        : options_(options), transport_(std::move(transport)), rank_(transport_->rank()), n_(transport_->size()) {
        ENGINE_CHECK(n_ == 1 || transport_->edges().has(rank_, (rank_ + 1) % n_));
        constexpr std::size_t kManyJobs = 256;  // more under way at once than buckets of any step so far
        jobs_.reserve(kManyJobs);
    }

    ~RingCollective() override {
        std::string failure;
        {
            const MutexLock lock(mutex_);
            if (finished_ < submitted_ && !error_) failure = "it ended with operations under way";
            if (error_) failure = error_text_;
        }
        cancelled_.store(true, std::memory_order_release);
        if (pump_.joinable()) {
            {
                const MutexLock lock(mutex_);  // else the pump could miss it between its look and its sleep
                pump_.request_stop();
            }
            work_arrived_.notify_all();
            pump_.join();
        }
        transport_->leave(failure);
    }

    int rank() const override { return rank_; }
    int size() const override { return n_; }

    std::span<std::byte> allocateRegion(std::size_t bytes) override {
        ENGINE_CHECK(region_.empty());
        if (n_ == 1) {
            alone_ = AlignedMemory(bytes);
            return region_ = alone_.span();
        }
        return guarded([&] { return region_ = shareRegion(bytes); });
    }

    void allReduceSum(std::span<float> data) override {
        if (usesDirect(data)) {
            guarded([&] {
                Waiter waiter(transport_->health(), directOptions());
                direct_->wait(startDirect(data, waiter), waiter);
            });
        } else {
            runAlone("all-reduce", std::as_bytes(data), [&](Waiter& waiter) { reduceByRing(data, waiter); });
        }
    }

    // A ticket's lowest bit tells which way it went: 1 in place, 0 by the pump.
    std::uint64_t startAllReduceSum(std::span<float> data) override {
        if (usesDirect(data)) {
            return guarded([&] {
                Waiter waiter(transport_->health(), directOptions());
                return startDirect(data, waiter) << 1 | 1;
            });
        }
        if (!options_.own_thread && n_ > 1) {
            return guarded([&] {
                jobs_.push_back({data, ++calls_});
                const std::uint64_t job = ++submitted_;
                moveOn();
                return job << 1;
            });
        }
        const MutexLock lock(mutex_);
        throwIfBroken();
        jobs_.push_back({data, ++calls_});
        if (!pump_.joinable()) pump_ = std::jthread([this](const std::stop_token& stop) { pump(stop); });
        work_arrived_.notify_one();
        return ++submitted_ << 1;
    }

    void wait(std::uint64_t ticket) override {
        if ((ticket & 1) != 0) {
            guarded([&] {
                Waiter waiter(transport_->health(), directOptions());
                const std::uint64_t sum = ticket >> 1;
                tellBegin(direct_jobs_[sum % DirectReduce::kPosts]);
                direct_->wait(sum, waiter);
            });
        } else {
            awaitStarted(ticket >> 1);
        }
    }

    void broadcast(std::span<std::byte> data, int root) override {
        ENGINE_CHECK(root >= 0 && root < n_);
        runAlone("broadcast", data, [&](Waiter& waiter) {
            broadcastSteps(data, root, rank_, n_, kept_.steps);
            runSteps(waiter);
        });
    }

    void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        ENGINE_CHECK(all.size() == mine.size() * static_cast<std::size_t>(n_));
        runAlone("all-gather", mine, [&](Waiter& waiter) { gather(mine, all, waiter); });
    }

    void barrier() override {
        runAlone("barrier", {}, [&](Waiter& waiter) {
            std::vector<std::byte> all(static_cast<std::size_t>(n_));
            allGatherSteps(all, 1, rank_, n_, kept_.steps);
            runSteps(waiter);
        });
    }

    void checkMembers() override {
        guarded([&] { transport_->health().checkAll(rank_); });
    }

    ExchangeProgress* progress() override { return options_.progress; }

    std::string describe() const override {
        std::string text;
        for (int peer = 0; peer < n_; ++peer) {
            if (peer == rank_) continue;
            if (!text.empty()) text += '\n';
            text += transport_->health().name(rank_).task + " <-> " + transport_->health().name(peer).task + ": " + transport_->link(peer);
        }
        return text;
    }

private:
    std::chrono::steady_clock::time_point deadlineFromNow() const { return std::chrono::steady_clock::now() + options_.deadline; }
    WaiterOptions directOptions() const { return {.deadline = deadlineFromNow(), .what = "all-reduce", .progress = options_.progress}; }
    void tellBegin(const RingJob& job) {
        if (options_.progress != nullptr) options_.progress->begin(job.sequence, std::as_bytes(job.data));
    }
    std::uint64_t startDirect(std::span<float> data, Waiter& waiter) {
        const RingJob job{data, ++calls_};
        tellBegin(job);
        const std::uint64_t sum = direct_->start(data, waiter);
        direct_jobs_[sum % DirectReduce::kPosts] = job;
        return sum;
    }
    bool usesDirect(std::span<const float> data) const { return direct_ && direct_->contains(data); }

    // Requires mutex_ where the pump may run.
    void throwIfBroken() const {
        if (error_) std::rethrow_exception(error_);
    }
    void rememberError(const std::exception_ptr& error) noexcept {
        if (error_) return;
        error_ = error;
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& e) {
            error_text_ = e.what();
        } catch (...) {
            error_text_ = "unknown error";
        }
        broken_.store(true, std::memory_order_release);
    }

    // Runs `work` on the caller's thread; its Error breaks the collective.
    template <typename Work>
    auto guarded(Work work) -> decltype(work()) {
        if (broken_.load(std::memory_order_acquire)) {
            const MutexLock lock(mutex_);
            throwIfBroken();
        }
        try {
            return work();
        } catch (...) {
            const MutexLock lock(mutex_);
            rememberError(std::current_exception());
            throw;
        }
    }

    // Runs `work(waiter)` with the transport for itself: after everything that was started.
    template <typename Work>
    void runAlone(const char* what, std::span<const std::byte> data, Work work) {
        if (n_ == 1 && !broken_) {
            Waiter waiter(transport_->health(), {.deadline = deadlineFromNow(), .what = what});
            return work(waiter);
        }
        awaitStarted(submitted_);  // only this thread starts any
        guarded([&] {
            ++calls_;
            if (options_.progress != nullptr) options_.progress->begin(calls_, data);
            Waiter waiter(transport_->health(),
                          {.deadline = deadlineFromNow(), .what = what, .poll = transport_.get(), .progress = options_.progress});
            work(waiter);
        });
    }

    void awaitStarted(std::uint64_t job) {
        if (!options_.own_thread && n_ > 1) return guarded([&] { finishJobs(job); });
        MutexLock lock(mutex_);
        if (finished_ < job && !error_) {
            const auto since = std::chrono::steady_clock::now();
            eager_.store(true, std::memory_order_relaxed);
            // Ends: the pump's own waits have deadlines, and an error sets error_.
            job_finished_.wait(lock, [&]() TANDEM_REQUIRES(mutex_) { return finished_ >= job || error_; });
            eager_.store(false, std::memory_order_relaxed);
            if (options_.progress != nullptr) options_.progress->addWait(std::chrono::steady_clock::now() - since);
        }
        throwIfBroken();
    }

    // The next two, without a thread of our own: the jobs in their order, `run_` is the first one's where it has begun.
    void moveOn() {
        while (next_job_ < jobs_.size() && !gathers(jobs_[next_job_].data)) {
            if (!run_) beginRun(jobs_[next_job_]);
            while (!run_->done()) {
                if (run_->advance()) continue;
                transport_->poll(std::chrono::microseconds(0));
                if (!run_->advance()) break;
            }
            if (!run_->done()) return;
            endJob();
        }
    }
    void finishJobs(std::uint64_t last) {
        while (finished_ < last) {
            tellBegin(jobs_[next_job_]);
            Waiter waiter(transport_->health(),
                          {.deadline = deadlineFromNow(), .what = "all-reduce", .poll = transport_.get(), .progress = options_.progress});
            if (run_) {
                run_->finish(waiter);
            } else {
                reduceByRing(jobs_[next_job_].data, waiter);
            }
            endJob();
        }
    }
    // Requires another member.
    void beginRun(const RingJob& job) {
        tellBegin(job);
        allReduceSteps(job.data, rank_, n_, kept_.steps);
        run_.emplace(*transport_, kept_.steps, ++operation_);
    }
    void endJob() {
        run_.reset();
        takeJob();
        ++finished_;
    }

    RingJob takeJob() {
        const RingJob job = jobs_[next_job_++];
        if (next_job_ == jobs_.size()) {
            jobs_.clear();
            next_job_ = 0;
        }
        return job;
    }

    void pump(std::stop_token stop) {
        MutexLock lock(mutex_);
        while (true) {
            work_arrived_.wait(lock,
                               [&]() TANDEM_REQUIRES(mutex_) { return stop.stop_requested() || (next_job_ < jobs_.size() && !error_); });
            if (stop.stop_requested()) return;
            const RingJob job = takeJob();
            lock.unlock();
            std::exception_ptr error;
            try {
                tellBegin(job);
                Waiter waiter(transport_->health(), {.deadline = deadlineFromNow(),
                                                     .what = "all-reduce",
                                                     .poll = transport_.get(),
                                                     .cancelled = &cancelled_,
                                                     .eager = &eager_,
                                                     .progress = options_.progress});
                reduceByRing(job.data, waiter);
            } catch (...) {
                error = std::current_exception();
            }
            lock.lock();
            if (error) {
                rememberError(error);
            } else {
                ++finished_;
            }
            job_finished_.notify_all();
        }
    }

    void runSteps(Waiter& waiter) {
        if (n_ > 1) RingRun(*transport_, kept_.steps, ++operation_).finish(waiter);
    }

    void gather(std::span<const std::byte> mine, std::span<std::byte> all, Waiter& waiter) {
        if (!mine.empty()) std::memcpy(all.data() + static_cast<std::size_t>(rank_) * mine.size(), mine.data(), mine.size());
        allGatherSteps(all, mine.size(), rank_, n_, kept_.steps);
        runSteps(waiter);
    }

    bool gathers(std::span<const float> data) const {
        return n_ > 2 && data.size_bytes() * static_cast<std::size_t>(n_ - 1) <= kGatherBytes;
    }

    void reduceByRing(std::span<float> data, Waiter& waiter) {
        if (n_ == 1) return;
        if (gathers(data)) {
            reduceByGather(data, waiter);
        } else {
            allReduceSteps(data, rank_, n_, kept_.steps);
            runSteps(waiter);
        }
    }

    void reduceByGather(std::span<float> data, Waiter& waiter) {
        kept_.gathered.resize(data.size() * static_cast<std::size_t>(n_));
        gather(std::as_bytes(data), std::as_writable_bytes(std::span(kept_.gathered)), waiter);
        kept_.parts.resize(static_cast<std::size_t>(n_));
        for (int s = 0; s < n_; ++s) {
            const Segment segment = segmentOf(data.size(), n_, s);
            for (int k = 0; k < n_; ++k) {
                const auto rank = static_cast<std::size_t>((s + 1 + k) % n_);
                kept_.parts[static_cast<std::size_t>(k)] = kept_.gathered.data() + rank * data.size() + segment.begin;
            }
            if (segment.count > 0) sumToAll(kept_.parts, segment.count);
        }
        if (!data.empty()) std::memcpy(data.data(), kept_.gathered.data(), data.size_bytes());
    }

    // Gives every member the others' addresses; all use the memory in place, or none does.
    std::span<std::byte> shareRegion(std::size_t bytes) {
        Waiter waiter(transport_->health(),
                      {.deadline = deadlineFromNow(), .what = "shared region", .poll = transport_.get(), .progress = options_.progress});
        const Transport::Region own = transport_->allocateRegion(DirectReduce::kHeadBytes + bytes);
        RegionRecord mine{bytes, own.address.size(), {}};
        ENGINE_CHECK(own.address.size() <= sizeof mine.address);
        if (!own.address.empty()) std::memcpy(mine.address, own.address.data(), own.address.size());
        std::vector<RegionRecord> records(static_cast<std::size_t>(n_));
        gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(records)), waiter);

        std::vector<std::span<std::byte>> views(static_cast<std::size_t>(n_));
        std::byte all_seen{1};
        for (int peer = 0; peer < n_; ++peer) {
            const RegionRecord& record = records[static_cast<std::size_t>(peer)];
            if (record.region_bytes != bytes || record.address_bytes > sizeof record.address) {
                throw Error(ErrorCode::kFailedPrecondition, "shared region: expected " + std::to_string(bytes) +
                                                                " bytes on every member, got " + std::to_string(record.region_bytes) +
                                                                " on " + toString(transport_->health().name(peer)));
            }
            auto& view = views[static_cast<std::size_t>(peer)];
            view = peer == rank_ ? own.bytes : transport_->peerView(peer, std::span(record.address).first(record.address_bytes));
            if (own.address.empty() || view.size() != own.bytes.size()) all_seen = std::byte{0};
        }
        std::vector<std::byte> seen_by_all(static_cast<std::size_t>(n_));
        gather({&all_seen, 1}, seen_by_all, waiter);
        const bool direct = std::all_of(seen_by_all.begin(), seen_by_all.end(), [](std::byte seen) { return seen == std::byte{1}; });
        if (direct) direct_.emplace(rank_, std::move(views), transport_->health());
        return own.bytes.subspan(DirectReduce::kHeadBytes);
    }

    const RingOptions options_;
    const std::unique_ptr<Transport> transport_;  // used by the pump (where there is one) while jobs are under way, by the caller otherwise
    const int rank_;
    const int n_;

    // The caller's thread alone.
    AlignedMemory alone_;
    std::span<std::byte> region_;
    std::optional<DirectReduce> direct_;
    std::array<RingJob, DirectReduce::kPosts> direct_jobs_;  // those under way, by their number there
    std::uint64_t calls_ = 0;                                // operations so far

    // Whoever has the transport.
    std::uint64_t operation_ = 0;
    // Their memory is kept from operation to operation.
    struct {
        std::vector<float> gathered;
        std::vector<float*> parts;
        std::vector<RingStep> steps;
    } kept_;
    std::optional<RingRun> run_;  // of the first job, without a thread of our own

    std::atomic<bool> cancelled_{false};
    std::atomic<bool> eager_{false};   // somebody waits for the pump
    std::atomic<bool> broken_{false};  // error_ is set

    Mutex mutex_;
    std::condition_variable_any work_arrived_;
    std::condition_variable_any job_finished_;
    // The four below are guarded by mutex_ where there is a pump, and one thread's own where there is none.
    std::vector<RingJob> jobs_;  // emptied, with its memory kept, when the last one is taken
    std::size_t next_job_ = 0;
    std::uint64_t submitted_ = 0;
    std::uint64_t finished_ = 0;
    // Guarded by mutex_ likewise.
    std::exception_ptr error_;  // set once
    std::string error_text_;

    std::jthread pump_;  // last: joined before anything it uses goes
};

}  // namespace

std::unique_ptr<Collective> makeRingCollective(std::unique_ptr<Transport> transport, RingOptions options) {
    return std::make_unique<RingCollective>(std::move(transport), options);
}

}  // namespace engine::distribute
