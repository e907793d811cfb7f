#include "engine/distribute/mpi/mpi_thread.h"

#include <array>
#include <chrono>
#include <cstring>
#include <thread>

namespace engine::distribute::mpi {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// From so many members and bytes on, Open MPI sums by halves, which needs what a member gives to lie elsewhere than the sum; in place it
// sends all of it up and down a tree.
constexpr int kMembersByHalves = 4;
constexpr std::size_t kBytesByHalves = 64 * 1024;

class Words {
public:
    Text text() { return {characters_.data(), characters_.size()}; }
    std::string string() const { return characters_.data(); }

private:
    std::array<char, 1024> characters_{};
};

// The pause between two looks at an operation: as distribute::Waiter has it, but nobody is there to be named.
class Pause {
public:
    void rest(bool is_awaited) {
        constexpr int kSpins = 64;
        if (is_awaited && rounds_++ < kSpins) return;
        const auto now = Clock::now();
        if (since_ == Clock::time_point()) since_ = now;
        if (is_awaited && now - since_ < 1ms) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(now - since_ < 100ms ? 100us : 1ms);
        }
    }

private:
    int rounds_ = 0;
    Clock::time_point since_{};
};

}  // namespace

MpiThread::MpiThread(const Functions& functions, int size) : functions_(functions), size_(size) {}

std::shared_ptr<MpiThread> MpiThread::start(const Functions& functions, int rank, int size) {
    std::shared_ptr<MpiThread> made(new MpiThread(functions, size));
    // Nobody joins the thread: awaitEnd() tells when it is over, and it holds what it uses.
    std::thread([made, rank] { made->run(rank); }).detach();
    return made;
}

void MpiThread::run(int rank) {
    Words problem, library, transport;
    if (!functions_.begin(rank, size_, problem.text())) {
        fail(problem.string());
    } else {
        functions_.library(library.text());
        functions_.transport(transport.text());
        {
            const MutexLock lock(mutex_);
            description_ = library.string() + (transport.string().empty() ? "" : ", " + transport.string());
            ready_ = true;
        }
        for_owner_.notify_all();
        work();
    }
    {
        const MutexLock lock(mutex_);
        ended_ = true;
    }
    for_owner_.notify_all();
}

void MpiThread::work() {
    while (true) {
        Operation operation;
        {
            MutexLock lock(mutex_);
            for_thread_.wait(lock, [&]() TANDEM_REQUIRES(mutex_) { return !operations_.empty() || leaves_; });
            if (drops_) return;
            if (operations_.empty()) break;
            operation = operations_.front();
            operations_.pop_front();
        }
        if (const std::string problem = carryOut(operation); !problem.empty()) return fail(problem);
        if (drops_) return;
        {
            const MutexLock lock(mutex_);
            ++finished_;
        }
        for_owner_.notify_all();
    }
    Words problem;
    if (!functions_.end(problem.text())) fail(problem.string());
}

std::string MpiThread::carryOut(const Operation& operation) {
    Words problem;
    bool started = false;
    if (operation.kind == Operation::Kind::kSum) {
        auto* const data = reinterpret_cast<float*>(operation.data.data());
        const std::size_t count = operation.data.size() / sizeof(float);
        const bool by_halves = size_ >= kMembersByHalves && operation.data.size() >= kBytesByHalves;
        if (by_halves) given_.assign(data, data + count);
        started = functions_.start_sum(by_halves ? given_.data() : nullptr, data, count, problem.text());
    } else {
        started = functions_.start_broadcast(operation.data.data(), operation.data.size(), operation.root, problem.text());
    }
    if (!started) return problem.string();
    Pause pause;
    while (!drops_) {
        const Moved moved = functions_.test(problem.text());
        if (moved == Moved::kDone) return {};
        if (moved == Moved::kFailed) return problem.string();
        pause.rest(awaited_.load(std::memory_order_relaxed));
    }
    return {};
}

void MpiThread::fail(const std::string& problem) {
    {
        const MutexLock lock(mutex_);
        problem_ = problem.empty() ? "an unknown reason" : problem;
    }
    for_owner_.notify_all();
}

std::uint64_t MpiThread::submit(const Operation& operation) {
    std::uint64_t number = 0;
    {
        const MutexLock lock(mutex_);
        operations_.push_back(operation);
        number = ++submitted_;
    }
    for_thread_.notify_one();
    return number;
}

MpiThread::Reached MpiThread::awaitReady(std::chrono::milliseconds most) {
    MutexLock lock(mutex_);
    for_owner_.wait_for(lock, most, [&]() TANDEM_REQUIRES(mutex_) { return ready_ || !problem_.empty(); });
    return !problem_.empty() ? Reached::kNever : ready_ ? Reached::kYes : Reached::kNotYet;
}

MpiThread::Reached MpiThread::awaitOperation(std::uint64_t number, std::chrono::milliseconds most) {
    MutexLock lock(mutex_);
    awaited_.store(true, std::memory_order_relaxed);
    for_owner_.wait_for(lock, most, [&]() TANDEM_REQUIRES(mutex_) { return finished_ >= number || !problem_.empty(); });
    awaited_.store(false, std::memory_order_relaxed);
    return finished_ >= number ? Reached::kYes : !problem_.empty() ? Reached::kNever : Reached::kNotYet;
}

std::string MpiThread::problem() const {
    const MutexLock lock(mutex_);
    return problem_;
}

std::string MpiThread::description() const {
    const MutexLock lock(mutex_);
    return description_;
}

void MpiThread::leave(Leave how) {
    {
        const MutexLock lock(mutex_);
        if (how == Leave::kAtOnce) drops_ = true;
        leaves_ = true;
    }
    for_thread_.notify_all();
}

bool MpiThread::awaitEnd(std::chrono::milliseconds most) {
    MutexLock lock(mutex_);
    return for_owner_.wait_for(lock, most, [&]() TANDEM_REQUIRES(mutex_) { return ended_; });
}

}  // namespace engine::distribute::mpi
