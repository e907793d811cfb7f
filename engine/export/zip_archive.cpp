#include "engine/export/zip_archive.h"

#include <zip.h>

#include <cstdint>
#include <memory>

#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

constexpr zip_uint64_t kFreeBytes = zip_uint64_t{64} << 20;  // a member of so much needs no justification
constexpr zip_uint64_t kLargestRatio = 1100;                 // what deflate can reach: 1032

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;
using File = std::unique_ptr<zip_file_t, Discard>;

std::string readMember(zip_t* archive, zip_uint64_t index, std::size_t archive_bytes, const std::string& name, std::string& member) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded) {
        throw Error(ErrorCode::kDataLoss, name + ": member " + std::to_string(index) + ": its entry can't be read");
    }
    member = stat.name;
    const std::string place = name + ": " + member + ": ";
    if (stat.comp_size > archive_bytes || (stat.size > kFreeBytes && stat.size / kLargestRatio > stat.comp_size)) {
        throw Error(ErrorCode::kDataLoss, place + "expected at most what its " + std::to_string(stat.comp_size) +
                                              " stored bytes can hold, got a claim of " + std::to_string(stat.size));
    }
    const File file(zip_fopen_index(archive, index, 0));
    if (!file) {
        throw Error(ErrorCode::kDataLoss, place + zip_strerror(archive));
    }
    std::string bytes(stat.size, '\0');
    // One byte more than it claims: the end is reached, which is where the checksum is compared.
    char beyond = 0;
    if (zip_fread(file.get(), bytes.data(), bytes.size()) != static_cast<zip_int64_t>(bytes.size()) ||
        zip_fread(file.get(), &beyond, 1) != 0) {
        throw Error(ErrorCode::kDataLoss, place + "expected " + std::to_string(stat.size) + " bytes, got a truncated or damaged member");
    }
    return bytes;
}

}  // namespace

std::map<std::string, std::string> readZip(std::string_view bytes, std::string_view name) {
    const std::string file(name);
    zip_error_t error;
    zip_error_init(&error);
    Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
    const Archive archive(source ? zip_open_from_source(source.get(), ZIP_RDONLY, &error) : nullptr);
    if (!archive) {
        const std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        throw Error(ErrorCode::kDataLoss, file + ": expected a zip archive, got something else: " + reason);
    }
    source.release();  // the archive's own now
    zip_error_fini(&error);
    std::map<std::string, std::string> members;
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    for (zip_int64_t index = 0; index < count; ++index) {
        std::string member;
        std::string content = readMember(archive.get(), static_cast<zip_uint64_t>(index), bytes.size(), file, member);
        members[std::move(member)] = std::move(content);
    }
    return members;
}

std::string writeZip(const std::vector<std::pair<std::string, std::string>>& members) {
    const auto check = [](bool good) {
        if (!good) {
            throw Error(ErrorCode::kInternal, "zip: an archive could not be made in memory");
        }
    };
    Source target(zip_source_buffer_create(nullptr, 0, 0, nullptr));
    check(target != nullptr);
    Archive archive(zip_open_from_source(target.get(), ZIP_CREATE | ZIP_TRUNCATE, nullptr));
    check(archive != nullptr);
    zip_source_keep(target.get());  // the archive has one reference, `target` the other
    for (const auto& [name, content] : members) {
        Source source(zip_source_buffer(archive.get(), content.data(), content.size(), 0));
        check(source != nullptr);
        const zip_int64_t index = zip_file_add(archive.get(), name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
        check(index >= 0);
        source.release();
        const auto added = static_cast<zip_uint64_t>(index);
        constexpr zip_uint16_t kNewYear1980 = 0x21;
        check(zip_set_file_compression(archive.get(), added, ZIP_CM_STORE, 0) == 0);
        check(zip_file_set_dostime(archive.get(), added, 0, kNewYear1980, 0) == 0);
    }
    check(zip_close(archive.get()) == 0);
    archive.release();
    zip_stat_t stat;
    zip_stat_init(&stat);
    check(zip_source_stat(target.get(), &stat) == 0 && zip_source_open(target.get()) == 0);
    std::string bytes(stat.size, '\0');
    const bool whole = zip_source_read(target.get(), bytes.data(), bytes.size()) == static_cast<zip_int64_t>(bytes.size());
    zip_source_close(target.get());
    check(whole);
    return bytes;
}

}  // namespace engine::exporter
