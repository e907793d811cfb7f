#include "engine/distribute/byte_pipe.h"

#include <cstring>
#include <string>

#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

struct SlotHead {
    std::uint64_t tag;
    std::uint64_t bytes;
};

constexpr std::size_t kTakenOffset = 128;

std::atomic<std::uint64_t>& counterAt(std::span<std::byte> memory, std::size_t offset) {
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(std::atomic<std::uint64_t>) == sizeof(std::uint64_t));
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(memory.data() + offset);
}

}  // namespace

BytePipe::BytePipe(std::span<std::byte> memory)
    : sent_(counterAt(memory, 0)), taken_(counterAt(memory, kTakenOffset)), slots_(memory.data() + kHeadBytes) {
    ENGINE_CHECK(memory.size() >= kBytes);
}

bool BytePipe::trySend(std::uint64_t tag, std::span<const std::byte> bytes) {
    ENGINE_CHECK(bytes.size() <= kSlotBytes);
    if (own_ - seen_ == kSlots) {
        seen_ = taken_.load(std::memory_order_acquire);
        if (own_ - seen_ >= kSlots) return false;
    }
    std::byte* at = slot(own_);
    const SlotHead head{tag, bytes.size()};
    std::memcpy(at, &head, sizeof head);
    if (!bytes.empty()) std::memcpy(at + kSlotHeadBytes, bytes.data(), bytes.size());
    sent_.store(++own_, std::memory_order_release);
    return true;
}

const Message* BytePipe::tryReceive() {
    if (holds_message_) return &message_;
    if (seen_ == own_) {
        seen_ = sent_.load(std::memory_order_acquire);
        if (seen_ == own_) return nullptr;
    }
    const std::byte* at = slot(own_);
    SlotHead head;
    std::memcpy(&head, at, sizeof head);
    if (head.bytes > kSlotBytes) {
        throw Error(ErrorCode::kDataLoss,
                    "shared memory pipe: a message of " + std::to_string(head.bytes) + " bytes in a slot of " + std::to_string(kSlotBytes));
    }
    fragment_[0] = {at + kSlotHeadBytes, head.bytes};
    message_ = {head.tag, head.bytes, fragment_};
    holds_message_ = true;
    return &message_;
}

void BytePipe::release() {
    ENGINE_CHECK(holds_message_);
    holds_message_ = false;
    taken_.store(++own_, std::memory_order_release);
}

}  // namespace engine::distribute
