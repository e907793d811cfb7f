#include "engine/spec/keras/code/data_statements.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/device_name.h"

namespace engine::spec::code {
namespace {

using Kind = DataCode::Kind;

// The order of the steps that the text has, with the others where they change nothing.
std::vector<DataStep> fullOrder(const std::vector<DataStep>& passed) {
    std::vector<DataStep> usual(kUsualDataOrder.begin(), kUsualDataOrder.end()), as_usual, order;
    const auto isPassed = [&](DataStep step) { return std::find(passed.begin(), passed.end(), step) != passed.end(); };
    std::copy_if(usual.begin(), usual.end(), std::back_inserter(as_usual), isPassed);
    if (as_usual == passed) return usual;
    std::copy_if(usual.begin(), usual.end(), std::back_inserter(order), [&](DataStep step) { return !isPassed(step); });
    order.insert(order.end(), passed.begin(), passed.end());
    const auto moveBehind = [&](DataStep step, std::vector<DataStep>::iterator other) {
        if (isPassed(step) || other == order.end()) return;
        const auto own = std::find(order.begin(), order.end(), step);
        if (own < other) std::rotate(own, own + 1, other + 1);
    };
    moveBehind(DataStep::kRepeat,
               std::find(order.begin(), order.end(), DataStep::kShuffle));  // steps_per_epoch alone: epochs follow each other
    moveBehind(DataStep::kPrefetch, order.end() - 1);                       // nothing comes behind it
    return order;
}

}  // namespace

// ---- statements ------------------------------------------------------------------------------------------------------

// from keras.datasets import mnist, cifar10 as images
void DataStatements::readImport(const LogicalLine& line) {
    const auto& tokens = line.tokens;
    bool behind = false;
    if (std::none_of(tokens.begin(), tokens.end(), [](const Token& token) { return token.text == "datasets"; })) return;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].is("import")) {
            behind = true;
        } else if (behind && tokens[i].kind == Token::Kind::kName && !tokens[i].is("as")) {
            const bool renamed = i + 2 < tokens.size() && tokens[i + 1].is("as");
            modules_[renamed ? tokens[i + 2].text : tokens[i].text] = tokens[i].text;
            i += renamed ? 2 : 0;
        }
    }
}

void DataStatements::readFunction(const std::vector<LogicalLine>& lines, std::size_t at) {
    const std::vector<Token>& head = lines[at].tokens;
    if (head.size() < 4 || head[1].kind != Token::Kind::kName || !head[2].is("(")) return;
    Function function;
    std::size_t i = 3;
    for (int depth = 0; i < head.size() && !(depth == 0 && head[i].is(")")); ++i) {
        depth += head[i].is("(") || head[i].is("[");
        depth -= head[i].is(")") || head[i].is("]");
        const bool begins = head[i - 1].is("(") || head[i - 1].is(",");
        if (depth == 0 && begins && head[i].kind == Token::Kind::kName) function.parameters.push_back(head[i].text);
    }
    const std::string name = head[1].text;
    function.lines = linesOf(lines[at]);
    for (std::size_t at_line = at + 1; at_line < lines.size() && lines[at_line].indent > lines[at].indent; ++at_line) {
        const LogicalLine& line = lines[at_line];
        if (line.tokens[0].kind == Token::Kind::kText && line.tokens.size() == 2) continue;
        const bool returns = line.tokens[0].is("return");
        TreeReader reader(line.tokens, returns ? 1 : 0);
        Function::Statement statement;
        statement.lines = linesOf(line);
        std::optional<Node> value = reader.readExpressions();
        if (returns) {
            if (!value || reader.next().kind != Token::Kind::kEnd) return;
            statement.value = *std::move(value);
            function.lines.last = line.last_line;
            function.statements.push_back(std::move(statement));
            functions_[name] = std::move(function);
            return;
        }
        std::optional<Node> changed = value ? readAugmented(reader, *value) : std::nullopt;
        if (changed) {
            statement.targets.push_back(*std::move(value));
            value = std::move(changed);
        }
        while (value && reader.next().is("=")) {
            statement.targets.push_back(*std::move(value));
            reader.skip();
            value = reader.readExpressions();
        }
        if (!value || reader.next().kind != Token::Kind::kEnd) return;
        if (statement.targets.empty()) continue;  // print(…)
        statement.value = *std::move(value);
        function.statements.push_back(std::move(statement));
    }
}

