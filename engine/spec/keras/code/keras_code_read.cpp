// Statement by statement: what is a constant is bound to its name, what makes a part of the project is taken, the rest is noted as text.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <utility>

#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/code/cluster_statements.h"
#include "engine/spec/keras/code/code_document.h"
#include "engine/spec/keras/code/compile_statements.h"
#include "engine/spec/keras/code/data_code.h"
#include "engine/spec/keras/code/data_statements.h"
#include "engine/spec/keras/code/estimator_statements.h"
#include "engine/spec/keras/code/fit_statements.h"
#include "engine/spec/keras/code/model_statements.h"
#include "engine/spec/keras/code/note_list.h"
#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/keras/code/printed_text.h"
#include "engine/spec/keras/code/rate_function.h"
#include "engine/spec/keras/code/read/class_statements.h"
#include "engine/spec/keras/code/read/open_blocks.h"
#include "engine/spec/keras/code/read/replica_counts.h"
#include "engine/spec/keras/code/read/strategy_choice.h"
#include "engine/spec/keras/code/tf_config_text.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/keras/python/python_tree.h"
#include "engine/spec/keras/python/read_work.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {
namespace {

using namespace code;

class CodeReader {
public:
    // `left_out`: calls of strategies that are no part of the run. The lines and the token outlive this.
    CodeReader(const std::vector<LogicalLine>& lines, const RunSpec& base, AbsentArguments absent, const std::stop_token& stop,
               const std::vector<CodePlace>& left_out = {})
        : stop_(stop),
          notes_(reading_.notes),
          model_(reading_, absent),
          compile_(reading_),
          fit_(reading_, absent, base.callbacks),
          classes_(reading_, fit_),
          cluster_(reading_),
          estimator_(reading_, absent),
          lines_(lines),
          data_(reading_, bindings_, absent),
          strategies_(reading_, estimator_, left_out) {
        reading_.run = base;
    }

    CodeReading read(const std::vector<TfConfigText>& tf_configs) {
        for (const TfConfigText& config : tf_configs) cluster_.readTfConfig(config.json, config.lines, 1);
        findFunctionsThatChange();
        for (at_ = 0; at_ < lines_.size() && !stop_.stop_requested();) readLine();
        model_.finish();
        compile_.finish();
        fit_.finish();
        cluster_.finish();
        data_.finish();
        compile_.chooseLoss();
        estimator_.finish();
        classes_.check();
        checkAdapted();
        strategies_.sayOfEvaluation();
        std::erase_if(reading_.notes, [&](const CodeNote& note) {  // a function that the data pass
            return note.severity == Severity::kInfo && data_.isRead(note.lines);
        });
        std::stable_sort(reading_.notes.begin(), reading_.notes.end(), [](const CodeNote& a, const CodeNote& b) {
            return std::pair(a.lines.first, a.column) < std::pair(b.lines.first, b.column);
        });
        reading_.notes.erase(std::unique(reading_.notes.begin(), reading_.notes.end()), reading_.notes.end());
        return std::move(reading_);
    }

    // Once the text was read: the calls of strategies that are no part of the run.
    std::vector<CodePlace> strategiesLeftOut() const { return strategies_.leftOut(lines_); }

private:
    void readLine() {
        const LogicalLine& line = lines_[at_];
        blocks_.reach(line);
        if (line.fault) {
            static const std::set<std::string, std::less<>> kOurs{"Sequential", "layers", "add",  "compile",   "fit",   "optimizers",
                                                                  "losses",     "Model",  "json", "TF_CONFIG", "keras", "ClusterSpec"};
            const bool ours = std::any_of(line.tokens.begin(), line.tokens.end(), [](const Token& token) {
                return token.kind == Token::Kind::kName && kOurs.contains(token.text);
            });
            const bool claimed = claim(line);
            reading_.notes.push_back(
                {ours || claimed ? Severity::kError : Severity::kInfo, linesOf(line), line.fault.column, line.fault.message});
            reading_.notes.back().lines.first = std::min(line.fault.line, line.last_line);
            ++at_;
            return;
        }
        const Token& first = line.tokens[0];
        const std::string word = first.kind == Token::Kind::kName ? first.text : "";
        if (word == "import" || word == "from" || word == "pass") {
            data_.readImport(line);
            ++at_;
        } else if (word == "class" || (word == "def" && isOfTandem(line.tokens[1].text))) {
            at_ = classes_.read(lines_, at_);
        } else if (word == "def") {
            readFunction();
        } else if (word == "return") {
            readReturn(line);
            ++at_;
        } else if (isBlock(word)) {
            readBlock(word);
        } else if (word == "del") {
            TreeReader reader(line.tokens, 1);
            if (const std::optional<Node> gone = reader.readExpressions()) {
                model_.readDelete(line, *gone);
            } else {
                notes_.keep(line);
            }
            ++at_;
        } else if (first.is("@")) {
            notes_.keep(line);
            ++at_;
        } else if (first.kind == Token::Kind::kText && line.tokens.size() == 2) {
            ++at_;  // a text that documents
        } else {
            readStatement(line, 0);
            ++at_;
        }
    }

