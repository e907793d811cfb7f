// The columns of a table as calls of tf.feature_column. Only files of this folder include it.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/keras/python/python_tree.h"
#include "engine/spec/model_spec.h"

namespace engine::spec::code {

// A network takes numbers alone: its categories stand in an indicator_column. A linear model takes them as they are.
enum class Categories { kPlain, kIndicated };

// A column of numbers alone, under one key: what a set without columns gives.
Node numericColumnCall(const std::string& key, std::int64_t width);
// Requires columns of featureColumnSchemas(). `ints`: the table's reader takes texts of digits for whole numbers.
Node columnCall(const ObjectSpec& column, Categories categories, bool ints);

// How tf.train.Example holds what the columns read, and the label: a dictionary of tf.io's features over several lines, "features = {…}".
std::string featuresStatement(const std::vector<ObjectSpec>& columns, const std::string& label, bool whole_labels, int indent);

}  // namespace engine::spec::code
