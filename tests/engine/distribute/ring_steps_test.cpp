#include "engine/distribute/ring_steps.h"

#include <gtest/gtest.h>

#include <deque>
#include <numeric>
#include <vector>

namespace {

using engine::distribute::allReduceSteps;
using engine::distribute::broadcastSteps;
using engine::distribute::FloatAdder;
using engine::distribute::kLeadBytes;
using engine::distribute::Message;
using engine::distribute::PeerHealth;
using engine::distribute::RingRun;
using engine::distribute::RingStep;

constexpr std::size_t kMessageBytes = 512 * 1024;
constexpr std::uint64_t kOperation = 7;

// One of two members, whose neighbour says what the test lets it say.
class OneEnd final : public engine::distribute::Transport {
public:
    int rank() const override { return 0; }
    int size() const override { return 2; }
    const engine::distribute::Edges& edges() const override { return edges_; }
    PeerHealth& health() override { return health_; }
    std::string link(int) const override { return "test"; }
    std::size_t maxMessageBytes(int) const override { return kMessageBytes; }
    bool trySend(int, std::uint64_t, std::span<const std::byte> bytes) override {
        sent += bytes.size();
        return true;
    }
    const Message* tryReceive(int) override { return waiting_.empty() ? nullptr : &waiting_.front(); }
    void release(int) override { waiting_.pop_front(); }
    bool drained(int) const override { return true; }
    void poll(std::chrono::microseconds) override {}
    Region allocateRegion(std::size_t) override { return {}; }
    std::span<std::byte> peerView(int, std::span<const std::byte>) override { return {}; }
    void leave(const std::string&) override {}

    // `bytes` of `content` arrive for the first step.
    void arrive(const std::vector<float>& content, std::size_t bytes) {
        pieces_.push_back(std::as_bytes(std::span(content)).subspan(arrived_, bytes));
        waiting_.push_back({kOperation << 16, bytes, std::span(&pieces_.back(), 1)});
        arrived_ += bytes;
    }

    std::size_t sent = 0;

private:
    const engine::distribute::Edges edges_ = engine::distribute::Edges::ring(2);
    PeerHealth health_{{{"worker 0", ""}, {"worker 1", ""}}};
    std::size_t arrived_ = 0;
    std::deque<std::span<const std::byte>> pieces_;
    std::deque<Message> waiting_;
};

void moveAll(RingRun& run) {
    while (run.advance()) {
    }
}

// Every way to cut sixteen bytes into three pieces, empty ones and such within a float included.
TEST(FloatAdder, TakesPiecesThatEndWithinAFloat) {
    const std::vector<float> arrives{1.5f, -2.25f, 1e10f, 3.0f};
    const std::span<const std::byte> bytes = std::as_bytes(std::span(arrives));
    FloatAdder adder;
    for (std::size_t first = 0; first <= bytes.size(); ++first) {
        for (std::size_t second = first; second <= bytes.size(); ++second) {
            std::vector<float> own{10, 20, 30, 40};
            adder.restart(std::as_writable_bytes(std::span(own)));
            adder.feed(bytes.first(first));
            adder.feed(bytes.subspan(first, second - first));
            adder.feed(bytes.subspan(second));
            EXPECT_EQ(own, (std::vector<float>{11.5f, 17.75f, 1e10f + 30, 43})) << "cut at " << first << " and " << second;
        }
    }
    // What was left of one stream is no part of the next.
    std::vector<float> own{1};
    adder.restart(std::as_writable_bytes(std::span(own)));
    adder.feed(bytes.first(3));
    std::vector<float> other{2};
    adder.restart(std::as_writable_bytes(std::span(other)));
    adder.feed(bytes.first(4));
    EXPECT_EQ(other.front(), 3.5f);
}

TEST(RingRun, SendsOnlySoFarAheadOfWhatItReceives) {
    std::vector<float> data(kMessageBytes * 6 / sizeof(float));
    std::iota(data.begin(), data.end(), 0.0f);
    const std::vector<float> theirs(data.size(), 0.5f);
    OneEnd end;
    std::vector<RingStep> steps;
    allReduceSteps(data, 0, 2, steps);
    ASSERT_EQ(steps.size(), 1u);
    RingRun run(end, steps, kOperation);
    moveAll(run);
    EXPECT_EQ(end.sent, kLeadBytes);
    for (int message = 1; message <= 6; ++message) {
        end.arrive(theirs, kMessageBytes);
        moveAll(run);
        EXPECT_EQ(end.sent, std::min(6 * kMessageBytes, kLeadBytes + static_cast<std::size_t>(message) * kMessageBytes));
    }
    EXPECT_TRUE(run.done());
    for (std::size_t i = 0; i < data.size(); i += 1000) ASSERT_EQ(data[i], static_cast<float>(i) + 0.5f) << i;
}

TEST(RingRun, SendsAllWhereNothingComesBack) {
    std::vector<std::byte> data(kMessageBytes * 6);
    OneEnd end;
    std::vector<RingStep> steps;
    broadcastSteps(data, 0, 0, 2, steps);
    RingRun run(end, steps, kOperation);
    moveAll(run);
    EXPECT_EQ(end.sent, data.size());
    EXPECT_TRUE(run.done());
}

}  // namespace
