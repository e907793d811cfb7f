// Messages from one writer to one reader through memory that both see: between threads on the heap, between processes in a SharedSegment.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/distribute/transport.h"

namespace engine::distribute {

// Layout of the memory, which must be zeroed before either end is made and 64-byte aligned:
//   0    u64  sent: messages written so far; changed by the writer alone
//   128  u64  taken: messages released so far; changed by the reader alone
//   256  kSlots slots of { u64 tag, u64 bytes, 48 unused, kSlotBytes payload }; message number k lies in slot k % kSlots
// 128 bytes apart, because processors fetch cache lines in pairs.
class BytePipe {
public:
    static constexpr std::size_t kSlots = 8;
    static constexpr std::size_t kSlotBytes = 64 * 1024;
    static constexpr std::size_t kHeadBytes = 256;
    static constexpr std::size_t kSlotHeadBytes = 64;
    static constexpr std::size_t kBytes = kHeadBytes + kSlots * (kSlotHeadBytes + kSlotBytes);

    // `memory` (kBytes) must outlive the pipe. Each end makes its own object and uses either trySend or the other two.
    explicit BytePipe(std::span<std::byte> memory);
    BytePipe(const BytePipe&) = delete;
    BytePipe& operator=(const BytePipe&) = delete;

    bool trySend(std::uint64_t tag, std::span<const std::byte> bytes);

    // Throws Error(kDataLoss) when the writer wrote nonsense.
    const Message* tryReceive();
    void release();

private:
    std::byte* slot(std::uint64_t number) const { return slots_ + (number % kSlots) * (kSlotHeadBytes + kSlotBytes); }

    std::atomic<std::uint64_t>& sent_;
    std::atomic<std::uint64_t>& taken_;
    std::byte* const slots_;
    std::uint64_t own_ = 0;   // this end's counter
    std::uint64_t seen_ = 0;  // the other end's, as last read
    bool holds_message_ = false;
    std::array<std::span<const std::byte>, 1> fragment_;
    Message message_;
};

}  // namespace engine::distribute