bool DataStatements::readStatement(const LogicalLine& line, const std::vector<Node>& targets, const Node& value,
                                   const std::string& condition) {
    findUses(line, value);
    if (targets.empty()) return false;
    const Node& target = targets.back();
    const bool named = target.kind == Node::Kind::kName;
    if (named && value.kind == Node::Kind::kName && value.text.find("datasets.") != std::string::npos) {
        modules_[target.text] = std::string(lastPart(value.text));
        return true;
    }
    if (std::optional<Mixer> mixer = named ? mixerOf(value) : std::nullopt) {
        mixers_[target.text] = *std::move(mixer);
        return true;
    }
    if (named && target.text.ends_with("auto_shard_policy")) {
        const std::string_view policy = lastPart(value.text);
        AutoShardPolicy& kept = reading_.run.data.auto_shard;
        if (policy == "OFF") kept = AutoShardPolicy::kOff;
        if (policy == "DATA") kept = AutoShardPolicy::kData;
        if (policy == "FILE") kept = AutoShardPolicy::kFile;
        if (policy == "AUTO") kept = AutoShardPolicy::kAuto;
        return true;
    }
    const std::optional<BatchCode> batch = named ? batchOf(value) : std::nullopt;
    if (batch && batch->of_one_replica) {
        batches_[target.text] = *batch;
        return true;
    }
    if (named && isReplicas(value)) {
        batches_[target.text] = {1, true};
        return true;
    }
    if (const std::optional<std::int64_t> number = named && !constant(value) ? samplesOf(value) : std::nullopt) {
        numbers_[target.text] = *number;
        return true;
    }
    std::optional<DataCode> data = evaluate(value);
    if (!data) {
        if (named) {
            values_.erase(target.text);
            with_set_.erase(target.text);
            assigned_[target.text] = line.first_line;
        }
        return false;
    }
    // A change that another condition than the mode of an estimator or the presence of its context decides may not happen.
    const bool of_mode = condition.empty() || condition.find("mode") != std::string::npos ||
                         condition.find("context") != std::string::npos || condition.find("train") != std::string::npos ||
                         condition.find("__name__") != std::string::npos || condition.find("job_name") != std::string::npos;
    if (!of_mode)
        data->problems.push_back({line.first_line, line.indent + 1, "expected data without a condition, got some under " + condition});
    for (const Node& one : targets) assign(one, *data, linesOf(line));
    return data->kind != Kind::kOther;
}

bool DataStatements::readReturn(const LogicalLine& line, const std::string& function, const Node& value) {
    std::optional<DataCode> data = evaluate(value);
    if (!data || data->kind == Kind::kOther || function.empty()) return false;
    Node target;
    target.kind = Node::Kind::kName;
    target.text = function + "()";
    assign(target, *data, linesOf(line));
    return true;
}

void DataStatements::setSteps(std::int64_t steps, const LogicalLine& line) {
    if (used_by_fit_ || steps <= 0 || steps_read_ || reading_.run.estimator) return;
    steps_read_ = true;
    reading_.run.fit.epochs = 1;
    reading_.run.fit.steps_per_epoch = steps;
    notes_.add(Severity::kInfo, linesOf(line), line.indent + 1, "read as one epoch of " + std::to_string(steps) + " steps");
}

// while step <= 5000:, for epoch in range(10):, for batch in data:
bool DataStatements::readLoop(const LogicalLine& line) {
    const auto& tokens = line.tokens;
    const bool loop = tokens[0].is("while");
    for (std::size_t i = 1; loop && i + 2 < tokens.size(); ++i) {
        if (!tokens[i + 1].is("<") && !tokens[i + 1].is("<=")) continue;
        if (tokens[i].kind != Token::Kind::kName || tokens[i].text.find("step") == std::string::npos) continue;
        TreeReader reader(tokens, i + 2);
        const std::optional<Node> limit = reader.readExpression();
        const std::optional<std::int64_t> steps = limit ? whole(*limit) : std::nullopt;
        if (!steps) return false;
        setSteps(*steps, line);
        return true;
    }
    if (!tokens[0].is("for") || tokens.size() < 5) return false;
    std::size_t in = 1;
    while (in < tokens.size() && !tokens[in].is("in")) ++in;
    if (in + 1 >= tokens.size()) return false;
    TreeReader reader(tokens, in + 1);
    const std::optional<Node> over = reader.readExpression();
    if (!over) return false;
    if (calledName(*over) == "range" && over->items.size() >= 2) {
        const std::optional<std::int64_t> count = whole(over->items.back());
        if (!count || tokens[1].text.find("epoch") == std::string::npos || used_by_fit_) return false;
        reading_.run.fit.epochs = *count;
        notes_.add(Severity::kInfo, linesOf(line), line.indent + 1, "read as " + std::to_string(*count) + " epochs");
        return true;
    }
    std::optional<DataCode> data = evaluate(calledName(*over) == "enumerate" && over->items.size() > 1 ? over->items[1] : *over);
    if (!data || data->kind != Kind::kPairs || !data->batch) return false;
    if (!data->test) candidate_ = std::move(data);
    return true;
}

