// What studio and command line ask of the engine and what it answers, as plain values. A question goes to an agent
// (agent/client/agent_client.h), which lets a short-lived tandem-worker answer it (agent/inspect/engine_answers.h). Paths are absolute:
// they are read in another process and another working folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/events/classification.h"
#include "engine/spec/events/data_facts.h"
#include "engine/spec/events/host_way.h"
#include "engine/spec/events/shard_preview.h"
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
    std::string checkpoint;  // a folder with a file `checkpoint`, a prefix, or a Keras file
    // test or train: the project's sets; else a file of samples: .npy, .npz (its array x) or IDX, of a model that takes texts one a line
    std::string data = "test";
    std::string out;  // .npy: (samples, outputs), float32; .csv: a line a sample
    int threads = 0;  // 0: all cores
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

struct Evaluation {
    double accuracy = 0;  // NaN where no metric of the project is one
    double loss = 0;
    std::int64_t samples = 0;
    std::optional<Classification> classification;  // where the question wants it
    friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

// Loss and accuracy of a checkpoint on the project's test set. A project that was trained on GPUs is evaluated on a host without any, too.
struct EvaluateQuestion {
    using Answer = Evaluation;
    std::string checkpoint;  // as of PredictQuestion
    int threads = 0;         // 0: all cores
    bool confusion = false;  // also which class was taken for which
    int mistakes = 0;        // above 0: that, and so many of the wrong answers, the surest first
    bool pictures = false;   // with the pixels of the wrong answers
    friend bool operator==(const EvaluateQuestion&, const EvaluateQuestion&) = default;
};

// The best five classes of one sample, and what every layer makes of it.
struct InspectQuestion {
    using Answer = Inspection;
    std::string checkpoint;  // as of PredictQuestion, as is the next
    std::string data = "test";
    std::int64_t sample = 0;  // its place in the data, from 0
    friend bool operator==(const InspectQuestion&, const InspectQuestion&) = default;
};

struct ImportedModel {
    RunSpec run;               // a project with the model, its compile settings where they are known, and its weights to begin with
    bool is_compiled = false;  // else settings that go with its output stand there
    // Warnings on compile settings that can't be taken over, a note on those that were chosen; errors on the model: `run` is empty then.
    Diagnostics findings;
    friend bool operator==(const ImportedModel&, const ImportedModel&) = default;
};

// A model file of Keras as a project. Asked without a project.
struct ImportQuestion {
    using Answer = ImportedModel;
    std::string file;  // .keras, .h5 or the JSON of a model
    friend bool operator==(const ImportQuestion&, const ImportQuestion&) = default;
};

struct WrittenFile {
    std::int64_t bytes = 0;
    friend bool operator==(const WrittenFile&, const WrittenFile&) = default;
};

// A checkpoint as a file that Keras, or that programs of ONNX open.
struct ExportQuestion {
    using Answer = WrittenFile;
    std::string checkpoint;  // as of PredictQuestion
    std::string out;         // .keras, .weights.h5 or .h5; .onnx
    bool onnx = false;       // that, else Keras' form that the name asks for
    std::int64_t batch = 0;  // of an ONNX file: the only number of samples that it takes; 0: any
    friend bool operator==(const ExportQuestion&, const ExportQuestion&) = default;
};

// What the project's data set is. Only its `data` counts, and what is wrong there is the answer's problem; the model may be unfinished. Bad
// samples are counted and named, whatever data.on_error says.
struct DataQuestion {
    using Answer = DataFacts;
    bool fetch = false;         // a set that has a name and is not on the host, or is damaged, is downloaded
    bool check = false;         // every sample is read; a finished model is held beside the labels
    std::int64_t samples = 12;  // shown of each class
    std::uint64_t draw = 0;     // others for another number
    friend bool operator==(const DataQuestion&, const DataQuestion&) = default;
};

struct Datasets {
    std::vector<std::string> names;
    friend bool operator==(const Datasets&, const Datasets&) = default;
};

// The sets with a name that are on the host. Asked without a project.
struct DatasetsQuestion {
    using Answer = Datasets;
    friend bool operator==(const DatasetsQuestion&, const DatasetsQuestion&) = default;
};

// Which sample goes to which task of the project's cluster.
struct ShardsQuestion {
    using Answer = ShardPreview;
    std::int64_t steps = 3;
    friend bool operator==(const ShardsQuestion&, const ShardsQuestion&) = default;
};

struct InputFindings {
    Diagnostics errors;
    friend bool operator==(const InputFindings&, const InputFindings&) = default;
};

// What of a run's own files can be known before its tasks start (engine/train/input_check.h): asked by the agent itself when a run is
// submitted. EngineQuestion::base_dir is the run's folder.
struct InputsQuestion {
    using Answer = InputFindings;
    std::string weights_file;  // the user's own, in place of fit.save_weights; empty: as the project says
    friend bool operator==(const InputsQuestion&, const InputsQuestion&) = default;
};

// What the replicas of the project hand to each other in one step, as its plan says.
struct StepTraffic {
    std::int64_t bytes = 0;  // of all of them together; with parameter servers: of one worker's step
    friend bool operator==(const StepTraffic&, const StepTraffic&) = default;
};

// Makes the project's plan; errors are those of a strategy that can't follow it.
struct TrafficQuestion {
    using Answer = StepTraffic;
    friend bool operator==(const TrafficQuestion&, const TrafficQuestion&) = default;
};

// The difference between two checkpoints of one model, of which b is the reference.
struct WeightDifference {
    double largest = 0;           // |a - b|
    std::string variable;         // where that is; empty: every value is the same
    double distance = 0;          // square root of the sum of all (a - b)^2
    double norm = 0;              // the same of all b
    std::int64_t not_finite = 0;  // values of which either is no finite number, unless both are the same; left out above
    std::int64_t values = 0;      // compared
    friend bool operator==(const WeightDifference&, const WeightDifference&) = default;
};

struct WeightsQuestion {
    using Answer = WeightDifference;
    std::string checkpoint, reference;  // as of PredictQuestion
    friend bool operator==(const WeightsQuestion&, const WeightsQuestion&) = default;
};

// Each of these has an answer at the same place of EngineAnswer.
using AskedOfEngine =
    std::variant<PredictQuestion, PlacementQuestion, EvaluateQuestion, InspectQuestion, ImportQuestion, ExportQuestion, DataQuestion,
                 DatasetsQuestion, ShardsQuestion, InputsQuestion, TrafficQuestion, WeightsQuestion, ServeWaysQuestion, CallWaysQuestion>;
using EngineAnswer = std::variant<Prediction, Placement, Evaluation, Inspection, ImportedModel, WrittenFile, DataFacts, Datasets,
                                  ShardPreview, InputFindings, StepTraffic, WeightDifference, ServedWays, CalledWays>;

// How far a worker has come with an answer that takes long.
struct EngineProgress {
    enum class Stage { kFetch, kRead, kListen };
    Stage stage = Stage::kRead;
    std::string name;                  // of what is fetched (a file) or read (a data set); of kListen: empty
    std::int64_t done = 0, total = 0;  // bytes of the file, samples, or ports that are open
    friend bool operator==(const EngineProgress&, const EngineProgress&) = default;
};

struct EngineQuestion {
    RunSpec run;           // the project, its settings applied
    std::string base_dir;  // where the project's relative files lie; empty: nowhere
    AskedOfEngine asked;
};

// The project on one device, as whatever looks at its model alone takes it.
inline RunSpec withoutCluster(RunSpec run) {
    run.cluster.spec = {};
    run.strategy.name = strategyName(StrategyKind::kOneDevice);
    run.strategy.devices.clear();
    run.strategy.logical_cpus = run.strategy.logical_gpus = 0;
    run.fit.steps = 0;  // of workers that share their steps; nobody trains here
    return run;
}

}  // namespace engine::spec
