// TensorFlow's TensorBundle V2, the container of a checkpoint: named tensors in PREFIX.data-SSSSS-of-NNNNN, found through PREFIX.index.
//
// PREFIX.index is a LevelDB table (uncompressed, blocks of 256 KiB, restart every 16 keys, no filter) from tensor name to BundleEntryProto
// (formats/tensor_bundle.proto); the empty key holds the BundleHeader. The data file is the tensors' bytes, little-endian in C order, one
// after another in the order they were added, at the offsets that the entries give; each entry has the masked CRC-32C of its bytes. A
// string tensor is stored as varint64 lengths, the masked CRC of the lengths (as uint32 LE each), then the strings; the entry's CRC covers
// the fixed-width lengths, that checksum and the strings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/place.h"
#include "engine/spec/model_spec.h"

namespace engine::exporter {

// TensorFlow's DataType, as far as checkpoints of Sequential models hold it.
enum class BundleType { kFloat = 1, kDouble = 2, kInt32 = 3, kString = 7, kInt64 = 9, kBool = 10, kBFloat16 = 14, kHalf = 19 };

// Collects tensors in memory and writes both files at the end. One thread.
class BundleWriter {
public:
    BundleWriter();
    ~BundleWriter();
    // `bytes`: product(shape) elements of `type`, little-endian. A name may be added once.
    void add(const std::string& name, BundleType type, const spec::Shape& shape, std::string_view bytes);
    void addScalar(const std::string& name, std::int64_t value);
    void addScalar(const std::string& name, float value);
    void addString(const std::string& name, std::string_view value);
    // Data file first, then index, each aside and renamed: a reader that sees the index may rely on the data. Returns bytes written.
    // Errors as writeFileAtomically's; the folder must exist.
    std::int64_t write(const files::Place& prefix);

private:
    void addEntry(const std::string& name, BundleType type, const spec::Shape& shape, std::string_view stored, std::uint32_t crc);

    std::string data_;
    std::map<std::string, std::string> index_;  // sorted by unsigned bytes, as the table wants it
};

// A bundle opened for reading: the index is read at once, tensors when asked. One thread.
class BundleReader {
public:
    // Errors: kNotFound (no PREFIX.index), kDataLoss (no table, bad checksum, foreign byte order).
    explicit BundleReader(const std::filesystem::path& prefix);
    ~BundleReader();
    BundleReader(const BundleReader&) = delete;
    BundleReader& operator=(const BundleReader&) = delete;

    struct Entry {
        std::string name;
        BundleType type;
        spec::Shape shape;
        std::int64_t bytes = 0;  // stored; 0 for a partitioned tensor
    };
    std::vector<Entry> entries() const;                // sorted by name, without the slices of partitioned tensors
    const Entry* find(const std::string& name) const;  // nullptr when absent; lives as long as the reader

    // The bytes of a numeric tensor; partitioned ones are put together. Errors: kNotFound, kDataLoss (truncated file, wrong checksum or
    // size).
    std::string read(const std::string& name) const;
    // float, double, half or bfloat16 as float32.
    std::vector<float> readFloats(const std::string& name) const;
    std::int64_t readInt(const std::string& name) const;    // a scalar of int32 or int64
    std::string readString(const std::string& name) const;  // a scalar string
    // Compares the checksums of all tensors that were not read yet: of a file that is damaged anywhere nothing should be used. Throws as
    // read() does.
    void verifyRest() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// "float32", "int64", "string": Keras' names.
std::string_view toString(BundleType type);

}  // namespace engine::exporter
