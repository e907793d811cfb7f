// A zip file of any origin, read member by member. The reader believes no claim of the file before it has checked it, and keeps nothing in
// memory but the list of the members.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agent::archive {

struct ZipEntry {
    std::string name;  // as faultOfName() lets it pass; each once
    std::int64_t bytes = 0;
};

// Used by one thread. Errors name the file: kDataLoss for what is no zip file, damaged, cut short, encrypted, or larger than its bytes can
// justify.
class ZipReader {
public:
    // Throws Error as RegularFile does, and kDataLoss, kPermissionDenied for names that lead out of a folder and for links.
    explicit ZipReader(std::filesystem::path file);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    const std::filesystem::path& file() const { return file_; }
    const std::vector<ZipEntry>& entries() const { return entries_; }
    const ZipEntry* find(std::string_view name) const;  // nullptr without one
    std::int64_t unpackedBytes() const;

    // Gives `take` the member's bytes piece by piece. Throws Error, and what `take` throws, at once; kDataLoss where they are others, fewer
    // or more than the zip file says.
    void read(const ZipEntry& entry, const std::function<void(std::string_view piece)>& take) const;
    // Returns the whole member. Throws kDataLoss for more than `most` bytes, before it reads.
    std::string readWhole(const ZipEntry& entry, std::int64_t most) const;

private:
    struct Archive;
    [[noreturn]] void refuse(const std::string& what) const;
    void list();

    const std::filesystem::path file_;
    std::int64_t file_bytes_ = 0;
    std::unique_ptr<Archive> archive_;
    std::vector<ZipEntry> entries_;  // in the order of the zip file
};

}  // namespace agent::archive
