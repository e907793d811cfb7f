// What a run's folder says of its checkpoints: RUN_DIR/checkpoints.jsonl, a JSON object a line, written by the chief as it goes.
//
//   {"resumed_step": 3500, "steps_per_epoch": 938, "global_batch_size": 64} a start behind that step: later lines above hold no more
//   {"checkpoint": "training_checkpoints/ckpt_3", "epoch": 3, "step": 2814, "best": false}
//   (with "removed": ["training_checkpoints/ckpt_1"] where older ones went for it)
//   {"epoch": 3, "step": 2814, "logs": {"loss": 0.04, "val_accuracy": 0.98}}
//
// Epochs count from 1 here, as in ckpt_{epoch}. Files are relative to the folder: a prefix in TensorFlow's format, or a Keras file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace engine::spec {

inline constexpr const char* kCheckpointListFile = "checkpoints.jsonl";

// How far a run was when it wrote a checkpoint.
struct CheckpointPlace {
    std::int64_t epochs = 0;           // whole ones that lie behind
    std::int64_t steps = 0;            // done in the epoch after those
    std::int64_t steps_per_epoch = 0;  // of the run, at least 1
    std::int64_t global_batch_size = 0;
    friend bool operator==(const CheckpointPlace&, const CheckpointPlace&) = default;
};

struct ListedCheckpoint {
    std::string file;
    std::int64_t epoch = 0;  // from 1; 0: unknown
    std::int64_t step = 0;   // steps done in all; 0: unknown
    bool best = false;       // of all in the list, by the callback's word, else by what was measured at the ends of epochs
    // nullopt in a list whose starts do not tell how long an epoch is: one from before they did.
    std::optional<CheckpointPlace> place{};
    friend bool operator==(const ListedCheckpoint&, const ListedCheckpoint&) = default;
};

// The line that an event of the chief adds, without its end; nullopt for an event that adds none. That of a RunStarted without a
// resumed_step begins the file anew.
std::optional<std::string> checkpointListLine(const EventBody& body);

// Oldest first, each file once, as it was written last. A line that can't be read, or that names a file outside the folder, is left out.
std::vector<ListedCheckpoint> parseCheckpointList(std::string_view text);

// Finds a checkpoint by "latest" (or nothing), "best", an epoch ("3"), or a name: the file, its last part, or that without the ending of a
// Keras file. nullptr when there is none; the last one where several have the epoch or name.
const ListedCheckpoint* findCheckpoint(const std::vector<ListedCheckpoint>& checkpoints, std::string_view word);

// "ckpt_1, ckpt_2 and 7 more": last parts of the files, for messages.
std::string checkpointNames(const std::vector<ListedCheckpoint>& checkpoints);

}  // namespace engine::spec
