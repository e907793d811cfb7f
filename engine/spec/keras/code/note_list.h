// Notes on a text as they are found. Only files of this folder include it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

inline CodeLines linesOf(const LogicalLine& line) {
    return {line.first_line, line.last_line};
}

// `notes` outlives the list.
class NoteList {
public:
    explicit NoteList(std::vector<CodeNote>& notes) : notes_(notes) {}

    void add(Severity severity, CodeLines lines, int column, std::string message) {
        notes_.push_back({severity, lines, column, std::move(message)});
    }
    void add(Severity severity, const Fault& fault) { add(severity, {fault.line, fault.line}, fault.column, fault.message); }
    void add(Severity severity, const Node& at, std::string message) { add(severity, {at.line, at.line}, at.column, std::move(message)); }
    void keep(const LogicalLine& line) { add(Severity::kInfo, linesOf(line), line.indent + 1, "no part of the model"); }

private:
    std::vector<CodeNote>& notes_;
};

}  // namespace engine::spec::code
