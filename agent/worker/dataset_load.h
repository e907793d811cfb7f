// A task's data, read while it connects.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <vector>

#include "agent/worker/task_observer.h"
#include "engine/data/dataset_catalog.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

// Reads the data on a thread of its own while the task connects.
class DatasetLoad {
public:
    // `hooks` are called on that thread and on those that decode.
    DatasetLoad(const engine::spec::RunSpec& run, std::vector<std::filesystem::path> folders, std::filesystem::path base,
                engine::data::LoadHooks hooks);
    // True once get() is known to throw.
    bool failed() const { return failed_.load(); }
    // Waits for the data. Throws what reading them threw.
    engine::data::Dataset get() { return result_.get(); }

private:
    std::atomic<bool> failed_{false};
    std::shared_future<engine::data::Dataset> result_;  // last: its thread uses the others
};

// Hooks that tell of downloads. `observer` outlives them; both may be asked on other threads.
engine::data::LoadHooks loadHooks(const std::filesystem::path& download_folder, TaskObserver& observer, std::function<bool()> is_cancelled);

// Tells how many records could not be read, where there were such.
void tellSkipped(const engine::data::Dataset& dataset, TaskObserver& observer);

}  // namespace agent::worker
