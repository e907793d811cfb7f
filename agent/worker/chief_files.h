// What the chief writes into the run's folder beside checkpoints and events: run.json, the list of checkpoints, the mark of a finished run.
// A file that can't be written is told, and training goes on.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/files/safe_folder.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

class ChiefFiles {
public:
    using Tell = std::function<void(engine::spec::LogLevel level, const std::string& text)>;
    explicit ChiefFiles(Tell tell) : tell_(std::move(tell)) {}

    // The run's folder, once it is there. Until then nothing is listed, and the other files can't be written.
    void setFolder(std::shared_ptr<const engine::files::SafeFolder> folder) { folder_ = std::move(folder); }
    // The model's first layer with the vocabulary that it took from the texts.
    void setAdapted(std::optional<engine::spec::LayerSpec> layer) { adapted_ = std::move(layer); }

    // Every value as resolved, what the model took from the texts too.
    void writeRun(const engine::spec::RunSpec& run);
    // Adds a checkpoint to the list by which others find it: those who evaluate, export and show it. Called on the thread that trains.
    void listCheckpoint(const engine::spec::EventBody& body);
    // Marks the folder, so that no later run takes it for its own.
    void markFinished(const engine::spec::TaskFinished& finished);

private:
    const Tell tell_;
    std::shared_ptr<const engine::files::SafeFolder> folder_;
    std::optional<engine::spec::LayerSpec> adapted_;
    bool told_of_list_ = false;
};

// The algorithms in the folder's run.json; empty without one. A run that goes on in its folder takes them: the same ones give the same
// numbers.
std::map<std::string, std::string> algorithmsOfRun(const std::filesystem::path& folder_path);

}  // namespace agent::worker
