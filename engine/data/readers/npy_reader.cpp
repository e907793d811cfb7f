#include "engine/data/readers/npy_reader.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include "engine/data/mapped_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::int64_t kMaxNpyBytes = std::int64_t{1} << 40;
constexpr std::string_view kMagic{"\x93NUMPY", 6};

[[noreturn]] void damagedNpy(const std::string& source, const std::string& what) {
    throw Error(ErrorCode::kDataLoss, source + ": " + what);
}

// Reads a dictionary of Python literals: texts, True and False, tuples of integers. Nothing else is written into NPY headers.
class HeaderReader {
public:
    HeaderReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

    bool take(char wanted) {
        skipSpace();
        if (at_ < text_.size() && text_[at_] == wanted) {
            ++at_;
            return true;
        }
        return false;
    }
    void expect(char wanted) {
        if (!take(wanted)) {
            fail(std::string("'") + wanted + "'");
        }
    }
    std::string_view string() {
        skipSpace();
        if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) {
            fail("a text in quotes");
        }
        const std::size_t end = text_.find(text_[at_], at_ + 1);
        if (end == std::string_view::npos) {
            fail("a text in quotes");
        }
        const std::string_view found = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return found;
    }
    bool boolean() {
        skipSpace();
        for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}}) {
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        }
        fail("True or False");
    }
    spec::Shape tuple() {
        constexpr std::size_t kMostAxes = 32;  // NumPy's own limit
        spec::Shape sizes;
        expect('(');
        while (!take(')')) {
            skipSpace();
            std::int64_t size = 0;
            const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
            if (error != std::errc() || size < 0 || sizes.size() == kMostAxes) {
                fail("a tuple of at most 32 sizes");
            }
            at_ = static_cast<std::size_t>(end - text_.data());
            take('L');  // of Python 2
            sizes.push_back(size);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return sizes;
    }
    bool atEnd() {
        skipSpace();
        return at_ == text_.size();
    }
    [[noreturn]] void fail(const std::string& expected) const {
        damagedNpy(source_, "is no NPY header: expected " + expected + " at character " + std::to_string(at_));
    }

private:
    void skipSpace() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) {
            ++at_;
        }
    }

    std::string_view text_;
    const std::string& source_;
    std::size_t at_ = 0;
};

struct Header {
    std::string descr;
    bool fortran_order = false;
    spec::Shape shape;
    std::size_t values_at = 0;  // offset in the file
};

Header readHeader(std::span<const std::byte> bytes, const std::string& source) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(kMagic)) {
        damagedNpy(source, "is no NPY file: expected it to begin with the bytes 93 4e 55 4d 50 59 (\\x93NUMPY)");
    }
    const auto byteAt = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i])); };
    const std::size_t major = text.size() > 6 ? byteAt(6) : 0;
    if (major < 1 || major > 3) {
        damagedNpy(source, "expected NPY version 1, 2 or 3, got " + std::to_string(major));
    }
    const std::size_t begin = major == 1 ? 10 : 12;
    std::size_t length = 0;
    for (std::size_t i = 8; i < begin && i < text.size(); ++i) {
        length |= byteAt(i) << (8 * (i - 8));
    }
    if (text.size() < begin || text.size() - begin < length) {
        damagedNpy(source, "truncated: its header has " + std::to_string(length) + " bytes, the file " + std::to_string(text.size()));
    }
    Header header;
    header.values_at = begin + length;
    HeaderReader reader(text.substr(begin, length), source);
    bool has_descr = false, has_order = false, has_shape = false;
    reader.expect('{');
    while (!reader.take('}')) {
        const std::string_view key = reader.string();
        reader.expect(':');
        if (key == "descr") {
            if (reader.take('[')) {
                throw Error(ErrorCode::kUnimplemented, source + ": expected an array of numbers, got one of records (structured type)");
            }
            header.descr = reader.string();
            has_descr = true;
        } else if (key == "fortran_order") {
            header.fortran_order = reader.boolean();
            has_order = true;
        } else if (key == "shape") {
            header.shape = reader.tuple();
            has_shape = true;
        } else {
            reader.fail("descr, fortran_order or shape as key");
        }
        if (!reader.take(',')) {
            reader.expect('}');
            break;
        }
    }
    if (!reader.atEnd() || !has_descr || !has_order || !has_shape) {
        reader.fail("a dictionary of descr, fortran_order and shape");
    }
    return header;
}