void DataStatements::findUses(const LogicalLine& line, const Node& value) {
    for (const Node& item : value.items) findUses(line, item);
    if (value.kind != Node::Kind::kCall) return;
    const std::string name(calledName(value));
    const std::string_view verb = name.empty() ? std::string_view(value.items[0].text) : lastPart(name);
    if (verb == "fit") return useForFit(line, value);
    if (verb == "next" && value.items.size() == 2 && !steps_read_) {
        if (std::optional<DataCode> data = evaluate(value.items[1])) candidate_ = std::move(data);
    }
    if (verb == "experimental_distribute_dataset" && value.items.size() > 1) {
        if (const std::optional<DataCode> data = evaluate(value.items[1]); data && !data->test) candidate_ = data;
    }
    if (verb == "make_one_shot_iterator" || verb == "make_initializable_iterator") {
        Node base;
        base.kind = Node::Kind::kName;
        base.text = prefixOf(name);
        if (const std::optional<DataCode> data = evaluate(base)) {
            candidate_ = data;
            candidate_of_one_ = true;
        }
    }
    const bool trains = verb == "TrainSpec" || verb == "train", evaluates = verb == "EvalSpec" || verb == "evaluate";
    const Node* input = trains || evaluates ? argumentOf(value, "input_fn", 0) : nullptr;
    if (input == nullptr || used_by_fit_) return;
    const Node& body = input->kind == Node::Kind::kLambda ? input->items.back() : *input;
    const std::string function = body.kind == Node::Kind::kCall ? std::string(calledName(body)) : body.text;
    const auto data = values_.find(function + "()");
    if (data != values_.end()) {
        if (trains) use(data->second, *input, linesOf(line), true);
        if (evaluates) useForValidation(data->second, *input);
    }
    if (!trains) return;
    const Node* steps = argumentOf(value, "max_steps", 1);
    if (steps == nullptr || whole(*steps) == std::nullopt) steps = namedArgument(value, "steps");
    if (const std::optional<std::int64_t> count = steps == nullptr ? std::nullopt : whole(*steps)) setSteps(*count, line);
}

// ---- what is made of it ----------------------------------------------------------------------------------------------

void DataStatements::reportProblems(const DataCode& data) {
    for (const Fault& fault : data.problems) {
        if (!reported_.emplace(fault.line, fault.column, fault.message).second) continue;
        notes_.add(Severity::kWarning, {fault.line, fault.line}, fault.column, "data: " + fault.message);
    }
}

