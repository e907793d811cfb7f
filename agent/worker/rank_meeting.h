// Ranks that know their number and nothing of each other: each leaves its host's name in a folder that all of them see, and reads the
// others'.
//
//   FOLDER/rank-0, FOLDER/rank-1, ...   a host's name each, and a newline at the end
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace agent::worker {

struct MeetingOptions {
    std::filesystem::path folder;  // of this meeting alone; made where it is missing
    std::size_t rank = 0, size = 1;
    std::string host;  // of this rank
    std::chrono::milliseconds deadline{};
    std::function<bool()> is_cancelled{};  // empty: never
};

// While it lives, its own file lies in the folder; the last one takes the folder with it.
class RankMeeting {
public:
    // Waits until all ranks are there. Throws Error: kDeadlineExceeded that names the ranks that did not come, kCancelled when told to
    // stop, kAlreadyExists where the folder has this rank already, kInvalidArgument for a file that holds no name, as files::codeOfErrno()
    // for a folder that can't be written.
    explicit RankMeeting(const MeetingOptions& options);
    ~RankMeeting();
    RankMeeting(const RankMeeting&) = delete;
    RankMeeting& operator=(const RankMeeting&) = delete;
    RankMeeting(RankMeeting&&) = delete;
    RankMeeting& operator=(RankMeeting&&) = delete;

    // The name of each rank's host, in the order of the ranks.
    const std::vector<std::string>& hosts() const { return hosts_; }

private:
    void leaveName(const MeetingOptions& options);
    void leave() const;

    std::filesystem::path folder_, own_;
    std::vector<std::string> hosts_;
};

}  // namespace agent::worker
