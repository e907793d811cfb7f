// Small edits that would mend a model whose layers do not fit: those that a person would try, each tried here first.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::spec {

struct ModelFix {
    enum class Kind { kMoveAbove, kInsertBefore, kChangeField, kDelete };
    Kind kind = Kind::kDelete;
    std::string subject{};  // the class that is moved above, or that is put in; the field that changes
    std::string value{};    // of the field
    bool mends_all = false;
    int layer = 0;      // where the layer is afterwards, from 0
    ModelSpec model{};  // the mended model
};

// At most `most` fixes, those that mend everything first. Empty when `layer` fits.
std::vector<ModelFix> findModelFixes(const ModelSpec& model, int layer, std::size_t most = 3);

// "Move above Flatten", "Insert Flatten before it", "Set groups to 1", "Delete layer".
std::string toString(const ModelFix& fix);

// The first layer that does not fit: what it wants and what it gets, as Keras names shapes.
struct LayerMismatch {
    std::string field{};     // the setting to blame; empty: the input
    std::string expected{};  // "input rank 4 (batch, rows, columns, channels)"
    std::string got{};       // "(None, 5408)"
};
LayerMismatch mismatchOf(const std::string& message, const std::string& field);

}  // namespace engine::spec
