// Trees of Python as lines that keep a width. Only files of engine/spec/keras/code and below include it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

// A number as Python has it, in the shorter one of its forms: "0.001", "1e-7".
std::string pythonNumber(double value);

// The layout outlives it.
class Printer {
public:
    explicit Printer(const CodeLayout& layout) : layout_(layout) {}

    // Appends `prefix`, the tree and `behind` where `text` stands; what goes on below is indented from `indent` columns.
    void append(std::string& text, const std::string& prefix, const Node& node, int indent, const std::string& behind) const;

private:
    static std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

    void appendCall(std::string& text, const Node& call, int indent, const std::string& behind) const;

    void appendList(std::string& text, const Node& list, int indent, const std::string& behind) const;

    const CodeLayout& layout_;
};

}  // namespace engine::spec::code
