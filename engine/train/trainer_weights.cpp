// Weights from files of Keras and TensorFlow before training, and to them after it.
#include <filesystem>
#include <utility>

#include "engine/backend/initialize.h"
#include "engine/export/keras_file.h"
#include "engine/spec/error.h"
#include "engine/train/adapt/adaptation.h"
#include "engine/train/trainer.h"

namespace engine::train {

std::int64_t Trainer::beginWeights() {
    if (!run_.fit.initial_state || leavesToChief()) {  // values and place of one that leaves to the chief come from the servers
        initializeWeights();
        return 0;
    }
    beginFromState();
    return steps_.done();
}

// The chief's are broadcast to the others, so that no other needs the file. Optimizer and step count begin anew.
void Trainer::initializeWeights() {
    backend::initializeVariables(executors_.variables(), run_.model, static_cast<std::uint64_t>(run_.fit.seed));
    if (run_.fit.initial_weights.empty() || !task_.is_chief) {
        return;
    }
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : executors_.variables().entries()) {
        if (!entry.is_slot) {
            views.push_back({entry.name, entry.shape, entry.values});
        }
    }
    requireOwnVocabulary();
    exporter::readWeights(run_.fit.initial_weights, run_.model, views);
    log(spec::LogLevel::kInfo, "Initial weights from " + run_.fit.initial_weights);
}

// A vocabulary of the project's own is the user's word; one that the texts gave would stand silently for the file's. The chief alone has
// the file, and its error ends the run.
void Trainer::requireOwnVocabulary() const {
    if (task_.is_chief && options_.dataset.adapted) {
        exporter::requireSameVocabulary(run_.fit.initial_weights, run_.model);
    }
}

// Every replica does it by itself, with the same values: none waits for the chief as long as a pass takes. What a file gave stays.
void Trainer::adaptToSamples() {
    if (!run_.fit.initial_weights.empty() || leavesToChief()) {
        return;
    }
    const std::string told = adaptLayer(run_, options_.dataset.train, executors_.variables());
    if (!told.empty() && task_.is_chief) {
        log(spec::LogLevel::kInfo, told);
    }
}

void Trainer::followLeftOut() {
    if (!steps_.hasToBeFollowed()) return;
    steps_.lookAt(currentVariables());
}

std::optional<files::Place> Trainer::weightsFile() const {
    if (!task_.is_chief || (options_.weights_file.empty() && run_.fit.save_weights.empty())) {
        return std::nullopt;
    }
    return options_.weights_file.empty() ? files::Place(runFolder(), run_.fit.save_weights) : files::Place(options_.weights_file);
}

void Trainer::makeWeightsFolder() const {
    try {
        if (const auto file = weightsFile()) {
            file->parent().makeFolder();
        }
    } catch (const Error& error) {
        throw Error(error.code(), std::string("fit.save_weights: its folder can't be made: ") + error.what());
    }
}

void Trainer::saveWeights(FitOutcome& outcome) {
    const auto file = weightsFile();
    if (!file) {
        return;
    }
    steps_.lookAt(currentVariables());
    exporter::CheckpointContents contents{.model = &run_.model,
                                          .optimizer = run_.compile.optimizer,
                                          .variables = {},
                                          .iterations = steps_.applied(),
                                          .learning_rate = learningRate()};
    for (const backend::Variables::Entry& entry : executors_.variables().entries()) {
        contents.variables.push_back({entry.name, entry.shape, entry.values});
    }
    const std::string name = file->path().string();
    try {
        file->parent().makeFolder();
        const std::int64_t bytes = exporter::writeKerasFile(*file, contents, run_.compile);
        log(spec::LogLevel::kInfo, "Weights written to " + name + " (" + std::to_string(bytes) + " bytes)");
    } catch (const Error& error) {
        outcome.state = spec::TaskState::kFailed;
        outcome.detail = "the weights could not be written to " + name + ": " + error.what();
    }
}

}  // namespace engine::train
