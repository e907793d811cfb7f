// The project of each row of the lab: the user's model, data, optimizer and seed; the row's strategy; and a global batch that every row
// takes, of the same samples in the same order. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/lab/lab_rows.h"
#include "engine/spec/project/run_spec.h"

namespace engine::lab {

// Weights a and b are equal when |a - b| <= tolerance * |b|, lengths over all weights. TensorFlow compares the weights of a model that was
// trained with and without a strategy by 1e-4 in float32 and by 1e-2 in 16 bits (relaxed_tolerance of tensorflow/python/keras/distribute/
// keras_correctness_test_base.py; each weight by itself, after few steps of SGD). A sum of float32 depends on the order of its parts by
// some 1e-7 of it. Single weights say little: where a gradient is nothing but such rounding, Adam and its kin divide it by its own size and
// move the weight by a whole learning rate.
inline constexpr double kFloat32Tolerance = 1e-4;
inline constexpr double kHalfTolerance = 1e-2;  // of mixed_float16 and mixed_bfloat16

inline constexpr std::int64_t kMostSteps = 100'000;

struct LabSettings {
    std::vector<LabRow> rows;  // chosenRows()
    std::int64_t steps = 100;  // 1 to kMostSteps
    double tolerance = kFloat32Tolerance;
    bool may_grow = true;  // rounding that grows step by step counts as equal, too: roundingGrew() of lab_result.h
    bool on_gpus = false;  // each replica on a GPU (several may share one), else on a processor
};

// What the project itself would compute with: its tolerance, its devices.
double toleranceOf(const spec::RunSpec& project);

// Samples of a step over all replicas, as the project has it.
std::int64_t globalBatchOf(const spec::RunSpec& project);
// The same for the lab: the nearest number that the replicas of every row share out evenly. (An uneven part would weigh as much as the
// others, so that its samples would weigh more: the result would rightly be another one.)
std::int64_t labBatch(const spec::RunSpec& project, const std::vector<LabRow>& rows);

// The project as the row trains it, for settings.steps steps of labBatch() samples. What would end a run early, save or look on goes:
// callbacks but LearningRateScheduler, validation, histograms. A cluster has nominal addresses, for plans: an agent chooses others.
spec::RunSpec labProject(const spec::RunSpec& project, const LabRow& row, const LabSettings& settings);

// Why replicas of this project may rightly end elsewhere than one replica: Keras 3 computes that for each replica by itself, and so does
// this engine. Random layers are no cause: their numbers go by sample and step here, so that any number of replicas drops the same units.
struct ReplicaCause {
    enum class Kind {
        kNone,
        kStatistics,  // BatchNormalization takes mean and variance of its replica's part; synchronized=True shares them
        kLevels,      // Equalization, also as RandAugment and AugMix draw it, counts the values of its replica's part
        kClipping,    // gradients are clipped before they are summed
        kMask,        // the loss is a mean over what a mask leaves of the replica's part
        kReduction,   // the loss is a sum over the replica's part, of which the mean over replicas is taken
    } kind = Kind::kNone;
    std::string object;  // the layer, or the field
    friend bool operator==(const ReplicaCause&, const ReplicaCause&) = default;
};
// kNone for a row of one replica.
ReplicaCause causeToDiffer(const spec::RunSpec& project, const LabRow& row);
// One sentence; empty for kNone.
std::string toString(const ReplicaCause& cause);

}  // namespace engine::lab
