// A task's events in a file of its run's folder, RUN/events/TASK.events, for whoever follows the folder: a task that a scheduler or a
// person started has no agent. Form: agent/local/event_files.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "agent/proto/task_event.pb.h"
#include "agent/worker/sinks/event_sink.h"
#include "engine/files/file_descriptor.h"
#include "engine/files/safe_folder.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

// Safe from any thread. Events that are sent before open() wait in memory, and so do those that a full disk does not take: each further
// event tries again. When too much waits, new points and heartbeats are left out, and every event when twice as much waits; a line of the
// log says how many steps that were.
class EventFile final : public EventSink {
public:
    enum class Begin {
        kGoOn,  // behind what earlier starts of the task have written there; half a message at the end, of one that was killed, goes
        kAnew,
    };

    // Opens or makes the file below the run's folder and writes `start` as its first message. Throws Error naming the file.
    void open(const engine::files::SafeFolder& run_folder, Begin begin, const engine::spec::TaskId& task, const proto::TaskStart& start);

    void send(const engine::spec::TaskEvent& event) override;
    void sendLive(const engine::spec::TaskEvent& heartbeat, const LiveState& live) override;
    // True when the events are on the disk, as far as the file system says so, and before open(). Does not wait for the deadline: a file is
    // written at once or not now.
    bool confirmKept(std::chrono::milliseconds deadline) override;

private:
    void add(const proto::TaskEvent& message);
    bool write() TANDEM_REQUIRES(mutex_);
    void tellLeftOut(const proto::TaskEvent& next) TANDEM_REQUIRES(mutex_);

    engine::Mutex mutex_;
    engine::files::FileDescriptor file_ TANDEM_GUARDED_BY(mutex_);  // none before open()
    std::string waiting_ TANDEM_GUARDED_BY(mutex_);                 // whole messages, of the first of which a part may be written
    std::int64_t left_out_ TANDEM_GUARDED_BY(mutex_) = 0;           // steps
};

}  // namespace agent::worker
