// A file that grows bit by bit: a log.
#pragma once

#include <string>
#include <string_view>

#include "engine/files/file_descriptor.h"

namespace engine::files {

// Owned by whoever writes it; one thread. An error stays: what is written after it goes nowhere.
class OutputFile {
public:
    OutputFile() = default;  // none
    explicit OutputFile(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
    OutputFile(OutputFile&&) noexcept = default;
    OutputFile& operator=(OutputFile&&) noexcept = default;
    ~OutputFile() { flush(); }

    bool isOpen() const { return static_cast<bool>(descriptor_); }
    void write(std::string_view bytes);
    // errno of the first failure; 0 when everything has reached the file.
    int flush();
    // The same, for a file that takes the place of another one or is read after a power cut: everything has reached the disk.
    int finish();
    void close();

private:
    FileDescriptor descriptor_;
    std::string waiting_;
    int error_ = 0;
};

}  // namespace engine::files
