// The strategies that code makes, and which of them is the run's: an estimator trains with what its RunConfig names. Only files of
// engine/spec/keras/code and below include it.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/keras/code/estimator_statements.h"
#include "engine/spec/keras/code/note_list.h"

namespace engine::spec::code {

class StrategyChoice {
public:
    // `left_out`: calls of strategies that are no part of the run. The others outlive it.
    StrategyChoice(CodeReading& reading, const EstimatorStatements& estimator, const std::vector<CodePlace>& left_out)
        : reading_(reading), notes_(reading.notes), estimator_(estimator) {
        for (const CodePlace& at : left_out) left_out_.emplace(at.line, at.column);
    }

    // A call that makes one. False: it is left out.
    bool take(CodePlace at);
    // The variable of the one that was taken last.
    void setName(const std::string& name) { made_.back().name = name; }
    // Called when every statement was read. An evaluation runs as the run does: on the tasks that train, or on an evaluator, which is one
    // device.
    void sayOfEvaluation();
    // Once the text was read: the calls of strategies that its estimator does not train with. An estimator trains with what RunConfig's
    // train_distribute names; without it a strategy stays the run's, unless nothing but eval_distribute uses it.
    std::vector<CodePlace> leftOut(const std::vector<LogicalLine>& lines) const;

private:
    struct Made {
        CodePlace at;
        std::string name;  // of its variable, empty without one
    };

    CodeReading& reading_;
    NoteList notes_;
    const EstimatorStatements& estimator_;
    std::set<std::pair<int, int>> left_out_;  // lines and columns
    std::vector<Made> made_;
};

}  // namespace engine::spec::code
