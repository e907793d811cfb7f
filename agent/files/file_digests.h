// Checksums of files, each computed once while its file stays as it is.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "engine/thread/mutex.h"

namespace agent::files {

// Safe from any thread.
class FileDigests {
public:
    // SHA-256 in hexadecimal. Throws what engine::files::RegularFile and engine::checksum::sha256Of throw.
    std::string of(const std::filesystem::path& file, const std::function<bool()>& is_cancelled = {});

private:
    // A file that is written again has another time or size: what the kernel says of its change can't be set by anybody.
    struct State {
        std::uint64_t device = 0, inode = 0;
        std::int64_t bytes = 0, changed_s = 0, changed_ns = 0;
        friend auto operator<=>(const State&, const State&) = default;
    };

    static constexpr std::size_t kMost = 3'000'000;  // more than the files of two lists
    engine::Mutex mutex_;
    std::map<State, std::string> known_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::files
