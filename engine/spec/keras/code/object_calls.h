// Calls that make Keras objects, as the JSON that projects hold. Only files of this folder include it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/field_schema.h"
#include "engine/spec/json_text.h"
#include "engine/spec/keras/python/python_tree.h"
#include "engine/spec/model_spec.h"

namespace engine::spec::code {

enum class Family { kLayer, kOptimizer, kSchedule, kLoss, kMetric, kRegularizer, kConstraint, kInitializer, kCallback, kMix };

// The family of the objects that a field of this name holds; schedules where the name tells nothing else.
Family familyOf(std::string_view field);

// The engine's class for a name in code: Keras 1's and TensorFlow 1's names too ("MaxPool2D", "GradientDescentOptimizer", "l2"). The last
// part of the name where the family has no such class.
std::string classOf(Family family, std::string_view name);
// nullptr where the family has no fields for the class.
const std::vector<FieldSchema>* fieldsOf(Family family, const std::string& class_name);
bool isKnown(Family family, const std::string& class_name);

// The names of a class's arguments by position, as far as Keras' order and the fields agree.
std::vector<std::string> positionalNames(Family family, const std::string& class_name);

struct Argument {
    std::string name;
    const Node* value;
};
// An argument that can't be understood: where, and expectation with fact.
struct ArgumentFault {
    std::string name;  // empty: one by position
    Fault fault;
};

// The arguments of a call with their names. What has none, or is starred, comes back as faults.
std::vector<Argument> namedArguments(const Node& call, const std::vector<std::string>& positional, std::vector<ArgumentFault>& faults);

// A value as JSON: literals, functions and dtypes by their last name, calls as {"class_name", "config"}. `field` says what family a call
// belongs to ("kernel_regularizer"). nullopt with the fault set.
std::optional<Json> valueJson(const Node& node, std::string_view field, Fault& fault);

// The call of an optimizer of TensorFlow 1: Keras' schedules among its arguments become functions of the global step.
Node withRateFunctions(Node call);

// {"class_name", "config"} of a call, or of a name in text. Unknown arguments are among `faults` and left out.
Json objectCallJson(const Node& call, Family family, std::vector<ArgumentFault>& faults);

}  // namespace engine::spec::code