    // A statement that can't be read still is the one that makes its part: it is replaced when the part changes. True: it is part of a
    // model that was begun before.
    bool claim(const LogicalLine& line) {
        const auto names = [&](std::string_view word) {
            return std::any_of(line.tokens.begin(), line.tokens.end(),
                               [&](const Token& token) { return token.kind == Token::Kind::kName && token.text == word; });
        };
        std::string name;  // "model.add" of model.add(…, "x" of x = …
        for (std::size_t i = 0; i + 1 < line.tokens.size(); i += 2) {
            if (line.tokens[i].kind != Token::Kind::kName) break;
            name += line.tokens[i].text;
            if (!line.tokens[i + 1].is(".")) break;
            name += ".";
        }
        const std::string owner = name.substr(0, std::min(name.rfind('.'), name.size()));
        if (names("Sequential")) reading_.model = {linesOf(line)};
        if (names("compile")) reading_.compile = {linesOf(line)};
        if (names("fit")) reading_.fit = {linesOf(line)};
        const bool other = names("compile") || names("fit");
        return !other && (model_.breakOff(line, name) || model_.breakOff(line, owner));
    }

    static bool isBlock(const std::string& word) {
        static const std::set<std::string, std::less<>> kWords{"with",  "if",  "elif",   "else",    "for",
                                                               "while", "try", "except", "finally", "async"};
        return kWords.contains(word);
    }

    // The head is no part of a model; what stands in it, behind the colon or below, may be.
    void readBlock(const std::string& word) {
        const LogicalLine& line = lines_[at_];
        if (word == "for" || word == "while") blocks_.openLoop(line);
        if (word == "if" || word == "elif" || word == "else") blocks_.openCondition(line);
        int depth = 0;
        std::size_t colon = 0;
        for (std::size_t i = 0; i < line.tokens.size() && colon == 0; ++i) {
            const Token& token = line.tokens[i];
            if (token.kind != Token::Kind::kSymbol) continue;
            depth += token.is("(") || token.is("[") || token.is("{");
            depth -= token.is(")") || token.is("]") || token.is("}");
            if (depth == 0 && token.is(":")) colon = i;
        }
        const bool scope = std::any_of(line.tokens.begin(), line.tokens.end(), [](const Token& token) { return token.text == "scope"; });
        if (word == "with") {
            std::vector<Token> head(line.tokens.begin() + 1,
                                    line.tokens.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(colon, 1)));
            head.emplace_back();
            if (const std::optional<Node> tree = TreeReader(head).readExpression()) {
                if (const std::optional<Node> folded = fold(*tree, bindings_)) findFacts(*folded, line);
            }
        }
        if (word == "for") readLoopOver(line, colon);
        const bool told = (word == "for" || word == "while") && data_.readLoop(line);
        if (!scope && !told) notes_.keep(line);
        const bool inline_statement = colon > 0 && line.tokens[colon + 1].kind != Token::Kind::kEnd;
        if (inline_statement && !line.tokens[colon + 1].is("return")) readStatement(line, colon + 1);
        ++at_;
    }

    // for NAMES in VALUE:
    void readLoopOver(const LogicalLine& line, std::size_t colon) {
        std::vector<std::string> names;
        std::size_t at = 1;
        for (; at < colon && line.tokens[at].text != "in"; ++at) {
            if (line.tokens[at].kind == Token::Kind::kName) names.push_back(line.tokens[at].text);
        }
        if (at + 1 >= colon) return;
        std::vector<Token> over(line.tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                line.tokens.begin() + static_cast<std::ptrdiff_t>(colon));
        over.emplace_back();
        if (const std::optional<Node> value = TreeReader(over).readExpression()) model_.readLoop(names, *value);
    }

