#include "engine/distribute/device_collective.h"

#include <array>
#include <atomic>
#include <cstring>
#include <exception>

#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/peer_health.h"
#include "engine/distribute/segments.h"
#include "engine/distribute/sum.h"
#include "engine/distribute/waiter.h"
#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

using Way = spec::ReduceRoute::Way;

constexpr std::size_t kJobs = 64;         // operations under way
constexpr std::uint64_t kMostPhases = 8;  // of one operation

// Two cache lines: processors fetch them in pairs.
struct alignas(128) Post {
    std::atomic<std::uint64_t> job{0};
    std::byte* data = nullptr;
    std::size_t bytes = 0;
};

// An operation is a few phases. A device does its part of a phase when all devices have ended the phase before; how far each one is
// is one number: job * kMostPhases + phases that it has ended.
struct Device {
    alignas(128) std::atomic<std::uint64_t> progress{0};
    std::array<Post, kJobs> posts;  // operation k (from 1) uses post k % kJobs
    AlignedMemory region;           // written once by its owner
};

struct Group {
    explicit Group(const std::vector<std::string>& names) : devices(names.size()), health(taskNames(names)) {}

    static std::vector<TaskName> taskNames(const std::vector<std::string>& names) {
        std::vector<TaskName> tasks;
        for (const std::string& name : names) tasks.push_back({name, ""});
        return tasks;
    }

    std::vector<Device> devices;
    PeerHealth health;
};

struct Job {
    enum class Kind { kReduce, kBroadcast, kGather, kMeet } kind = Kind::kMeet;
    spec::ReduceRoute route{};        // kBroadcast: main is the root
    std::span<std::byte> gathered{};  // kGather: this device's
};

std::uint64_t phasesOf(const Job& job) {
    if (job.kind != Job::Kind::kReduce) return 1;
    return job.route.way == Way::kHalves ? 4 : job.route.way == Way::kOneDevice ? 2 : 1;
}

class Member final : public DeviceCollective {
public:
    Member(std::shared_ptr<Group> group, int rank, DeviceCollectiveOptions options)
        : group_(std::move(group)),
          options_(options),
          rank_(rank),
          n_(static_cast<int>(group_->devices.size())),
          parts_(group_->devices.size()) {}

    ~Member() override {
        if (error_) {
            group_->health.markLost(rank_, "gave up: " + error_text_);
        } else {
            group_->health.markLeft(rank_);
        }
    }

    int rank() const override { return rank_; }
    int size() const override { return n_; }

    std::span<std::byte> allocateRegion(std::size_t bytes) override {
        AlignedMemory& own = group_->devices[static_cast<std::size_t>(rank_)].region;
        ENGINE_CHECK(own.span().empty());
        own = AlignedMemory(bytes);
        return own.span();
    }

    void allReduceSum(std::span<float> data) override { wait(startAllReduceSum(data)); }
    std::uint64_t startAllReduceSum(std::span<float> data) override { return startReduceSum(data, {}); }
    std::uint64_t startReduceSum(std::span<float> data, const spec::ReduceRoute& route) override {
        ENGINE_CHECK(route.main >= 0 && route.main < n_ && route.second >= 0 && route.second < n_);
        return start({.kind = Job::Kind::kReduce, .route = route}, std::as_writable_bytes(data));
    }
    void wait(std::uint64_t ticket) override {
        guarded([&] {
            Waiter waiter = newWaiter();
            finish(ticket, waiter);
        });
    }

    bool isDone(std::uint64_t ticket) override {
        return guarded([&] {
            while (tryAdvance()) {
            }
            return hasEnded(ticket);
        });
    }

    void broadcast(std::span<std::byte> data, int root) override { wait(startBroadcast(data, root)); }
    std::uint64_t startBroadcast(std::span<std::byte> data, int root) override {
        ENGINE_CHECK(root >= 0 && root < n_);
        return start({.kind = Job::Kind::kBroadcast, .route = {.main = root}}, data);
    }
    void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        ENGINE_CHECK(all.size() == mine.size() * static_cast<std::size_t>(n_));
        // Nobody writes into what is gathered.
        const std::span<std::byte> own{const_cast<std::byte*>(mine.data()), mine.size()};
        wait(start({.kind = Job::Kind::kGather, .gathered = all}, own));
    }
    void barrier() override { wait(start({}, {})); }

    void checkMembers() override {
        guarded([&] { group_->health.checkAll(rank_); });
    }

    std::string describe() const override {
        std::string text;
        for (int peer = 0; peer < n_; ++peer) {
            if (peer == rank_) continue;
            if (!text.empty()) text += '\n';
            text += group_->health.name(rank_).task + " <-> " + group_->health.name(peer).task + ": memory of one process";
        }
        return text;
    }

