#include "engine/event_files/record_tail.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/checksum/crc32c.h"
#include "engine/event_files/wire_reader.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace engine::event_files {
namespace {

constexpr std::size_t kLengthBytes = 8, kChecksumBytes = 4, kHeaderBytes = kLengthBytes + kChecksumBytes;
constexpr std::size_t kMostDamage = 64;  // messages that wait to be taken

bool isHeader(const char* at) {
    return checksum::maskCrc(checksum::crc32c({at, kLengthBytes})) == WireReader::load<std::uint32_t>(at + kLengthBytes);
}

}  // namespace

RecordTail::RecordTail(files::FileDescriptor file, std::filesystem::path path, std::size_t piece)
    : file_(std::move(file)), path_(std::move(path)), piece_(std::max(piece, kHeaderBytes)) {
    struct stat opened {};
    if (::fstat(file_.get(), &opened) == 0) identity_ = {opened.st_dev, opened.st_ino};
}

// The same file again.
void RecordTail::open() {
    files::FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    const int error = errno;
    struct stat opened {};
    if (!file || ::fstat(file.get(), &opened) != 0) {
        throw Error(files::codeOfErrno(error), path_.string() + ": can't be opened: " + std::strerror(error));
    }
    if (identity_ != Identity{opened.st_dev, opened.st_ino}) {
        throw Error(ErrorCode::kAborted, path_.string() + ": expected the file that was read before, got another one");
    }
    file_ = std::move(file);
}

// Another piece of the file behind what is there. False when there is none by now.
bool RecordTail::fill() {
    if (!file_) open();
    if (used_ > 0) {
        buffer_.erase(0, used_);
        used_ = 0;
    }
    const std::size_t before = buffer_.size();
    buffer_.resize(before + piece_);
    ssize_t got = 0;
    do {
        got = ::pread(file_.get(), buffer_.data() + before, piece_, static_cast<off_t>(begin_ + before));
    } while (got < 0 && errno == EINTR);
    const int error = errno;
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) {
        throw Error(files::codeOfErrno(error), path_.string() + ": can't be read: " + std::strerror(error));
    }
    if (got == 0) seen_ = begin_ + before;
    return got > 0;
}

void RecordTail::rest() {
    drop(std::exchange(taken_, 0));
    file_.reset();
    buffer_ = {};
    used_ = 0;
}

bool RecordTail::hasGrown() const {
    struct stat named {};
    return ::lstat(path_.c_str(), &named) == 0 && static_cast<std::uint64_t>(named.st_size) > seen_;
}

void RecordTail::drop(std::size_t bytes) {
    used_ += bytes;
    begin_ += bytes;
}

void RecordTail::tell(const std::string& what, std::uint64_t bytes) {
    if (damage_.size() == kMostDamage) return;
    damage_.push_back(path_.string() + ": damaged at byte " + std::to_string(begin_) + ": " + what +
                      (bytes > 0 ? "; " + std::to_string(bytes) + " bytes are left out" : ""));
}

// False while some of it is not there yet.
bool RecordTail::skip() {
    while (skips_ > 0) {
        if (left().empty() && !fill()) return false;
        const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(skips_, left().size()));
        drop(now);
        skips_ -= now;
    }
    return true;
}

// Goes to the next length that fits its checksum. False while there is none.
bool RecordTail::search() {
    while (true) {
        const std::string_view bytes = left();
        std::size_t at = 0;
        while (at + kHeaderBytes <= bytes.size() &&
               (!isHeader(bytes.data() + at) || WireReader::load<std::uint64_t>(bytes.data() + at) > kMostRecordBytes)) {
            ++at;
        }
        drop(at);
        if (at + kHeaderBytes <= bytes.size()) {
            damage_.push_back(path_.string() + ": goes on at byte " + std::to_string(begin_) + ", " + std::to_string(begin_ - *lost_) +
                              " bytes are left out");
            lost_.reset();
            return true;
        }
        if (!fill()) return false;
    }
}

std::optional<std::string_view> RecordTail::next() {
    drop(std::exchange(taken_, 0));
    while (true) {
        if (!skip() || (lost_ && !search())) return std::nullopt;
        while (left().size() < kHeaderBytes) {
            if (!fill()) return std::nullopt;
        }
        if (!isHeader(left().data())) {
            tell("expected the checksum of a record's length, got another one; the next record is searched for", 0);
            lost_ = begin_;
            drop(1);
            continue;
        }
        const auto length = WireReader::load<std::uint64_t>(left().data());
        if (length > kMostRecordBytes) {
            tell("expected a record of at most " + std::to_string(kMostRecordBytes) + " bytes, got one of " + std::to_string(length), 0);
            skips_ = length > UINT64_MAX - kHeaderBytes - kChecksumBytes ? UINT64_MAX : length + kHeaderBytes + kChecksumBytes;
            continue;
        }
        const std::size_t whole = kHeaderBytes + static_cast<std::size_t>(length) + kChecksumBytes;
        while (left().size() < whole) {
            if (!fill()) return std::nullopt;
        }
        const std::string_view record = left().substr(kHeaderBytes, static_cast<std::size_t>(length));
        if (checksum::maskCrc(checksum::crc32c(record)) != WireReader::load<std::uint32_t>(record.data() + record.size())) {
            tell("expected the checksum of a record's bytes, got another one", whole);
            drop(whole);
            continue;
        }
        taken_ = whole;
        return record;
    }
}

std::vector<std::string> RecordTail::takeDamage() {
    return std::exchange(damage_, {});
}

bool RecordTail::isReplaced() const {
    struct stat named {};
    return ::lstat(path_.c_str(), &named) != 0 || identity_ != Identity{named.st_dev, named.st_ino} ||
           static_cast<std::uint64_t>(named.st_size) < begin_;
}

}  // namespace engine::event_files