float halfToFloat(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000U} << 16U;
    const std::uint32_t exponent = half >> 10U & 31U;
    const std::uint32_t fraction = half & 0x3FFU;
    if (exponent == 0) {
        const float small = static_cast<float>(fraction) * 0x1p-24F;
        return sign != 0 ? -small : small;
    }
    const std::uint32_t wide = exponent == 31 ? 0x7F800000U : (exponent + 112U) << 23U;
    return std::bit_cast<float>(sign | wide | fraction << 13U);
}

struct Half {
    std::uint16_t bits;
};

template <typename Stored>
Stored loadStored(const std::byte* from, bool swap) {
    std::array<std::byte, sizeof(Stored)> bytes;
    for (std::size_t b = 0; b < sizeof(Stored); ++b) {
        bytes[b] = from[swap ? sizeof(Stored) - 1 - b : b];
    }
    return std::bit_cast<Stored>(bytes);
}

using Convert = void (*)(const std::byte* from, bool swap, std::byte* to, const std::string& source);

template <typename Stored>
void convertOne(const std::byte* from, bool swap, std::byte* to, const std::string& source) {
    const auto stored = loadStored<Stored>(from, swap);
    if constexpr (std::is_same_v<Stored, Half>) {
        const float value = halfToFloat(stored.bits);
        std::memcpy(to, &value, sizeof(value));
    } else if constexpr (std::is_floating_point_v<Stored>) {
        const auto value = static_cast<float>(stored);
        std::memcpy(to, &value, sizeof(value));
    } else if constexpr (std::is_same_v<Stored, std::uint8_t>) {
        *to = std::byte{stored};
    } else {
        if (!std::in_range<std::int32_t>(stored)) {
            throw Error(ErrorCode::kOutOfRange,
                        source + ": expected integers from -2147483648 to 2147483647, got " + std::to_string(stored));
        }
        const auto value = static_cast<std::int32_t>(stored);
        std::memcpy(to, &value, sizeof(value));
    }
}

struct ElementType {
    std::string_view kind;  // without the byte order
    std::size_t bytes;
    tensor::DType dtype;
    Convert convert;
};

constexpr std::array kElementTypes{
    ElementType{"b1", 1, tensor::DType::kUInt8, &convertOne<std::uint8_t>},
    ElementType{"u1", 1, tensor::DType::kUInt8, &convertOne<std::uint8_t>},
    ElementType{"i1", 1, tensor::DType::kInt32, &convertOne<std::int8_t>},
    ElementType{"i2", 2, tensor::DType::kInt32, &convertOne<std::int16_t>},
    ElementType{"u2", 2, tensor::DType::kInt32, &convertOne<std::uint16_t>},
    ElementType{"i4", 4, tensor::DType::kInt32, &convertOne<std::int32_t>},
    ElementType{"u4", 4, tensor::DType::kInt32, &convertOne<std::uint32_t>},
    ElementType{"i8", 8, tensor::DType::kInt32, &convertOne<std::int64_t>},
    ElementType{"u8", 8, tensor::DType::kInt32, &convertOne<std::uint64_t>},
    ElementType{"f2", 2, tensor::DType::kFloat32, &convertOne<Half>},
    ElementType{"f4", 4, tensor::DType::kFloat32, &convertOne<float>},
    ElementType{"f8", 8, tensor::DType::kFloat32, &convertOne<double>},
};

