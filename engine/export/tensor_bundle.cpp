#include "engine/export/tensor_bundle.h"

#include <unistd.h>
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <limits>
#include <set>

#include "engine/export/atomic_file.h"
#include "engine/export/crc32c.h"
#include "engine/export/leveldb_table.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"
#include "tensor_bundle.pb.h"

namespace engine::exporter {

namespace formats = ::tandem::formats;
namespace {

static_assert(std::endian::native == std::endian::little, "tensor bytes are written as they lie in memory");

std::string shardSuffix(int shard, int shards) {
    char suffix[40];
    std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", shard, shards);
    return suffix;
}

std::string shardName(const std::filesystem::path& prefix, int shard, int shards) {
    return prefix.string() + shardSuffix(shard, shards);
}

void appendVarint(std::string& out, std::uint64_t value) {
    while (value > 127) {
        out.push_back(static_cast<char>((value & 127) | 128));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

std::size_t elementBytes(BundleType type) {
    switch (type) {
        case BundleType::kFloat:
        case BundleType::kInt32:
            return 4;
        case BundleType::kDouble:
        case BundleType::kInt64:
            return 8;
        case BundleType::kBool:
            return 1;
        case BundleType::kBFloat16:
        case BundleType::kHalf:
            return 2;
        case BundleType::kString:
            return 0;
    }
    return 0;
}

// Elements of a shape, or -1 when a size is negative or the product too large to be a tensor.
std::int64_t elementCount(const spec::Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 0 || (size > 0 && count > std::numeric_limits<std::int64_t>::max() / 8 / size)) {
            return -1;
        }
        count *= size;
    }
    return count;
}

float halfToFloat(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    const std::uint32_t exponent = (half >> 10) & 31;
    const std::uint32_t fraction = half & 1023;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t bits = exponent == 31 ? 0x7F800000U | (fraction << 13) : ((exponent + 112) << 23) | (fraction << 13);
    return std::bit_cast<float>(sign | bits);
}

// A signed number in the order-preserving form that slice keys use: the first byte's leading ones give the length.
void appendOrderedSigned(std::string& out, std::int64_t value) {
    int bytes = 1;
    while (bytes < 8 && value >= (std::int64_t{1} << (7 * bytes - 1))) {
        ++bytes;
    }
    const std::uint64_t marked = static_cast<std::uint64_t>(value) | (((std::uint64_t{1} << bytes) - 1) << (7 * bytes));
    for (int k = bytes - 1; k >= 0; --k) {
        out.push_back(static_cast<char>((marked >> (8 * k)) & 255));
    }
}

std::string sliceKey(const std::string& name, const formats::TensorSlice& slice) {
    std::string key(1, '\0');
    for (const char byte : name) {
        key.push_back(byte);
        if (byte == '\0') {
            key.push_back('\xff');
        } else if (byte == '\xff') {
            key.push_back('\0');
        }
    }
    key.push_back('\0');
    key.push_back('\1');
    key.push_back('\1');  // the rank's length in bytes
    key.push_back(static_cast<char>(slice.extent_size()));
    for (const auto& extent : slice.extent()) {
        appendOrderedSigned(key, extent.start());
        appendOrderedSigned(key, extent.length());
    }
    return key;
}

}  // namespace

std::string_view toString(BundleType type) {
    switch (type) {
        case BundleType::kFloat:
            return "float32";
        case BundleType::kDouble:
            return "float64";
        case BundleType::kInt32:
            return "int32";
        case BundleType::kString:
            return "string";
        case BundleType::kInt64:
            return "int64";
        case BundleType::kBool:
            return "bool";
        case BundleType::kBFloat16:
            return "bfloat16";
        case BundleType::kHalf:
            return "float16";
    }
    return "unknown";
}

BundleWriter::BundleWriter() {
    formats::BundleHeader header;
    header.set_num_shards(1);
    header.mutable_version()->set_producer(1);
    index_.emplace("", header.SerializeAsString());
}

BundleWriter::~BundleWriter() = default;

void BundleWriter::addEntry(const std::string& name, BundleType type, const spec::Shape& shape, std::string_view stored,
                            std::uint32_t crc) {
    formats::BundleEntryProto entry;
    entry.set_dtype(static_cast<int>(type));
    auto* dims = entry.mutable_shape();
    for (const std::int64_t size : shape) {
        dims->add_dim()->set_size(size);
    }
    entry.set_offset(static_cast<std::int64_t>(data_.size()));
    entry.set_size(static_cast<std::int64_t>(stored.size()));
    entry.set_crc32c(maskCrc(crc));
    const bool added = index_.emplace(name, entry.SerializeAsString()).second;
    ENGINE_CHECK(added);
    data_.append(stored);
}

void BundleWriter::add(const std::string& name, BundleType type, const spec::Shape& shape, std::string_view bytes) {
    ENGINE_CHECK(static_cast<std::int64_t>(bytes.size()) == elementCount(shape) * static_cast<std::int64_t>(elementBytes(type)));
    addEntry(name, type, shape, bytes, crc32c(bytes));
}

void BundleWriter::addScalar(const std::string& name, std::int64_t value) {
    add(name, BundleType::kInt64, {}, std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
}

void BundleWriter::addScalar(const std::string& name, float value) {
    add(name, BundleType::kFloat, {}, std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
}

void BundleWriter::addString(const std::string& name, std::string_view value) {
    const auto length = static_cast<std::uint32_t>(value.size());
    const std::string_view lengths(reinterpret_cast<const char*>(&length), sizeof length);
    const std::uint32_t lengths_crc = maskCrc(crc32c(lengths));
    const std::string_view check(reinterpret_cast<const char*>(&lengths_crc), sizeof lengths_crc);
    std::string stored;
    appendVarint(stored, value.size());
    stored.append(check).append(value);
    addEntry(name, BundleType::kString, {}, stored, crc32c(value, crc32c(check, crc32c(lengths))));
}

std::int64_t BundleWriter::write(const files::Place& prefix) {
    const std::string table = buildTable(index_);
    const files::Place data = prefix + shardSuffix(0, 1), index = prefix + ".index";
    const bool is_new = !index.exists();
    try {
        writeTwoFiles(data, data_, index, table);
    } catch (const Error&) {
        if (is_new && data.exists()) {  // nobody can read data without an index
            const files::Place::Holder at = data.holder();
            at.folder.remove(at.name);
        }
        throw;
    }
    return static_cast<std::int64_t>(data_.size() + table.size());
}

namespace {

constexpr std::size_t kLengthsChecksumBytes = 4;

std::string hexText(std::uint32_t number) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", number);
    return text;
}

// The key of a slice begins with a zero byte and has more of them.
std::string printable(std::string key) {
    std::erase_if(key, [](char byte) { return static_cast<unsigned char>(byte) < ' '; });
    return key;
}

// The front of a string tensor.
struct StringLengths {
    std::uint32_t crc = 0;  // of the lengths in their fixed width
    std::size_t end = 0;    // behind them

    std::uint32_t crcWith(std::string_view stored) const { return crc32c(stored.substr(end), crc); }
};

}  // namespace

struct BundleReader::State {
    std::filesystem::path prefix;
    int shards = 1;
    std::map<std::string, formats::BundleEntryProto> protos;  // slices of partitioned tensors included
    std::map<std::string, Entry> entries;

    mutable std::set<std::string> verified;  // of protos: their bytes had the right checksum

    [[noreturn]] void damaged(const std::string& what) const {
        throw Error(ErrorCode::kDataLoss, "checkpoint " + prefix.string() + ": " + what);
    }
    void requireChecksum(const std::string& key, const std::string& what, std::uint32_t crc) const {
        const std::uint32_t expected = proto(key).crc32c(), got = maskCrc(crc);
        if (got != expected) {
            damaged(what + ": expected the checksum " + hexText(expected) + ", got " + hexText(got));
        }
        verified.insert(key);
    }
    const formats::BundleEntryProto& proto(const std::string& name) const {
        const auto found = protos.find(name);
        if (found == protos.end()) {
            throw Error(ErrorCode::kNotFound, "checkpoint " + prefix.string() + ": no tensor \"" + name + "\"");
        }
        return found->second;
    }
    // The bytes of all data files together: the slices of a tensor lie side by side in them.
    std::uint64_t dataBytes() const {
        std::uint64_t sum = 0;
        for (int shard = 0; shard < shards; ++shard) {
            std::error_code missing;
            const auto bytes = std::filesystem::file_size(shardName(prefix, shard, shards), missing);
            sum += missing ? 0 : bytes;
        }
        return sum;
    }
    std::unique_ptr<const files::RegularFile> openShard(const std::string& file) const;
    std::string stored(const std::string& name, const formats::BundleEntryProto& entry) const;
    StringLengths stringLengths(const std::string& key, std::string_view stored) const;
    std::string assemble(const std::string& name, const formats::BundleEntryProto& entry) const;
};

std::unique_ptr<const files::RegularFile> BundleReader::State::openShard(const std::string& file) const {
    try {
        return std::make_unique<const files::RegularFile>(file);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::kNotFound) {
            throw Error(ErrorCode::kNotFound, "checkpoint " + prefix.string() + ": its data file " + file + " is missing");
        }
        throw Error(error.code(), "checkpoint " + prefix.string() + ": " + error.what());
    }
}

// The entry's bytes in the data file, without a look at the checksum.
std::string BundleReader::State::stored(const std::string& name, const formats::BundleEntryProto& entry) const {
    const std::string file = shardName(prefix, entry.shard_id(), shards);
    const std::unique_ptr<const files::RegularFile> opened = openShard(file);
    const std::uint64_t file_bytes = opened->size();
    if (entry.offset() < 0 || entry.size() < 0 || static_cast<std::uint64_t>(entry.offset()) > file_bytes ||
        static_cast<std::uint64_t>(entry.size()) > file_bytes - static_cast<std::uint64_t>(entry.offset())) {
        damaged("tensor \"" + name + "\" lies at byte " + std::to_string(entry.offset()) + " and has " + std::to_string(entry.size()) +
                ", the data file has " + std::to_string(file_bytes));
    }
    std::string bytes(static_cast<std::size_t>(entry.size()), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got =
            ::pread(opened->descriptor(), bytes.data() + done, bytes.size() - done, entry.offset() + static_cast<std::int64_t>(done));
        if (got <= 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    if (done < bytes.size()) {
        damaged("could not read " + file);
    }
    return bytes;
}

// Requires that the strings behind the lengths are all there.
StringLengths BundleReader::State::stringLengths(const std::string& key, std::string_view stored) const {
    const formats::BundleEntryProto& entry = proto(key);
    StringLengths found;
    std::uint64_t strings = 1;
    for (const auto& dim : entry.shape().dim()) {
        // Each length takes a byte at least.
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(dim.size(), 0));
        strings = size > stored.size() || strings > stored.size() ? stored.size() + 1 : strings * size;
    }
    std::uint64_t bytes = 0;
    for (std::uint64_t i = 0; i < strings && found.end < stored.size(); ++i) {
        std::uint64_t length = 0;
        for (int shift = 0; found.end < stored.size() && shift < 63; shift += 7) {
            const auto byte = static_cast<unsigned char>(stored[found.end++]);
            length |= static_cast<std::uint64_t>(byte & 127) << shift;
            if (byte < 128) {
                break;
            }
        }
        const std::size_t width = length > std::numeric_limits<std::uint32_t>::max() ? sizeof length : sizeof(std::uint32_t);
        found.crc = crc32c(std::string_view(reinterpret_cast<const char*>(&length), width), found.crc);
        bytes = length > stored.size() ? stored.size() + 1 : std::min<std::uint64_t>(bytes + length, stored.size() + 1);
    }
    if (stored.size() - found.end < kLengthsChecksumBytes || bytes != stored.size() - found.end - kLengthsChecksumBytes) {
        damaged("the string \"" + printable(key) + "\" has another length than its entry");
    }
    return found;
}

// Puts a partitioned tensor together from its slices.
std::string BundleReader::State::assemble(const std::string& name, const formats::BundleEntryProto& entry) const {
    const Entry& whole = entries.at(name);
    const std::size_t element = elementBytes(whole.type);
    const std::int64_t count = elementCount(whole.shape);
    if (count < 0 || element == 0) {
        damaged("tensor \"" + name + "\" has an impossible shape");
    }
    const auto needed = static_cast<std::uint64_t>(count) * element;
    if (needed > dataBytes()) {
        damaged("tensor \"" + name + "\" needs " + std::to_string(needed) + " bytes, its files have " + std::to_string(dataBytes()));
    }
    std::string bytes(static_cast<std::size_t>(count) * element, '\0');
    std::int64_t covered = 0;
    for (const formats::TensorSlice& slice : entry.slices()) {
        const std::size_t rank = whole.shape.size();
        if (static_cast<std::size_t>(slice.extent_size()) != rank) {
            damaged("a slice of \"" + name + "\" has another rank");
        }
        spec::Shape start(rank), length(rank);
        std::int64_t elements = 1;
        for (std::size_t d = 0; d < rank; ++d) {
            const auto& extent = slice.extent(static_cast<int>(d));
            start[d] = extent.start();
            length[d] = extent.has_length_case() == formats::TensorSlice::Extent::kLength ? extent.length() : whole.shape[d];
            if (start[d] < 0 || length[d] < 0 || start[d] > whole.shape[d] || length[d] > whole.shape[d] - start[d]) {
                damaged("a slice of \"" + name + "\" lies outside its shape");
            }
            elements *= length[d];
        }
        const std::string key = sliceKey(name, slice);
        const std::string part = stored(name, proto(key));
        if (static_cast<std::int64_t>(part.size()) != elements * static_cast<std::int64_t>(element)) {
            damaged("a slice of \"" + name + "\" has " + std::to_string(part.size()) + " bytes, its extent needs " +
                    std::to_string(elements * static_cast<std::int64_t>(element)));
        }
        requireChecksum(key, "a slice of \"" + name + "\"", crc32c(part));
        // Row by row: the last axis is contiguous on both sides.
        const std::int64_t row = rank == 0 ? 1 : length[rank - 1];
        for (std::int64_t first = 0; first < elements; first += row) {
            std::int64_t rest = first, target = 0, stride = 1;
            for (std::size_t d = rank; d-- > 0;) {
                target += (start[d] + rest % length[d]) * stride;
                rest /= length[d];
                stride *= whole.shape[d];
            }
            std::memcpy(bytes.data() + target * element, part.data() + first * element, static_cast<std::size_t>(row) * element);
        }
        covered += elements;
    }
    if (covered != count) {
        damaged("the slices of \"" + name + "\" hold " + std::to_string(covered) + " of " + std::to_string(count) + " elements");
    }
    return bytes;
}

BundleReader::BundleReader(const std::filesystem::path& prefix) : state_(std::make_unique<State>()) {
    state_->prefix = prefix;
    const std::string index_name = prefix.string() + ".index";
    const auto table = readTable(readFile(index_name), index_name);
    formats::BundleHeader header;
    const auto head = table.find("");
    if (head == table.end() || !header.ParseFromString(head->second) || header.num_shards() < 1 || header.num_shards() > 99999) {
        state_->damaged("its index has no valid header");
    }
    if (header.endianness() != 0) {
        state_->damaged("it was written on a big-endian machine");
    }
    state_->shards = header.num_shards();
    for (const auto& [name, value] : table) {
        if (name.empty()) {
            continue;
        }
        formats::BundleEntryProto proto;
        if (!proto.ParseFromString(value)) {
            state_->damaged("the index entry of \"" + name + "\" can't be read");
        }
        if (name.front() != '\0') {
            Entry entry{.name = name, .type = static_cast<BundleType>(proto.dtype()), .shape = {}, .bytes = proto.size()};
            for (const auto& dim : proto.shape().dim()) {
                entry.shape.push_back(dim.size());
            }
            state_->entries.emplace(name, std::move(entry));
        }
        state_->protos.emplace(name, std::move(proto));
    }
}

BundleReader::~BundleReader() = default;

std::vector<BundleReader::Entry> BundleReader::entries() const {
    std::vector<Entry> all;
    for (const auto& [name, entry] : state_->entries) {
        all.push_back(entry);
    }
    return all;
}

const BundleReader::Entry* BundleReader::find(const std::string& name) const {
    const auto found = state_->entries.find(name);
    return found == state_->entries.end() ? nullptr : &found->second;
}

std::string BundleReader::read(const std::string& name) const {
    const formats::BundleEntryProto& proto = state_->proto(name);
    if (proto.slices_size() > 0) {
        return state_->assemble(name, proto);
    }
    const Entry& entry = state_->entries.at(name);
    const std::int64_t count = elementCount(entry.shape);
    const auto element = static_cast<std::int64_t>(elementBytes(entry.type));
    if (element == 0) {
        state_->damaged("tensor \"" + name + "\" was expected to be numeric, its type is " + std::string(toString(entry.type)));
    }
    if (count < 0 || count * element != proto.size()) {
        state_->damaged("tensor \"" + name + "\" has " + std::to_string(proto.size()) + " bytes, its shape needs " +
                        std::to_string(count * element));
    }
    std::string bytes = state_->stored(name, proto);
    state_->requireChecksum(name, "tensor \"" + name + "\"", crc32c(bytes));
    return bytes;
}

std::vector<float> BundleReader::readFloats(const std::string& name) const {
    const std::string bytes = read(name);
    const BundleType type = state_->entries.at(name).type;
    const std::size_t count = bytes.size() / elementBytes(type);
    std::vector<float> values(count);
    for (std::size_t k = 0; k < count; ++k) {
        const char* at = bytes.data() + k * elementBytes(type);
        std::uint16_t bits = 0;
        double wide = 0;
        switch (type) {
            case BundleType::kFloat:
                std::memcpy(&values[k], at, 4);
                break;
            case BundleType::kDouble:
                std::memcpy(&wide, at, 8);
                values[k] = static_cast<float>(wide);
                break;
            case BundleType::kBFloat16:
                std::memcpy(&bits, at, 2);
                values[k] = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
                break;
            case BundleType::kHalf:
                std::memcpy(&bits, at, 2);
                values[k] = halfToFloat(bits);
                break;
            default:
                state_->damaged("tensor \"" + name + "\" was expected to be floating point, its type is " + std::string(toString(type)));
        }
    }
    return values;
}

std::int64_t BundleReader::readInt(const std::string& name) const {
    const std::string bytes = read(name);
    const BundleType type = state_->entries.at(name).type;
    if (type == BundleType::kInt64 && bytes.size() == 8) {
        std::int64_t value;
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    if (type == BundleType::kInt32 && bytes.size() == 4) {
        std::int32_t value;
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    state_->damaged("tensor \"" + name + "\" was expected to be an integer scalar");
}

std::string BundleReader::readString(const std::string& name) const {
    const formats::BundleEntryProto& proto = state_->proto(name);
    const Entry& entry = state_->entries.at(name);
    if (entry.type != BundleType::kString || elementCount(entry.shape) != 1) {
        state_->damaged("tensor \"" + name + "\" was expected to be a scalar string");
    }
    const std::string stored = state_->stored(name, proto);
    const StringLengths lengths = state_->stringLengths(name, stored);
    state_->requireChecksum(name, "the string \"" + name + "\"", lengths.crcWith(stored));
    return stored.substr(lengths.end + kLengthsChecksumBytes);
}

void BundleReader::verifyRest() const {
    constexpr int kVariant = 21;  // TensorFlow's DT_VARIANT, whose checksum covers what only its own code can find
    for (const auto& [key, proto] : state_->protos) {
        if (proto.slices_size() > 0 || proto.dtype() == kVariant || state_->verified.contains(key)) {
            continue;
        }
        const std::string name = printable(key);
        const std::string stored = state_->stored(name, proto);
        if (proto.dtype() == static_cast<int>(BundleType::kString)) {
            state_->requireChecksum(key, "the string \"" + name + "\"", state_->stringLengths(key, stored).crcWith(stored));
        } else {
            state_->requireChecksum(key, "tensor \"" + name + "\"", crc32c(stored));
        }
    }
}

}  // namespace engine::exporter
