// What code says of compile(): the call itself, or the optimizer and the loss of a loop of one's own. Only files of this folder include it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/spec/keras/code/note_list.h"
#include "engine/spec/keras/code/object_calls.h"

namespace engine::spec::code {

class CompileStatements {
public:
    explicit CompileStatements(CodeReading& reading) : reading_(reading), notes_(reading.notes) {}

    void readCompile(const LogicalLine& line, const Node& call);
    // An optimizer or a loss that is made without compile(); false for any other call. One that was made in another line and stands here by
    // its name counts, too.
    bool readObject(const LogicalLine& line, const Node& call);
    // Every statement's value, with constants put in: what a loop of one's own makes of its loss, and optimizers that are not known here.
    // `target`: the variable that it is assigned to, empty where there is none.
    void readExpression(const LogicalLine& line, const std::string& target, const Node& value);
    // Called when every statement was read.
    void finish();
    // Called when model and data are known: the cross-entropy that goes with them, where the text leaves the choice to Keras ("ce").
    void chooseLoss();

private:
    void findLoops(const LogicalLine& line, const Node& value);
    std::optional<ObjectSpec> readObjectArgument(const Node& node, Family family, const std::string& what);
    bool readOptimizer(const Node& node, CompileSpec& compile);
    std::optional<MetricSpec> readMetric(const Node& node);
    void readMetrics(const Node& node, std::vector<MetricSpec>& metrics);
    void readLooseLoss(CompileSpec& compile);

    CodeReading& reading_;
    NoteList notes_;
    std::optional<Node> compile_, optimizer_, loss_;
    CodeLines optimizer_lines_, loss_lines_;
    std::set<std::string, std::less<>> losses_;  // variables that hold the loss of a loop
    Fault own_loss_;                             // what makes it another loss
    Fault loop_;                                 // where its gradients are taken
    bool leaves_choice_ = false;                 // of a cross-entropy
};

}  // namespace engine::spec::code
