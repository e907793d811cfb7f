#include "engine/distribute/ring_steps.h"

#include <algorithm>
#include <cstring>

#include "engine/distribute/segments.h"
#include "engine/distribute/sum.h"
#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

// Beyond so many bytes, two members add half each: the adding then takes longer than the second hop.
constexpr std::size_t kExchangeBytes = 4 * 1024 * 1024;

}  // namespace

void FloatAdder::restart(std::span<std::byte> own) {
    own_ = reinterpret_cast<float*>(own.data());
    carried_ = 0;
}

void FloatAdder::feed(std::span<const std::byte> piece) {
    while (carried_ > 0 && !piece.empty()) {
        carry_[carried_++] = piece[0];
        piece = piece.subspan(1);
        if (carried_ == sizeof(float)) {
            addInto(own_++, carry_, 1);
            carried_ = 0;
        }
    }
    const std::size_t whole = piece.size() / sizeof(float);
    addInto(own_, piece.data(), whole);
    own_ += whole;
    for (const std::byte rest : piece.subspan(whole * sizeof(float))) carry_[carried_++] = rest;
}

RingRun::RingRun(Transport& transport, std::span<const RingStep> steps, std::uint64_t operation)
    : transport_(transport),
      steps_(steps),
      operation_(operation),
      left_((transport.rank() + transport.size() - 1) % transport.size()),
      right_((transport.rank() + 1) % transport.size()),
      chunk_bytes_(transport.maxMessageBytes(right_)) {
    startReceiving();
    skipSent();
}

bool RingRun::advance() {
    // What has arrived is sent on before the next piece is looked at: the right neighbour waits for it.
    const bool received = tryReceive();
    const bool sent = trySend();
    return received || sent;
}

void RingRun::finish(Waiter& waiter) {
    while (!done()) {
        if (advance()) {
            waiter.moved();
        } else {
            waiter.idle(awaited());
        }
    }
}

bool RingRun::tryReceive() {
    if (!receiving()) return false;
    const Message* message = transport_.tryReceive(left_);
    if (message == nullptr) return false;
    const RingStep& step = steps_[receive_step_];
    if (message->tag != tag(receive_step_) || message->bytes > step.receive.size() - received_) throw unexpected(*message);
    if (step.arrival == RingStep::Arrival::kAddSent && send_step_ == receive_step_ && sent_ < received_ + message->bytes) return false;
    std::byte* at = step.receive.data() + received_;
    for (const std::span<const std::byte> fragment : message->fragments) {
        if (step.arrival == RingStep::Arrival::kCopy) {
            std::memcpy(at, fragment.data(), fragment.size());
            at += fragment.size();
        } else {
            adder_.feed(fragment);
        }
    }
    received_ += message->bytes;
    transport_.release(left_);
    if (received_ == step.receive.size()) {
        ++receive_step_;
        startReceiving();
    }
    return true;
}

bool RingRun::trySend() {
    if (!sending()) return false;
    const std::span<const std::byte> all = steps_[send_step_].send;
    const std::size_t known = send_step_ == 0 || receive_step_ >= send_step_ ? all.size() : receive_step_ + 1 == send_step_ ? received_ : 0;
    const std::size_t ready = known - std::min(known, sent_);
    if (ready < chunk_bytes_ && known < all.size()) return false;  // a fuller message is on its way
    if (send_step_ == receive_step_ && sent_ >= received_ + kLeadBytes) return false;
    const std::size_t bytes = std::min(ready, chunk_bytes_);
    if (bytes == 0 || !transport_.trySend(right_, tag(send_step_), all.subspan(sent_, bytes))) return false;
    sent_ += bytes;
    skipSent();
    return true;
}

void RingRun::startReceiving() {
    received_ = 0;
    while (receiving() && steps_[receive_step_].receive.empty()) ++receive_step_;
    if (receiving()) adder_.restart(steps_[receive_step_].receive);
}

void RingRun::skipSent() {
    while (sending() && sent_ == steps_[send_step_].send.size()) {
        ++send_step_;
        sent_ = 0;
    }
}

Error RingRun::unexpected(const Message& message) const {
    return Error(ErrorCode::kFailedPrecondition,
                 "collective: expected step " + std::to_string(receive_step_) + " of operation " + std::to_string(operation_) + " from " +
                     toString(transport_.health().name(left_)) + ", got " + std::to_string(message.bytes) + " bytes of step " +
                     std::to_string(message.tag & 0xffff) + " of operation " + std::to_string(message.tag >> 16));
}

void allReduceSteps(std::span<float> data, int rank, int n, std::vector<RingStep>& steps) {
    const auto segment = [&](int number) {
        const Segment found = segmentOf(data.size(), n, ((number % n) + n) % n);
        return std::as_writable_bytes(data.subspan(found.begin, found.count));
    };
    steps.clear();
    if (n == 2 && data.size_bytes() <= kExchangeBytes) {
        const std::span<std::byte> all = std::as_writable_bytes(data);
        steps.push_back({all, all, RingStep::Arrival::kAddSent});
        return;
    }
    for (int k = 0; k < 2 * (n - 1); ++k) {
        const auto arrival = k < n - 1 ? RingStep::Arrival::kAddFloats : RingStep::Arrival::kCopy;
        steps.push_back({segment(rank - 1 - k), segment(rank - 2 - k), arrival});
    }
}

void allGatherSteps(std::span<std::byte> all, std::size_t block_bytes, int rank, int n, std::vector<RingStep>& steps) {
    const auto block = [&](int number) { return all.subspan(static_cast<std::size_t>(((number % n) + n) % n) * block_bytes, block_bytes); };
    steps.clear();
    for (int k = 0; k < n - 1; ++k) steps.push_back({block(rank - k), block(rank - 1 - k)});
}

void broadcastSteps(std::span<std::byte> data, int root, int rank, int n, std::vector<RingStep>& steps) {
    steps.clear();
    if (n == 1) return;
    // The member d places after the root receives in step d - 1 and sends in step d; the last one keeps what it has.
    const int distance = (rank - root + n) % n;
    steps.resize(static_cast<std::size_t>(distance) + 1);
    if (distance > 0) steps[static_cast<std::size_t>(distance) - 1].receive = data;
    if (distance < n - 1) steps.back().send = data;
}

}  // namespace engine::distribute
