// The fields of one encoded protobuf message, one after another, without a copy. Only engine/event_files uses it: event files hold tens of
// millions of small messages of a few kinds, of which this reads ten times as many a second as generated code.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace engine::event_files {

static_assert(std::endian::native == std::endian::little, "fixed fields are read as they lie in memory");

// Plain value; its views live as long as the bytes do. Bytes that are no message end it early: isDamaged().
class WireReader {
public:
    explicit WireReader(std::string_view message) : at_(message.data()), end_(message.data() + message.size()) {}

    // Moves to the next field; false behind the last one, and at damage.
    bool next() {
        if (at_ == end_) return false;
        const std::uint64_t key = varint();
        field_ = static_cast<int>(key >> 3);
        type_ = static_cast<int>(key & 7);
        switch (type_) {
            case 0:
                number_ = varint();
                break;
            case 1:
                take(8);
                break;
            case 2:
                take(varint());
                break;
            case 5:
                take(4);
                break;
            default:
                damage();
        }
        return !damaged_;
    }

    bool isDamaged() const { return damaged_; }
    // 0 where the field has another type than the one that is asked for.
    int field() const { return field_; }
    bool isNumber() const { return type_ == 0; }
    std::uint64_t number() const { return type_ == 0 ? number_ : 0; }
    std::string_view bytes() const { return type_ == 2 ? bytes_ : std::string_view(); }
    double fixed64() const { return type_ == 1 ? load<double>(bytes_.data()) : 0; }
    const char* fixedAt() const { return type_ == 5 || type_ == 1 ? bytes_.data() : nullptr; }
    float fixed32() const { return type_ == 5 ? load<float>(bytes_.data()) : 0; }

    template <typename T>
    static T load(const char* from) {
        T value;
        std::memcpy(&value, from, sizeof value);
        return value;
    }

private:
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at_ == end_) break;
            const auto byte = static_cast<unsigned char>(*at_++);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) return value;
        }
        damage();
        return 0;
    }
    void take(std::uint64_t size) {
        if (damaged_ || size > static_cast<std::uint64_t>(end_ - at_)) return damage();
        bytes_ = {at_, static_cast<std::size_t>(size)};
        at_ += size;
    }
    void damage() {
        damaged_ = true;
        at_ = end_;
    }

    const char* at_;
    const char* end_;
    int field_ = 0, type_ = 0;
    bool damaged_ = false;
    std::uint64_t number_ = 0;
    std::string_view bytes_;
};

}  // namespace engine::event_files
