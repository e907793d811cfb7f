#include "engine/data/readers/idx_reader.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>

#include <zlib.h>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 30;  // gzread takes an unsigned int
constexpr std::int64_t kMaxIdxBytes = std::int64_t{1} << 38;

[[noreturn]] void damagedIdx(const std::filesystem::path& file, const std::string& what) {
    throw Error(ErrorCode::kDataLoss, file.string() + ": " + what);
}

std::string hexByte(unsigned value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    return {'0', 'x', kDigits[value >> 4U & 15U], kDigits[value & 15U]};
}

// A plain or gzip file, read in order.
class PackedFile {
public:
    explicit PackedFile(const std::filesystem::path& file) : name_(file), handle_(nullptr, &gzclose) {
        files::RegularFile opened(file);
        handle_.reset(gzdopen(opened.descriptor(), "rb"));
        if (handle_ == nullptr) {
            throw Error(ErrorCode::kResourceExhausted, file.string() + ": cannot be opened: not enough memory");
        }
        opened.release();  // gzclose() closes it
        gzbuffer(handle_.get(), 256 * 1024);
    }

    // Bytes read; fewer than `size` only at the end.
    std::size_t read(std::byte* into, std::size_t size) {
        std::size_t done = 0;
        while (done < size) {
            const auto chunk = static_cast<unsigned>(std::min(size - done, kMaxChunkBytes));
            const int got = gzread(handle_.get(), into + done, chunk);
            if (got < 0) {
                fail();
            }
            if (got == 0) {
                break;
            }
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

    // A gzip stream that ends too early reads short without an error: this tells it from a whole one.
    bool cutShort() const {
        int code = Z_OK;
        gzerror(handle_.get(), &code);
        return code == Z_BUF_ERROR;
    }

private:
    [[noreturn]] void fail() {
        int code = Z_OK;
        const char* text = gzerror(handle_.get(), &code);
        if (code == Z_ERRNO) {
            throw Error(ErrorCode::kInternal, name_.string() + ": cannot be read: " + std::strerror(errno));
        }
        damagedIdx(name_, std::string("broken gzip data (") + text + ")");
    }

    std::filesystem::path name_;
    std::unique_ptr<gzFile_s, int (*)(gzFile)> handle_;
};

std::uint32_t bigEndian32(const std::byte* bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
        value = value << 8U | std::to_integer<std::uint32_t>(bytes[i]);
    }
    return value;
}

template <typename Stored, typename Target>
ByteBuffer convert(const ByteBuffer& stored) {
    using Bits = std::conditional_t<
        sizeof(Stored) == 1, std::uint8_t,
        std::conditional_t<sizeof(Stored) == 2, std::uint16_t, std::conditional_t<sizeof(Stored) == 4, std::uint32_t, std::uint64_t>>>;
    const std::size_t count = stored.size() / sizeof(Stored);
    ByteBuffer result(count * sizeof(Target));
    for (std::size_t i = 0; i < count; ++i) {
        Bits bits = 0;
        for (std::size_t b = 0; b < sizeof(Stored); ++b) {
            bits = static_cast<Bits>(static_cast<std::uint64_t>(bits) << 8U |
                                     std::to_integer<std::uint64_t>(stored.data()[i * sizeof(Stored) + b]));
        }
        const auto value = static_cast<Target>(std::bit_cast<Stored>(bits));
        std::memcpy(result.data() + i * sizeof(Target), &value, sizeof(Target));
    }
    return result;
}

struct ElementType {
    unsigned code;
    std::int64_t bytes;
    tensor::DType dtype;
    ByteBuffer (*convert)(const ByteBuffer&);  // null: as stored
};

constexpr std::array kElementTypes{
    ElementType{0x08, 1, tensor::DType::kUInt8, nullptr},
    ElementType{0x09, 1, tensor::DType::kInt32, &convert<std::int8_t, std::int32_t>},
    ElementType{0x0B, 2, tensor::DType::kInt32, &convert<std::int16_t, std::int32_t>},
    ElementType{0x0C, 4, tensor::DType::kInt32, &convert<std::int32_t, std::int32_t>},
    ElementType{0x0D, 4, tensor::DType::kFloat32, &convert<float, float>},
    ElementType{0x0E, 8, tensor::DType::kFloat32, &convert<double, float>},
};

struct Header {
    const ElementType* type = nullptr;
    spec::Shape shape;
    std::int64_t bytes = 0;  // of the values
};

Header readHeader(PackedFile& input, const std::filesystem::path& file) {
    std::array<std::byte, 4> magic{};
    const std::size_t got = input.read(magic.data(), magic.size());
    if (got < magic.size()) {
        damagedIdx(file, "truncated: expected an IDX header of 4 bytes, got " + std::to_string(got));
    }
    if (magic[0] != std::byte{0} || magic[1] != std::byte{0}) {
        damagedIdx(file, "is no IDX file: expected it to begin with the bytes 00 00, got " + hexByte(std::to_integer<unsigned>(magic[0])) +
                             " " + hexByte(std::to_integer<unsigned>(magic[1])));
    }
    Header header;
    for (const ElementType& type : kElementTypes) {
        if (type.code == std::to_integer<unsigned>(magic[2])) {
            header.type = &type;
        }
    }
    if (header.type == nullptr) {
        damagedIdx(file, "unknown IDX element type " + hexByte(std::to_integer<unsigned>(magic[2])) +
                             ", expected 0x08, 0x09, 0x0b, 0x0c, 0x0d or 0x0e");
    }
    const auto dimensions = std::to_integer<std::size_t>(magic[3]);
    if (dimensions == 0) {
        damagedIdx(file, "expected at least one dimension, got none");
    }
    header.bytes = header.type->bytes;
    for (std::size_t d = 0; d < dimensions; ++d) {
        std::array<std::byte, 4> size{};
        if (input.read(size.data(), size.size()) < size.size()) {
            damagedIdx(file, "truncated: expected " + std::to_string(dimensions) + " sizes in the header, got " + std::to_string(d));
        }
        header.shape.push_back(bigEndian32(size.data()));
        if (header.shape.back() != 0 && header.bytes > kMaxIdxBytes / header.shape.back()) {
            damagedIdx(file, "its header asks for more than " + std::to_string(kMaxIdxBytes >> 30) + " GiB");
        }
        header.bytes *= header.shape.back();
    }
    return header;
}

// The values. A header that promises more than the file holds must not allocate that much at once: memory grows with what really comes.
ByteBuffer readValues(PackedFile& input, const Header& header, const std::filesystem::path& file) {
    const auto expected = static_cast<std::size_t>(header.bytes);
    std::error_code ignored;
    const auto stored = static_cast<std::size_t>(std::filesystem::file_size(file, ignored));
    constexpr std::size_t kMostPacked = 1032;  // deflate cannot shrink further
    if (expected / kMostPacked > stored) {
        damagedIdx(file, "truncated: expected " + std::to_string(expected) + " bytes of values, which a file of " + std::to_string(stored) +
                             " bytes cannot hold");
    }
    ByteBuffer values(expected);
    const std::size_t got = input.read(values.data(), expected);
    if (got < expected || input.cutShort()) {
        damagedIdx(file, "truncated: expected " + std::to_string(expected) + " bytes of values, got " + std::to_string(got));
    }
    std::byte beyond{};
    if (input.read(&beyond, 1) != 0) {
        damagedIdx(file, "longer than its header says: expected " + std::to_string(expected) + " bytes of values");
    }
    return values;
}

ByteBuffer intsToFloats(const ByteBuffer& ints) {
    const std::size_t count = ints.size() / 4;
    ByteBuffer floats(count * 4);
    for (std::size_t i = 0; i < count; ++i) {
        std::int32_t value = 0;
        std::memcpy(&value, ints.data() + i * 4, 4);
        const auto number = static_cast<float>(value);
        std::memcpy(floats.data() + i * 4, &number, 4);
    }
    return floats;
}

}  // namespace

