// What code says of the cluster: TF_CONFIG, tf.train.ClusterSpec, a strategy. Only files of this folder include it.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/keras/code/note_list.h"
#include "engine/spec/keras/code/object_calls.h"

namespace engine::spec::code {

std::vector<std::string> resolverArguments();  // of TPUClusterResolver by position, as far as a project holds them

class ClusterStatements {
public:
    explicit ClusterStatements(CodeReading& reading) : reading_(reading), notes_(reading.notes) {}

    void readTfConfig(const std::string& json, CodeLines lines, int column);
    // os.environ['TF_CONFIG'] = … and tf_config = {…}; false for any other statement.
    bool readTfConfigStatement(const LogicalLine& line, const std::string& target, const std::vector<Node>& targets, const Node& value);
    // What finds a TPU, connects to it and initializes it: resolver = TPUClusterResolver(…) and their like; false for any other statement.
    bool readTpuStatement(const LogicalLine& line, const Node& value);
    bool readClusterSpec(const Node& call, const LogicalLine& line);
    void readStrategy(const Node& call, const LogicalLine& line);
    // Called when every statement was read.
    void finish();

private:
    void readArgument(const Argument& argument, StrategySpec& strategy);
    void readResolver(const Node& call, StrategySpec& strategy);
    void finishTpu();

    CodeReading& reading_;
    NoteList notes_;
    std::vector<LogicalLine> tpu_lines_;
};

}  // namespace engine::spec::code
