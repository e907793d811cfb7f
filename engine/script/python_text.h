// Python's literals, and text that is put together a line at a time. Only files of this folder, those below it and tests include it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/fields.h"
#include "engine/spec/shape.h"

namespace engine::script {

std::string pyNumber(double value);             // 0.001, 1e-07, float('inf')
std::string pyBool(bool value);                 // True
std::string pyTuple(const spec::Shape& sizes);  // (3,)
std::string pyList(const std::vector<double>& values);
std::string pyTexts(const std::vector<std::string>& values);
// A name for a variable: what Python does not take becomes "_".
std::string pyName(std::string_view name);

// Every line that is not empty with `columns` spaces in front.
std::string indented(std::string_view text, int columns);

// `text` with each {{NAME}} replaced by its value. ENGINE_CHECK: every name has one.
struct Filling {
    std::string_view name;
    std::string value;
};
std::string filled(std::string_view text, const std::vector<Filling>& fillings);

}  // namespace engine::script
