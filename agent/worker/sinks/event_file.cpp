#include "agent/worker/sinks/event_file.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/local/event_files.h"
#include "agent/wire/delimited.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::worker {

namespace {

using engine::Error;
using engine::files::codeOfErrno;

constexpr std::size_t kMostWaiting = 8u << 20;        // bytes before points are left out
constexpr std::size_t kMostOfAll = 2 * kMostWaiting;  // and before everything is

// Returns where the last whole message of the file ends. `file` can be read.
off_t endOfWholeMessages(int file, off_t size, const std::string& name) {
    constexpr std::size_t kPiece = 1u << 20;
    std::string bytes;
    off_t done = 0, read = 0;
    while (read < size) {
        const std::size_t before = bytes.size();
        bytes.resize(before + kPiece);
        const ssize_t got = ::pread(file, bytes.data() + before, kPiece, read);
        bytes.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got <= 0) {
            throw Error(codeOfErrno(got < 0 ? errno : EIO), name + ": can't be read: " + std::strerror(got < 0 ? errno : EIO));
        }
        read += got;
        std::string_view rest = bytes;
        while (const std::optional<std::string_view> message = convert::firstDelimited(rest)) {
            rest.remove_prefix(static_cast<std::size_t>(message->data() + message->size() - rest.data()));
        }
        done += static_cast<off_t>(bytes.size() - rest.size());
        bytes.erase(0, bytes.size() - rest.size());
    }
    return done;
}

// Removes what an earlier start left half written.
void cutTheTail(const engine::files::SafeFolder& folder, const std::string& name, int file) {
    const std::string path = (folder.path() / name).string();
    struct stat found {};
    if (::fstat(file, &found) != 0) throw Error(codeOfErrno(errno), path + ": can't be read: " + std::strerror(errno));
    const off_t end = endOfWholeMessages(folder.openToRead(name).get(), found.st_size, path);
    if (end < found.st_size && ::ftruncate(file, end) != 0) {
        throw Error(codeOfErrno(errno), path + ": can't be written: " + std::strerror(errno));
    }
}

}  // namespace

void EventFile::open(const engine::files::SafeFolder& run_folder, Begin begin, const engine::spec::TaskId& task,
                     const proto::TaskStart& start) {
    const engine::files::SafeFolder folder = run_folder.makeFolder(convert::kEventFolder);
    const std::string name = convert::eventFileName(task), path = (folder.path() / name).string();
    if (begin == Begin::kAnew) folder.remove(name);
    engine::files::FileDescriptor file = folder.openToAppend(name);
    if (begin == Begin::kGoOn) cutTheTail(folder, name, file.get());
    proto::TaskEvent first;
    first.set_time_unix_ns(std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
    *first.mutable_task() = convert::toProto(task);
    *first.mutable_start() = start;
    std::string bytes;
    convert::appendDelimited(bytes, first);
    const engine::MutexLock lock(mutex_);
    file_ = std::move(file);
    waiting_.insert(0, bytes);
    if (!write()) throw Error(codeOfErrno(errno), path + ": can't be written: " + std::strerror(errno));
}

void EventFile::send(const engine::spec::TaskEvent& event) {
    add(convert::toProto(convert::bounded(event)));
}

// The computer's name is in the TaskStart, and the time is the heartbeat's.
void EventFile::sendLive(const engine::spec::TaskEvent& heartbeat, const LiveState& live) {
    proto::TaskEvent message = convert::toProto(heartbeat);
    if (live.exchange) *message.mutable_heartbeat()->mutable_exchange() = convert::toProto(*live.exchange);
    if (live.host) {
        proto::HostLoad& host = *message.mutable_heartbeat()->mutable_host();
        convert::toProto(*live.host, host);
        host.clear_time_unix_ns();
    }
    add(message);
}

// `next`: whose task and time the line takes.
void EventFile::tellLeftOut(const proto::TaskEvent& next) {
    proto::TaskEvent line;
    line.set_time_unix_ns(next.time_unix_ns());
    *line.mutable_task() = next.task();
    line.mutable_log_line()->set_level(proto::LOG_LEVEL_WARNING);
    line.mutable_log_line()->set_text("events: the points of " + std::to_string(std::exchange(left_out_, 0)) +
                                      " steps are left out, for the disk had no room for them");
    convert::appendDelimited(waiting_, line);
}

void EventFile::add(const proto::TaskEvent& message) {
    const engine::MutexLock lock(mutex_);
    const bool may_go = message.has_step_points() || message.has_heartbeat();
    if (waiting_.size() >= (may_go ? kMostWaiting : kMostOfAll)) {
        left_out_ += message.step_points().step_size();
    } else {
        if (left_out_ > 0) tellLeftOut(message);
        convert::appendDelimited(waiting_, message);
    }
    if (file_) write();
}

// False with errno when something still waits. A message that is half written goes on where it stopped.
bool EventFile::write() {
    std::size_t done = 0;
    int error = 0;
    while (done < waiting_.size() && error == 0) {
        const ssize_t written = ::write(file_.get(), waiting_.data() + done, waiting_.size() - done);
        if (written > 0) {
            done += static_cast<std::size_t>(written);
        } else if (errno != EINTR) {
            error = written == 0 ? ENOSPC : errno;
        }
    }
    waiting_.erase(0, done);
    errno = error;
    return error == 0;
}

bool EventFile::confirmKept(std::chrono::milliseconds /*deadline*/) {
    const engine::MutexLock lock(mutex_);
    return !file_ || (write() && ::fdatasync(file_.get()) == 0);
}

}  // namespace agent::worker
