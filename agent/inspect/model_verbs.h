// What tandem-worker does with a model when it does not train: open Keras' files, write them, predict.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agent/inspect/engine_answers.h"
#include "agent/worker/task_runner.h"

namespace agent::worker {

struct ImportOptions {
    std::filesystem::path model;  // .keras, .h5 or the JSON of a model
    std::filesystem::path out;    // the project to write; must not exist
};

// A project with the file's model, its compile settings where they are known, and its weights to begin with. What cannot be taken over is
// said on `errors`: warnings for compile settings, errors for the model.
int runImport(const ImportOptions& options, const TaskSurroundings& surroundings);

struct ExportOptions {
    std::filesystem::path project;
    std::vector<std::string> settings;
    std::filesystem::path checkpoint;  // a folder with a file `checkpoint`, a prefix, or a Keras file
    std::filesystem::path out;         // .keras, .weights.h5 or .h5
};

// The checkpoint of a project as a Keras file.
int runExport(const ExportOptions& options, const TaskSurroundings& surroundings);

// The model's outputs for every sample, in order, as a file.
engine::spec::Prediction predict(const engine::spec::EngineQuestion& question, const engine::spec::PredictQuestion& asked,
                                 const EngineSurroundings& surroundings);

struct InspectOptions {
    std::filesystem::path project;
    std::vector<std::string> settings;
    std::filesystem::path checkpoint;  // as of ExportOptions
    std::string data = "test";         // as of PredictQuestion
    std::int64_t sample = 0;           // its place in the data, from 0
    bool json = false;
    int threads = 0;
    std::vector<std::filesystem::path> dataset_folders;
    engine::train::ExecutorFactory make_executor = nullptr;
};

// The best five classes of one sample, and what every layer made of it on the way: see classification_text.h.
int runInspect(const InspectOptions& options, const TaskSurroundings& surroundings);

}  // namespace agent::worker
