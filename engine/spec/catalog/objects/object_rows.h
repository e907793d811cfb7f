// The schemas of one family of objects each, in a file of this folder, and the rows that several of them have.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/field_schema.h"

namespace engine::spec::objects {

// Each function returns its classes in the order in which they are offered.
std::vector<ObjectSchema> optimizers();
std::vector<ObjectSchema> schedules();
std::vector<ObjectSchema> losses();
std::vector<ObjectSchema> metrics();
std::vector<ObjectSchema> regularizers();
std::vector<ObjectSchema> constraints();
std::vector<ObjectSchema> initializers();
std::vector<ObjectSchema> exporters();
std::vector<ObjectSchema> featureColumns();
std::vector<ObjectSchema> mixes();

FieldSchema flagField(std::string name, bool fallback, std::string hint);

}  // namespace engine::spec::objects
