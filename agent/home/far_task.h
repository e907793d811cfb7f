// One task on another computer, as two ends of a channel. The supervisor has one end, in the form in which it knows processes of its own;
// the part to which the task belongs has the other: it puts in what the far agent tells and takes out what the supervisor wants.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/local/file_descriptor.h"
#include "agent/server/process/process.h"
#include "agent/wire/delimited.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::home {

// The part's end, which lives as long as one of the two needs it. Safe from any thread but for orders(), which is one thread's.
class FarTask {
public:
    // `host` is what its process says of where it runs; `wake` is called when a signal was asked for. Throws Error(kResourceExhausted).
    FarTask(engine::spec::TaskId id, std::string host, std::function<void()> wake);

    const engine::spec::TaskId& id() const { return id_; }
    // The supervisor's end, once. Its destructor asks for SIGKILL.
    static std::unique_ptr<server::Process> process(const std::shared_ptr<FarTask>& task);

    // Waits while the supervisor is slow. False when it has let go of the process.
    bool tell(const engine::spec::TaskEvent& event);
    // The end of the socket from which the supervisor's orders are read, as a local process reads them.
    convert::DelimitedReader& orders() { return orders_; }
    int orderDescriptor() const { return ends_.part.get(); }
    // Returns the strongest signal that was asked for: 0 (none), SIGTERM or SIGKILL.
    int wantedSignal() const { return wanted_signal_; }

    // Notes whether the task's computer answers. Before the first call it counts as reached.
    void setReached(bool reached) { reached_ = reached; }

    // The process is over, once: by itself, or (`given_up`) because its agent or the way to it was given up.
    void end(const server::ExitStatus& status, const std::string& given_up);
    bool hasEnded() const;

private:
    class End;
    struct SocketPair {
        convert::FileDescriptor supervisor, part;
    };
    static SocketPair makePair();

    const engine::spec::TaskId id_;
    const std::string host_;
    const std::function<void()> wake_;
    SocketPair ends_;
    const convert::FileDescriptor exit_;  // an eventfd, readable once it has ended
    convert::DelimitedWriter writer_;
    convert::DelimitedReader orders_;
    std::atomic<int> wanted_signal_ = 0;
    std::atomic<bool> reached_ = true;
    mutable engine::Mutex mutex_;
    std::optional<server::ExitStatus> status_ TANDEM_GUARDED_BY(mutex_);
    std::string given_up_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::home
