// The callbacks of a run, called in the order in which the project lists them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/export/saved_object.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train {

// Owned by the trainer, from its thread. Each call goes to all of them; callback.h says when it is due.
class CallbackList {
public:
    // All of the project's but BackupAndRestore, and `more` behind them, which keep nothing for another start. Throws Error as
    // makeCallbacks().
    explicit CallbackList(const spec::CallbackSpecs& specs, Callbacks more = {});

    // How many steps may go by, after `done` of them, before one of the callbacks has something to do.
    std::int64_t stepsToLook(std::int64_t done) const;
    // Callback::nameOfLast() of the first that has one.
    std::string nameOfLast(std::int64_t step) const;

    void trainBegin(TrainingContext& context);
    void epochBegin(TrainingContext& context, std::int32_t epoch);
    // Goes to those that want steps alone.
    void stepEnd(TrainingContext& context, std::int32_t epoch, std::int64_t batch);
    void testBegin(TrainingContext& context);
    void testEnd(TrainingContext& context);
    void epochEnd(TrainingContext& context, std::int32_t epoch, Logs& logs);
    void trainEnd(TrainingContext& context);

    // What they know between two steps, an object for each, named after its class; restore() takes it from there again.
    void save(std::vector<exporter::SavedObject>& objects) const;
    void restore(const std::vector<exporter::SavedObject>& objects);

private:
    Callbacks callbacks_;
    std::vector<std::string> names_;  // the classes of those that the project lists, which come first
    bool wants_steps_ = false;
};

}  // namespace engine::train
