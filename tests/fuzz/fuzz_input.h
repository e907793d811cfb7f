// What the fuzz targets share. A target is one file: LLVMFuzzerTestOneInput(data, size), one parser fed with these bytes. Linked with
// libFuzzer (preset fuzz) it draws inputs of its own; linked with replay_main.cpp it runs the files that it is given.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "engine/spec/error.h"

namespace tests::fuzz {

[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "fuzz target: %s\n", what.c_str());
    std::abort();
}

// Runs `read`. An engine::Error with a message answers damaged input; one about a broken invariant, one without a message and every other
// exception end the process.
template <typename Read>
void expectErrorAtMost(Read&& read) {
    try {
        read();
    } catch (const engine::Error& error) {
        const std::string_view message = error.what();
        const bool is_ours = error.code() == engine::ErrorCode::kInternal && message.find("broken invariant") != std::string_view::npos;
        if (message.empty() || is_ours) {
            fail("expected an error about the input, got \"" + std::string(message) + "\"");
        }
    }
}

// An input taken apart from its front: settings of the reader first, the reader's bytes last. Lives no longer than the bytes.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

    // 0 when nothing is left.
    std::uint8_t byte() {
        if (rest_.empty()) {
            return 0;
        }
        const auto value = static_cast<std::uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }
    // Two bytes of length (the low one first), then so many bytes, fewer at the end.
    std::string_view piece() {
        const std::size_t low = byte();
        const std::size_t length = low + std::size_t{byte()} * 256;
        const std::string_view taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return taken;
    }
    std::string_view rest() const { return rest_; }
    bool atEnd() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

// A file in a folder, for readers that look for more than one; not synced, which would take longer than reading it.
inline void writeFile(const std::filesystem::path& file, std::string_view bytes) {
    if (!std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
        fail(file.string() + " could not be written");
    }
}

// A file in memory, for readers that take a path. Gone with the object.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        while (descriptor_ >= 0 && !bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written <= 0) {
                fail("a file in memory could not be written");
            }
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
        if (descriptor_ < 0) {
            fail("no file in memory");
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(descriptor_); }

    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
    // At its begin.
    int descriptor() const {
        ::lseek(descriptor_, 0, SEEK_SET);
        return descriptor_;
    }

private:
    int descriptor_;
};

}  // namespace tests::fuzz
