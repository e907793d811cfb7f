#include "agent/files/file_digests.h"

#include <sys/stat.h>

#include "engine/checksum/sha256.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::files {

std::string FileDigests::of(const std::filesystem::path& file, const std::function<bool()>& is_cancelled) {
    const engine::files::RegularFile opened(file);
    struct stat status {};
    ENGINE_CHECK(::fstat(opened.descriptor(), &status) == 0);
    const State state{status.st_dev, status.st_ino, status.st_size, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
    {
        const engine::MutexLock lock(mutex_);
        if (const auto known = known_.find(state); known != known_.end()) {
            return known->second;
        }
    }
    std::string digest = engine::checksum::sha256Of(opened.descriptor(), file, is_cancelled);
    struct stat after {};
    ENGINE_CHECK(::fstat(opened.descriptor(), &after) == 0);
    const bool stayed =
        after.st_size == status.st_size && after.st_ctim.tv_sec == status.st_ctim.tv_sec && after.st_ctim.tv_nsec == status.st_ctim.tv_nsec;
    if (stayed) {
        const engine::MutexLock lock(mutex_);
        if (known_.size() >= kMost) {
            known_.clear();
        }
        known_[state] = digest;
    }
    return digest;
}

}  // namespace agent::files