private:
    Waiter newWaiter() const {
        return {group_->health, {.deadline = Waiter::Clock::now() + options_.deadline, .what = "operation between devices"}};
    }

    // Runs `work`; its Error breaks the collective.
    template <typename Work>
    auto guarded(Work work) -> decltype(work()) {
        if (error_) std::rethrow_exception(error_);
        try {
            return work();
        } catch (const std::exception& error) {
            error_ = std::current_exception();
            error_text_ = error.what();
            group_->health.markLost(rank_, "gave up: " + error_text_);
            throw;
        }
    }

    std::uint64_t start(const Job& job, std::span<std::byte> data) {
        return guarded([&] {
            const std::uint64_t number = posted_ + 1;
            if (number > kJobs) {  // the post that is written over must have been read by all
                Waiter waiter = newWaiter();
                finish(number - kJobs, waiter);
            }
            jobs_[number % kJobs] = job;
            Post& post = group_->devices[static_cast<std::size_t>(rank_)].posts[number % kJobs];
            post.data = data.data();
            post.bytes = data.size();
            post.job.store(number, std::memory_order_release);
            posted_ = number;
            tryAdvance();
            return number;
        });
    }

    void finish(std::uint64_t number, Waiter& waiter) {
        while (!hasEnded(number)) {
            if (tryAdvance()) {
                waiter.moved();
            } else {
                waiter.idle(late_);
            }
        }
    }

    bool hasEnded(std::uint64_t number) { return finished_ >= number && allHave((number + 1) * kMostPhases); }

    // Does our part of the next phase. False when a device has not come so far; late_ then names it.
    bool tryAdvance() {
        if (finished_ == posted_) return false;
        const std::uint64_t number = finished_ + 1;
        if (phase_ == 0 ? !allPosted(number) : !allHave(number * kMostPhases + phase_)) return false;
        const Job& job = jobs_[number % kJobs];
        runPhase(job, number);
        ++phase_;
        const bool is_last = phase_ == phasesOf(job);
        if (is_last) {
            finished_ = number;
            phase_ = 0;
        }
        const std::uint64_t progress = is_last ? (number + 1) * kMostPhases : number * kMostPhases + phase_;
        group_->devices[static_cast<std::size_t>(rank_)].progress.store(progress, std::memory_order_release);
        return true;
    }

    bool allPosted(std::uint64_t number) {
        for (int device = 0; device < n_; ++device) {
            if (postOf(device, number).job.load(std::memory_order_acquire) == number) continue;
            late_ = device;
            return false;
        }
        return true;
    }
    bool allHave(std::uint64_t progress) {
        for (int device = 0; device < n_; ++device) {
            if (group_->devices[static_cast<std::size_t>(device)].progress.load(std::memory_order_acquire) >= progress) continue;
            late_ = device;
            return false;
        }
        return true;
    }

    const Post& postOf(int device, std::uint64_t number) const {
        return group_->devices[static_cast<std::size_t>(device)].posts[number % kJobs];
    }
    float* floatsOf(int device, std::uint64_t number) const { return reinterpret_cast<float*>(postOf(device, number).data); }

    void runPhase(const Job& job, std::uint64_t number) {
        const std::size_t bytes = postOf(rank_, number).bytes;
        for (int device = 0; device < n_; ++device) {
            if (postOf(device, number).bytes == bytes) continue;
            throw Error(ErrorCode::kFailedPrecondition,
                        "operation between devices: expected " + std::to_string(bytes) + " bytes from every device, got " +
                            std::to_string(postOf(device, number).bytes) + " from " + group_->health.name(device).task);
        }
        switch (job.kind) {
            case Job::Kind::kReduce:
                if (bytes > 0) reducePhase(job.route, number, bytes / sizeof(float));
                return;
            case Job::Kind::kBroadcast:
                copyFrom(job.route.main, number, bytes);
                return;
            case Job::Kind::kGather:
                for (int device = 0; bytes > 0 && device < n_; ++device) {
                    std::memcpy(job.gathered.data() + static_cast<std::size_t>(device) * bytes, postOf(device, number).data, bytes);
                }
                return;
            case Job::Kind::kMeet:
                return;
        }
    }

    void reducePhase(const spec::ReduceRoute& route, std::uint64_t number, std::size_t floats) {
        switch (route.way) {
            case Way::kRing:
                return sumSegment(number, floats);
            case Way::kOneDevice:
            case Way::kKeep:
                if (phase_ == 1) return copyFrom(route.main, number, floats * sizeof(float));
                if (rank_ == route.main) sumDevices(0, n_, number, floats);
                return;
            case Way::kHalves:
                return halvesPhase(route, number, floats);
            case Way::kWorkers:
                return sumSegmentOn(route.main, number, floats);
        }
    }

    void halvesPhase(const spec::ReduceRoute& route, std::uint64_t number, std::size_t floats) {
        const int border = n_ / 2;
        const bool in_first = rank_ < border;
        const bool adds = rank_ == route.main || rank_ == route.second;
        if (border == 0) return;
        ENGINE_CHECK((route.main < border) != (route.second < border));
        if (phase_ == 0 && adds) sumDevices(in_first ? 0 : border, in_first ? border : n_, number, floats);
        // a + b is b + a to the bit, so it does not matter whose half comes first.
        if (phase_ == 1 && rank_ == route.main) addInto(floatsOf(rank_, number), postOf(route.second, number).data, floats);
        if (phase_ == 2 && rank_ == route.second) copyFrom(route.main, number, floats * sizeof(float));
        if (phase_ == 3 && !adds) copyFrom(in_first == (route.main < border) ? route.main : route.second, number, floats * sizeof(float));
    }

    // Ours of the segments, from all devices to all devices.
    void sumSegment(std::uint64_t number, std::size_t floats) {
        const Segment segment = segmentOf(floats, n_, rank_);
        for (int k = 0; k < n_; ++k) parts_[static_cast<std::size_t>(k)] = floatsOf((rank_ + 1 + k) % n_, number) + segment.begin;
        if (segment.count > 0 && n_ > 1) sumToAll(parts_, segment.count);
    }

    // Ours of the segments, from all devices in order, into one device's memory.
    void sumSegmentOn(int main, std::uint64_t number, std::size_t floats) {
        const Segment segment = segmentOf(floats, n_, rank_);
        for (int device = 0; device < n_; ++device) {
            parts_[static_cast<std::size_t>(device)] = floatsOf(device, number) + segment.begin;
        }
        if (segment.count > 0 && n_ > 1) sumTo(parts_[static_cast<std::size_t>(main)], parts_, segment.count);
    }

    // Sums the devices [begin, end), in order, into our memory.
    void sumDevices(int begin, int end, std::uint64_t number, std::size_t floats) {
        std::size_t count = 0;
        for (int device = begin; device < end; ++device) parts_[count++] = floatsOf(device, number);
        sumTo(floatsOf(rank_, number), std::span(parts_).first(count), floats);
    }

    void copyFrom(int device, std::uint64_t number, std::size_t bytes) {
        if (device != rank_ && bytes > 0) std::memcpy(postOf(rank_, number).data, postOf(device, number).data, bytes);
    }

    const std::shared_ptr<Group> group_;
    const DeviceCollectiveOptions options_;
    const int rank_;
    const int n_;
    std::array<Job, kJobs> jobs_;
    std::uint64_t posted_ = 0;
    std::uint64_t finished_ = 0;
    std::uint64_t phase_ = 0;  // ended ones of operation finished_ + 1
    int late_ = 0;
    std::vector<float*> parts_;  // in the order of the sum
    std::exception_ptr error_;
    std::string error_text_;
};

}  // namespace

std::vector<std::unique_ptr<DeviceCollective>> makeDeviceCollectives(const std::vector<std::string>& devices,
                                                                     DeviceCollectiveOptions options) {
    ENGINE_CHECK(!devices.empty());
    auto group = std::make_shared<Group>(devices);
    std::vector<std::unique_ptr<DeviceCollective>> members;
    for (int rank = 0; rank < static_cast<int>(devices.size()); ++rank) {
        members.push_back(std::make_unique<Member>(group, rank, options));
    }
    return members;
}

}  // namespace engine::distribute
