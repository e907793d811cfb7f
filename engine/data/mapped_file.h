// A file's bytes without copying them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace engine::data {

// Read-only. Its bytes live as long as the object or a copy of owner(). A file that another program shortens meanwhile ends the process, as
// every mapping does. Any thread may read.
class MappedFile {
public:
    // Throws Error naming the file: kNotFound, kPermissionDenied, kInvalidArgument (a folder, a pipe, a device), else kInternal.
    explicit MappedFile(const std::filesystem::path& file);

    const std::filesystem::path& path() const { return path_; }
    std::size_t size() const { return size_; }
    std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_.get()), size_}; }
    std::string_view text() const { return {static_cast<const char*>(address_.get()), size_}; }
    std::shared_ptr<const void> owner() const { return address_; }

private:
    std::filesystem::path path_;
    std::size_t size_ = 0;
    std::shared_ptr<const void> address_;
};

}  // namespace engine::data