    // A function of the text that does something to the layers of a model that it is given.
    bool changesModels(std::string_view function) const { return functions_that_change_.contains(function); }

    // Is something of a model touched there that makes another one of it?
    static bool touchesLayers(const LogicalLine& line) {
        static const std::set<std::string, std::less<>> kChanges{"add", "pop", "layers", "_layers", "trainable", "set_weights"};
        const std::vector<Token>& tokens = line.tokens;
        readOfThisThread() += static_cast<std::int64_t>(tokens.size());
        for (std::size_t k = 1; k < tokens.size(); ++k) {
            if (tokens[k - 1].is(".") && tokens[k].kind == Token::Kind::kName && kChanges.contains(tokens[k].text)) return true;
        }
        return false;
    }

    // A function changes models where one of its lines does, or one of a function in it.
    void findFunctionsThatChange() {
        struct Function {
            int indent;
            std::string_view name;
            bool changes;
        };
        std::vector<Function> open;  // around a line
        for (const LogicalLine& line : lines_) {
            while (!open.empty() && line.indent <= open.back().indent) open.pop_back();
            if (!open.empty() && touchesLayers(line)) {
                for (auto one = open.rbegin(); one != open.rend() && !one->changes; ++one) {  // those around one that does, do
                    one->changes = true;
                    functions_that_change_.insert(one->name);
                }
            }
            const std::vector<Token>& head = line.tokens;
            if (head.size() >= 3 && head[0].text == "def") open.push_back({line.indent, head[1].text, false});
        }
    }

    // grow(model), a call of the text's own function.
    bool readGivenModel(const LogicalLine& line, const std::vector<Node>& targets, const Node& value) {
        if (value.kind != Node::Kind::kCall || !changesModels(calledName(value))) return false;
        const std::string model = model_.givenModel(value);
        if (model.empty() || (targets.size() == 1 && targets[0].text != model)) return false;
        model_.changeByCall(line, model, value);
        return true;
    }

    void readFunction() {
        Fault fault;
        data_.readFunction(lines_, at_);
        if (std::optional<RateFunction> function = readRateFunction(lines_, at_, bindings_, fault)) {
            fit_.addFunction(*std::move(function));
            at_ = endOfBlock(lines_, at_);
            return;
        }
        // Its statements may make a model.
        const LogicalLine& line = lines_[at_];
        if (line.tokens[1].kind == Token::Kind::kName) {
            fit_.addOtherFunction(line.tokens[1].text, fault);
            const bool plain = line.tokens.size() > 3 && line.tokens[2].is("(") && line.tokens[3].is(")");
            blocks_.openFunction(line, line.tokens[1].text, !plain);
        }
        // An estimator's input is named so in its arguments; its statements say what it reads.
        if (!line.tokens[1].text.ends_with("input_fn")) notes_.keep(line);
        ++at_;
    }

    void readReturn(const LogicalLine& line) {
        TreeReader reader(line.tokens, 1);
        const std::optional<Node> value = reader.readExpressions();
        if (line.tokens.size() > 2 && (!value || reader.next().kind != Token::Kind::kEnd)) return unreadable(line, reader);
        const std::optional<Node> folded = value ? fold(*value, bindings_) : std::nullopt;
        if (!folded) return notes_.keep(line);
        const std::string* function = blocks_.function();
        const bool model = function != nullptr && model_.readReturn(line, blocks_.place(), *value, *folded);
        const bool data = function != nullptr && data_.readReturn(line, *function, *value);
        compile_.readExpression(line, {}, *folded);
        if (!findFacts(*folded, line) && !model && !data) notes_.keep(line);
    }

    // The set of ones, whose labels are its samples: np.ones((100, 1)).
    bool isOnes(const Node* node) const {
        const auto bound = node == nullptr ? bindings_.end() : bindings_.find(node->text);
        return bound != bindings_.end() && bound->second.kind == Node::Kind::kCall && lastPart(calledName(bound->second)) == "ones";
    }

