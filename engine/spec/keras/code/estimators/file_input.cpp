#include "engine/spec/keras/code/estimators/file_input.h"

#include <utility>

#include "engine/spec/keras/code/estimators/canned_names.h"
#include "engine/spec/keras/code/estimators/column_calls.h"
#include "engine/spec/keras/code/written_parts.h"

namespace engine::spec::code {
namespace {

bool isTable(const RunSpec& run) {
    return run.data.dataset == "csv";
}

// A table's label may be a place in the line, which TensorFlow's reader does not know.
bool isPlace(const std::string& label) {
    return label.find_first_not_of("-0123456789") == std::string::npos;
}

Node filesNode(const std::vector<std::string>& files) {
    if (files.size() == 1) return textNode(files.front());
    Node list;
    list.kind = Node::Kind::kList;
    for (const std::string& file : files) list.items.push_back(textNode(file));
    return list;
}

Node tableCall(const RunSpec& run, const std::vector<std::string>& files) {
    const CsvFormat &csv = run.data.csv, plain;
    Node call = calledNode("tf.data.experimental.make_csv_dataset");
    addCallArgument(call, "", filesNode(files));
    addCallArgument(call, "batch_size", numberNode(run.data.batch_size_per_replica));
    addCallArgument(call, "label_name", textNode(csv.label));
    if (csv.delimiter != plain.delimiter) addCallArgument(call, "field_delim", textNode(csv.delimiter));
    if (!csv.quotes) addCallArgument(call, "use_quote_delim", wordNode("False"));
    if (csv.missing_value != plain.missing_value) addCallArgument(call, "na_value", textNode(csv.missing_value));
    return call;
}

Node recordsCall(const RunSpec& run, const std::vector<std::string>& files) {
    Node call = calledNode("tf.data.experimental.make_batched_features_dataset");
    addCallArgument(call, "", filesNode(files));
    addCallArgument(call, "batch_size", numberNode(run.data.batch_size_per_replica));
    addCallArgument(call, "features", wordNode("features"));
    addCallArgument(call, "label_key", textNode(run.data.tfrecord.label));
    return call;
}

// Without a number of passes the input goes round without an end; by itself it is shuffled with a buffer of 10,000.
void addTraining(Node& call, const RunSpec& run) {
    const DataSpec &data = run.data, plain;
    constexpr std::int64_t kUsualBuffer = 10000;
    if (const std::int64_t passes = run.estimator->train_spec.input_repeats; passes > 0) {
        addCallArgument(call, "num_epochs", numberNode(passes));
    }
    if (data.shuffle == 0) {
        addCallArgument(call, "shuffle", wordNode("False"));
    } else if (data.shuffle != kUsualBuffer) {
        addCallArgument(call, "shuffle_buffer_size", numberNode(data.shuffle));
    }
    if (data.prefetch != plain.prefetch) addCallArgument(call, "prefetch_buffer_size", numberNode(data.prefetch));
    if (data.drop_remainder && !isTable(run)) addCallArgument(call, "drop_final_batch", wordNode("True"));
}

std::string functionText(const char* name, const Node& call, const CodeLayout& layout) {
    CodeLayout inner = layout;
    inner.width -= layout.indent;
    return "def " + std::string(name) + "():\n" + indentedLines(statementLines("return ", call, inner), layout);
}

}  // namespace

bool hasFileInput(const RunSpec& run) {
    const DataSpec& data = run.data;
    if (data.feature_columns.empty() || data.train_files.empty()) return false;
    return isTable(run) ? !isPlace(data.csv.label) : data.dataset == "tfrecord" && !data.tfrecord.label.empty();
}

std::string writeFileInput(const RunSpec& run, const CodeLayout& layout) {
    const DataSpec& data = run.data;
    const auto reader = isTable(run) ? tableCall : recordsCall;
    std::string text;
    if (!isTable(run)) {
        text += featuresStatement(data.feature_columns, data.tfrecord.label, isClassifier(run.estimator->name), layout.indent) + "\n";
    }
    Node train = reader(run, data.train_files);
    addTraining(train, run);
    text += functionText(kTrainFunction, train, layout);
    if (data.test_files.empty()) return text;
    Node test = reader(run, data.test_files);
    addCallArgument(test, "num_epochs", numberNode(1));
    addCallArgument(test, "shuffle", wordNode("False"));
    return text + "\n" + functionText(kEvalFunction, test, layout);
}

}  // namespace engine::spec::code
