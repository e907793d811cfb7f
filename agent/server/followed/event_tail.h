// One file of RUN/events as it grows: what a task without an agent tells.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/server/runs/told_event.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/events/exchange_state.h"
#include "engine/spec/events/host_load.h"
#include "engine/spec/events/task_event.h"

namespace agent::server {

// The task begins to tell, for the first time or again.
struct FollowedStart {
    int version = 0;
    std::string run_name, project_json;
    std::vector<engine::spec::TaskId> tasks;
    engine::spec::TaskId chief;
    bool independent = false;
    std::string host, process;  // process: convert::ProcessMark
};

// One message of the file: `start`, an event, or neither where it is of a kind that this version does not know. A pack of points has `told`
// alone, for nobody reads its values here.
struct FollowedMessage {
    std::uint64_t end = 0;  // the byte of the file behind it
    std::int64_t time_unix_ns = 0;
    std::optional<FollowedStart> start;
    std::optional<engine::spec::TaskEvent> event;
    std::optional<engine::spec::ExchangeState> exchange;  // of a heartbeat
    std::optional<engine::spec::HostLoad> host;           // of a heartbeat: what the task's computer uses
    ToldEvent told;                                       // without bytes: an event of a kind that a later version knows
};

// Used by one thread. Holds the file open; reads a bounded piece at a time.
class EventTail {
public:
    // Throws Error naming the file when it can't be opened.
    EventTail(const engine::files::SafeFolder& events, const engine::spec::TaskId& task);

    const engine::spec::TaskId& task() const { return task_; }
    // The next whole message, after reading on where none is at hand; null when the file has no further one now. It lives until pop().
    // Throws Error(kDataLoss) naming file and byte where the bytes are none, once: nothing comes of the file any more then.
    const FollowedMessage* peek();
    void pop() { queue_.pop_front(); }
    // Somebody put another file in its place, or made it shorter: the run began anew.
    bool isReplaced(const engine::files::SafeFolder& events) const;

private:
    bool fill();
    void parse();

    const engine::spec::TaskId task_;
    std::string name_, path_;
    engine::files::FileDescriptor file_;
    std::uint64_t read_ = 0;    // bytes of the file
    std::uint64_t parsed_ = 0;  // of these
    std::string bytes_;         // from parsed_ to read_
    std::string damage_;        // why nothing is read any more; empty while all is well
    bool is_damage_told_ = false;
    std::deque<FollowedMessage> queue_;
};

}  // namespace agent::server
