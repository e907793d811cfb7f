// Classes that code defines: layers and activations that Keras lacks, as exported code defines them, the callback PrintLR, and others.
// Only files of engine/spec/keras/code and below include it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/spec/keras/code/fit_statements.h"
#include "engine/spec/keras/code/note_list.h"

namespace engine::spec::code {

class ClassStatements {
public:
    // What they refer to outlives them.
    ClassStatements(CodeReading& reading, FitStatements& fit) : reading_(reading), notes_(reading.notes), fit_(fit) {}

    // The class whose head is the line at `head`. Gives the line behind it.
    std::size_t read(const std::vector<LogicalLine>& lines, std::size_t head);
    // Called when every statement was read: a class of that name that is another one makes other layers of the model's calls.
    void check();

private:
    CodeReading& reading_;
    NoteList notes_;
    FitStatements& fit_;
    std::map<std::string, std::vector<LogicalLine>> exported_;  // what exported code has, by the names that the text defines
    std::set<std::string> own_classes_;                         // of layers that Keras lacks: the text's own, none of exported code
};

}  // namespace engine::spec::code
