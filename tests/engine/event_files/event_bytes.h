// Bytes of event files, made by hand: field by field, as TensorFlow, Keras and PyTorch write them.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checksum/crc32c.h"

namespace tests::event_files {

inline std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

template <typename T>
std::string plainBytes(T value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

// A field of a message: a number, fixed bytes, or another message or text.
inline std::string number(int field, std::uint64_t value) {
    return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
inline std::string fixed(int field, double value) {
    return varint(static_cast<std::uint64_t>(field) << 3 | 1) + plainBytes(value);
}
inline std::string fixed(int field, float value) {
    return varint(static_cast<std::uint64_t>(field) << 3 | 5) + plainBytes(value);
}
inline std::string part(int field, std::string_view bytes) {
    return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

inline std::string record(std::string_view message) {
    const auto crc = [](std::string_view bytes) { return plainBytes(engine::checksum::maskCrc(engine::checksum::crc32c(bytes))); };
    const std::string length = plainBytes<std::uint64_t>(message.size());
    return length + crc(length) + std::string(message) + crc(message);
}

inline std::string event(std::int64_t step, double wall_time, std::string_view what) {
    return fixed(1, wall_time) + (step != 0 ? number(2, static_cast<std::uint64_t>(step)) : std::string()) + std::string(what);
}
inline std::string version() {
    return event(0, 1000, part(3, "brain.Event:2"));
}
inline std::string sessionStart(std::int64_t step, double wall_time) {
    return event(step, wall_time, part(7, number(1, 1)));
}
inline std::string metadata(std::string_view plugin, std::string_view content = {}) {
    return part(9, part(1, part(1, plugin) + (content.empty() ? std::string() : part(2, content))));
}
inline std::string summary(std::string_view value) {
    return part(5, part(1, value));
}

// PyTorch and TensorFlow 1.
inline std::string simple(std::string_view tag, std::int64_t step, float value, double wall_time = 1000) {
    return event(step, wall_time, summary(part(1, tag) + fixed(2, value)));
}
// tf.summary of TensorFlow 2.
inline std::string scalar(std::string_view tag, std::int64_t step, float value, double wall_time = 1000) {
    const std::string tensor = number(1, 1) + part(2, "") + part(4, plainBytes(value));
    return event(step, wall_time, summary(part(1, tag) + part(8, tensor) + metadata("scalars")));
}
inline std::string text(std::string_view tag, std::int64_t step, std::string_view value) {
    const std::string tensor = number(1, 7) + part(2, part(2, number(1, 1))) + part(8, value);
    return event(step, 1000, summary(part(1, tag) + part(8, tensor) + metadata("text")));
}

struct Row {
    double left, right, count;
};
inline std::string histogram(std::string_view tag, std::int64_t step, const std::vector<Row>& rows) {
    std::string content;
    for (const Row& row : rows) content += plainBytes(row.left) + plainBytes(row.right) + plainBytes(row.count);
    const std::string shape = part(2, number(1, rows.size())) + part(2, number(1, 3));
    return event(step, 1000, summary(part(1, tag) + part(8, number(1, 2) + part(2, shape) + part(4, content)) + metadata("histograms")));
}
// HistogramProto of TensorFlow 1 and PyTorch: right edges.
inline std::string oldHistogram(std::string_view tag, std::int64_t step, double minimum, double maximum, double sum, double squares,
                                const std::vector<double>& limits, const std::vector<double>& counts) {
    std::string right, numbers;
    for (const double limit : limits) right += plainBytes(limit);
    for (const double count : counts) numbers += plainBytes(count);
    const std::string proto =
        fixed(1, minimum) + fixed(2, maximum) + fixed(3, 4.0) + fixed(4, sum) + fixed(5, squares) + part(6, right) + part(7, numbers);
    return event(step, 1000, summary(part(1, tag) + part(5, proto)));
}

inline void append(const std::filesystem::path& file, std::string_view bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary | std::ios::app) << bytes;
}

}  // namespace tests::event_files
