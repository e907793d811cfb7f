#include "engine/distribute/mpi/mpi_collective.h"

#include <deque>
#include <exception>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "engine/distribute/aligned_memory.h"
#include "engine/distribute/mpi/mpi_thread.h"
#include "engine/spec/error.h"

namespace engine::distribute::mpi {
namespace {

using Clock = std::chrono::steady_clock;

// When a member dies MPI may fail before its connection here has closed. Returns when nobody is lost within the grace.
void nameWhoIsLost(Collective& host, const MpiOptions& options) {
    for (const auto until = Clock::now() + options.grace; Clock::now() < until; std::this_thread::sleep_for(options.look)) {
        host.checkMembers();
    }
}

[[noreturn]] void failFor(Collective& host, const MpiOptions& options, const std::string& problem) {
    nameWhoIsLost(host, options);
    throw Error(ErrorCode::kUnavailable, "MPI: " + problem);
}

void awaitMembers(Collective& host, MpiThread& thread, const MpiOptions& options) {
    const auto until = Clock::now() + options.join_deadline;
    while (true) {
        const MpiThread::Reached reached = thread.awaitReady(options.look);
        if (reached == MpiThread::Reached::kYes) return;
        if (reached == MpiThread::Reached::kNever) failFor(host, options, thread.problem());
        host.checkMembers();
        if (options.is_cancelled && options.is_cancelled()) throw Error(ErrorCode::kCancelled, "while the ranks joined MPI");
        if (Clock::now() > until) {
            throw Error(ErrorCode::kDeadlineExceeded, "MPI: expected all " + std::to_string(host.size()) + " ranks to join within " +
                                                          std::to_string(options.join_deadline.count()) + " ms, and they have not");
        }
    }
}

class MpiCollective final : public Collective {
public:
    MpiCollective(Collective& host, std::shared_ptr<MpiThread> thread, MpiOptions options)
        : host_(host), thread_(std::move(thread)), options_(std::move(options)) {}

    // The member leaves in order where all operations are over and nothing was thrown: it then waits in MPI for the others, who may still
    // write files. One that is gone may have been through sooner, so that this member still gets time to end what only MPI's processes
    // share.
    ~MpiCollective() override {
        const bool in_order = !error_ && waited_for_ == submitted_ && std::uncaught_exceptions() == exceptions_;
        thread_->leave(in_order ? MpiThread::Leave::kInOrder : MpiThread::Leave::kAtOnce);
        auto until = Clock::now() + (in_order ? options_.operation_deadline : options_.grace);
        bool all_are_there = in_order;
        while (!thread_->awaitEnd(options_.look) && Clock::now() < until) {
            try {
                if (all_are_there) host_.checkMembers();
            } catch (...) {
                constexpr std::chrono::seconds kLongestEnd{30};
                all_are_there = false;
                until = Clock::now() + kLongestEnd;
            }
        }
    }

    int rank() const override { return host_.rank(); }
    int size() const override { return host_.size(); }

    std::span<std::byte> allocateRegion(std::size_t bytes) override {
        region_ = AlignedMemory(bytes);
        return region_.span();
    }

    void allReduceSum(std::span<float> data) override { wait(startAllReduceSum(data)); }

    std::uint64_t startAllReduceSum(std::span<float> data) override {
        return start({.kind = Operation::Kind::kSum, .data = std::as_writable_bytes(data)});
    }

    // All before it are over when it is.
    void wait(std::uint64_t ticket) override {
        throwIfBroken();
        if (ticket <= waited_for_) return;
        try {
            await(ticket);
        } catch (...) {
            error_ = std::current_exception();
            throw;
        }
        under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(ticket - waited_for_));
        waited_for_ = ticket;
    }

    void broadcast(std::span<std::byte> data, int root) override {
        ENGINE_CHECK(root >= 0 && root < size());
        wait(start({.kind = Operation::Kind::kBroadcast, .data = data, .root = root}));
    }

    void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        finishStarted();
        host_.allGather(mine, all);
    }
    void barrier() override {
        finishStarted();
        host_.barrier();
    }

    void checkMembers() override { host_.checkMembers(); }
    ExchangeProgress* progress() override { return host_.progress(); }
    std::string describe() const override { return "gradients: MPI, " + thread_->description() + "\n" + host_.describe(); }

private:
    void throwIfBroken() const {
        if (error_) std::rethrow_exception(error_);
    }
    void finishStarted() { wait(submitted_); }

    // An operation with nothing to move is over at once, on every member.
    std::uint64_t start(const Operation& operation) {
        throwIfBroken();
        if (operation.data.empty() || size() == 1) return waited_for_;
        submitted_ = thread_->submit(operation);
        under_way_.push_back(operation.data);
        tellBegin(submitted_);
        return submitted_;
    }

    void tellBegin(std::uint64_t ticket) {
        ExchangeProgress* const progress = host_.progress();
        if (progress != nullptr) progress->begin(ticket, under_way_[ticket - waited_for_ - 1]);
    }

    void await(std::uint64_t ticket) {
        constexpr std::chrono::milliseconds kAtOnce{0};
        tellBegin(ticket);
        if (thread_->awaitOperation(ticket, kAtOnce) == MpiThread::Reached::kYes) return;
        const ExchangeWait told(host_.progress(), -1);
        const auto until = Clock::now() + options_.operation_deadline;
        while (true) {
            const MpiThread::Reached reached = thread_->awaitOperation(ticket, options_.look);
            if (reached == MpiThread::Reached::kYes) return;
            if (reached == MpiThread::Reached::kNever) failFor(host_, options_, thread_->problem());
            host_.checkMembers();
            if (Clock::now() > until) {
                throw Error(ErrorCode::kDeadlineExceeded, "MPI: expected an operation to be over within " +
                                                              std::to_string(options_.operation_deadline.count()) +
                                                              " ms while every member is alive, and it is not");
            }
        }
    }

    Collective& host_;
    const std::shared_ptr<MpiThread> thread_;
    const MpiOptions options_;
    const int exceptions_ = std::uncaught_exceptions();

    // The caller's thread alone.
    AlignedMemory region_;
    std::uint64_t submitted_ = 0;
    std::uint64_t waited_for_ = 0;
    std::deque<std::span<const std::byte>> under_way_;  // of those between the two
    std::exception_ptr error_;
};

}  // namespace

std::unique_ptr<Collective> joinMembers(Collective& host, const Functions& functions, MpiOptions options) {
    const std::shared_ptr<MpiThread> thread = MpiThread::start(functions, host.rank(), host.size());
    try {
        awaitMembers(host, *thread, options);
    } catch (...) {
        thread->leave(MpiThread::Leave::kAtOnce);
        throw;
    }
    return std::make_unique<MpiCollective>(host, thread, std::move(options));
}

}  // namespace engine::distribute::mpi
