// What goes wrong in the layers of a run, by what was measured of them. A pure function of the history: the same in the studio, on the
// command line, and of an old journal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/run/weight_history.h"

namespace engine::run {

// Only steps that were measured are known: what is told to begin at a step began behind the measured step before it.
enum class AnomalyKind {
    // At least one number of the layer's gradient or weights is NaN or infinite. Nothing else is told of the layer from there on: its norms
    // are those of the numbers that are left.
    kNotFinite,
    // The gradient's norm is above kExplosion times the median of what was measured before, of which there are kLeastBefore at least, and
    // above kCustomaryNorm.
    kExplosion,
    // One update is above kLargeUpdate times as large as the weights, by their norms.
    kLargeUpdates,
    // kMostDead of the layer's ReLU-like units or more gave 0 for every sample, in kHeld measurements one after another.
    kDeadUnits,
    // In kHeld measurements one after another the update was below kStill of the weights, by their norms, while another layer's was above
    // kMoves: no pause of the learning rate, which holds all layers up.
    kNoLearning,
};
// "not_finite", "explosion", "large_updates", "dead_units", "no_learning": what programs know a kind by.
std::string_view toString(AnomalyKind kind);

// Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks" (2013): thresholds for clipping are of use from half
// to ten times the mean norm. A norm ten times beyond that is no spike that clipping is meant for.
inline constexpr double kExplosion = 100;
inline constexpr std::size_t kLeastBefore = 3;
// What clipping by the global norm lets through by custom (Brown and others, "Language Models are Few-Shot Learners", 2020, appendix B).
inline constexpr double kCustomaryNorm = 1;
// Stanford's CS231n, "Neural Networks Part 3": updates should be about 1e-3 of the weights. Ten times the weights replace them; a layer
// that begins at 0 comes to two times with its second update, by momentum.
inline constexpr double kLargeUpdate = 10;
// CS231n, "Neural Networks Part 1": as much as 40 % of a network may be dead where the learning rate is too high. Half is beyond that.
inline constexpr double kMostDead = 0.5;
inline constexpr std::size_t kHeld = 3;
// Half of float32's spacing at 1: what is smaller is lost when it is added to a weight.
inline constexpr double kStill = 0x1p-24;
inline constexpr double kMoves = 1e-5;  // a hundredth of CS231n's 1e-3

struct LayerAnomaly {
    AnomalyKind kind = AnomalyKind::kNotFinite;
    std::string layer;
    std::int64_t step = 0;       // the first that was measured so
    std::int64_t last_step = 0;  // the last one in a row
    bool goes_on = false;        // last_step is the last that was measured
    // What was measured at `step`, by kind: kNotFinite numbers of the gradient, of the weights; kExplosion the norm, and how many times the
    // median; kLargeUpdates how many times the weights; kDeadUnits dead units, of how many, over how many samples. Else 0.
    double first = 0, second = 0, third = 0;
    friend bool operator==(const LayerAnomaly&, const LayerAnomaly&) = default;
};

// The anomalies in order of step, those of one step in the layers' order; of each kind the first that a layer has.
std::vector<LayerAnomaly> layerAnomalies(const std::vector<LayerEntry>& layers);

// The same for a history that grows: each report is looked at once. One thread.
class AnomalyWatch {
public:
    // What layerAnomalies() answers. All reports are looked at again where those of the last call are not the first of these.
    std::vector<LayerAnomaly> look(const std::vector<LayerEntry>& layers);

private:
    // Measurements of one kind one after another: the first row that is long enough, or the last one that may become it.
    struct Row {
        LayerAnomaly anomaly;
        std::size_t length = 0;
        bool is_over = false;  // it is long enough, and has ended
    };
    struct Course {
        std::string layer;
        std::vector<double> norms{};  // of its gradient, sorted
        std::array<Row, 5> rows{};    // by AnomalyKind
        // A number was not finite: the other kinds are not looked for from there on.
        bool isBroken() const { return rows.front().length > 0; }
        void take(AnomalyKind kind, const spec::LayerMeasure& measure, const spec::LayerReport& report);
    };
    Course& courseOf(const std::string& layer, std::size_t place);
    void add(const spec::LayerReport& report);

    std::vector<Course> courses_;  // in the order in which layers were first told
    std::size_t seen_ = 0;         // reports
    spec::LayerReport last_;       // of these
};

// "dense: its gradient explodes at step 50: a norm of 3.2e+04, 250 times the median before". English; one line.
std::string anomalyText(const LayerAnomaly& anomaly);

// Tells each anomaly once, as reports come in. One thread.
class AnomalyTeller {
public:
    // Those that this report brings to light, in order of step.
    std::vector<LayerAnomaly> add(const spec::LayerReport& report);

private:
    WeightHistory history_;
    AnomalyWatch watch_;
    std::set<std::tuple<AnomalyKind, std::string, std::int64_t>> told_;  // with the step where it begins
};

}  // namespace engine::run
