// What studio and command line ask of the engine and what it answers, as plain values. A question goes to an agent
// (agent/client/agent_client.h), which lets a short-lived tandem-worker answer it (agent/inspect/engine_answers.h). Paths are absolute:
// they are read in another process and another working folder.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {

struct Prediction {
    Shape shape;  // of the array that was written: (samples, outputs)
    friend bool operator==(const Prediction&, const Prediction&) = default;
};

// The model's outputs for every sample, in order, as a file.
struct PredictQuestion {
    using Answer = Prediction;
    std::string checkpoint;     // a folder with a file `checkpoint`, a prefix, or a Keras file
    std::string data = "test";  // test or train: the project's sets; else a file of samples: .npy, .npz (its array x) or IDX
    std::string out;            // .npy: (samples, outputs), float32; .csv: a line a sample
    int threads = 0;            // 0: all cores
    friend bool operator==(const PredictQuestion&, const PredictQuestion&) = default;
};

struct PlacedOp {
    std::string name, kind;    // "conv2d/Conv2D", "Conv2D"
    std::string device;        // "/job:worker/replica:0/task:0/device:CPU:0"
    std::string task;          // "worker 0"
    std::int64_t replica = 0;  // over all tasks
    friend bool operator==(const PlacedOp&, const PlacedOp&) = default;
};

struct Placement {
    std::vector<PlacedOp> ops;  // variables too; replica by replica of every training task
    friend bool operator==(const Placement&, const Placement&) = default;
};

// The device of every variable and op, from the plans that the tasks would run.
struct PlacementQuestion {
    using Answer = Placement;
    friend bool operator==(const PlacementQuestion&, const PlacementQuestion&) = default;
};

// Each of these has an answer at the same place of EngineAnswer.
using AskedOfEngine = std::variant<PredictQuestion, PlacementQuestion>;
using EngineAnswer = std::variant<Prediction, Placement>;

struct EngineQuestion {
    RunSpec run;           // the project, its settings applied
    std::string base_dir;  // where the project's relative files lie; empty: nowhere
    AskedOfEngine asked;
};

// The project on one device, as whatever looks at its model alone takes it.
inline RunSpec withoutCluster(RunSpec run) {
    run.cluster.spec = {};
    run.strategy.name = strategyName(StrategyKind::kOneDevice);
    return run;
}

}  // namespace engine::spec
