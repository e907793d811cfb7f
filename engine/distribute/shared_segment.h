// Memory that processes of one machine share: a memfd, opened by the others through /proc/PID/fd.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine::distribute {

using Nonce = std::array<std::byte, 16>;

// The place of a segment, as its owner tells it to the others. A process in another pid namespace finds nothing, or something else, at
// /proc/PID/fd; it notices by the nonce, which also stands at the segment's start.
struct SegmentAddress {
    std::int64_t pid = 0;
    std::int64_t fd = -1;
    std::uint64_t bytes = 0;  // of the payload
    Nonce nonce{};
    friend bool operator==(const SegmentAddress&, const SegmentAddress&) = default;
};

// Fixed layout, for a message between processes of one machine: pid, fd, bytes (u64, native order), nonce.
std::vector<std::byte> encode(const SegmentAddress& address);
std::optional<SegmentAddress> decodeSegmentAddress(std::span<const std::byte> bytes);

// The kernel's /proc/sys/kernel/random/boot_id: equal on one machine, also across containers. Empty where it cannot be read.
std::string machineBootId();

// Owns the mapping, and the descriptor where it made the memory. Movable; the memory stays where it is.
class SharedSegment {
public:
    // Allocates all pages at once, zeroed. Throws Error(kResourceExhausted) when the machine has not that much, kUnavailable when it has no
    // memfd.
    static SharedSegment create(std::size_t bytes);
    // Throws Error(kUnavailable) with the reason when the segment cannot be opened or is not the one meant.
    static SharedSegment open(const SegmentAddress& address);

    SharedSegment() = default;
    SharedSegment(SharedSegment&& other) noexcept;
    SharedSegment& operator=(SharedSegment&& other) noexcept;
    ~SharedSegment();

    // 4096-byte aligned.
    std::span<std::byte> span() const { return payload_; }
    const SegmentAddress& address() const { return address_; }

private:
    void map(std::size_t file_bytes);

    int fd_ = -1;
    std::span<std::byte> mapping_;
    std::span<std::byte> payload_;
    SegmentAddress address_;
};

}  // namespace engine::distribute
