// What tandem-worker does in place of training: it answers one question to the engine (engine/spec/events/engine_question.h), asked by its
// agent.
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
    // All three from the thread that answers; may be empty. True: nobody wants the answer any more.
    std::function<bool()> is_cancelled{};
    std::function<void(const std::string& line)> note{};
    std::function<void(const engine::spec::EngineProgress& progress)> progress{};
};

// Throws what the engine finds wrong with the question: engine::Error, std::exception.
engine::spec::EngineAnswer answer(const engine::spec::EngineQuestion& question, const EngineSurroundings& surroundings);

// Reads the question from `descriptor` and writes there what becomes of it, as agent/proto/question.proto says. Returns the exit code:
// kExitDone also when the answer is a failure, kExitAgentGone when nobody asks or listens.
int answerOn(int descriptor, EngineSurroundings surroundings);

}  // namespace agent::worker
