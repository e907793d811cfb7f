// The records of one file in TFRecord framing (engine/export/record_framing.h), read while it grows.
//
// A record that is not whole yet is waited for. One whose bytes do not fit its checksum is left out and named, and so is one that is too
// large; where a length does not fit its own checksum, nobody knows where the next record begins: the file is searched for the next length
// that does. What was left out is never read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/file_descriptor.h"

namespace engine::event_files {

inline constexpr std::uint64_t kMostRecordBytes = 64u << 20;  // a larger one is left out

// One thread. Holds one record and a piece of the file in memory, whatever the file says of itself.
class RecordTail {
public:
    // `file`: a regular file, that lies at `path`. `piece`: bytes that are read at once.
    RecordTail(files::FileDescriptor file, std::filesystem::path path, std::size_t piece = 1u << 20);

    // The next whole record, which lives until the next call. nullopt: there is none by now. Throws Error naming the file where it can't be
    // read.
    std::optional<std::string_view> next();

    // Up to where the file was read: behind the last record that was given or left out.
    std::uint64_t position() const { return begin_; }
    // "FILE: damaged at byte 120: expected the checksum of its bytes, got another one; 40 bytes are left out", each once.
    std::vector<std::string> takeDamage();
    bool hasDamage() const { return !damage_.empty(); }
    // Another file has the name now, or this one is shorter than what was read of it: whoever follows it begins anew.
    bool isReplaced() const;
    // True when there is more in the file than next() has seen.
    bool hasGrown() const;
    // Closes the file and frees its piece until next() is called again.
    void rest();
    const std::filesystem::path& path() const { return path_; }

private:
    std::string_view left() const { return std::string_view(buffer_).substr(used_); }
    bool fill();
    void drop(std::size_t bytes);
    bool skip();
    bool search();
    void tell(const std::string& what, std::uint64_t bytes);

    struct Identity {
        std::uint64_t device = 0, node = 0;
        friend bool operator==(const Identity&, const Identity&) = default;
    };
    void open();

    files::FileDescriptor file_;  // none: it rests
    const std::filesystem::path path_;
    Identity identity_;
    const std::size_t piece_;
    std::string buffer_;                 // the file from byte begin_ - used_ on
    std::size_t used_ = 0;               // of the buffer
    std::uint64_t begin_ = 0;            // of what is not used yet, in the file
    std::uint64_t skips_ = 0;            // bytes that are still to be left out
    std::size_t taken_ = 0;              // of the record that was given last
    std::uint64_t seen_ = 0;             // bytes of the file when it was at its end
    std::optional<std::uint64_t> lost_;  // where a length was damaged, while the next one is searched for
    std::vector<std::string> damage_;
};

}  // namespace engine::event_files
