// SHA-256 of what comes piece by piece.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace engine::checksum {

// One thread. OpenSSL does the work.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(const void* bytes, std::size_t size);
    // The sum of everything that was added, as 64 lower-case hexadecimal digits. Nothing may be added afterwards.
    std::string hex();

private:
    struct Context;
    const std::unique_ptr<Context> context_;
};

// The sum of a file's bytes from where its descriptor stands to the end. Throws Error naming `file`: kInternal where it can't be read,
// kCancelled as soon as `is_cancelled` (which may be empty) says so.
std::string sha256Of(int descriptor, const std::filesystem::path& file, const std::function<bool()>& is_cancelled = {});

}  // namespace engine::checksum
