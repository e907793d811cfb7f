// What a project's data set is, for people: `tandem-cli data` and the studio's Data page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agent/worker/task_runner.h"

namespace agent::worker {

struct DataOptions {
    bool list = false;  // in place of a project: the sets with a name that are on this computer, {"available": [name]} or a line each
    std::filesystem::path project;
    std::vector<std::string> settings;
    std::filesystem::path base;  // where relative files lie; empty: beside the project
    bool fetch = false;          // a set that has a name and is not here, or is damaged, is downloaded
    bool check = false;          // every sample is read, so that all bad ones are named
    std::int64_t samples = 12;   // shown of each class
    std::uint64_t draw = 0;      // others for another number
    bool json = false;
    std::vector<std::filesystem::path> dataset_folders;
    std::filesystem::path download_folder;
};

// Only the project's `data` counts; its model may be unfinished. Bad samples are counted and named, whatever data.on_error says. With
// `check` NaN and infinities are counted, a finished model is held beside the labels, and the exit code is the one that a run would end
// with.
//
// As text: sizes, a line a class, the columns of a table, bad samples. As JSON, one object a line:
//   {"progress": {"stage": "fetch" | "read", "name", "done", "total"}}             as often as it changes, at most a few times a second
//   {"log": text}
//   {"data": {dataset, train_samples, train_files (samples of each, of a set that is read file by file), test_samples, sample_shape,
//   sample_dtype, label_dtype, smallest, largest, bytes, checksum,
//             bad: {count, first}, not_finite: {count, first}, refusals: [text], columns: [{name, type, label, categories}], has_classes,
//             groups_left_out, groups: [{name, train, test, samples: [{index, rows, columns, channels, pixels (base64)} | {index,
//             text}]}]}}   the end
//   {"error": {code, message, can_fetch}}                                                                                   or this
// Returns the exit code.
int runData(const DataOptions& options, const TaskSurroundings& surroundings);

}  // namespace agent::worker
