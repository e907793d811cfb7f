// What code says of the data: a set that is loaded, what its samples pass in numpy, in functions and in chains of tf.data, and which of it
// fit(), an estimator or a loop is given. Only files of this folder include it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/spec/keras/code/data_code.h"
#include "engine/spec/keras/code/note_list.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

class DataStatements {
public:
    // `bindings`: the constants that the text has assigned so far.
    DataStatements(CodeReading& reading, const Bindings& bindings, AbsentArguments absent)
        : reading_(reading), notes_(reading.notes), bindings_(bindings), absent_(absent) {}

    void readImport(const LogicalLine& line);
    // A function that `lines[at]` heads: kept by its name where it is assignments and a return.
    void readFunction(const std::vector<LogicalLine>& lines, std::size_t at);
    // `targets` = value, as the text has it. True: it is about data. `condition`: of the if that holds it, empty where none does.
    bool readStatement(const LogicalLine& line, const std::vector<Node>& targets, const Node& value, const std::string& condition);
    bool readReturn(const LogicalLine& line, const std::string& function, const Node& value);
    // The head of a loop: how many steps or epochs a training of one's own has.
    bool readLoop(const LogicalLine& line);
    // What is asked for in an expression: fit(), evaluate(), TrainSpec, iterators. `value` as the text has it.
    void findUses(const LogicalLine& line, const Node& value);
    // True when the node is a batch that the text gives: a number, a variable of one, or a replica's batch times the number of replicas.
    bool knowsBatch(const Node& node) { return batchOf(node).has_value(); }
    // Called when every statement was read.
    void finish();
    // Do these lines lie in a function that the data were seen to pass?
    bool isRead(const CodeLines& lines) const;

private:
    struct Function {
        CodeLines lines;

        struct Statement {
            CodeLines lines;
            std::vector<Node> targets;  // none: a return
            Node value;
        };
        std::vector<std::string> parameters;
        std::vector<Statement> statements;
    };
    using Scope = std::map<std::string, DataCode, std::less<>>;
    // A layer that mixes batches, as a call makes it.
    struct Mixer {
        ObjectSpec mix;
        std::vector<Fault> problems;
    };

    std::optional<DataCode> evaluate(const Node& node);
    std::optional<DataCode> evaluateName(const Node& node) const;
    std::optional<DataCode> evaluateIndex(const Node& node);
    std::optional<DataCode> evaluateOperation(const Node& node);
    std::optional<DataCode> evaluateCall(const Node& node);
    std::optional<DataCode> evaluateMethod(DataCode data, const std::string& method, const Node& call);
    std::optional<DataCode> evaluateFunction(const Function& function, const std::vector<DataCode>& arguments);
    std::optional<DataCode> loadSet(const Node& call);
    std::optional<DataCode> loadArrays(const std::string& set) const;
    // data_files.cpp: sets of the user's own files, as tf.data reads them.
    std::optional<DataCode> loadFiles(const Node& call);
    std::optional<DataCode> loadTextFolder(const Node& call);
    void readFolderArgument(const std::string& argument, const Node& given, DataCode& data);
    void readFilesArgument(const std::string& argument, const Node& given, DataCode& data);
    void takeFiles(const Node& given, DataCode& data) const;
    void useFiles(const DataCode& data);
    DataCode mapped(DataCode data, const Node& function);
    // What the node is a mixer by: the call that makes one, or a variable of one.
    std::optional<Mixer> mixerOf(const Node& node) const;
    std::optional<DataCode> mixedBy(const Mixer& mixer, const Node& call);
    DataCode sliced(DataCode data, const Node& slice) const;
    DataCode ofPart(DataCode data, const std::string& part, const Node& at) const;
    void assign(const Node& target, const DataCode& value, CodeLines lines);
    std::optional<Node> constant(const Node& node) const;
    std::optional<std::int64_t> whole(const Node& node);
    std::optional<std::int64_t> samplesOf(const Node& node);
    std::optional<BatchCode> batchOf(const Node& node);

    void useForFit(const LogicalLine& line, const Node& call);
    void use(const DataCode& data, const Node& at, CodeLines lines, bool of_one_replica);
    void useForValidation(const DataCode& data, const Node& at);
    void setSteps(std::int64_t steps, const LogicalLine& line);
    void finishUses();
    void reportProblems(const DataCode& data);

    CodeReading& reading_;
    NoteList notes_;
    const Bindings& bindings_;
    const AbsentArguments absent_;
    Scope values_;
    std::vector<Scope> locals_;  // of the functions that are being evaluated
    std::map<std::string, Function, std::less<>> functions_;
    std::map<std::string, std::string, std::less<>> modules_;   // "mnist" of "from keras.datasets import mnist", by its name in the text
    std::map<std::string, std::int64_t, std::less<>> numbers_;  // sizes of data, by variable
    std::map<std::string, BatchCode, std::less<>> batches_;
    std::map<std::string, Mixer, std::less<>> mixers_;          // by variable
    std::map<std::string, int, std::less<>> assigned_;          // every variable that is no data, by its last line
    std::optional<DataCode> used_, candidate_, made_, loaded_;  // by fit() or an estimator; by a loop; the last with batches; the last
    bool used_by_fit_ = false, candidate_of_one_ = false, validated_ = false, steps_read_ = false;
    struct Effort {
        int calls = 0;  // of functions
        std::size_t expressions = 0;
    };
    Effort evaluated_;                                      // so far: a text can ask for more than it has
    std::set<std::tuple<int, int, std::string>> reported_;  // problems, by place and message
    std::vector<CodeLines> passed_;                         // functions
    std::map<int, int> furthest_;  // once every statement was read: the last line of those functions that begin up to a line
    std::set<std::string, std::less<>> with_set_;  // names of values_ of a known set
};

}  // namespace engine::spec::code
