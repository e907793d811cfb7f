// Backups of a run as it stands between two steps, and going on from one.
#include <algorithm>
#include <string>

#include "engine/export/tf_checkpoint.h"
#include "engine/spec/error.h"
#include "engine/train/fit/initial_state.h"
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
    if (const ServedExecutor* served = executors_.served(); served != nullptr && served->globalStep() < steps_.done()) {
        return;  // a server was lost just now: the values are those of the backup before, and fewer steps are done
    }
    SavedObject state = backups_.newState();
    state.set("epoch", std::int64_t{epoch});
    state.set("step", step);
    state.set("iterations", steps_.done());
    if (const ServedExecutor* served = executors_.served()) {
        state.set("first_epoch", served->origin().epoch);
        state.set("first_step", served->origin().step);
    }
    state.set("batches", batches_.takenAt(epoch, step, progress_.length()));
    state.set("rate_scale", rate_.scale());
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
    if (findObject(objects, kTrainerState) != nullptr) {
        goOnAsWasSaved(objects);
    }
}

// The run's own backup, read afterwards, is further.
void Trainer::beginFromState() {
    requireOwnVocabulary();
    const InitialState begun = readInitialState(run_, task_, collective_, executors_.variables());
    const SavedObject* found = findObject(begun.objects, kTrainerState);
    ENGINE_CHECK(found != nullptr);
    const SavedObject& state = *found;
    if (begun.is_whole) {
        goOnAsWasSaved(begun.objects);
    } else {
        steps_.goOnAfter(state.get<std::int64_t>("iterations", 0));
        if (state.find<std::int64_t>("epoch") != nullptr) {
            progress_.goOn(static_cast<std::int32_t>(state.get<std::int64_t>("epoch", 0)), state.get<std::int64_t>("step", 0));
            batches_.goOnAfter(state.get<std::int64_t>("batches", -1));
            BackedUpBatch before = backedUpBatch(state, task_);
            if (state.find<std::int64_t>("replicas") == nullptr) before.replicas = 0;  // a checkpoint's: nobody knows
            followBatch(before, state.get<std::int64_t>("step", 0));
        } else {
            finds_its_epoch_ = true;
        }
        restored_ = true;
    }
    begins_from_ = begun.is_whole ? BeginsFrom::kWholeState : BeginsFrom::kPartOfState;
    if (!begun.anew.empty()) {
        log(spec::LogLevel::kInfo, run_.fit.initial_weights +
                                       " does not have all of this project's optimizer: " + std::to_string(begun.anew.size()) +
                                       " of its variables begin anew, " + begun.anew.front() + " among them");
    }
}

// Places the run where the initial state says; where that tells no epoch, in one as long as those of this run. A run that would have
// nothing left to train ends here.
void Trainer::placeInitialState() {
    if (begins_from_ == BeginsFrom::kSeed || backups_.hasResumed()) {
        return;
    }
    const bool is_told = finds_its_epoch_ ? run_.fit.initial_epoch > 0 : run_.fit.initial_epoch > progress_.epoch();
    if (is_told && begins_from_ == BeginsFrom::kPartOfState) {
        progress_.goOn(static_cast<std::int32_t>(run_.fit.initial_epoch), 0);  // the user's word
    } else if (finds_its_epoch_ && progress_.length() > 0) {
        progress_.goOn(static_cast<std::int32_t>(steps_.done() / progress_.length()), steps_.done() % progress_.length());
    }
    if (begins_from_ == BeginsFrom::kPartOfState && progress_.length() > 0 && progress_.stepsLeft() <= 0) {
        progress_.goOn(progress_.epoch() + 1, 0);  // its epoch was longer than those of this run, or had no step left
    }
    if (const auto fault = noEpochsLeft(run_, progress_.epoch())) {
        throw Error(ErrorCode::kInvalidArgument, "fit.epochs: " + *fault);
    }
    if (task_.is_chief) {
        log(spec::LogLevel::kInfo, "Begins at epoch " + std::to_string(progress_.epoch() + 1) + ", step " +
                                       std::to_string(progress_.stepsDone()) + " (" + std::to_string(steps_.done()) +
                                       " steps done in all), from " + run_.fit.initial_weights +
                                       (begins_from_ == BeginsFrom::kWholeState ? "" : ": weights, optimizer and place in the data"));
    }
}