    void readStatement(const LogicalLine& line, std::size_t from) {
        if (const std::optional<std::string> text = readKnownPrint(line, [this](const Node& node) { return counts_.printedValue(node); })) {
            notes_.add(Severity::kInfo, linesOf(line), line.indent + 1, "read as a print of: " + *text);
            return;
        }
        TreeReader reader(line.tokens, from);
        std::vector<Node> targets;
        std::optional<Node> value = reader.readExpressions();
        if (std::optional<Node> changed = value ? readAugmented(reader, *value) : std::nullopt) {
            targets.push_back(*std::move(value));
            value = std::move(changed);
        }
        while (value && reader.next().is("=")) {
            targets.push_back(*std::move(value));
            reader.skip();
            value = reader.readExpressions();
        }
        if (!value || reader.next().kind != Token::Kind::kEnd) {
            unreadable(line, reader);
            return;
        }
        std::optional<Node> folded = fold(*value, bindings_);
        if (!folded) {
            notes_.add(Severity::kError, linesOf(line), line.indent + 1, "expected a value of a model's size, got a larger one");
            return;
        }
        *folded = counts_.lookedUp(*std::move(folded));
        const bool fits = value->kind == Node::Kind::kCall && lastPart(calledName(*value)) == "fit";
        if (fits && !isOnes(argumentOf(*value, "x", 0))) fit_.refuseOwnInput(*value);
        const std::string target = targets.size() == 1 && targets[0].kind == Node::Kind::kName ? targets[0].text : "";
        if (!target.empty()) counts_.assign(target, *folded);
        if (targets.empty() && isAdaptCall(*value)) {  // a run adapts what its model has; its batches are none of the training's
            reading_.adapt.push_back(linesOf(line));
            return;
        }
        const bool data = data_.readStatement(line, targets, *value, blocks_.condition());
        compile_.readExpression(line, target, *folded);
        const std::vector<CodeLines> strategy = reading_.strategy;
        bool used = readValue(line, target, targets, *folded);
        if (!target.empty() && reading_.strategy != strategy) {
            reading_.strategy_used_as = target;
            strategies_.setName(target);
        }
        if (!used) used = readGivenModel(line, targets, *value) || model_.readOther(line, blocks_.place(), targets, *value);
        const bool tuple = targets.size() == 1 && targets[0].kind == Node::Kind::kTuple && folded->kind == Node::Kind::kTuple;
        for (std::size_t i = 0; tuple && i < std::min(targets[0].items.size(), folded->items.size()); ++i) {  // STEPS, BATCH = 5000, 50
            const Node& name = targets[0].items[i];
            if (name.kind == Node::Kind::kName && folded->items[i].isConstant()) bind(name.text, folded->items[i]);
        }
        if (!target.empty() && !model_.isChain(target)) bind(target, *std::move(folded));
        if (!used && !data) notes_.keep(line);
    }

    // Keras computes with a mean of 0 and a variance of 1 where no one calls adapt().
    void checkAdapted() {
        const LayerSpec* layer = adaptedLayer(reading_.run.model);
        if (layer == nullptr || reading_.layers.empty() || reading_.fit.empty() || !reading_.adapt.empty()) return;
        notes_.add(
            Severity::kWarning, reading_.fit.front(), 1,
            "expected adapt() of " + layer->name + " before fit(), got none: a run takes its values from the training samples anyway");
    }

    // norm.adapt(…), model.layers[0].adapt(…).
    static bool isAdaptCall(const Node& value) {
        if (value.kind != Node::Kind::kCall || value.items.size() < 2) return false;
        const Node& called = value.items[0];
        const bool is_attribute = called.kind == Node::Kind::kAttribute || called.kind == Node::Kind::kName;
        return is_attribute && (called.text == "adapt" || called.text.ends_with(".adapt"));
    }

    void unreadable(const LogicalLine& line, const TreeReader& reader) {
        static const std::set<std::string, std::less<>> kOurs{"Sequential", "add", "compile", "fit", "TF_CONFIG", "ClusterSpec"};
        const bool ours = std::any_of(line.tokens.begin(), line.tokens.end(),
                                      [](const Token& token) { return token.kind == Token::Kind::kName && kOurs.contains(token.text); });
        Fault fault = reader.fault();
        if (!fault) fault = {reader.next().line, reader.next().column, "expected the end of the statement, got " + reader.next().text};
        const Severity severity = claim(line) || ours ? Severity::kError : Severity::kInfo;
        notes_.add(severity, {fault.line, std::max(fault.line, line.last_line)}, fault.column, fault.message);
    }

