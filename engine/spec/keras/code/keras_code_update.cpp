// What changed of a project, brought into a text that somebody wrote: arguments that changed are written anew, whole statements where they
// must be, and the words of the text stay.
#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/code/cluster_statements.h"
#include "engine/spec/keras/code/code_document.h"
#include "engine/spec/keras/code/estimator_statements.h"
#include "engine/spec/keras/code/python_imports.h"
#include "engine/spec/keras/code/update/source_text.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tokens.h"
#include "engine/spec/keras/tandem_classes.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {
namespace {

using namespace code;

constexpr std::string_view kRateFunction = "decay", kModel = "model",
                           kModelTarget = "model = ", kStrategyTarget = "strategy = ", kData = "train_dataset";

std::size_t findArgument(const Node& call, const std::string& name, const std::vector<std::string>& positional) {
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        const bool by_place = call.keywords[i].empty() && i < positional.size() && positional[i] == name;
        if (call.keywords[i] == name || by_place) return i;
    }
    return call.keywords.size();
}

std::string indentedBy(const std::string& text, std::size_t indent) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        if (text[at] != '\n') result += std::string(indent, ' ');
        result += text.substr(at, end - at);
        at = end;
    }
    return result;
}

// The text opens its data in words of its own.
std::string adaptInText(const RunSpec& run, const CodeLayout& layout) {
    CodeLayout plain = layout;
    plain.imports = false;
    return writeAdaptPart(run, plain);
}

class TextUpdate {
public:
    TextUpdate(std::string_view text, const CodeReading& reading, const RunSpec& run, const CodeLayout& layout)
        : text_(text.empty() || text.ends_with('\n') ? std::string(text) : std::string(text) + "\n"),
          source_(text_),
          reading_(reading),
          run_(run),
          layout_(layout),
          in_full_(hasOtherLayers(text_)) {}

    std::string update() {
        for (const std::string_view name : tandemClasses()) updateClass(name);
        updateStatement(writeModelPart, reading_.model, Words::kOfModel);
        updateCompile();
        updateStatement(writePrintLrPart, reading_.print_lr, Words::kNamedByFit);
        updateStatement(writeSchedulePart, reading_.schedule, Words::kNamedByFit);
        updateStatement(adaptInText, reading_.adapt, Words::kOfCall);
        updateStrategy();
        updateData();
        if (!run_.estimator) updateFit();
        updateEstimator();
        std::stable_sort(edits_.begin(), edits_.end(), [](const TextEdit& a, const TextEdit& b) {
            return std::pair(a.begin, a.begin != a.end) < std::pair(b.begin, b.begin != b.end);  // what comes in stands before what goes
        });
        std::string result;
        std::size_t at = 0;
        for (const TextEdit& edit : edits_) {
            if (edit.begin < at) continue;  // lies in what is written anew
            result += text_.substr(at, edit.begin - at) + edit.text;
            at = edit.end;
        }
        result += text_.substr(at);
        if (result.find_first_not_of(" \t\r\n") == std::string::npos) {
            result.clear();
            added_.erase(0, std::min<std::size_t>(1, added_.size()));
        }
        if (!added_.empty() && !reading_.model_maker.empty()) {
            added_.insert(0, "\n" + std::string(kModelTarget) + reading_.model_maker + "\n");
        }
        return withImports(result + added_, written_);
    }

private:
    enum class Words { kOfModel, kOfCall, kNamedByFit, kNamedByModel };

    // The code with the variables of the text that it goes into.
    std::string inItsWords(std::string code, Words words) {
        if (words == Words::kOfModel) {
            const std::string target = reading_.returned ? "return " : reading_.model_defined_as + " = ";
            code.replace(code.find(kModelTarget), kModelTarget.size(), target);
        } else if (words == Words::kOfCall && code.starts_with(std::string(kModel) + ".")) {
            code.replace(0, kModel.size(), reading_.model_used_as);
        }
        code = withRates(std::move(code));
        if (in_full_) code = layersInFull(code);
        written_ += code + "\n";
        return code;
    }
    std::string withRates(std::string code) const {
        return reading_.rate_function == kRateFunction ? code : withName(code, kRateFunction, reading_.rate_function);
    }

