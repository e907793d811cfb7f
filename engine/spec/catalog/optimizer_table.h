// What is known of each optimizer, one row an optimizer (engine/spec/catalog/objects/optimizers.cpp): plans, files of Keras and TensorFlow
// and the counts of bytes read it here. Static data, safe from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/update_kind.h"
#include "engine/spec/shape.h"

namespace engine::spec {

// Which variables have a slot, and of which shape it is.
enum class SlotForm {
    kAsVariable,         // every one; the variable's own
    kWithoutLastAxis,    // every one; without the last axis where there are two or more, else one number that nobody uses
    kWithoutSecondLast,  // the same without the axis before the last
    kOfAdam              // those that Muon leaves to Adam; the variable's own
};

// A variable that an optimizer keeps beside trainable weights.
struct OptimizerSlot {
    std::string_view name;          // in plans, and where TensorFlow 2.0 to 2.10 recorded it: "m"
    std::string_view list;          // Keras 3's list of them, an edge from the optimizer: "_momentums". It names the keys
    std::string_view older_list{};  // what an earlier Keras called the list; empty: the same
    std::string_view setting{};     // the slot is there where this flag is set or this number exceeds `above`; empty: always
    double above = 0;
    std::string_view start{};  // the setting that holds its values before the first step; empty: 0
    SlotForm form = SlotForm::kAsVariable;
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
    std::size_t in_turn = 0;                 // Keras creates so many of the first slots in turn, variable by variable
    // Keras 3.15's TensorFlow checkpoints have the slots among all variables of the optimizer alone, by their numbers.
    bool numbers_slots = false;
    std::vector<std::string_view> off_where_null{};      // settings for which null is off, whatever their default is
    std::vector<std::string_view> refused_where_null{};  // settings that Keras wants a number for at once
    bool keeps_momentum_product = false;                 // Keras saves a number more, a function of beta_1 and the steps done: "u_product"
};

std::span<const OptimizerRow> optimizerTable();
// nullptr for an unknown class.
const OptimizerRow* findOptimizer(std::string_view class_name);

// True for a setting that null turns off: it must not be left out like the null of another, which is its default.
bool nullIsOff(std::string_view class_name, std::string_view setting);
// True for a setting whose null Keras refuses, in the place of its default.
bool nullIsRefused(std::string_view class_name, std::string_view setting);
// True where the optimizer has as null what null turns off.
bool isTurnedOff(const ObjectSpec& optimizer, std::string_view setting);

// The formula that the settings of an optimizer choose.
UpdateKind formulaOf(const OptimizerRow& row, const Fields& config);

// The slots that the settings of an optimizer ask for: its own; empty for an unknown class.
std::vector<OptimizerSlot> ownSlots(const ObjectSpec& optimizer);
// Those that any optimizer may have, "average" and "accumulated_gradient". Keras lists them before an optimizer's own, plans after them.
std::span<const OptimizerSlot> commonSlots();
std::vector<OptimizerSlot> commonSlots(const ObjectSpec& optimizer);
// A weight as an optimizer sees it.
struct TrainedVariable {
    std::string path;  // kerasPath() of engine/spec/catalog/keras_path.h
    Shape shape;
};
// The shape of a slot beside that weight; nothing where the optimizer keeps none.
std::optional<Shape> slotShape(const ObjectSpec& optimizer, SlotForm form, const TrainedVariable& variable);
// The first of Muon's `exclude_layers` that is no regular expression; nothing where all are.
std::optional<std::string> badExpression(const ObjectSpec& optimizer);
// The values of a slot before the first step.
double slotStart(const ObjectSpec& optimizer, const OptimizerSlot& slot);

}  // namespace engine::spec
