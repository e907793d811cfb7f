// The blocks that a line of code stands in: loops, conditions, functions. Only files of engine/spec/keras/code and below include it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/spec/keras/code/model_statements.h"
#include "engine/spec/keras/python/python_tokens.h"

namespace engine::spec::code {

class OpenBlocks {
public:
    // The next line: blocks that it does not stand in are closed.
    void reach(const LogicalLine& line);
    // The line is the head of one.
    void openLoop(const LogicalLine& line) { loops_.push_back(line.indent); }
    void openCondition(const LogicalLine& line);
    void openFunction(const LogicalLine& line, const std::string& name, bool takes_arguments);

    Place place() const;
    std::string condition() const;  // the words of all that are open
    // The name of the innermost function; nullptr outside of all.
    const std::string* function() const { return functions_.empty() ? nullptr : &functions_.back().name; }

private:
    struct Function {
        int indent = 0;
        std::string name;
        bool takes_arguments = false;
    };

    // Of those that are open.
    std::vector<int> loops_;                               // indents
    std::vector<std::pair<int, std::string>> conditions_;  // indents and words
    std::vector<Function> functions_;
};

}  // namespace engine::spec::code
