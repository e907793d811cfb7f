// Looks once a second for what users ask of a task without an agent: agent/local/control_file.h.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "engine/files/safe_folder.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

// Owned by the task runner. Ends in its destructor; its thread calls the handlers.
class ControlWatch {
public:
    struct Handlers {
        std::function<void(const engine::spec::Control&)> control;
        // Told what is wrong with the file, once for each text.
        std::function<void(const std::string&)> problem;
    };
    // Controls that are in the file already were asked of an earlier start, and are passed over.
    ControlWatch(std::shared_ptr<const engine::files::SafeFolder> run_folder, Handlers handlers,
                 std::chrono::milliseconds interval = std::chrono::seconds(1));
    ~ControlWatch();
    ControlWatch(const ControlWatch&) = delete;
    ControlWatch& operator=(const ControlWatch&) = delete;

private:
    void run(const std::stop_token& stop);
    void look();

    const std::shared_ptr<const engine::files::SafeFolder> folder_;
    const Handlers handlers_;
    const std::chrono::milliseconds interval_;
    std::int64_t seen_ = 0;  // the thread's alone behind the constructor, as the next one
    std::string told_;
    engine::Mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::worker