const ElementType& elementType(const std::string& descr, const std::string& source) {
    const std::string_view kind = std::string_view(descr).substr(descr.find_first_of("<>|=") == 0 ? 1 : 0);
    for (const ElementType& type : kElementTypes) {
        if (type.kind == kind) {
            return type;
        }
    }
    if (kind == "O" || kind == "O8") {
        throw Error(ErrorCode::kUnimplemented,
                    source +
                        ": holds pickled Python objects, which are refused because reading them runs foreign code; save a plain array, "
                        "such as one padded to a common length");
    }
    throw Error(ErrorCode::kUnimplemented, source + ": expected bool, integers or floating point numbers, got the type \"" + descr + "\"");
}

// Each next() gives the place of the element that comes next in C order.
class FortranOrder {
public:
    explicit FortranOrder(const spec::Shape& shape) : shape_(shape), at_(shape.size(), 0) {}
    std::size_t next() {
        std::int64_t offset = 0, stride = 1;
        for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
            offset += at_[axis] * stride;
            stride *= shape_[axis];
        }
        for (std::size_t axis = shape_.size(); axis-- > 0;) {
            if (++at_[axis] < shape_[axis]) {
                break;
            }
            at_[axis] = 0;
        }
        return static_cast<std::size_t>(offset);
    }

private:
    const spec::Shape& shape_;
    spec::Shape at_;
};

std::int64_t checkedElements(const Header& header, std::size_t element_bytes, std::size_t stored, const std::string& source) {
    auto bytes = static_cast<std::int64_t>(element_bytes);
    for (const std::int64_t size : header.shape) {
        if (size != 0 && bytes > kMaxNpyBytes / size) {
            damagedNpy(source, "its header asks for more than 1024 GiB");
        }
        bytes *= size;
    }
    if (static_cast<std::size_t>(bytes) != stored) {
        damagedNpy(source, (static_cast<std::size_t>(bytes) > stored ? "truncated: expected " : "longer than its header says: expected ") +
                               std::to_string(bytes) + " bytes of values, got " + std::to_string(stored));
    }
    return bytes / static_cast<std::int64_t>(element_bytes);
}

Array readArray(std::span<const std::byte> bytes, const std::string& source, const std::shared_ptr<const void>& owner) {
    Header header = readHeader(bytes, source);
    const ElementType& type = elementType(header.descr, source);
    const std::span<const std::byte> stored = bytes.subspan(header.values_at);
    const auto elements = static_cast<std::size_t>(checkedElements(header, type.bytes, stored.size(), source));
    const bool swap = header.descr[0] == '>' && type.bytes > 1;
    const bool is_reordered = header.fortran_order && header.shape.size() > 1;
    Array array;
    array.source = source;
    array.dtype = type.dtype;
    const std::size_t each = tensor::sizeOf(type.dtype);
    const bool as_stored = !swap && !is_reordered && type.bytes == each && type.kind != "u4";
    if (as_stored && owner != nullptr && header.values_at % each == 0) {
        array.values = ByteBuffer(owner, stored);
    } else {
        array.values = ByteBuffer(elements * each);
        FortranOrder order(header.shape);
        if (as_stored) {
            std::memcpy(array.values.data(), stored.data(), stored.size());
        }
        for (std::size_t i = 0; !as_stored && i < elements; ++i) {
            const std::size_t from = is_reordered ? order.next() : i;
            type.convert(stored.data() + from * type.bytes, swap, array.values.data() + i * each, source);
        }
    }
    array.shape = std::move(header.shape);
    return array;
}

}  // namespace

Array parseNpy(std::span<const std::byte> bytes, const std::string& source) {
    return readArray(bytes, source, nullptr);
}

spec::Shape npyShape(const std::filesystem::path& file) {
    return readHeader(MappedFile(file).bytes(), file.string()).shape;
}

Array readNpy(const std::filesystem::path& file) {
    const MappedFile mapped(file);
    return readArray(mapped.bytes(), file.string(), mapped.owner());
}

}  // namespace engine::data
