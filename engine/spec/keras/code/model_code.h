// The model as code builds it, statement by statement. Only files of this folder include it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/keras/code/read/shared_list.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

struct LayerCode {
    Node call;
    CodeLines lines;
    bool slim = false;  // of tensorflow.contrib.slim
};

// A Sequential, or a chain of calls of layers on each other.
struct ModelCode {
    SharedList<std::shared_ptr<const LayerCode>> layers;
    std::optional<Shape> input_shape;  // of tf.reshape or build()
    std::shared_ptr<const Node> name;  // null: none
    SharedList<CodeLines> statements;
    std::string variable;               // that it is assigned to; empty: none
    std::optional<CodeLines> returned;  // the statement that returns it from a function instead
    std::string maker;                  // "build()": the function without arguments that does, where nothing calls it
    CodeLines at;                       // the statement that begins it
    int column = 1;
    bool broken = false;    // one of its statements can't be read
    Fault fault;            // what broke it, where that is not said yet
    std::string condition;  // of the ifs around its first statement
};

// True for a call of one of the names that make layers: "Dense", "tf.keras.layers.Dense", "keras.Input".
bool isLayerCall(const Node& node);
bool isInputCall(const Node& node);
// slim.layers.conv2d(x, 32, [5, 5]) or slim.conv2d(…): the layer and, as its first argument, what it is applied to.
bool isSlimCall(const Node& node);
// tf.reshape(x, [-1, 28, 28, 1]): the sizes behind the batch.
std::optional<Shape> reshapedTo(const Node& node);

// Fills run.model and `lines` of its layers; adds what is wrong to `notes`. False: the model can't be read, run.model is unchanged.
bool buildModel(const ModelCode& code, RunSpec& run, std::vector<CodeLines>& lines, std::vector<CodeNote>& notes);

// Cleans the configuration that `call` gave an object of this class: fields come into the schema's order, those at their default go,
// unknown ones too, with a warning; values that a field does not take stay for validate() to name, and are warned of at their argument.
void cleanConfig(Fields& config, Family family, const std::string& class_name, const std::string& owner, const Node& call,
                 std::vector<CodeNote>& notes);

}  // namespace engine::spec::code
