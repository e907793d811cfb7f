// Protobuf messages on a byte stream between two processes (agent <-> task: a Unix stream socket, file descriptor 3 of the task), or in a
// file that grows. Each message: its length in bytes as a base-128 varint (least significant group first, at most 5 bytes), then the
// message. The end of the stream between two messages is the regular end; anywhere else it is a loss.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/thread/mutex.h"

namespace google::protobuf {
class MessageLite;
}

namespace agent::convert {

inline constexpr std::size_t kMaxMessageBytes = 16u << 20;

// Appends one message with its length before it to `out`.
void appendDelimited(std::string& out, const google::protobuf::MessageLite& message);
void appendDelimited(std::string& out, std::string_view encoded_message);
// Returns the first message of these bytes, without its length; it ends where the next one begins. nullopt: it is not complete. Throws
// Error(kDataLoss) for a length above the limit.
std::optional<std::string_view> firstDelimited(std::string_view bytes, std::size_t max_message_bytes = kMaxMessageBytes);

enum class ReadResult {
    kMessage,     // `message` is filled
    kWouldBlock,  // only on a non-blocking descriptor: nothing complete has arrived yet
    kEnd,         // the other side closed; nothing will come any more
};

// Does not own the descriptor. One thread at a time.
class DelimitedReader {
public:
    explicit DelimitedReader(int descriptor, std::size_t max_message_bytes = kMaxMessageBytes)
        : descriptor_(descriptor), max_message_bytes_(max_message_bytes) {}

    // Reads the next message. On a blocking descriptor it waits for a message or the end: poll() before it where a deadline is needed.
    // Throws Error(kDataLoss) for a length above the limit, bytes that do not parse and an end inside a message; the stream is of no use
    // then.
    ReadResult read(google::protobuf::MessageLite& message);
    // Returns the bytes of the message that read() gave last; they live until the next read().
    std::string_view lastMessage() const { return std::string_view(buffer_).substr(last_, consumed_ - last_); }
    // True when read() can answer without touching the descriptor.
    bool hasBuffered() const;

private:
    enum class Fill { kData, kWouldBlock, kEnd };
    Fill fill();
    bool takeMessage(google::protobuf::MessageLite& message);

    const int descriptor_;
    const std::size_t max_message_bytes_;
    std::string buffer_;
    std::size_t consumed_ = 0;  // of buffer_
    std::size_t last_ = 0;      // where the last message begins there; it ends at consumed_
};

// Does not own the descriptor. Safe from any thread: messages never interleave. Raises no SIGPIPE on a socket.
class DelimitedWriter {
public:
    explicit DelimitedWriter(int descriptor) : descriptor_(descriptor) {}

    // False when the other side is gone, now and ever after. Waits up to `deadline` for a full stream to drain, then throws
    // Error(kDeadlineExceeded); if half of the message was out by then, the stream is broken and later calls answer false.
    // Throws Error(kInternal) for any other failure of the descriptor.
    [[nodiscard]] bool write(const google::protobuf::MessageLite& message, std::chrono::milliseconds deadline);

private:
    const int descriptor_;
    engine::Mutex mutex_;
    bool closed_ TANDEM_GUARDED_BY(mutex_) = false;
    std::string buffer_ TANDEM_GUARDED_BY(mutex_);  // kept for its capacity
};

}  // namespace agent::convert
