#include "engine/export/leveldb_table.h"

#include <leveldb/env.h>
#include <leveldb/iterator.h>
#include <leveldb/options.h>
#include <leveldb/table.h>
#include <leveldb/table_builder.h>
#include <cstring>
#include <memory>

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

}  // namespace engine::exporter
