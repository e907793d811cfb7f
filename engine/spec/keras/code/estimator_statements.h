// What code says of an estimator: RunConfig, TrainSpec, EvalSpec, the estimator itself, and what it is asked to do. For .cpp files of this
// folder only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/keras/code/note_list.h"
#include "engine/spec/keras/code/object_calls.h"

namespace engine::spec::code {

// The arguments of a verb by position, in TensorFlow's order; empty for a verb that says nothing about an estimator.
std::vector<std::string> estimatorArguments(std::string_view verb);

class EstimatorStatements {
public:
    EstimatorStatements(CodeReading& reading, AbsentArguments absent) : reading_(reading), notes_(reading.notes), absent_(absent) {}

    // False for a call that is none of them.
    bool read(const LogicalLine& line, const Node& call);
    // When every statement was read: the data say how often the input repeats.
    void finish();

private:
    void readRunConfig(const Node& call);
    void readTrainSpec(const Node& call);
    void readEvalSpec(const Node& call);
    void readExporters(const Node& list);
    void readCanned(const LogicalLine& line, const Node& call, const std::string& name);
    EstimatorSpec& spec();
    template <typename Read>
    void eachArgument(const Node& call, Read read);

    CodeReading& reading_;
    NoteList notes_;
    const AbsentArguments absent_;
    std::vector<ObjectSpec> columns_;  // of a canned estimator
    bool begun_ = false;
};

}  // namespace engine::spec::code
