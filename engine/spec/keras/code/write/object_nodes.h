// A project's objects as trees of Python: values of fields, calls of classes with their arguments. Only files of engine/spec/keras/code and
// below include it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

// A callback that Keras lacks: the code that names it defines it.
inline constexpr std::string_view kPrintLr = "PrintLR";

Node leafNode(Node::Kind kind, std::string text = {});
Node realNumberNode(double value);
Node listNode(Node::Kind kind, std::vector<Node> items);

// A field's value. Lists of integers are tuples in Keras' shapes and sizes.
Node valueNode(const FieldValue& value, std::string_view field);
// What stands in front of a class of the family: "keras.losses.".
std::string modulePath(Family family);
// Required fields in front come by position, as people write them; the others by name where they differ from the default.
void addFields(Node& call, const std::string& class_name, const Fields& config, Family family);
// The call of the object's class; its name alone, as a text, where Keras knows it by that.
Node objectNode(const ObjectSpec& object, Family family);

}  // namespace engine::spec::code
