#include "engine/train/fit/callback_list.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/train/callbacks/backup_and_restore.h"

namespace engine::train {

CallbackList::CallbackList(const spec::CallbackSpecs& specs, Callbacks more) : callbacks_(makeCallbacks(specs)) {
    for (const spec::ObjectSpec& callback : specs) {
        if (callback.class_name != "BackupAndRestore") {
            names_.push_back(callback.class_name);
        }
    }
    std::move(more.begin(), more.end(), std::back_inserter(callbacks_));
    wants_steps_ = std::any_of(callbacks_.begin(), callbacks_.end(), [](const auto& callback) { return callback->wantsSteps(); });
}

std::int64_t CallbackList::stepsToLook(std::int64_t done) const {
    std::int64_t steps = std::numeric_limits<std::int64_t>::max();
    for (const auto& callback : callbacks_) {
        if (callback->wantsSteps()) steps = std::min(steps, callback->stepsToLook(done));
    }
    return steps;
}

std::string CallbackList::nameOfLast(std::int64_t step) const {
    for (const auto& callback : callbacks_) {
        if (std::string name = callback->nameOfLast(step); !name.empty()) return name;
    }
    return {};
}

void CallbackList::trainBegin(TrainingContext& context) {
    for (const auto& callback : callbacks_) {
        callback->onTrainBegin(context);
    }
}

void CallbackList::epochBegin(TrainingContext& context, std::int32_t epoch) {
    for (const auto& callback : callbacks_) {
        callback->onEpochBegin(context, epoch);
    }
}

void CallbackList::stepEnd(TrainingContext& context, std::int32_t epoch, std::int64_t batch) {
    if (!wants_steps_) {
        return;
    }
    for (const auto& callback : callbacks_) {
        if (callback->wantsSteps()) {
            callback->onStepEnd(context, epoch, batch);
        }
    }
}

void CallbackList::testBegin(TrainingContext& context) {
    for (const auto& callback : callbacks_) {
        callback->onTestBegin(context);
    }
}

void CallbackList::testEnd(TrainingContext& context) {
    for (const auto& callback : callbacks_) {
        callback->onTestEnd(context);
    }
}

void CallbackList::epochEnd(TrainingContext& context, std::int32_t epoch, Logs& logs) {
    for (const auto& callback : callbacks_) {
        callback->onEpochEnd(context, epoch, logs);
    }
}

void CallbackList::trainEnd(TrainingContext& context) {
    for (const auto& callback : callbacks_) {
        callback->onTrainEnd(context);
    }
}

void CallbackList::save(std::vector<exporter::SavedObject>& objects) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        objects.push_back({names_[i], {}});
        callbacks_[i]->save(objects.back());
    }
}

void CallbackList::restore(const std::vector<exporter::SavedObject>& objects) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (const exporter::SavedObject* state = findObject(objects, names_[i])) {
            callbacks_[i]->restore(*state);
        }
    }
}

}  // namespace engine::train
