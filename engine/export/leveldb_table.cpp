#include "engine/export/leveldb_table.h"

#include <leveldb/env.h>
#include <leveldb/iterator.h>
#include <leveldb/options.h>
#include <leveldb/table.h>
#include <leveldb/table_builder.h>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

class StringSink : public leveldb::WritableFile {
public:
    leveldb::Status Append(const leveldb::Slice& data) override {
        bytes.append(data.data(), data.size());
        return leveldb::Status::OK();
    }
    leveldb::Status Close() override { return leveldb::Status::OK(); }
    leveldb::Status Flush() override { return leveldb::Status::OK(); }
    leveldb::Status Sync() override { return leveldb::Status::OK(); }

    std::string bytes;
};

class StringSource : public leveldb::RandomAccessFile {
public:
    explicit StringSource(const std::string& bytes) : bytes_(bytes) {}
    leveldb::Status Read(uint64_t offset, size_t n, leveldb::Slice* result, char* /*scratch*/) const override {
        if (offset > bytes_.size()) {
            return leveldb::Status::Corruption("read past the end");
        }
        *result = leveldb::Slice(bytes_.data() + offset, std::min<size_t>(n, bytes_.size() - offset));
        return leveldb::Status::OK();
    }

private:
    const std::string& bytes_;
};

constexpr size_t kBlockBytes = 262144;

[[noreturn]] void corrupt(std::string_view name, const leveldb::Status& status) {
    throw Error(ErrorCode::kDataLoss, std::string(name) + ": expected a checkpoint index (a LevelDB table), got " + status.ToString());
}

// LevelDB takes memory for a block as the block's handle (offset and size as varints) says, before it looks whether the file holds as much.
// So handles are looked at first:
//   the table ends in a footer of 48 bytes: handle of the meta index, handle of the index, zeros, 8 bytes of magic;
//   a block is followed by a byte of compression and 4 of checksum. It holds entries (varints: bytes shared with the key before, further
//   bytes of the key, bytes of the value; then these bytes), the restart points and their number, 4 bytes each;
//   the values of the index are the handles of the data blocks.
class HandleCheck {
public:
    explicit HandleCheck(std::string_view table) : table_(table) {}

    // False for a table in which a handle leads outside.
    bool fits() const {
        constexpr size_t kFooterBytes = 48;
        if (table_.size() < kFooterBytes) {
            return true;  // LevelDB says so itself
        }
        std::string_view footer = table_.substr(table_.size() - kFooterBytes);
        takeHandle(footer);  // of the meta index, which is not read
        const std::optional<std::string_view> index = block(takeHandle(footer));
        return index && (table_[static_cast<size_t>(index->data() - table_.data()) + index->size()] != kPlain || indexFits(*index));
    }

private:
    static constexpr char kPlain = 0;
    static constexpr size_t kTrailerBytes = 5;
    struct Handle {
        uint64_t offset, size;
    };

    static std::optional<uint64_t> takeNumber(std::string_view& rest) {
        uint64_t number = 0;
        for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest.front());
            rest.remove_prefix(1);
            number |= static_cast<uint64_t>(byte & 127) << shift;
            if (byte < 128) {
                return number;
            }
        }
        return std::nullopt;
    }
    static std::optional<Handle> takeHandle(std::string_view& rest) {
        const std::optional<uint64_t> offset = takeNumber(rest), size = offset ? takeNumber(rest) : std::nullopt;
        return size ? std::optional<Handle>({*offset, *size}) : std::nullopt;
    }
    std::optional<std::string_view> block(const std::optional<Handle>& handle) const {
        if (!handle || table_.size() < kTrailerBytes || handle->size > table_.size() - kTrailerBytes ||
            handle->offset > table_.size() - kTrailerBytes - handle->size) {
            return std::nullopt;
        }
        return table_.substr(handle->offset, handle->size);
    }
    bool indexFits(std::string_view index) const {
        uint32_t restarts = 0;
        if (index.size() < sizeof restarts) {
            return false;
        }
        std::memcpy(&restarts, index.data() + index.size() - sizeof restarts, sizeof restarts);
        if (restarts > index.size() / sizeof restarts - 1) {
            return false;
        }
        std::string_view rest = index.substr(0, index.size() - (size_t{restarts} + 1) * sizeof restarts);
        while (!rest.empty()) {
            const std::optional<uint64_t> shared = takeNumber(rest), more = takeNumber(rest), bytes = takeNumber(rest);
            if (!shared || !more || !bytes || *more > rest.size() || *bytes > rest.size() - *more) {
                return false;
            }
            std::string_view value = rest.substr(*more, *bytes);
            if (!block(takeHandle(value))) {
                return false;
            }
            rest.remove_prefix(*more + *bytes);
        }
        return true;
    }

    const std::string_view table_;
};

std::map<std::string, std::string> readEntries(const std::string& bytes, std::string_view name) {
    leveldb::Options options;
    options.paranoid_checks = true;
    StringSource source(bytes);
    leveldb::Table* opened = nullptr;
    const leveldb::Status status = leveldb::Table::Open(options, &source, bytes.size(), &opened);
    const std::unique_ptr<leveldb::Table> table(opened);
    if (!status.ok()) {
        corrupt(name, status);
    }
    leveldb::ReadOptions reading;
    reading.verify_checksums = true;
    reading.fill_cache = false;
    const std::unique_ptr<leveldb::Iterator> position(table->NewIterator(reading));
    std::map<std::string, std::string> entries;
    for (position->SeekToFirst(); position->Valid(); position->Next()) {
        entries.emplace(position->key().ToString(), position->value().ToString());
    }
    if (!position->status().ok()) {
        corrupt(name, position->status());
    }
    return entries;
}

}  // namespace

std::string buildTable(const std::map<std::string, std::string>& entries) {
    leveldb::Options options;
    options.compression = leveldb::kNoCompression;
    options.block_size = kBlockBytes;
    options.block_restart_interval = 16;
    options.filter_policy = nullptr;
    StringSink sink;
    leveldb::TableBuilder builder(options, &sink);
    for (const auto& [key, value] : entries) {
        builder.Add(key, value);
    }
    ENGINE_CHECK(builder.Finish().ok());
    return std::move(sink.bytes);
}

std::map<std::string, std::string> readTable(const std::string& bytes, std::string_view name) {
    if (!HandleCheck(bytes).fits()) {
        corrupt(name, leveldb::Status::Corruption("a block that lies outside the file"));
    }
    try {
        return readEntries(bytes, name);
    } catch (const std::bad_alloc&) {  // a compressed block that claims to become larger than memory
        corrupt(name, leveldb::Status::Corruption("a block that claims more bytes than memory holds"));
    }
}

}  // namespace engine::exporter
