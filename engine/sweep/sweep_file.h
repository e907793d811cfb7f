// The files of a sweep, as JSON.
//
// What a user asks for, `tandem-cli sweep --file`:
//   {"project": "mnist_mlp", "method": "asha", "objective": "val_accuracy", "direction": "max",
//    "fields": {"compile.optimizer.learning_rate": "log:1e-4..1e-1", "model.layers[1].units": [64, 128, 256]},
//    "trials": 27, "seed": 0, "seeds": 1, "at_once": 2, "reduction": 3, "min_epochs": 1, "max_epochs": 27,
//    "workers": 0, "servers": 0, "hosts": "node1,node2", "spread": true}
// In place of the last four "slurm": {"nodes": 1, "tasks_per_node": 1, "cpus_per_task": 0, "gpus_per_task": 0, "memory": "4G", "time":
// "30", "partition": ""}. All but "fields" may be missing. A field's values are a list, or a text as parseField() reads it behind PATH=.
//
// A sweep that was begun, sweep.json in its folder, written anew whenever a run begins or has ended:
//   {"version": 1, "settings": the object above without "project", "project": the project file's object,
//    "trials": [{"values": ["0.01", "64"], "state": "paused", "rung": 0, "means": [0.93], "error": "",
//                "runs": [{"state": "told", "run": "20261121-143205-7f3a", "host": "", "values": [0.93], "epochs": 1, "latest": 0.93,
//                "ended": false}]}]}
// A number that is none is null. Pure functions, any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/sweep/sweep.h"

namespace engine::sweep {

struct SweepRequest {
    std::string project;  // a file or the name of a starter project; empty: not said
    SweepSettings settings;
};
// Throws Error(kInvalidArgument) naming the place, what was expected and what was found; unknown names are refused, too. What only the
// project can tell is left to checkSweep().
SweepRequest parseSweepRequest(std::string_view json);
std::string toJson(const SweepRequest& request);

struct SweepFile {
    spec::RunSpec project;  // its files absolute
    Sweep sweep;
};
// Throws Error(kDataLoss) naming what is wrong with the file.
SweepFile parseSweepFile(std::string_view json);
std::string toJson(const spec::RunSpec& project, const Sweep& sweep);

}  // namespace engine::sweep
