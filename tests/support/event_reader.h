// Reads TensorBoard's event files back, from the wire format alone: what the writer's own messages cannot confirm.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/export/record_framing.h"

namespace tests::support {

// A protobuf message by field number: the bytes of each occurrence (numbers as 8 little-endian bytes).
using Wire = std::map<int, std::vector<std::string>>;

inline std::uint64_t takeVarint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (int shift = 0; !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if (byte < 0x80U) {
            return value;
        }
    }
    throw std::runtime_error("a varint that ends too early");
}

inline Wire parseWire(std::string_view bytes) {
    Wire fields;
    while (!bytes.empty()) {
        const std::uint64_t key = takeVarint(bytes);
        std::size_t size = 0;
        std::string value;
        switch (key & 7U) {
            case 0: {
                const std::uint64_t number = takeVarint(bytes);
                value.assign(reinterpret_cast<const char*>(&number), sizeof number);
                break;
            }
            case 1:
                size = 8;
                break;
            case 2:
                size = takeVarint(bytes);
                break;
            case 5:
                size = 4;
                break;
            default:
                throw std::runtime_error("an unknown wire type");
        }
        if (size > 0) {
            value = std::string(bytes.substr(0, size));
            bytes.remove_prefix(size);
        }
        fields[static_cast<int>(key >> 3U)].push_back(value);
    }
    return fields;
}

inline std::string text(const Wire& wire, int field) {
    const auto found = wire.find(field);
    return found == wire.end() ? "" : found->second.front();
}

inline std::int64_t number(const Wire& wire, int field) {
    const std::string bytes = text(wire, field);
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

struct LoggedValue {
    std::string tag;
    std::int64_t step = 0;
    std::string plugin;
    std::string content;               // of the tensor
    std::vector<std::string> strings;  // of the tensor
    std::vector<std::int64_t> shape;
    float scalar() const {
        float value = 0;
        std::memcpy(&value, content.data(), sizeof value);
        return value;
    }
    std::vector<double> doubles() const {
        std::vector<double> values(content.size() / sizeof(double));
        std::memcpy(values.data(), content.data(), values.size() * sizeof(double));
        return values;
    }
};

struct EventLog {
    std::string version;
    bool starts_anew = false;
    std::vector<LoggedValue> values;

    const LoggedValue* find(const std::string& tag, std::int64_t step) const {
        for (const LoggedValue& value : values) {
            if (value.tag == tag && value.step == step) {
                return &value;
            }
        }
        return nullptr;
    }
    std::vector<std::int64_t> steps(const std::string& tag) const {
        std::vector<std::int64_t> found;
        for (const LoggedValue& value : values) {
            if (value.tag == tag) {
                found.push_back(value.step);
            }
        }
        return found;
    }
};

// Throws engine::Error for a record whose checksums do not fit.
inline EventLog readEventFile(const std::filesystem::path& file) {
    std::ostringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    const std::string bytes = all.str();
    std::string_view rest = bytes;
    EventLog log;
    while (const auto record = engine::exporter::takeRecord(rest)) {
        const Wire event = parseWire(*record);
        if (event.contains(3)) {
            log.version = text(event, 3);
        }
        log.starts_anew = log.starts_anew || event.contains(7);
        if (!event.contains(5)) {
            continue;
        }
        const Wire summary = parseWire(text(event, 5));
        for (const std::string& entry : summary.at(1)) {
            const Wire value = parseWire(entry);
            const Wire tensor = parseWire(text(value, 8));
            LoggedValue logged{text(value, 1),
                               number(event, 2),
                               text(parseWire(text(parseWire(text(value, 9)), 1)), 1),
                               text(tensor, 4),
                               tensor.contains(8) ? tensor.at(8) : std::vector<std::string>(),
                               {}};
            const Wire shape = parseWire(text(tensor, 2));
            if (shape.contains(2)) {
                for (const std::string& dimension : shape.at(2)) {
                    logged.shape.push_back(number(parseWire(dimension), 1));
                }
            }
            log.values.push_back(std::move(logged));
        }
    }
    return log;
}

// The only event file of a folder.
inline EventLog readEventFolder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    if (files.size() != 1) {
        throw std::runtime_error(folder.string() + ": expected one event file, got " + std::to_string(files.size()));
    }
    return readEventFile(files.front());
}

}  // namespace tests::support
