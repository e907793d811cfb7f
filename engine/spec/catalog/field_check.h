// Checks a Keras object's configuration against its schema: types, choices, ranges, what is missing and what is unknown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/fields.h"
#include "engine/spec/model_spec.h"

namespace engine::spec {

struct FieldFault {
    std::string field;    // its name in the configuration
    int index = -1;       // into the schema; -1 for a field that the schema lacks
    std::string message;  // "expected an integer of at least 1, got -3"
};

// All faults, in the schema's order, unknown fields last. A field that is null or absent is at its default; unknown ones may be null.
std::vector<FieldFault> checkFields(const Fields& config, std::span<const FieldSchema> schema);

// The same as diagnostics under `path` ("model.layers[2]" gives "model.layers[2].units").
void reportFields(const Fields& config, std::span<const FieldSchema> schema, const std::string& path, Diagnostics& diagnostics);

// Takes away what says no more than the schema's default does; an initializer may be named by its text.
void dropDefaults(Fields& config, std::span<const FieldSchema> schema);

// A value as a message shows it: "relu", 0.5, [1, 2], null.
std::string valueText(const FieldValue& value);

// "expected a layer of class Conv2D, Dense, … or Activation, got Conv2d".
std::string unknownLayerText(std::string_view class_name);
// The same as a finding at `path`, with the class that was meant where one is near.
Diagnostic unknownLayer(const std::string& path, std::string_view class_name);

// The one of `names` that `word` is most likely a slip of the pen for: as many letters apart as a quarter of it at most; "" for none.
std::string closestName(std::string_view word, std::span<const std::string> names);

// True for a list of `count` numbers of padding or cropping that has one before and one after each of two or three axes: Keras keeps them
// in pairs, ((top, bottom), (left, right)).
bool hasSides(std::string_view field, std::size_t count);
// True for a list of `count` numbers that Keras takes as a number alone: padding or cropping that is the same on every side, the two equal
// numbers of a salt, and the mean or the variance of a Normalization, which may have no axis for a list.
bool isPlainNumber(std::string_view field, std::size_t count);
// True for a pair whose two numbers Keras wants one by one, also where they are equal.
bool wantsBothNumbers(std::string_view field);
// True for lists of sizes in which -1 stands for the input's own, Keras' None.
bool takesInputsSize(std::string_view field);
// The choice of a layer's field that is Keras' None, where None is not the default: no window, no scaling, no
// split.
inline constexpr std::string_view kNoChoice = "none";
bool takesNone(std::string_view field);

}  // namespace engine::spec