    bool insert(const CodeLines& at, const std::string& code) {
        if (static_cast<std::size_t>(at.first) > static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'))) return false;
        const std::size_t begin = source_.beginOfLine(at.first);
        edits_.push_back({begin, begin, indentedBy(code, source_.indentOf(at.first))});
        return true;
    }

    void updateClass(std::string_view name) {
        const auto known = reading_.classes.find(name);
        const std::vector<CodeLines> stands = known == reading_.classes.end() ? std::vector<CodeLines>{} : std::vector{known->second};
        const auto write = [name](const RunSpec& run, const CodeLayout& layout) { return writeClassPart(run, name, layout); };
        updateStatement(write(run_, layout_), write(reading_.run, layout_), stands, Words::kNamedByModel);
    }

    void updateStatement(std::string (*write)(const RunSpec&, const CodeLayout&), const std::vector<CodeLines>& stands, Words words) {
        updateStatement(write(run_, layout_), write(reading_.run, layout_), stands, words,
                        write == writeCompilePart || write == adaptInText);
    }

    // `before`: what the text's own project is written as.
    void updateStatement(std::string code, const std::string& before, const std::vector<CodeLines>& stands, Words words,
                         bool before_fit = false) {
        if (stands.empty()) {
            if (code.empty() || (reading_.own_loop && words == Words::kOfCall)) return;
            code = inItsWords(std::move(code), words);
            before_fit = before_fit || words == Words::kNamedByFit;
            const std::vector<CodeLines>& user = words == Words::kNamedByModel ? reading_.model : reading_.fit;
            const bool before_user = before_fit || words == Words::kNamedByModel;
            const bool placed = before_user && !user.empty() && insert(user.front(), code + "\n");
            if (!placed) added_ += "\n" + code;
            return;
        }
        if (code == before) return;
        code = inItsWords(std::move(code), words);
        const bool returned = words == Words::kOfModel && reading_.returned;
        if (!insert(returned ? *reading_.returned : stands.front(), code)) return;
        for (const CodeLines& range : stands) {
            edits_.push_back({source_.beginOfLine(range.first), source_.endOfLine(range.last), {}});
        }
    }

    // The arguments that differ between the calls, in the source; the others keep their words. `owned`: those that `fresh` speaks of.
    void updateCall(const SourceCall& call, const Node& before, const Node& fresh, const std::vector<std::string>& positional) {
        std::vector<bool> stands(fresh.keywords.size(), false);
        bool removed_all = true;
        const SourceCall::Argument* last = nullptr;
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            const SourceCall::Argument& argument = call.arguments[i];
            const std::size_t old = findArgument(before, argument.name, positional), now = findArgument(fresh, argument.name, positional);
            const bool known = !argument.name.empty() && (old < before.keywords.size() || now < fresh.keywords.size());
            if (now < fresh.keywords.size()) stands[now] = true;
            const bool same = old < before.keywords.size() && now < fresh.keywords.size() &&
                              nodeLine(before.items[old + 1]) == nodeLine(fresh.items[now + 1]);
            if (!known || same) {
                removed_all = false;
                last = &argument;
                continue;
            }
            if (now == fresh.keywords.size()) {  // with the comma in front, or behind where it is the first
                const std::size_t begin = i > 0 ? call.arguments[i - 1].end : argument.begin;
                const std::size_t end = i > 0 ? argument.end : i + 1 < call.arguments.size() ? call.arguments[i + 1].begin : argument.end;
                edits_.push_back({begin, end, {}});
                continue;
            }
            removed_all = false;
            last = &argument;
            const std::string code = argumentBlock(named(fresh, now, positional), now, layout_, argument.column - 1);
            edits_.push_back({argument.begin, argument.end, inItsWords(code, Words::kOfCall)});
        }
        std::string more;
        for (std::size_t i = 0; i < fresh.keywords.size(); ++i) {
            if (stands[i]) continue;
            const Node written = named(fresh, i, positional);
            const std::size_t old = findArgument(before, written.keywords[i], positional);
            if (old < before.keywords.size() && nodeLine(before.items[old + 1]) == nodeLine(fresh.items[i + 1]))
                continue;  // Keras' default says it
            const bool lines = last != nullptr && last->begins_line;
            const int column = last != nullptr ? last->column - 1 : 0;
            if (last != nullptr || !more.empty()) more += lines ? ",\n" + std::string(static_cast<std::size_t>(column), ' ') : ", ";
            more += inItsWords(argumentBlock(written, i, layout_, lines ? column : 0), Words::kOfCall);
        }
        if (more.empty()) return;
        const std::size_t at = last != nullptr ? last->end : call.open;
        edits_.push_back({at, at, more + (removed_all && last == nullptr && !call.arguments.empty() ? ", " : "")});
    }

