#include "agent/wire/delimited.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

#include <google/protobuf/message_lite.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::convert {

namespace {

constexpr std::size_t kReadBytes = 64u << 10;
constexpr std::size_t kMaxLengthBytes = 5;

struct Length {
    std::size_t value;
    std::size_t bytes;  // of the varint
};

// nullopt: the varint is not complete yet. Throws for one of more than five bytes.
std::optional<Length> parseLength(const char* data, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size && i < kMaxLengthBytes; ++i) {
        const auto byte = static_cast<unsigned char>(data[i]);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
        if ((byte & 0x80) == 0) {
            return Length{static_cast<std::size_t>(value), i + 1};
        }
    }
    if (size >= kMaxLengthBytes) {
        throw engine::Error(engine::ErrorCode::kDataLoss, "message stream: expected a length of at most 5 bytes, got a longer one");
    }
    return std::nullopt;
}

void appendLength(std::string& out, std::size_t value) {
    while (value >= 0x80) {
        out.push_back(static_cast<char>((value & 0x7F) | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

// write(2) without SIGPIPE where the descriptor is a socket.
ssize_t writeSome(int descriptor, const char* data, std::size_t size) {
    const ssize_t sent = ::send(descriptor, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent < 0 && errno == ENOTSOCK ? ::write(descriptor, data, size) : sent;
}

[[noreturn]] void throwErrno(const char* what, int error) {
    throw engine::Error(engine::ErrorCode::kInternal, std::string("message stream: ") + what + ": " + std::strerror(error));
}

// False when the deadline passed.
bool waitWritable(int descriptor, std::chrono::steady_clock::time_point deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        pollfd entry{descriptor, POLLOUT, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        if (ready > 0) {
            return true;
        }
        if (ready < 0 && errno != EINTR) {
            throwErrno("poll", errno);
        }
        if (ready == 0) {
            return false;
        }
    }
}

}  // namespace

void appendDelimited(std::string& out, const google::protobuf::MessageLite& message) {
    appendLength(out, message.ByteSizeLong());
    message.AppendToString(&out);
}

void appendDelimited(std::string& out, std::string_view encoded_message) {
    appendLength(out, encoded_message.size());
    out.append(encoded_message);
}

std::optional<std::string_view> firstDelimited(std::string_view bytes, std::size_t max_message_bytes) {
    const std::optional<Length> length = parseLength(bytes.data(), bytes.size());
    if (length && length->value > max_message_bytes) {
        throw engine::Error(engine::ErrorCode::kDataLoss, "message stream: expected a message of at most " +
                                                              std::to_string(max_message_bytes) + " bytes, got one of " +
                                                              std::to_string(length->value));
    }
    if (!length || bytes.size() < length->bytes + length->value) {
        return std::nullopt;
    }
    return bytes.substr(length->bytes, length->value);
}

bool DelimitedReader::takeMessage(google::protobuf::MessageLite& message) {
    const std::optional<std::string_view> found = firstDelimited(std::string_view(buffer_).substr(consumed_), max_message_bytes_);
    if (!found) {
        return false;
    }
    if (!message.ParseFromArray(found->data(), static_cast<int>(found->size()))) {
        throw engine::Error(engine::ErrorCode::kDataLoss,
                            "message stream: " + std::to_string(found->size()) + " bytes that are no " + message.GetTypeName());
    }
    last_ = static_cast<std::size_t>(found->data() - buffer_.data());
    consumed_ = last_ + found->size();
    return true;
}

DelimitedReader::Fill DelimitedReader::fill() {
    buffer_.erase(0, consumed_);
    last_ = 0;
    consumed_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kReadBytes);
    ssize_t received = 0;
    do {
        received = ::read(descriptor_, buffer_.data() + before, kReadBytes);
    } while (received < 0 && errno == EINTR);
    const int error = errno;
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(received, 0)));
    if (received > 0) {
        return Fill::kData;
    }
    if (received < 0 && (error == EAGAIN || error == EWOULDBLOCK)) {
        return Fill::kWouldBlock;
    }
    if (received < 0 && error != ECONNRESET) {
        throwErrno("read", error);
    }
    return Fill::kEnd;
}

ReadResult DelimitedReader::read(google::protobuf::MessageLite& message) {
    while (!takeMessage(message)) {
        switch (fill()) {
            case Fill::kData:
                break;
            case Fill::kWouldBlock:
                return ReadResult::kWouldBlock;
            case Fill::kEnd:
                if (!buffer_.empty()) {
                    throw engine::Error(engine::ErrorCode::kDataLoss,
                                        "message stream: ended inside a message, " + std::to_string(buffer_.size()) + " bytes into it");
                }
                return ReadResult::kEnd;
        }
    }
    return ReadResult::kMessage;
}

bool DelimitedReader::hasBuffered() const {
    const std::size_t size = buffer_.size() - consumed_;
    const std::optional<Length> length = parseLength(buffer_.data() + consumed_, size);
    return length && (length->value > max_message_bytes_ || size >= length->bytes + length->value);
}

bool DelimitedWriter::write(const google::protobuf::MessageLite& message, std::chrono::milliseconds deadline) {
    const auto until = std::chrono::steady_clock::now() + deadline;
    const engine::MutexLock lock(mutex_);
    if (closed_) {
        return false;
    }
    buffer_.clear();
    appendLength(buffer_, message.ByteSizeLong());
    message.AppendPartialToString(&buffer_);
    std::size_t written = 0;
    while (written < buffer_.size()) {
        const ssize_t sent = writeSome(descriptor_, buffer_.data() + written, buffer_.size() - written);
        if (sent >= 0) {
            written += static_cast<std::size_t>(sent);
        } else if (errno == EPIPE || errno == ECONNRESET) {
            closed_ = true;
            return false;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!waitWritable(descriptor_, until)) {
                closed_ = written > 0;
                throw engine::Error(engine::ErrorCode::kDeadlineExceeded,
                                    "message stream: the other side did not read for " + std::to_string(deadline.count()) + " ms");
            }
        } else if (errno != EINTR) {
            throwErrno("write", errno);
        }
    }
    return true;
}

}  // namespace agent::convert
