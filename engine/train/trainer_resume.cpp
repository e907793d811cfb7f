// Backups of a run as it stands between two steps, and going on from one.
#include "engine/export/tf_checkpoint.h"
#include "engine/train/trainer.h"

namespace engine::train {

using exporter::SavedObject;

void Trainer::writeBackup(std::int32_t epoch, std::int64_t step) {
    if (!backups_.writes()) {
        return;
    }
    // A run that goes on from the backup reports no point again that was reported before it: those have to be kept first.
    reporter_->flush();
    if (!observer_.confirmKept()) {
        log(spec::LogLevel::kWarning,
            "the backup after step " + std::to_string(steps_.done()) + " is left out: what was reported up to it is not on disk yet");
        return;
    }
    executors_.sync();
    SavedObject state = backups_.newState();
    state.set("epoch", std::int64_t{epoch});
    state.set("step", step);
    state.set("iterations", steps_.done());
    state.set("epoch_totals", progress_.sumsAsBytes());
    if (const auto rate = rate_.setByHand()) {
        state.set("learning_rate", static_cast<double>(*rate));
    }
    state.set("ended_by_callback", std::int64_t{controls_.isEndedByCallback() ? 1 : 0});
    checkpoints_.save(state);
    std::vector<SavedObject> callbacks;
    callbacks_.save(callbacks);
    backups_.write(std::move(state), std::move(callbacks), executors_.variables());
}

// All replicas get the chief's state. Weights follow with broadcastWeights().
void Trainer::readBackup() {
    const std::vector<SavedObject> objects = backups_.read(executors_.variables());
    const SavedObject* state = findObject(objects, kTrainerState);
    if (state == nullptr) {
        return;
    }
    progress_.goOn(static_cast<std::int32_t>(state->get<std::int64_t>("epoch", 0)), state->get<std::int64_t>("step", 0),
                   state->get<std::string>("epoch_totals", ""));
    steps_.goOnAfter(state->get<std::int64_t>("iterations", 0));
    if (const double* rate = state->find<double>("learning_rate")) {
        rate_.set(static_cast<float>(*rate));
    }
    if (state->get<std::int64_t>("ended_by_callback", 0) != 0) {
        controls_.endByCallback();
    }
    checkpoints_.restore(*state);
    callbacks_.restore(objects);
    restored_ = true;
}

// Of parameter servers that have lost their values: the last backup, else the last checkpoint, else what the run began with.
std::int64_t Trainer::restoreLastSaved() {
    backend::Variables& variables = executors_.variables();
    const std::vector<SavedObject> objects = backups_.read(variables);
    if (const SavedObject* state = findObject(objects, kTrainerState)) {
        return state->get<std::int64_t>("iterations", 0);
    }
    const std::filesystem::path folder = folder_.path() / "checkpoints";
    if (!folder_.path().empty() && exporter::latestCheckpoint(folder)) {
        return readCheckpoint(folder);
    }
    initializeWeights();
    return 0;
}

}  // namespace engine::train