    // The call with argument i by keyword, where the name of its place is known.
    static Node named(const Node& call, std::size_t i, const std::vector<std::string>& positional) {
        Node copy = call;
        if (copy.keywords[i].empty() && i < positional.size() && i > 0) copy.keywords[i] = positional[i];
        return copy;
    }

    void updateCompile() {
        const std::vector<std::string> positional{"optimizer", "loss", "metrics"};
        if (reading_.own_loop) return updateOwnLoop();
        const std::optional<SourceCall> call =
            reading_.compile.empty() ? std::nullopt : source_.findCall(reading_.compile.front(), "compile", positional);
        if (!call) return updateStatement(writeCompilePart, reading_.compile, Words::kOfCall);
        updateCall(*call, compileCall(reading_.run), compileCall(run_), positional);
    }

    // The optimizer and the loss where a loop makes them.
    void updateOwnLoop() {
        const CompileSpec &before = reading_.run.compile, &now = run_.compile;
        if (before.optimizer != now.optimizer && reading_.optimizer_at.line > 0) {
            const std::vector<std::string> positional = positionalNames(Family::kOptimizer, before.optimizer.class_name);
            if (const auto call = source_.callAt(reading_.optimizer_at, positional))
                updateObject(*call, before.optimizer, now.optimizer, positional);
        }
        if (before.loss == now.loss || reading_.loss_at.line == 0) return;
        const auto call = source_.callAt(reading_.loss_at, {"labels", "logits"});
        if (!call) return;
        std::string code = objectCall(now.loss, Family::kLoss);
        const std::string name = source_.slice(call->begin, call->open - 1);
        if (name.find("_with_logits") != std::string::npos) {  // a function of labels and logits
            std::string labels, logits;
            for (const SourceCall::Argument& argument : call->arguments) {
                const std::string text = source_.slice(argument.begin, argument.end);
                const std::string value = text.starts_with(argument.name + "=") ? text.substr(argument.name.size() + 1) : text;
                if (argument.name == "labels") labels = value;
                if (argument.name == "logits") logits = value;
            }
            code.pop_back();
            code += (code.ends_with('(') ? "" : ", ") + std::string("reduction='none')(") + labels + ", " + logits + ")";
        } else {
            for (const SourceCall::Argument& argument : call->arguments) {
                if (argument.name != "reduction") continue;
                code.pop_back();
                code += (code.ends_with('(') ? "" : ", ") + source_.slice(argument.begin, argument.end) + ")";
            }
        }
        edits_.push_back({call->begin, call->close + 1, inItsWords(code, Words::kOfCall)});
    }

    // TensorFlow 1's optimizers have no rate of their own: it is written also where it is Keras' default.
    static void keepRate(Node& call, const std::string& class_name) {
        constexpr std::string_view kRate = "learning_rate";
        const ObjectSchema* schema = findSchema(optimizerSchemas(), class_name);
        if (schema == nullptr || std::find(call.keywords.begin(), call.keywords.end(), kRate) != call.keywords.end()) return;
        const auto field =
            std::find_if(schema->fields.begin(), schema->fields.end(), [&](const FieldSchema& one) { return one.name == kRate; });
        const double* rate = field == schema->fields.end() ? nullptr : std::get_if<double>(&field->fallback);
        if (rate == nullptr) return;
        Node value;
        value.kind = Node::Kind::kReal;
        value.real = *rate;
        call.keywords.emplace(call.keywords.begin(), kRate);
        call.items.insert(call.items.begin() + 1, std::move(value));
    }