    void bind(const std::string& name, Node value) {
        const bool kept = value.isConstant() || value.kind == Node::Kind::kCall || value.kind == Node::Kind::kList ||
                          value.kind == Node::Kind::kTuple || value.kind == Node::Kind::kDict;
        if (kept && name.find('.') == std::string::npos) {
            bindings_[name] = std::move(value);
        } else {
            bindings_.erase(name);
        }
    }

    // True when the statement says something about the project, or is a constant.
    bool readValue(const LogicalLine& line, const std::string& target, const std::vector<Node>& targets, const Node& value) {
        if (cluster_.readTfConfigStatement(line, target, targets, value) || cluster_.readTpuStatement(line, value)) return true;
        if (value.kind == Node::Kind::kCall && (model_.read(line, blocks_.place(), target, value) || readCallStatement(line, value)))
            return true;
        return findFacts(value, line) || (!target.empty() && target.find('.') == std::string::npos && value.isConstant()) || isPart(value);
    }

    // What an estimator or its input function is given by name.
    static bool isColumnOrFeature(std::string_view name) {
        static const std::set<std::string_view> kCalls{"numeric_column",
                                                       "bucketized_column",
                                                       "indicator_column",
                                                       "categorical_column_with_vocabulary_list",
                                                       "categorical_column_with_identity",
                                                       "categorical_column_with_hash_bucket",
                                                       "FixedLenFeature",
                                                       "VarLenFeature"};
        return kCalls.contains(lastPart(name));
    }

    // Optimizers' rates, callbacks, layers and columns that later statements name.
    static bool isPart(const Node& value) {
        if (value.kind == Node::Kind::kList || value.kind == Node::Kind::kTuple) {
            return !value.items.empty() &&
                   std::all_of(value.items.begin(), value.items.end(), [](const Node& item) { return item.isConstant() || isPart(item); });
        }
        if (value.kind == Node::Kind::kDict) {  // the features of a record
            for (std::size_t i = 1; i < value.items.size(); i += 2) {
                if (!isColumnOrFeature(calledName(value.items[i]))) return false;
            }
            return value.items.size() > 1;
        }
        const std::string_view name = calledName(value);
        if (name.empty()) return false;
        return isLayerCall(value) || isColumnOrFeature(name) || isKnown(Family::kSchedule, classOf(Family::kSchedule, name)) ||
               isKnown(Family::kCallback, classOf(Family::kCallback, name)) || isKnown(Family::kMetric, classOf(Family::kMetric, name)) ||
               isKnown(Family::kRegularizer, classOf(Family::kRegularizer, name)) ||
               isKnown(Family::kConstraint, classOf(Family::kConstraint, name)) ||
               isKnown(Family::kInitializer, classOf(Family::kInitializer, name));
    }

    // A project compiles and trains its model once: of two calls the second counts, as it does for a model that is compiled again.
    void sayAgain(const LogicalLine& line, const Node& call) {
        const std::string name(calledName(call));
        const auto [found, is_first] = called_.emplace(name, line.first_line);
        if (is_first) return;
        notes_.add(Severity::kWarning, linesOf(line), line.indent + 1,
                   "read as the " + name + "() that counts: line " + std::to_string(found->second) + " has one, too");
    }

    bool readCallStatement(const LogicalLine& line, const Node& call) {
        const std::string_view verb = lastPart(calledName(call));
        if (verb == "compile") {
            sayAgain(line, call);
            compile_.readCompile(line, call);
            return true;
        }
        if (verb == "fit") {
            if (blocks_.place().in_loop) {
                notes_.add(Severity::kWarning, linesOf(line), line.indent + 1, "expected fit() once, got a loop that calls it");
            }
            sayAgain(line, call);
            const Node* batch = namedArgument(call, "batch_size");
            fit_.readFit(line, call, batch != nullptr && data_.knowsBatch(*batch));
            return true;
        }
        if (verb == "enable_op_determinism") {
            reading_.run.strategy.op_determinism = true;
            return true;
        }
        if (verb == "enable_tensor_float_32_execution" && call.items.size() == 2 && call.items[1].kind == Node::Kind::kBool) {
            reading_.run.strategy.tensor_float_32_execution = call.items[1].flag;
            return true;
        }
        const bool policy = verb == "set_global_policy" || verb == "set_dtype_policy" || verb == "set_policy";
        if (!policy || call.items.size() != 2 || call.items[1].kind != Node::Kind::kText) return false;
        model_.setPolicy(line, call.items[1].text);
        return true;
    }

