// NCCL for machines without a GPU: members are threads of one process, a sum adds up in rank order. What a real library does to its callers
// is here too: calls that go on for a while, errors that come later, sums that wait for a dead member until they are aborted.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/distribute/nccl/nccl_library.h"
#include "engine/spec/error.h"

namespace tests::support {

// The object that a StreamCollective::Stream points to here.
struct EmulatedStream {
    std::atomic<int> under_way{0};
};

// Shared by the libraries of all members.
class EmulatedWorld {
public:
    struct Faults {
        bool no_id = false;
        int refuses_to_join = -1;  // member
        int never_joins = -1;      // member: its state() goes on for ever
        int fails_later = -1;      // member: its state() is a failure once it has begun more than fails_after sums
        int fails_after = 1;       // the trial is one
        int slow_calls = 0;        // polls that a call takes
        std::string reason = "unhandled system error";
    } faults;

    std::atomic<int> ids{0}, aborts{0}, communicators{0};

private:
    friend class EmulatedCommunicator;
    friend class EmulatedNccl;

    struct Operation {
        std::vector<std::byte*> data;
        int arrived = 0;
        bool dead = false, done = false;
    };
    struct Group {
        int joined = 0;
        std::map<std::uint64_t, Operation> operations;
    };

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::uint64_t, Group> groups_;  // guarded by mutex_
};

class EmulatedCommunicator final : public engine::distribute::nccl::Communicator {
public:
    using State = engine::distribute::nccl::State;
    using Progress = engine::distribute::nccl::Progress;
    using Stream = engine::distribute::StreamCollective::Stream;

    EmulatedCommunicator(EmulatedWorld& world, std::uint64_t id, int rank, int size) : world_(world), id_(id), rank_(rank), size_(size) {
        ++world_.communicators;
        if (world_.faults.never_joins != rank_) {
            const std::lock_guard lock(world_.mutex_);
            ++world_.groups_[id_].joined;
        }
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    ~EmulatedCommunicator() override {
        end();
        thread_.request_stop();
        has_work_.notify_all();
        thread_.join();
        --world_.communicators;
    }

    State state() override {
        if (polls_left_ > 0) {
            --polls_left_;
            return {Progress::kGoesOn};
        }
        const std::lock_guard lock(world_.mutex_);
        if (world_.groups_[id_].joined < size_) return {Progress::kGoesOn};
        if (world_.faults.fails_later == rank_ && begun_ > world_.faults.fails_after) return {Progress::kFailed, world_.faults.reason};
        return {trial_.under_way > 0 ? Progress::kGoesOn : Progress::kDone};
    }
    State sum(float* data, std::size_t count, Stream stream) override {
        return enqueue(stream, reinterpret_cast<std::byte*>(data), [count](const std::vector<std::byte*>& all) {
            std::vector<float> total(count, 0.0F);
            for (std::byte* one : all) {
                const auto* values = reinterpret_cast<const float*>(one);
                for (std::size_t i = 0; i < count; ++i) total[i] += values[i];
            }
            for (std::byte* one : all) std::memcpy(one, total.data(), count * sizeof(float));
        });
    }
    State broadcast(std::byte* data, std::size_t bytes, int root, Stream stream) override {
        return enqueue(stream, data, [bytes, root](const std::vector<std::byte*>& all) {
            const std::byte* from = all[static_cast<std::size_t>(root)];
            for (std::byte* one : all) {
                if (one != from) std::memcpy(one, from, bytes);
            }
        });
    }
    State trySum() override {
        const State state = sum(&trial_value_, 1, &trial_);
        return state.progress == Progress::kFailed ? state : State{Progress::kGoesOn};
    }
    void abort() override {
        ++world_.aborts;
        end();
    }

private:
    using Carry = std::function<void(const std::vector<std::byte*>&)>;
    struct Job {
        EmulatedStream* stream;
        std::byte* data;
        Carry carry;
    };

    State enqueue(Stream stream, std::byte* data, Carry carry) {
        auto* emulated = static_cast<EmulatedStream*>(stream);
        ++emulated->under_way;
        ++begun_;
        {
            const std::lock_guard lock(mutex_);
            jobs_.push_back({emulated, data, std::move(carry)});
        }
        has_work_.notify_all();
        polls_left_ = world_.faults.slow_calls;
        return {polls_left_ > 0 ? Progress::kGoesOn : Progress::kDone};
    }

    void end() {
        {
            const std::lock_guard lock(world_.mutex_);
            ended_ = true;
        }
        world_.changed_.notify_all();
    }

    // The streams' work, one after the other.
    void work(const std::stop_token& stop) {
        while (true) {
            std::unique_lock lock(mutex_);
            if (!has_work_.wait(lock, stop, [this] { return !jobs_.empty(); }) && jobs_.empty()) return;
            Job job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            meet(job);
            --job.stream->under_way;
        }
    }

    // The last member to come carries the operation out.
    void meet(const Job& job) {
        std::unique_lock lock(world_.mutex_);
        EmulatedWorld::Operation& operation = world_.groups_[id_].operations[done_++];
        operation.data.resize(static_cast<std::size_t>(size_));
        operation.data[static_cast<std::size_t>(rank_)] = job.data;
        if (++operation.arrived == size_ && !operation.dead && !ended_) {
            job.carry(operation.data);
            operation.done = true;
            world_.changed_.notify_all();
        }
        world_.changed_.wait(lock, [&] { return operation.done || ended_; });
        if (!operation.done) operation.dead = true;  // this member's memory may go
    }

    EmulatedWorld& world_;
    const std::uint64_t id_;
    const int rank_, size_;
    int polls_left_ = 0;
    std::atomic<int> begun_{0};
    EmulatedStream trial_;
    float trial_value_ = 1;
    std::uint64_t done_ = 0;  // the thread's alone
    bool ended_ = false;      // guarded by the world's mutex
    std::mutex mutex_;
    std::condition_variable_any has_work_;
    std::deque<Job> jobs_;  // guarded by mutex_
    std::jthread thread_;   // last: joined before anything it uses goes
};

class EmulatedNccl final : public engine::distribute::nccl::Library {
public:
    explicit EmulatedNccl(EmulatedWorld& world) : world_(world) {}

    std::string version() const override { return "2.28.9"; }
    engine::distribute::nccl::CommunicatorId newId() override {
        if (world_.faults.no_id) throw engine::Error(engine::ErrorCode::kUnavailable, "NCCL: " + world_.faults.reason);
        const auto number = static_cast<std::uint64_t>(++world_.ids);
        engine::distribute::nccl::CommunicatorId id;
        std::memcpy(id.bytes.data(), &number, sizeof number);
        return id;
    }
    std::unique_ptr<engine::distribute::nccl::Communicator> join(const engine::distribute::nccl::CommunicatorId& id, int rank,
                                                                 int size) override {
        if (world_.faults.refuses_to_join == rank) {
            throw engine::Error(engine::ErrorCode::kUnavailable, "NCCL: " + world_.faults.reason);
        }
        std::uint64_t number = 0;
        std::memcpy(&number, id.bytes.data(), sizeof number);
        return std::make_unique<EmulatedCommunicator>(world_, number, rank, size);
    }

private:
    EmulatedWorld& world_;
};

}  // namespace tests::support
