#include "engine/export/record_framing.h"

#include <cstddef>
#include <cstdint>

#include "engine/export/crc32c.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kHeaderBytes = kLengthBytes + kChecksumBytes;

void appendLittleEndian(std::string& file, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
        file.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
    }
}

std::uint64_t littleEndian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    return value;
}

void requireChecksum(std::string_view bytes, std::string_view stored, const char* what) {
    if (maskCrc(crc32c(bytes)) != littleEndian(stored)) {
        throw Error(ErrorCode::kDataLoss, std::string("record: expected the checksum of its ") + what + ", got another one");
    }
}

}  // namespace

void appendRecord(std::string& file, std::string_view record) {
    std::string header;
    appendLittleEndian(header, record.size(), kLengthBytes);
    file += header;
    appendLittleEndian(file, maskCrc(crc32c(header)), kChecksumBytes);
    file += record;
    appendLittleEndian(file, maskCrc(crc32c(record)), kChecksumBytes);
}

std::optional<std::string_view> takeRecord(std::string_view& rest) {
    if (rest.empty()) {
        return std::nullopt;
    }
    if (rest.size() < kHeaderBytes) {
        throw Error(ErrorCode::kDataLoss,
                    "record: expected a header of " + std::to_string(kHeaderBytes) + " bytes, got " + std::to_string(rest.size()));
    }
    requireChecksum(rest.substr(0, kLengthBytes), rest.substr(kLengthBytes, kChecksumBytes), "length");
    const std::uint64_t length = littleEndian(rest.substr(0, kLengthBytes));
    const std::size_t left = rest.size() - kHeaderBytes;
    if (left < kChecksumBytes || length > left - kChecksumBytes) {
        throw Error(ErrorCode::kDataLoss,
                    "record: expected " + std::to_string(length) + " bytes and a checksum, got " + std::to_string(left));
    }
    const auto size = static_cast<std::size_t>(length);
    const std::string_view record = rest.substr(kHeaderBytes, size);
    requireChecksum(record, rest.substr(kHeaderBytes + size, kChecksumBytes), "bytes");
    rest.remove_prefix(kHeaderBytes + size + kChecksumBytes);
    return record;
}

}  // namespace engine::exporter