IdxArray readIdx(const std::filesystem::path& file) {
    PackedFile input(file);
    const Header header = readHeader(input, file);
    ByteBuffer values = readValues(input, header, file);
    IdxArray array;
    array.shape = header.shape;
    array.dtype = header.type->dtype;
    array.values = header.type->convert == nullptr ? std::move(values) : header.type->convert(values);
    return array;
}

spec::Shape idxShape(const std::filesystem::path& file) {
    PackedFile input(file);
    return readHeader(input, file).shape;
}

Samples readIdxPair(const std::filesystem::path& images, const std::filesystem::path& labels) {
    IdxArray label_array = readIdx(labels);
    if (label_array.shape.size() != 1) {
        throw Error(ErrorCode::kInvalidArgument, labels.string() + ": expected labels of shape (n,), got " + toString(label_array.shape));
    }
    if (label_array.dtype == tensor::DType::kFloat32) {
        throw Error(ErrorCode::kInvalidArgument, labels.string() + ": expected integer labels, got floating point numbers");
    }
    IdxArray image_array = readIdx(images);
    if (image_array.shape.size() < 2) {
        throw Error(ErrorCode::kInvalidArgument,
                    images.string() + ": expected images of shape (n, rows, columns), got " + toString(image_array.shape));
    }
    if (image_array.shape[0] != label_array.shape[0]) {
        throw Error(ErrorCode::kInvalidArgument, images.string() + " has " + std::to_string(image_array.shape[0]) + " images, but " +
                                                     labels.string() + " has " + std::to_string(label_array.shape[0]) +
                                                     " labels; expected as many");
    }
    if (image_array.shape[0] > std::numeric_limits<std::uint32_t>::max() - 1 || image_array.shape[0] == 0) {
        throw Error(ErrorCode::kInvalidArgument,
                    images.string() + ": expected between 1 and 4294967294 images, got " + std::to_string(image_array.shape[0]));
    }
    Samples samples;
    samples.source = images.string();
    samples.label_source = labels.string();
    samples.count = image_array.shape[0];
    samples.sample_shape.assign(image_array.shape.begin() + 1, image_array.shape.end());
    if (image_array.dtype == tensor::DType::kInt32) {
        image_array.values = intsToFloats(image_array.values);
        image_array.dtype = tensor::DType::kFloat32;
    }
    samples.sample_dtype = image_array.dtype;
    samples.samples = std::move(image_array.values);
    samples.label_dtype = label_array.dtype;
    samples.labels = std::move(label_array.values);
    return samples;
}

}  // namespace engine::data
