// What is known of each optimizer, one row an optimizer (engine/spec/catalog/objects/optimizers.cpp): plans, files of Keras and TensorFlow
// and the counts of bytes read it here. Static data, safe from any thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/update_kind.h"

namespace engine::spec {

// A variable that an optimizer keeps beside every trainable weight.
struct OptimizerSlot {
    std::string_view name;          // in plans, and where TensorFlow 2.0 to 2.10 recorded it: "m"
    std::string_view list;          // Keras 3's list of them, an edge from the optimizer: "_momentums". It names the keys
    std::string_view older_list{};  // what an earlier Keras called the list; empty: the same
    std::string_view setting{};     // the slot is there where this flag is set or this number exceeds `above`; empty: always
    double above = 0;
    std::string_view start{};  // the setting that holds its values before the first step; empty: 0
    friend bool operator==(const OptimizerSlot&, const OptimizerSlot&) = default;
};

// Another formula of the same class, taken where a setting is on.
struct FormulaVariant {
    std::string_view setting;  // a flag, or a number above 0
    UpdateKind formula = UpdateKind::kSgd;
};

struct OptimizerRow {
    ObjectSchema schema{};  // Keras' class and settings
    UpdateKind formula = UpdateKind::kSgd;
    std::vector<FormulaVariant> variants{};  // each is looked at only where the one before it was taken
    std::vector<OptimizerSlot> slots{};      // in Keras' order, which is the order of an update's operands
    bool pairs_slots = false;                // Keras creates the first two slots in turn, variable by variable
    bool keeps_momentum_product = false;     // Keras saves a number more, a function of beta_1 and the steps done: "u_product"
};

std::span<const OptimizerRow> optimizerTable();
// nullptr for an unknown class.
const OptimizerRow* findOptimizer(std::string_view class_name);

// The formula that the settings of an optimizer choose.
UpdateKind formulaOf(const OptimizerRow& row, const Fields& config);

// The slots that the settings of an optimizer ask for: its own; empty for an unknown class.
std::vector<OptimizerSlot> ownSlots(const ObjectSpec& optimizer);
// Those that any optimizer may have, "average" and "accumulated_gradient". Keras lists them before an optimizer's own, plans after them.
std::span<const OptimizerSlot> commonSlots();
std::vector<OptimizerSlot> commonSlots(const ObjectSpec& optimizer);
// The values of a slot before the first step.
double slotStart(const ObjectSpec& optimizer, const OptimizerSlot& slot);

}  // namespace engine::spec