void Trainer::goOnAsWasSaved(const std::vector<SavedObject>& objects) {
    const SavedObject* state = findObject(objects, kTrainerState);
    progress_.goOn(static_cast<std::int32_t>(state->get<std::int64_t>("epoch", 0)), state->get<std::int64_t>("step", 0),
                   state->get<std::string>("epoch_totals", ""));
    steps_.goOnAfter(state->get<std::int64_t>("iterations", 0));
    if (const double* rate = state->find<double>("learning_rate")) {
        rate_.set(static_cast<float>(*rate));
    }
    if (run_.cluster.scale_learning_rate) {
        rate_.setScale(state->get<double>("rate_scale", 1));
    }
    batches_.goOnAfter(state->get<std::int64_t>("batches", -1));
    const BackedUpBatch before = backedUpBatch(*state, task_);
    saved_origin_.reset();
    if (const auto* epoch = state->find<std::int64_t>("first_epoch");
        epoch != nullptr && before.global_batch_size == task_.global_batch_size) {
        saved_origin_ = {.epoch = *epoch, .step = state->get<std::int64_t>("first_step", 0)};
    }
    followBatch(before, state->get<std::int64_t>("step", 0));
    if (state->get<std::int64_t>("ended_by_callback", 0) != 0) {
        controls_.endByCallback();
    }
    checkpoints_.restore(*state);
    callbacks_.restore(objects);
    restored_ = true;
}

// A run that goes on with more or fewer replicas than those that wrote its backup is as far in the samples as they were: in an epoch, and
// in a stream over epochs. Its rates follow where the project wants that.
void Trainer::followBatch(const BackedUpBatch& before, std::int64_t step) {
    if (before.global_batch_size == task_.global_batch_size || task_.global_batch_size < 1) {
        return;
    }
    const auto as_many = [&](std::int64_t batches) { return batches * before.global_batch_size / task_.global_batch_size; };
    batches_.goOnAfter(batches_.taken() < 0 ? -1 : as_many(batches_.taken()));
    std::int64_t now = step;
    if (run_.fit.steps_per_epoch == 0) {
        now = as_many(step);
        progress_.countSteps(now);
    }
    std::string text =
        (before.replicas > 0 ? "the backup is of " + std::to_string(before.replicas) + " replicas with" : "the checkpoint is of") +
        std::string(" a global batch of ") + std::to_string(before.global_batch_size) + "; it goes on with " +
        std::to_string(task_.replicas) + " and " + std::to_string(task_.global_batch_size);
    if (now != step) {
        text += ", at step " + std::to_string(now) + " of the epoch in place of " + std::to_string(step);
    }
    if (run_.cluster.scale_learning_rate) {
        const double factor = static_cast<double>(task_.global_batch_size) / static_cast<double>(before.global_batch_size);
        rate_.setScale(rate_.scale() * factor);
        if (const auto rate = rate_.setByHand()) {
            rate_.set(static_cast<float>(static_cast<double>(*rate) * factor));
        }
        text += ", learning rate " + pythonRepr(static_cast<double>(learningRate()));
    }
    if (task_.is_chief) {
        log(spec::LogLevel::kInfo, text);
    }
}

// Restores values for parameter servers that have lost them: from the last backup, else the last checkpoint, else what the run began with.
// The trainer's own place stays: the run goes on where it is, with fewer steps.
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
    if (run_.fit.initial_state) {
        const std::vector<SavedObject> begun = readInitialStateFile(run_, task_, variables).objects;
        return findObject(begun, kTrainerState)->get<std::int64_t>("iterations", 0);
    }
    initializeWeights();
    adaptToSamples();
    return 0;
}

}  // namespace engine::train
