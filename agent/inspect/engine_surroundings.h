// What a worker that answers a question works with, whatever the question is.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/spec/events/engine_question.h"
#include "engine/train/trainer.h"

namespace agent::worker {

struct EngineSurroundings {
    std::vector<std::filesystem::path> dataset_folders;  // data::datasetFolders()
    std::filesystem::path download_folder;               // data::downloadFolder(); empty: nothing is fetched
    engine::train::ExecutorFactory make_executor = nullptr;
    // The thread that answers calls all three; they may be empty. is_cancelled is true when nobody wants the answer any more.
    std::function<bool()> is_cancelled{};
    std::function<void(const std::string& line)> note{};
    std::function<void(const engine::spec::EngineProgress& progress)> progress{};
};

}  // namespace agent::worker