    // Objects that stand outside of compile(), as custom loops and estimators make them.
    bool findFacts(const Node& node, const LogicalLine& line) {
        bool found = false;
        for (const Node& item : node.items) found = findFacts(item, line) || found;
        if (node.kind != Node::Kind::kCall) return found;
        if (compile_.readObject(line, node)) return true;
        if (node.line < line.first_line || node.line > line.last_line) return found;
        const std::string_view name = lastPart(calledName(node));
        if (estimator_.read(line, node)) return true;
        if (name == "ClusterSpec" && node.items.size() >= 2) return cluster_.readClusterSpec(node, line) || found;
        if (name.ends_with("Strategy") && findStrategy(name) != nullptr) {
            if (strategies_.take({node.line, node.column})) cluster_.readStrategy(node, line);
            return true;
        }
        if (name == "to_categorical" || name == "one_hot") return readOneHot(node) || found;
        return found;
    }

    bool readOneHot(const Node& call) {
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            const bool classes = call.keywords[i] == "num_classes" || call.keywords[i] == "depth" || (i == 1 && call.keywords[i].empty());
            if (classes && call.items[i + 1].kind == Node::Kind::kInt && call.items[i + 1].whole > 0) {
                reading_.run.data.one_hot = call.items[i + 1].whole;
                return true;
            }
        }
        return false;
    }

    const std::stop_token& stop_;
    CodeReading reading_;
    NoteList notes_;
    ModelStatements model_;
    CompileStatements compile_;
    FitStatements fit_;
    ClassStatements classes_;
    ClusterStatements cluster_;
    EstimatorStatements estimator_;
    const std::vector<LogicalLine>& lines_;
    std::size_t at_ = 0;
    std::set<std::string_view> functions_that_change_;  // models that they are given; the names stand in lines_
    DataStatements data_;
    OpenBlocks blocks_;
    std::map<std::string, int> called_;  // "model.fit": the line of the first such call
    ReplicaCounts counts_{reading_, bindings_};
    StrategyChoice strategies_;
    Bindings bindings_;
};

}  // namespace

struct CodeText::Split {
    std::string text;
    std::vector<TfConfigText> tf_configs;
    std::vector<LogicalLine> lines;  // what a shell is told of TF_CONFIG is blank in them
};

CodeText::CodeText(std::string text) {
    const auto split = std::make_shared<Split>();
    split->text = text;
    split->tf_configs = takeTfConfigs(text);
    split->lines = splitLines(text);
    split_ = split;
}

const std::string& CodeText::text() const {
    return split_->text;
}

CodeReading CodeText::read(const RunSpec& base, AbsentArguments absent, const std::stop_token& stop) const {
    CodeReader reader(split_->lines, base, absent, stop);
    CodeReading reading = reader.read(split_->tf_configs);
    // What stands between a strategy and the end of the text may have counted its replicas: it is read again without those of no run.
    if (const std::vector<CodePlace> left_out = reader.strategiesLeftOut(); !left_out.empty())
        return CodeReader(split_->lines, base, absent, stop, left_out).read(split_->tf_configs);
    return reading;
}

CodeReading readKerasCode(std::string_view text, const RunSpec& base, AbsentArguments absent) {
    return CodeText(std::string(text)).read(base, absent);
}

std::optional<std::vector<LayerSpec>> readLayersCode(std::string_view text) {
    // A model needs an input: one of ours, unless the text begins with its own.
    for (const char* input : {"keras.Input((1,)),\n", ""}) {
        const CodeReading reading = readKerasCode("model = keras.Sequential([\n" + (input + std::string(text)) + "\n])\n", RunSpec());
        const bool is_one_model = reading.model.size() == 1 && reading.model.front().first == 1 && reading.notes.empty();
        const bool says_more = !reading.compile.empty() || !reading.schedule.empty() || !reading.fit.empty() || !reading.cluster.empty() ||
                               !reading.strategy.empty();
        if (is_one_model && !says_more && !reading.layers.empty()) return reading.run.model.layers;
    }
    return std::nullopt;
}

std::string toString(const CodeNote& note) {
    std::string text = "line " + std::to_string(note.lines.first) + ", column " + std::to_string(note.column) + ": ";
    const bool kept = note.severity != Severity::kError && !note.message.starts_with("read as ");
    return text + (kept ? "kept as text: " : "") + note.message;
}

}  // namespace engine::spec
