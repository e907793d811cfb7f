#include "engine/distribute/nccl/nccl_collective.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "engine/spec/error.h"

namespace engine::distribute::nccl {
namespace {

using Clock = std::chrono::steady_clock;

// What a member tells the others: its problem as text, empty for none. It goes in one message of one size.
using Note = std::array<char, 256>;

Note noteOf(const std::string& text) {
    Note note{};
    std::memcpy(note.data(), text.data(), std::min(text.size(), note.size() - 1));
    return note;
}

constexpr std::string_view kLate = "the others have not joined";

std::string secondsText(std::chrono::milliseconds time) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g s", std::chrono::duration<double>(time).count());
    return text.data();
}

// The first problem in rank order with its member, of those that are more than waiting for another's; empty when no member has one.
std::string firstProblem(Collective& host, const std::string& mine) {
    const Note note = noteOf(mine);
    std::vector<Note> all(static_cast<std::size_t>(host.size()));
    host.allGather(std::as_bytes(std::span(&note, 1)), std::as_writable_bytes(std::span(all)));
    const auto find = [&](bool late) -> std::string {
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            const std::string_view text = all[rank].data();
            if (!text.empty() && text.starts_with(kLate) == late) return "member " + std::to_string(rank) + ": " + std::string(text);
        }
        return {};
    };
    const std::string cause = find(false);
    return cause.empty() ? find(true) : cause;
}

// Member 0's id, or why there is none.
struct IdMessage {
    CommunicatorId id;
    Note problem{};
};

class NcclCollective final : public Collective, private StreamCollective {
public:
    NcclCollective(Collective& host, std::shared_ptr<Library> library, std::unique_ptr<Communicator> communicator, NcclOptions options)
        : host_(host), library_(std::move(library)), communicator_(std::move(communicator)), options_(options) {}

    int rank() const override { return host_.rank(); }
    int size() const override { return host_.size(); }
    std::span<std::byte> allocateRegion(std::size_t bytes) override { return host_.allocateRegion(bytes); }
    void allReduceSum(std::span<float> data) override { host_.allReduceSum(data); }
    std::uint64_t startAllReduceSum(std::span<float> data) override { return host_.startAllReduceSum(data); }
    void wait(std::uint64_t ticket) override { host_.wait(ticket); }
    std::uint64_t startReduceSum(std::span<float> data, const spec::ReduceRoute& route) override {
        return host_.startReduceSum(data, route);
    }
    void broadcast(std::span<std::byte> data, int root) override { host_.broadcast(data, root); }
    void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override { host_.allGather(mine, all); }
    void barrier() override { host_.barrier(); }
    void checkMembers() override { host_.checkMembers(); }
    StreamCollective* onStreams() override { return this; }
    ExchangeProgress* progress() override { return host_.progress(); }
    std::string describe() const override { return "gradients: NCCL " + library_->version() + "\n" + host_.describe(); }

private:
    void enqueueAllReduceSum(float* data, std::size_t count, Stream stream) override {
        if (count == 0) return;
        enqueue([&] { return communicator_->sum(data, count, stream); });
    }

    void enqueueBroadcast(std::byte* data, std::size_t bytes, int root, Stream stream) override {
        ENGINE_CHECK(root >= 0 && root < size());
        if (bytes == 0) return;
        enqueue([&] { return communicator_->broadcast(data, bytes, root, stream); });
    }

    // A call may be carried out by a thread of the library's own; what comes next on the stream must wait for that.
    template <typename Call>
    void enqueue(Call call) {
        throwIfBroken();
        const auto since = Clock::now();
        State state = call();
        while (state.progress == Progress::kGoesOn) {
            std::this_thread::yield();
            check(since);
            state = communicator_->state();
        }
        if (state.progress == Progress::kFailed) fail(ErrorCode::kUnavailable, "NCCL: " + state.reason);
    }

    void check(Clock::time_point since) override {
        throwIfBroken();
        try {
            host_.checkMembers();
        } catch (...) {
            communicator_->abort();
            error_ = std::current_exception();
            throw;
        }
        if (const State state = communicator_->state(); state.progress == Progress::kFailed) {
            fail(ErrorCode::kUnavailable, "NCCL: " + state.reason);
        }
        if (Clock::now() - since > options_.operation_deadline) {
            fail(ErrorCode::kDeadlineExceeded, "NCCL: a sum between GPUs took longer than " + secondsText(options_.operation_deadline));
        }
    }

    void throwIfBroken() const {
        if (error_) std::rethrow_exception(error_);
    }
    [[noreturn]] void fail(ErrorCode code, const std::string& text) {
        communicator_->abort();
        error_ = std::make_exception_ptr(Error(code, text));
        std::rethrow_exception(error_);
    }

    Collective& host_;
    const std::shared_ptr<Library> library_;
    const std::unique_ptr<Communicator> communicator_;
    const NcclOptions options_;
    std::exception_ptr error_;
};

// Waits until it is done and returns an empty text, else why it is not. Throws what host.checkMembers() does.
std::string await(Collective& host, Communicator& communicator, Clock::time_point deadline, const NcclOptions& options) {
    while (true) {
        const State state = communicator.state();
        if (state.progress == Progress::kDone) return {};
        if (state.progress == Progress::kFailed) return state.reason;
        if (Clock::now() > deadline) {
            return std::string(kLate) + " within " + secondsText(options.connect_deadline);
        }
        host.checkMembers();
        std::this_thread::sleep_for(options.poll);
    }
}

}  // namespace

NcclConnection connect(Collective& host, std::shared_ptr<Library> library, NcclOptions options) {
    IdMessage message;
    if (host.rank() == 0) {
        try {
            message.id = library->newId();
        } catch (const Error& error) {
            message.problem = noteOf(error.what());
        }
    }
    host.broadcast(std::as_writable_bytes(std::span(&message, 1)), 0);
    if (message.problem.front() != '\0') return {nullptr, "member 0: " + std::string(message.problem.data())};

    const auto deadline = Clock::now() + options.connect_deadline;
    std::unique_ptr<Communicator> communicator;
    std::string problem;
    try {
        communicator = library->join(message.id, host.rank(), host.size());
        problem = await(host, *communicator, deadline, options);
        if (problem.empty()) {
            const State state = communicator->trySum();
            problem = state.progress == Progress::kFailed ? state.reason : await(host, *communicator, deadline, options);
        }
    } catch (const Error& error) {
        if (communicator) communicator->abort();
        if (communicator) throw;  // a member is lost
        problem = error.what();
    }
    if (!problem.empty() && communicator) communicator->abort();
    problem = firstProblem(host, problem);
    if (!problem.empty()) {
        if (communicator) communicator->abort();
        return {nullptr, problem};
    }
    return {std::make_unique<NcclCollective>(host, std::move(library), std::move(communicator), options), ""};
}

}  // namespace engine::distribute::nccl
