#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/worker/rank_meeting.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

constexpr std::chrono::milliseconds kLookForRanks{50};
constexpr std::size_t kMostNameBytes = 256, kMostRanksNamed = 8;

fs::path fileOf(const fs::path& folder, std::size_t rank) {
    return folder / ("rank-" + std::to_string(rank));
}

[[noreturn]] void fail(const fs::path& path, const char* expected, int error) {
    throw Error(engine::files::codeOfErrno(error), path.string() + ": expected " + expected + ": " + std::strerror(error));
}

bool isName(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

// Returns the name in the file; empty until the file is there.
std::string readName(const fs::path& file) {
    const convert::FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!descriptor && errno == ENOENT) return {};
    if (!descriptor) fail(file, "to read the name of a rank's host", errno);
    std::string text(kMostNameBytes + 1, '\0');
    const ssize_t got = ::read(descriptor.get(), text.data(), text.size());
    if (got < 0) fail(file, "to read the name of a rank's host", errno);
    text.resize(static_cast<std::size_t>(got));
    if (!text.ends_with('\n') || !isName(text.substr(0, text.size() - 1))) {
        throw Error(ErrorCode::kInvalidArgument, file.string() + ": expected the name of a host, as a rank leaves it, got something else");
    }
    return text.substr(0, text.size() - 1);
}

std::string ranksText(const std::vector<std::string>& hosts) {
    std::string text;
    std::size_t missing = 0;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
        if (!hosts[rank].empty() || ++missing > kMostRanksNamed) continue;
        text += (text.empty() ? "" : ", ") + std::to_string(rank);
    }
    return missing > kMostRanksNamed ? text + " and " + std::to_string(missing - kMostRanksNamed) + " more" : text;
}

}  // namespace

RankMeeting::RankMeeting(const MeetingOptions& options)
    : folder_(options.folder), own_(fileOf(options.folder, options.rank)), hosts_(options.size) {
    leaveName(options);
    try {
        const auto end = std::chrono::steady_clock::now() + options.deadline;
        for (std::size_t rank = 0; rank < hosts_.size();) {
            hosts_[rank] = readName(fileOf(folder_, rank));
            if (!hosts_[rank].empty()) {
                ++rank;
                continue;
            }
            if (options.is_cancelled && options.is_cancelled()) throw Error(ErrorCode::kCancelled, "before the first step");
            if (std::chrono::steady_clock::now() >= end) {
                for (std::size_t other = rank; other < hosts_.size(); ++other) hosts_[other] = readName(fileOf(folder_, other));
                throw Error(ErrorCode::kDeadlineExceeded,
                            folder_.string() + ": expected all " + std::to_string(hosts_.size()) + " ranks there within " +
                                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options.deadline).count()) +
                                " s, got none of " + ranksText(hosts_) + "; --meet must be a folder that every rank sees");
            }
            std::this_thread::sleep_for(kLookForRanks);
        }
    } catch (...) {
        leave();
        throw;
    }
}

RankMeeting::~RankMeeting() {
    leave();
}

void RankMeeting::leave() const {
    ::unlink(own_.c_str());
    ::rmdir(folder_.c_str());  // refused while another rank's file is there
}

// Whole or not at all: linked from aside, which fails where the name is taken.
void RankMeeting::leaveName(const MeetingOptions& options) {
    if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) fail(folder_, "a folder that every rank sees", errno);
    const fs::path aside = own_.string() + "-new-" + std::to_string(::getpid());
    {
        const convert::FileDescriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        const std::string text = options.host + "\n";
        if (!file) fail(folder_, "a folder that every rank can write", errno);
        if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
            const int error = errno;
            ::unlink(aside.c_str());
            fail(folder_, "a folder that every rank can write", error);
        }
    }
    const int error = ::link(aside.c_str(), own_.c_str()) != 0 ? errno : 0;
    ::unlink(aside.c_str());
    if (error == EEXIST) {
        throw Error(ErrorCode::kAlreadyExists,
                    own_.string() + ": expected no rank " + std::to_string(options.rank) +
                        " there yet, got the file of another; give each start a folder of its own with --meet, or remove this one");
    }
    if (error != 0) fail(folder_, "a folder that every rank can write", error);
}

}  // namespace agent::worker
