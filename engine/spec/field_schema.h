// What fields a Keras object has: the row that a form edits a field by, that the checks compare with and that defaults come from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/spec/fields.h"

namespace engine::spec {

// How a field is edited and checked. The studio's property panel is built from these rows; so are validate's type checks.
enum class FieldKind {
    kBool,
    kInt,
    kDouble,
    kString,
    kChoice,
    kIntPair,
    kIntTriple,
    kIntList,
    kObject,
    kDoubleList,
    kTextList,
    kLayerList
};

// How many numbers such a field has, of which one may stand for all: 2 of a pair, 3 of a triple; 1 otherwise.
constexpr std::size_t numbersIn(FieldKind kind) {
    return kind == FieldKind::kIntTriple ? 3 : kind == FieldKind::kIntPair ? 2 : 1;
}

struct FieldSchema {
    std::string name;
    FieldKind kind;
    FieldValue fallback{};  // Keras' default; std::monostate when null or required
    bool required = false;
    std::vector<std::string> choices{};  // kChoice; of objects the classes, empty = any; of a number: texts or classes it may be instead
    double minimum = -1e300;             // numbers, included (or excluded, see below)
    double maximum = 1e300;
    bool minimum_excluded = false;
    std::string hint{};                                // one short English sentence; the studio translates it
    std::vector<std::string> choices_since_keras_3{};  // those of `choices` that Keras 2.15 lacks
    bool is_told = false;                              // says what the object does: a line about the object has it with its default, too
};

// Returns the field as one that says what its object does.
inline FieldSchema told(FieldSchema field) {
    field.is_told = true;
    return field;
}

// What a row says where Keras 2.15, the last Keras 2, lacks the class. Its programs can't have it: estimators, and fit() of the strategies
// that Keras 3 does not train with. tests/data/keras/keras2_names.py has what there is.
inline constexpr bool kSinceKeras3 = true;

// An optimizer, a schedule, a loss, a metric, a callback and their like.
struct ObjectSchema {
    std::string class_name;
    std::vector<FieldSchema> fields;  // in Keras' order
    bool since_keras_3 = false;
};

enum class LayerCategory { kLayer, kPool, kShape, kActivation, kNormalization, kDropout, kRecurrent };

struct LayerSchema {
    std::string class_name;
    LayerCategory category;
    std::vector<FieldSchema> fields;  // in Keras' order, without name, trainable and dtype
    bool since_keras_3 = false;
};

inline ObjectSchema sinceKeras3(ObjectSchema schema) {
    schema.since_keras_3 = kSinceKeras3;
    return schema;
}

}  // namespace engine::spec
