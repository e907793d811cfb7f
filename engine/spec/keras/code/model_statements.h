// The statements that build a model: Sequential([...]) with add() and build(), layers and slim's layers called on each other, keras.Model,
// and functions that return one of these. Only files of this folder include it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/spec/keras/code/model_code.h"
#include "engine/spec/keras/code/note_list.h"

namespace engine::spec::code {

// The place in the text where a statement stands.
struct Place {
    bool in_loop = false;
    std::string function{};        // that holds it; empty: none
    bool takes_arguments = false;  // the function does
    std::string condition{};       // of the ifs around it; empty: none
};

class ModelStatements {
public:
    ModelStatements(CodeReading& reading, AbsentArguments absent) : reading_(reading), notes_(reading.notes), absent_(absent) {}

    // `target` = call, or the call alone. False: it builds no model.
    bool read(const LogicalLine& line, const Place& place, const std::string& target, const Node& call);
    // Every other statement: what it does to a model that was begun is said, and the model can't be read where it becomes another one.
    // False: it touches none.
    bool readOther(const LogicalLine& line, const Place& place, const std::vector<Node>& targets, const Node& value);
    // return `value`, as it stands and with its constants put in. False: no model is returned.
    bool readReturn(const LogicalLine& line, const Place& place, const Node& value, const Node& folded);
    void setPolicy(const LogicalLine& line, const std::string& policy);
    // for `names` in `value`: what is done to them is done to the model where the value is a part of one.
    void readLoop(const std::vector<std::string>& names, const Node& value);
    // del `value`.
    void readDelete(const LogicalLine& line, const Node& value);
    // The model among the arguments of a call; empty where there is none.
    std::string givenModel(const Node& call) const;
    // A call that is given the model and may make another one of it.
    void changeByCall(const LogicalLine& line, const std::string& model, const Node& call);
    // True when this variable is the end of a chain of layers.
    bool isChain(const std::string& variable) const { return chains_.contains(variable); }
    // A statement that assigns this variable, or calls it, can't be read: the model that it is part of can't be read either. False:
    // no model was begun in it.
    bool breakOff(const LogicalLine& line, const std::string& variable);
    // Called when every statement was read.
    void finish();

private:
    bool refuseLoop(const LogicalLine& line, const Place& place);
    // A layer that is added or taken off under a condition: the model may have it or not.
    void checkCondition(const LogicalLine& line, const Place& place, ModelCode& model);
    void breakModel(ModelCode& model, const LogicalLine& line, Fault fault);
    ModelCode* modelOf(const Node& node);
    // The variable of the model that a value is a part of: its layers, or one of them; empty: none.
    std::string modelOfPart(const Node& value) const;
    bool readLoaded(const LogicalLine& line, const Place& place, const std::string& target, const Node& call);
    const ModelCode* chainIn(const Node& node) const;
    bool readBuild(const LogicalLine& line, ModelCode& model, const Node& sizes);
    bool readSequential(const LogicalLine& line, const Place& place, const std::string& target, const Node& call);
    bool readFunctionalModel(const LogicalLine& line, const Place& place, const std::string& target, const Node& call);
    bool readMade(const std::string& target, const std::string& made);
    std::optional<ModelCode> chainOf(const LogicalLine& line, const Place& place, const Node& node) const;

    CodeReading& reading_;
    NoteList notes_;
    const AbsentArguments absent_;
    std::map<std::string, ModelCode> models_, chains_;  // by variable; "build()" is what the function build returns
    std::map<std::string, std::string> parts_;          // variables of layers, with the model's
    std::string model_, last_chain_;
    bool has_model_ = false;
    std::optional<std::string> policy_;
    CodeLines policy_lines_;
};

}  // namespace engine::spec::code