void DataStatements::useForFit(const LogicalLine& line, const Node& call) {
    used_by_fit_ = true;
    const Node* x = argumentOf(call, "x", 0);
    const Node* y = argumentOf(call, "y", 1);
    if (x == nullptr) return;
    std::optional<DataCode> data = evaluate(*x);
    if (!data || (data->kind == Kind::kOther && data->problems.empty())) {
        const auto other = x->kind == Node::Kind::kName ? assigned_.find(x->text) : assigned_.end();
        if (other != assigned_.end()) {
            notes_.add(Severity::kWarning, *x,
                       "data: expected data that the text makes of a set that is known here, got " + nodeText(*x) + " of line " +
                           std::to_string(other->second) + "; the project's data stay");
        } else if (x->kind == Node::Kind::kCall) {
            notes_.add(
                Severity::kWarning, *x,
                "data: expected data that the text makes of a set that is known here, got " + nodeText(*x) + "; the project's data stay");
        }
        return;
    }
    if (data->kind == Kind::kGroup && !data->items.empty()) {
        DataCode first = data->items.front();
        data = std::move(first);
    }
    if (y != nullptr) {
        if (const std::optional<DataCode> labels = evaluate(*y)) {
            data->one_hot = std::max(data->one_hot, labels->one_hot);
            data->problems.insert(data->problems.end(), labels->problems.begin(), labels->problems.end());
            data->lines.insert(data->lines.end(), labels->lines.begin(), labels->lines.end());
        }
    }
    if (data->arrays) {
        constexpr std::int64_t kKerasBatch = 32;
        const Node* shuffle = namedArgument(call, "shuffle");
        const std::optional<Node> mixes = shuffle == nullptr ? std::nullopt : constant(*shuffle);
        const bool off = mixes && ((mixes->kind == Node::Kind::kBool && !mixes->flag) || mixes->kind == Node::Kind::kNone);
        const std::int64_t samples = data->count > 0 ? data->count : samplesIn(*data);
        data->shuffle = off ? 0 : samples > 0 ? samples : DataSpec().shuffle;
        data->cached = true;
        if (shuffle != nullptr && !mixes)
            data->problems.push_back(faultAt(*shuffle, "shuffle: expected True or False, got " + nodeText(*shuffle)));
        if (mixes && mixes->kind == Node::Kind::kText) {
            data->problems.push_back(faultAt(*shuffle, "shuffle: expected True or False, got '" + mixes->text + "'"));
        }
        const Node* batch = argumentOf(call, "batch_size", 2);
        data->batch =
            batch == nullptr || batch->kind == Node::Kind::kNone ? BatchCode{kKerasBatch, false} : batchOf(*batch).value_or(BatchCode{});
        if (data->batch->size == 0) data->batch.reset();  // fit() itself says so
    }
    use(*data, *x, linesOf(line), false);
    DataSpec& spec = reading_.run.data;
    const Node* validation = namedArgument(call, "validation_data");
    const Node* split = namedArgument(call, "validation_split");
    const std::optional<Node> fraction = split == nullptr ? std::nullopt : constant(*split);
    spec.validation_split = fraction && fraction->isNumber() ? fraction->number() : data->split;
    spec.validate_on_test = false;
    if (validation == nullptr || validation->kind == Node::Kind::kNone) return;
    std::optional<DataCode> other = evaluate(*validation);
    if (other && other->kind == Kind::kGroup && !other->items.empty()) {
        DataCode first = other->items.front();
        other = std::move(first);
    }
    if (other && other->kind != Kind::kOther) {
        useForValidation(*other, *validation);
    } else {
        notes_.add(Severity::kWarning, *validation,
                   "validation_data: expected data that the text makes of a known set, got " + nodeText(*validation));
    }
}

void DataStatements::useForValidation(const DataCode& data, const Node& at) {
    DataSpec& spec = reading_.run.data;
    reportProblems(data);
    const bool same_set = !used_ || used_->set == data.set;
    if (used_ && same_set && data.split > 0 && data.test) {
        const bool is_the_rest = used_->files == data.files && used_->split == data.split && used_->split_seed == data.split_seed;
        if (!is_the_rest) {
            notes_.add(Severity::kWarning, at,
                       "validation: expected the rest of the folder that trains, by the same validation_split and seed, got another part");
        }
        return;
    }
    if (same_set && !data.files.empty()) {
        spec.test_files = data.files;
        spec.validate_on_test = true;
        return;
    }
    const std::int64_t all = used_ ? samplesIn({.set = used_->set}) : 0;
    if ((data.test || data.both) && same_set && !data.first && !data.last && !data.take) {
        spec.validate_on_test = true;
    } else if (used_ && same_set && !data.test && all > 0 && data.first && !data.last && used_->last == data.first && !used_->first) {
        spec.validation_split = static_cast<double>(all - *data.first) / static_cast<double>(all);
        if (spec.take == *used_->last) spec.take = 0;
    } else if (used_ && data.set == "ones" && same_set) {
        spec.validate_on_test = true;
    } else {
        notes_.add(Severity::kWarning, at, "validation: expected the set's test part, or the last of its training samples, got others");
    }
}

