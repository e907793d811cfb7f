// A quantity that callbacks watch: Keras' monitor, mode and min_delta.
#pragma once

#include <optional>
#include <string>

#include "engine/export/saved_object.h"

namespace engine::train {

// Tells if a value is better than the best so far (Keras' rules; the first value always is).
class Monitor {
public:
    // "auto" takes the direction from the name: losses and errors fall, accuracies and the like rise. Throws Error(kInvalidArgument) when
    // it tells none, and for another mode than auto, min or max.
    Monitor(const std::string& name, const std::string& mode, double min_delta = 0);

    const std::string& name() const { return name_; }
    // Keras compares float32: less than its step at such a value is no change.
    bool isBetter(double value, std::optional<double> than) const {
        if (!than) return true;
        const auto best = static_cast<float>(*than);
        return smaller_is_better_ ? static_cast<float>(value + min_delta_) < best : static_cast<float>(value - min_delta_) > best;
    }
    bool improves(double value) const { return isBetter(value, best_); }
    void accept(double value) { best_ = value; }
    std::optional<double> best() const { return best_; }

    void save(exporter::SavedObject& state) const;
    void restore(const exporter::SavedObject& state) {
        if (const double* best = state.find<double>("best")) {
            best_ = *best;
        }
    }

private:
    std::string name_;
    bool smaller_is_better_ = true;
    double min_delta_ = 0;
    std::optional<double> best_;
};

}  // namespace engine::train