    void updateObject(const SourceCall& call, const ObjectSpec& before, const ObjectSpec& now, const std::vector<std::string>& positional) {
        const auto treeOf = [](const ObjectSpec& object) {
            std::vector<Token> tokens;
            const std::vector<LogicalLine> lines = splitLines(objectCall(object, Family::kOptimizer));
            Fault fault;
            return lines.empty() ? std::nullopt : readTree(lines.front().tokens, 0, fault);
        };
        const std::string called = source_.slice(call.begin, call.open - 1);
        const bool is_of_tensorflow1 = called.ends_with("Optimizer") && !called.ends_with("LossScaleOptimizer");
        std::optional<Node> old_call = treeOf(before), new_call = treeOf(now);
        for (std::optional<Node>* made : {&old_call, &new_call}) {
            if (*made && is_of_tensorflow1) *made = withRateFunctions(*std::move(*made));
        }
        if (new_call && is_of_tensorflow1) keepRate(*new_call, now.class_name);
        if (before.class_name == now.class_name && old_call && new_call) return updateCall(call, *old_call, *new_call, positional);
        // TensorFlow 1's optimizers, which minimize() a tensor, stay such.
        std::string name = called;
        std::string code = objectCall(now, Family::kOptimizer);
        if (is_of_tensorflow1 && new_call && now.config.getObject("learning_rate") != nullptr) code = nodeLine(*new_call);
        if (name.ends_with("Optimizer")) {
            static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames{{{"SGD", "GradientDescent"},
                                                                                                  {"RMSprop", "RMSProp"},
                                                                                                  {"Adam", "Adam"},
                                                                                                  {"Adagrad", "Adagrad"},
                                                                                                  {"Adadelta", "Adadelta"},
                                                                                                  {"Ftrl", "Ftrl"}}};
            const auto row = std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == now.class_name; });
            if (row != kNames.end()) {
                name = name.substr(0, name.rfind('.') + 1) + std::string(row->second) + "Optimizer";
                code = name + code.substr(code.find('('));
                if (code.ends_with("()")) code = name + "(learning_rate=0.001)";
            }
        }
        edits_.push_back({call.begin, call.close + 1, inItsWords(code, Words::kOfCall)});
    }

    // The call of the strategy, with what must stand above it; of a TPU that stays one the arguments of its resolver.
    void updateStrategy() {
        const std::string now = writeStrategyPart(run_, layout_);
        if (reading_.strategy_at.line == 0 || now.empty() || now == writeStrategyPart(reading_.run, layout_)) return;
        const std::optional<SourceCall> strategy = source_.callAt(reading_.strategy_at, {});
        if (reading_.resolver_at.line > 0 && strategyKind(run_.strategy.name) == StrategyKind::kTpu) {
            const std::vector<std::string> positional = resolverArguments();
            if (const auto call = source_.callAt(reading_.resolver_at, positional))
                updateCall(*call, resolverCall(reading_.run.strategy), resolverCall(run_.strategy), positional);
            return;
        }
        // What else finds a TPU goes with it, unless a block of the text would be left without a statement.
        const auto inner = [this](const CodeLines& lines) { return source_.indentOf(lines.first) > 0; };
        if (!strategy || std::any_of(reading_.strategy.begin() + 1, reading_.strategy.end(), inner)) return;
        for (auto lines = reading_.strategy.begin() + 1; lines != reading_.strategy.end(); ++lines) {
            edits_.push_back({source_.beginOfLine(lines->first), source_.endOfLine(lines->last), {}});
        }
        const std::size_t statement = now.rfind(kStrategyTarget), call = statement + kStrategyTarget.size();
        const std::string import = text_.find("import tensorflow as tf") == std::string::npos ? "import tensorflow as tf\n" : "";
        insert(reading_.strategy.front(), import + now.substr(0, statement));
        edits_.push_back({strategy->begin, strategy->close + 1, now.substr(call, now.size() - 1 - call)});
    }

    std::int64_t globalBatch() const {
        const auto tasks = static_cast<std::int64_t>(run_.cluster.spec.trainingTaskCount());
        const auto devices = static_cast<std::int64_t>(devicesOf(run_.strategy).size());
        return run_.data.batch_size_per_replica * std::max<std::int64_t>(1, tasks) * std::max<std::int64_t>(1, devices);
    }
    std::string batchText() const {
        if (reading_.strategy.empty()) return std::to_string(globalBatch());
        return std::to_string(run_.data.batch_size_per_replica) + " * " + reading_.strategy_used_as + ".num_replicas_in_sync";
    }

    // What code says of data: without what only a project holds.
    static DataSpec spoken(const DataSpec& data) {
        DataSpec said;
        said.dataset = data.dataset;
        said.scale = data.scale;
        said.offset = data.offset;
        said.mean = data.mean;
        said.std = data.std;
        said.one_hot = data.one_hot;
        said.cache = data.cache;
        said.shuffle = data.shuffle;
        said.batch_size_per_replica = data.batch_size_per_replica;
        said.drop_remainder = data.drop_remainder;
        said.prefetch = data.prefetch;
        said.take = data.take;
        said.validation_split = data.validation_split;
        said.validate_on_test = data.validate_on_test;
        said.order = data.order;
        said.mix = data.mix;
        if (isFolder(data.dataset) && hasTexts(data.dataset)) {  // which is named in the call
            said.train_files = data.train_files;
            said.test_files = data.test_files;
            said.split_seed = data.split_seed;
        }
        return said;
    }

    // A number that the text gives a name changes there: other statements name it, too. `of_one`: the number for one replica, which
    // the product with all replicas of such a name is made of.
    TextEdit whereItIsGiven(TextEdit edit, const std::string& of_one) const {
        for (int depth = 0; depth < 3; ++depth) {
            const auto given = source_.valueOf(source_.slice(edit.begin, edit.end));
            if (!given) return edit;
            const std::vector<Token>& tokens = given->tokens;
            const auto times = std::find_if(tokens.begin(), tokens.end(), [](const Token& token) { return token.is("*"); });
            const bool per_replica = times == tokens.begin() + 1 && tokens.back().is("num_replicas_in_sync");
            if (!per_replica && edit.text != of_one) return edit;  // the strategy may not be there yet
            edit = {given->place.begin, given->place.end, std::move(edit.text)};
            if (!per_replica) continue;
            const Token& one = tokens.front();
            const std::size_t begin = source_.byteOf(one.line, one.column);
            edit = {begin, begin + one.text.size(), of_one};
        }
        return edit;
    }

    // Numbers of a chain where they stand; other changes as data of our own, in front of the fit() that takes them.
    void updateData() {
        if (reading_.data.empty()) return;
        DataSpec before = spoken(reading_.run.data);
        const DataSpec now = spoken(run_.data);
        if (before == now) return;
        std::vector<TextEdit> numbers;
        const auto number = [&](const char* field, std::int64_t DataSpec::*member, const std::string& text) {
            const auto place = reading_.data_numbers.find(field);
            if (before.*member == now.*member || now.*member == 0 || place == reading_.data_numbers.end()) return;
            std::optional<TextEdit> edit = source_.argumentAt(place->second);
            if (!edit) return;
            edit->text = text;
            numbers.push_back(whereItIsGiven(*std::move(edit), std::to_string(now.*member)));
            before.*member = now.*member;
        };
        number("shuffle", &DataSpec::shuffle, std::to_string(now.shuffle));
        number("take", &DataSpec::take, std::to_string(now.take));
        number("prefetch", &DataSpec::prefetch, std::to_string(now.prefetch));
        const bool of_one = reading_.own_loop && reading_.fit.empty();  // an estimator's function
        number("batch_size_per_replica", &DataSpec::batch_size_per_replica,
               of_one ? std::to_string(now.batch_size_per_replica) : batchText());
        if (reading_.data_in_arrays && !reading_.fit.empty()) {
            if (before.batch_size_per_replica != now.batch_size_per_replica) array_batch_ = globalBatch();
            before.batch_size_per_replica = now.batch_size_per_replica;
            const bool toggled = (before.shuffle == 0) != (now.shuffle == 0);
            if (toggled) array_shuffle_ = now.shuffle != 0;
            if (toggled || now.shuffle != 0) before.shuffle = now.shuffle;  // fit() mixes all or nothing
        }
        if (before == now) {
            edits_.insert(edits_.end(), numbers.begin(), numbers.end());
            return;
        }
        if (reading_.fit.empty()) return;
        const std::vector<SourceCall> tests = source_.callsBehind(reading_.fit.front(), "evaluate", {"x", "y", "batch_size", "verbose"});
        RunSpec given = run_;
        if (!tests.empty() && given.data.validation_split == 0) given.data.validate_on_test = true;  // test_dataset is made then
        std::string code = writeDataPart(given, layout_);
        if (code.empty()) return;
        array_batch_.reset();
        array_shuffle_.reset();
        if (code.find(" * strategy.") != std::string::npos) {
            const std::size_t batch = code.find("batch = ");
            code.replace(batch, code.find('\n', batch) - batch, "batch = " + batchText());
        }
        if (text_.find("import tensorflow as tf") == std::string::npos) code.insert(0, "import tensorflow as tf\n");
        if (code.find("tfds.") != std::string::npos && text_.find(" tfds") == std::string::npos)
            code.insert(0, "import tensorflow_datasets as tfds\n");
        own_data_ = insert(reading_.fit.front(), code + "\n");
        written_ += code;
        if (const std::string others = validationData(given); !others.empty()) {
            for (const SourceCall& test : tests) evaluateOn(test, others);
        }
    }

    // evaluate() of the text, with other data.
    void evaluateOn(const SourceCall& call, const std::string& data) {
        Node before, now;
        before.items.emplace_back();
        now.items.emplace_back();
        for (const SourceCall::Argument& argument : call.arguments) {
            if (argument.name == "x") edits_.push_back({argument.begin, argument.end, data});
            if (argument.name == "y" || argument.name == "batch_size") addCallArgument(before, argument.name, wordNode("…"));
        }
        updateCall(call, before, now, {});
    }

    void updateFit() {
        const std::vector<std::string> positional{"x", "y", "batch_size", "epochs", "verbose", "callbacks"};
        const std::optional<SourceCall> call =
            reading_.fit.empty() ? std::nullopt : source_.findCall(reading_.fit.front(), "fit", positional);
        if (!call) {
            if (reading_.own_loop) return;
            return updateStatement([](const RunSpec& run, const CodeLayout& layout) { return writeFitPart(run, layout); }, reading_.fit,
                                   Words::kOfCall);
        }
        Node before = fitCall(reading_.run, layout_), now = fitCall(run_, layout_);
        for (Node* tree : {&before, &now}) {  // the data keep the words of the text
            tree->items.erase(tree->items.begin() + 1);
            tree->keywords.erase(tree->keywords.begin());
        }
        if (array_batch_) addCallArgument(now, "batch_size", numberNode(*array_batch_));
        if (array_shuffle_) {
            if (!*array_shuffle_) addCallArgument(now, "shuffle", wordNode("False"));
            addCallArgument(before, "shuffle", wordNode(*array_shuffle_ ? "False" : "True"));
        }
        if (own_data_) {
            for (const SourceCall::Argument& argument : call->arguments) {
                for (const char* name : {"y", "batch_size", "shuffle", "validation_data", "validation_split"}) {
                    if (argument.name == name) addCallArgument(before, name, wordNode("…"));
                }
                if (argument.name == "x") edits_.push_back({argument.begin, argument.end, std::string(kData)});
            }
            if (const std::string data = validationData(run_); !data.empty()) addCallArgument(now, "validation_data", wordNode(data));
        }
        updateCall(*call, before, now, {});
    }

    // The numbers of an estimator where its calls stand.
    void updateEstimator() {
        if (!run_.estimator || !reading_.run.estimator) return;
        for (const auto& [verb, lines] : reading_.estimator) {
            const std::vector<std::string> positional = estimatorArguments(verb);
            const std::optional<SourceCall> call = positional.empty() ? std::nullopt : source_.findCall(lines, verb, positional);
            if (!call) continue;
            const auto made = [&, &name = verb](const RunSpec& run) {
                if (name == "RunConfig") return runConfigCall(run, "");
                return name == "TrainSpec" || name == "train" ? trainSpecCall(run, name) : evalSpecCall(run, name);
            };
            updateCall(*call, made(reading_.run), made(run_), {});
        }
    }

    const std::string text_;
    const SourceText source_;
    const CodeReading& reading_;
    const RunSpec& run_;
    const CodeLayout& layout_;
    const bool in_full_;
    std::vector<TextEdit> edits_;
    std::string added_, written_;
    std::optional<std::int64_t> array_batch_;
    std::optional<bool> array_shuffle_;
    bool own_data_ = false;
};

}  // namespace

std::string updateKerasCode(std::string_view text, const CodeReading& reading, const RunSpec& run, const CodeLayout& layout) {
    return TextUpdate(text, reading, run, layout).update();
}

}  // namespace engine::spec
