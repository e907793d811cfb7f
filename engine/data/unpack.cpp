#include "engine/data/unpack.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include <archive.h>
#include <archive_entry.h>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestMember = std::int64_t{1} << 30;
constexpr std::size_t kBlock = std::size_t{1} << 20;

struct FreeArchive {
    void operator()(::archive* opened) const { archive_read_free(opened); }
};

[[noreturn]] void damaged(const fs::path& file, const std::string& what) {
    throw Error(ErrorCode::kDataLoss, file.string() + ": " + what);
}

// libarchive does not always have a text for it.
[[noreturn]] void damaged(const fs::path& file, ::archive* opened) {
    const char* text = archive_error_string(opened);
    damaged(file, text == nullptr ? "its compressed data is broken or ends too early" : text);
}

// A file beside its target that is gone again unless it was renamed.
struct AsideFile {
    explicit AsideFile(const fs::path& target) : path(target.string() + ".part") {}
    AsideFile(const AsideFile&) = delete;
    AsideFile& operator=(const AsideFile&) = delete;
    ~AsideFile() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
    const fs::path path;
};

void writeMember(::archive* opened, const fs::path& archive, const fs::path& target) {
    const AsideFile aside(target);
    std::ofstream out(aside.path, std::ios::binary);
    std::vector<char> block(kBlock);
    std::int64_t size = 0;
    for (la_ssize_t got = 0; (got = archive_read_data(opened, block.data(), block.size())) != 0;) {
        size += got;
        if (got < 0) {
            damaged(archive, opened);
        }
        if (size > kLargestMember) {
            damaged(archive, target.filename().string() + " is larger than 1 GiB");
        }
        if (!out.write(block.data(), got)) {
            break;
        }
    }
    out.close();
    std::error_code failed;
    if (out) {
        fs::rename(aside.path, target, failed);
    }
    if (!out || failed) {
        throw Error(errno == EACCES ? ErrorCode::kPermissionDenied : ErrorCode::kResourceExhausted,
                    target.string() + ": cannot be written: " + std::strerror(errno));
    }
}

}  // namespace

void unpackMembers(const fs::path& archive, const std::vector<std::string>& names, const fs::path& folder) {
    const files::RegularFile file(archive);
    const std::unique_ptr<::archive, FreeArchive> opened(archive_read_new());
    ENGINE_CHECK(opened != nullptr);
    archive_read_support_filter_gzip(opened.get());
    archive_read_support_format_tar(opened.get());
    if (archive_read_open_fd(opened.get(), file.descriptor(), kBlock) != ARCHIVE_OK) {
        damaged(archive, opened.get());
    }
    std::vector<std::string> missing = names;
    archive_entry* entry = nullptr;
    int code = ARCHIVE_OK;
    while (!missing.empty() && (code = archive_read_next_header(opened.get(), &entry)) == ARCHIVE_OK) {
        const char* path = archive_entry_pathname(entry);
        const std::string name = fs::path(path == nullptr ? "" : path).filename().string();
        const auto found = std::find(missing.begin(), missing.end(), name);
        if (found != missing.end() && archive_entry_filetype(entry) == AE_IFREG) {
            writeMember(opened.get(), archive, folder / name);
            missing.erase(found);
        }
    }
    if (code != ARCHIVE_OK && code != ARCHIVE_EOF) {
        damaged(archive, opened.get());
    }
    if (!missing.empty()) {
        damaged(archive, "expected the file " + missing.front() + " in it, found none");
    }
}

}  // namespace engine::data
