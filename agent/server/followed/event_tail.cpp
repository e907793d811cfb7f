#include "agent/server/followed/event_tail.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "agent/local/event_files.h"
#include "agent/proto/task_event.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::server {

using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::size_t kTailPiece = 256u << 10;
constexpr std::size_t kMostHostBytes = 256, kMostGpus = 64;

FollowedStart startOf(const proto::TaskStart& message) {
    FollowedStart start{.version = message.version(),
                        .run_name = convert::shortened(message.run_name()),
                        .project_json = convert::boundedProject(message.project_json()),
                        .tasks = {},
                        .chief = convert::fromProto(message.chief()),
                        .independent = message.independent(),
                        .host = convert::shortened(message.host(), kMostHostBytes),
                        .process = message.process()};
    for (const proto::TaskId& task : message.tasks()) start.tasks.push_back(convert::fromProto(task));
    return start;
}

// Returns the load with numbers that can be shown, whoever wrote them; those that make no sense are 0.
engine::spec::HostLoad hostLoadOf(const proto::HostLoad& message) {
    const auto positive = [](double value) { return std::isfinite(value) ? std::max(0.0, value) : 0.0; };
    const auto bytes = [](std::int64_t value) { return std::max<std::int64_t>(0, value); };
    engine::spec::HostLoad load = convert::fromProto(message);
    load.interval_s = positive(load.interval_s);
    load.cpu_cores = positive(load.cpu_cores);
    load.cores = std::max(0, load.cores);
    load.memory_used_bytes = bytes(load.memory_used_bytes);
    load.memory_bytes = bytes(load.memory_bytes);
    load.received_bytes_per_s = positive(load.received_bytes_per_s);
    load.sent_bytes_per_s = positive(load.sent_bytes_per_s);
    load.loopback_bytes_per_s = positive(load.loopback_bytes_per_s);
    load.tasks.clear();
    if (load.gpus.size() > kMostGpus) load.gpus.resize(kMostGpus);
    for (engine::spec::GpuLoad& gpu : load.gpus) {
        gpu.name = convert::shortened(gpu.name, kMostHostBytes);
        gpu.busy = std::min(1.0, positive(gpu.busy));
        gpu.memory_used_bytes = bytes(gpu.memory_used_bytes);
        gpu.memory_bytes = bytes(gpu.memory_bytes);
    }
    return load;
}

// Throws Error as fromProto().
FollowedMessage messageOf(const proto::TaskEvent& message, std::string_view bytes, const engine::spec::TaskId& task, std::uint64_t end) {
    FollowedMessage out;
    out.end = end;
    out.time_unix_ns = message.time_unix_ns();
    if (message.has_start()) {
        out.start = startOf(message.start());
        return out;
    }
    if (message.body_case() == proto::TaskEvent::BODY_NOT_SET) return out;
    if (std::optional<ToldEvent> points = carriedPoints(message, bytes, task)) {
        out.told = *std::move(points);
    } else {
        if (message.has_heartbeat() && message.heartbeat().has_exchange()) {
            out.exchange = convert::fromProto(message.heartbeat().exchange());
        }
        if (message.has_heartbeat() && message.heartbeat().has_host()) out.host = hostLoadOf(message.heartbeat().host());
        out.event = convert::fromProto(message);
        out.event->sequence = 0;
        out.event->task = task;
        out.event = convert::bounded(*std::move(out.event));
        out.told = toldEvent(*out.event);
    }
    out.told.bytes = stampedByPart(std::move(out.told.bytes), end);
    return out;
}

}  // namespace

EventTail::EventTail(const engine::files::SafeFolder& events, const engine::spec::TaskId& task)
    : task_(task), name_(convert::eventFileName(task)), path_((events.path() / name_).string()), file_(events.openToRead(name_)) {
    engine::files::requireRegular(file_.get(), path_);
}

bool EventTail::fill() {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + kTailPiece);
    ssize_t got = 0;
    do {
        got = ::pread(file_.get(), bytes_.data() + before, kTailPiece, static_cast<off_t>(read_));
    } while (got < 0 && errno == EINTR);
    const int error = errno;
    bytes_.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0) {
        throw Error(engine::files::codeOfErrno(error), path_ + ": can't be read: " + std::strerror(error));
    }
    read_ += static_cast<std::uint64_t>(got);
    return got > 0;
}

void EventTail::parse() {
    std::string_view rest = bytes_;
    proto::TaskEvent message;
    while (const std::optional<std::string_view> found = convert::firstDelimited(rest)) {
        const std::size_t length = static_cast<std::size_t>(found->data() + found->size() - rest.data());
        if (!message.ParseFromArray(found->data(), static_cast<int>(found->size()))) {
            throw Error(ErrorCode::kDataLoss, "bytes that are no event");
        }
        queue_.push_back(messageOf(message, *found, task_, parsed_ + length));
        parsed_ += length;
        rest.remove_prefix(length);
    }
    bytes_.erase(0, bytes_.size() - rest.size());
}

const FollowedMessage* EventTail::peek() {
    while (queue_.empty() && damage_.empty()) {
        if (!fill()) {
            // A task that is started again cuts off what it had half written: it is read again then.
            read_ = parsed_;
            bytes_.clear();
            return nullptr;
        }
        try {
            parse();
        } catch (const Error& error) {
            damage_ = path_ + ": damaged at byte " + std::to_string(parsed_) + ", what follows is not read: " + error.what();
        }
    }
    if (queue_.empty() && !std::exchange(is_damage_told_, true)) {
        throw Error(ErrorCode::kDataLoss, damage_);
    }
    return queue_.empty() ? nullptr : &queue_.front();
}

bool EventTail::isReplaced(const engine::files::SafeFolder& events) const {
    struct stat open {};
    const auto named = events.status(name_);
    return ::fstat(file_.get(), &open) != 0 || !named || named->st_ino != open.st_ino || named->st_dev != open.st_dev ||
           static_cast<std::uint64_t>(open.st_size) < parsed_;
}

}  // namespace agent::server
