// What code says of an estimator: RunConfig, TrainSpec, EvalSpec, the estimator itself, and what it is asked to do. Only files of this
// folder include it.
#pragma once

#include <optional>
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
    // What the last RunConfig gives for these, as far as the text says it; nullopt: nothing, or None.
    const std::optional<Node>& trainDistribute() const { return train_distribute_; }
    const std::optional<Node>& evalDistribute() const { return eval_distribute_; }
    // Called when every statement was read: the data say how often the input repeats.
    void finish();

private:
    // What a canned estimator was given.
    struct Canned {
        std::string name;
        std::vector<std::int64_t> hidden{};
        std::int64_t classes = 2;
        std::string activation = "relu";
        double dropout = 0;
        bool normalizes = false;
        std::optional<ObjectSpec> optimizer{};
    };

    void readRunConfig(const Node& call);
    // What only a session of TensorFlow's has: said, with what a run does instead. True: `argument` is of that kind.
    bool sayLeftOut(const std::string& argument, const Node& value);
    void sayLeftOut(const Node& call, const std::vector<std::string>& positional);
    void readDistribution(const std::string& argument, const Node& value);
    void readTrainSpec(const Node& call);
    void readEvalSpec(const Node& call);
    void readExporters(const Node& list);
    void readCanned(const LogicalLine& line, const Node& call, const std::string& name);
    void readCannedArgument(const std::string& argument, const Node& value, Canned& canned);
    void readColumns(const Node& list);
    void finishColumns();
    EstimatorSpec& spec();
    template <typename Read>
    void eachArgument(const Node& call, Read read);

    CodeReading& reading_;
    NoteList notes_;
    const AbsentArguments absent_;
    std::vector<ObjectSpec> columns_;  // of a canned estimator
    CodePlace canned_at_;
    std::optional<std::int64_t> repeats_before_;  // of the project, where the text begins anew
    std::optional<Node> train_distribute_, eval_distribute_;
    bool begun_ = false;
};

}  // namespace engine::spec::code
