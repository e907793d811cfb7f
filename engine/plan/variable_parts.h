// Which parameter server holds which variable, or which rows of it: TensorFlow's round robin and its partitioners.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::plan {

// Rows of a variable's first axis that one server holds: a whole variable, or a shard of a partitioned one. In C order they are one run of
// the variable's elements.
struct VariablePart {
    TensorId variable = kNoTensor;
    std::string name{};  // "dense/kernel"; of a shard "dense/kernel/part_0"
    int server = 0;      // index of its ps task
    bool is_shard = false;
    std::int64_t first_element = 0;  // of the variable
    spec::Shape shape{};             // of this part
    friend bool operator==(const VariablePart&, const VariablePart&) = default;
};
std::int64_t elementCount(const VariablePart& part);

// Into how many shards strategy.variable_partitioner cuts a float32 variable; 1 where it is none or the variable has no axis. Formulas:
// tensorflow/python/distribute/sharded_variable.py, with the number of bytes of a row where it names a row.
// Throws Error(kInvalidArgument) with the field's path for settings that TensorFlow refuses.
std::int64_t shardCount(const spec::ObjectSpec& partitioner, const spec::Shape& shape);

// The parts of all parameters and states, in the order in which Keras creates variables, each on the next server in turn: part k lies on
// server k modulo `servers`. A variable of n rows in s shards gives the first n % s shards one row more. Variables that a constraint looks
// at as a whole, and states, are never cut.
std::vector<VariablePart> variableParts(const Plan& plan, const spec::StrategySpec& settings, int servers);

}  // namespace engine::plan
