#include "engine/files/output_file.h"

#include <cerrno>

#include <unistd.h>

namespace engine::files {

namespace {

constexpr std::size_t kWaitingBytes = std::size_t{64} << 10;

}  // namespace

void OutputFile::write(std::string_view bytes) {
    waiting_.append(bytes);
    if (waiting_.size() >= kWaitingBytes) {
        flush();
    }
}

int OutputFile::flush() {
    std::string_view rest = waiting_;
    while (descriptor_ && error_ == 0 && !rest.empty()) {
        const ssize_t written = ::write(descriptor_.get(), rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    waiting_.clear();
    return error_;
}

int OutputFile::finish() {
    if (flush() == 0 && descriptor_ && ::fsync(descriptor_.get()) != 0) {
        error_ = errno;
    }
    return error_;
}

void OutputFile::close() {
    flush();
    descriptor_.reset();
}

}  // namespace engine::files