void DataStatements::use(const DataCode& data, const Node& at, CodeLines lines, bool of_one_replica) {
    used_ = data;
    reportProblems(data);
    RunSpec& run = reading_.run;
    DataSpec& spec = run.data;
    if (data.set.empty()) return;
    if (data.files.empty() && findDatasetFormat(data.set) != nullptr) return;  // the project's stay
    spec.dataset = data.set;
    useFiles(data);
    if (!hasTexts(data.set)) {  // whose samples are no numbers
        spec.scale = data.scale;
        spec.offset = data.offset;
        spec.mean = data.std.empty() ? std::vector<double>() : data.mean;
        spec.std = data.std;
    }
    spec.one_hot = data.one_hot;
    if (data.cached || data.says_cache) spec.cache = data.cached;
    spec.shuffle = data.shuffle;
    spec.drop_remainder = data.drop_remainder;
    if (data.prefetch) spec.prefetch = *data.prefetch;
    spec.take = data.take.value_or(0);
    spec.mix = data.mix;
    spec.validation_split = data.split;
    spec.order = fullOrder(data.order);
    spec.validate_on_test = false;
    const auto warn = [&](const std::string& message) { notes_.add(Severity::kWarning, at, "data: " + message); };
    if (!data.mean.empty() && data.std.empty()) warn("expected a mean a channel and a deviation, got the mean alone");
    if (data.test) warn("expected the training part of the set, got its test part; the project trains with the training part");
    if (data.last && !data.first && !data.take) spec.take = *data.last;
    if (data.first && *data.first > 0) warn("expected the first samples of the set, got those from " + std::to_string(*data.first) + " on");
    if (data.set == "ones" && data.count > 0) {
        const std::int64_t samples = findNamedDataset("ones")->train_samples;
        if (data.count < samples) spec.take = data.count;
        if (data.count > samples && run.estimator && data.count % samples == 0) {
            reading_.data_passes = data.count / samples;  // all of them are alike
        } else if (data.count > samples) {
            warn("expected at most " + std::to_string(samples) + " equal samples, got " + std::to_string(data.count) + "; an epoch has " +
                 std::to_string(samples));
        }
    }
    if (!data.batch) {
        if (!data.arrays) warn("expected batches of a size that the text gives, got none");
    } else if (data.batch->of_one_replica || of_one_replica) {
        spec.batch_size_per_replica = data.batch->size;
    } else {
        const auto tasks = static_cast<std::int64_t>(run.cluster.spec.trainingTaskCount());
        const auto devices = static_cast<std::int64_t>(devicesOf(run.strategy).size());
        const std::int64_t replicas = std::max<std::int64_t>(1, tasks) * std::max<std::int64_t>(1, devices);
        if (data.batch->size % replicas == 0) {
            spec.batch_size_per_replica = data.batch->size / replicas;
        } else {
            warn("expected a batch that is a multiple of the " + std::to_string(replicas) + " replicas, got " +
                 std::to_string(data.batch->size));
        }
    }
    if (data.endless || data.passes > 1) reading_.data_passes = data.endless ? 0 : data.passes;
    if (data.passes > 1 && !run.estimator) {
        if (used_by_fit_) {
            warn("expected repeat() once or without an end, got repeat(" + std::to_string(data.passes) + ")");
        } else {
            run.fit.epochs = data.passes;
        }
    }
    reading_.data_in_arrays = data.arrays;
    reading_.data_numbers = data.numbers;
    reading_.data = data.lines;
    if (reading_.data.empty()) reading_.data = {lines};
}

bool DataStatements::isRead(const CodeLines& lines) const {
    // Of the functions that begin above, the one that goes furthest.
    const auto above = furthest_.upper_bound(lines.first);
    return above != furthest_.begin() && lines.last <= std::prev(above)->second;
}

void DataStatements::finish() {
    finishUses();
    for (const CodeLines& lines : passed_) furthest_[lines.first] = std::max(furthest_[lines.first], lines.last);
    int last = 0;
    for (auto& [first, end] : furthest_) last = end = std::max(end, last);
}

// Without fit() and estimators the data are what a loop takes, or the last chain that makes batches.
void DataStatements::finishUses() {
    if (used_ || used_by_fit_) return;
    const std::optional<DataCode>& data = candidate_ ? candidate_ : made_;
    if (data) {
        Node at;
        at.line = data->lines.empty() ? 1 : data->lines.back().first;
        at.column = 1;
        use(*data, at, {at.line, at.line}, candidate_ && candidate_of_one_);
        if (data->endless && !steps_read_) reading_.run.fit.steps_per_epoch = 0;
    } else if (loaded_) {
        Node at;
        at.line = loaded_->lines.back().first;
        at.column = 1;
        const DataSpec before = reading_.run.data;
        loaded_->arrays = true;
        for (const auto& [name, value] : values_) {
            if (value.kind == Kind::kLabels && value.set == loaded_->set && !value.test)
                loaded_->one_hot = std::max(loaded_->one_hot, value.one_hot);
        }
        use(*loaded_, at, loaded_->lines.back(), false);
        reading_.run.data.shuffle = before.shuffle;
        notes_.add(Severity::kWarning, at,
                   "data: expected fit(), an estimator or a loop that takes batches of them, got none; the project has batches of " +
                       std::to_string(before.batch_size_per_replica));
    }
}

}  // namespace engine::spec::code
