// Files that a user or a project names, opened for reading. What is no regular file is refused by name: opening a pipe waits for its
// writer, reading a device may never end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace engine::files {

// An open file. Owns its descriptor, which stands at the begin. One thread.
class RegularFile {
public:
    // Never waits. Throws Error naming the file: kNotFound, kPermissionDenied, kInvalidArgument (a folder, a pipe, a device, a socket),
    // else kInternal.
    explicit RegularFile(const std::filesystem::path& file);
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;
    ~RegularFile();

    int descriptor() const { return descriptor_; }
    std::uint64_t size() const { return size_; }
    // The descriptor, for a library that closes it itself.
    int release();

private:
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

// What RegularFile does for a descriptor that was opened elsewhere, without waiting (O_NONBLOCK): throws Error(kInvalidArgument) naming the
// file when it is no regular one.
void requireRegular(int descriptor, const std::filesystem::path& file);

// All bytes of the file. Throws as RegularFile does, kInternal when it can't be read to its end, and kResourceExhausted naming the file
// when it has more than `most` bytes.
std::string readWhole(const std::filesystem::path& file, std::uint64_t most = UINT64_MAX);
// The same of one that is open and stands at its begin.
std::string readWhole(int descriptor, const std::filesystem::path& file, std::uint64_t most = UINT64_MAX);

}  // namespace engine::files
