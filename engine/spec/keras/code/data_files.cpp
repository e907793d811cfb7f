// Calls that read files of the user's own: make_csv_dataset, make_batched_features_dataset, TFRecordDataset, text_dataset_from_directory.
#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/keras/code/data_statements.h"
#include "engine/spec/keras/code/object_calls.h"

namespace engine::spec::code {
namespace {

using Kind = DataCode::Kind;
constexpr std::int64_t kFilesBuffer = 10000;  // of what is shuffled by itself

// The arguments of tf.data's functions by position, as far as they are read here.
std::vector<std::string> argumentsOf(std::string_view function) {
    if (function == "make_csv_dataset") {
        return {"file_pattern",   "batch_size",  "column_names",        "column_defaults", "label_name",
                "select_columns", "field_delim", "use_quote_delim",     "na_value",        "header",
                "num_epochs",     "shuffle",     "shuffle_buffer_size", "shuffle_seed",    "prefetch_buffer_size"};
    }
    if (function == "make_batched_features_dataset") {
        return {"file_pattern",
                "batch_size",
                "features",
                "reader",
                "label_key",
                "reader_args",
                "num_epochs",
                "shuffle",
                "shuffle_buffer_size",
                "shuffle_seed",
                "prefetch_buffer_size"};
    }
    return {"filenames", "compression_type"};
}

// What says how files are read, not what of them.
bool isNeutral(const std::string& argument) {
    static constexpr std::array<std::string_view, 13> kNames{
        "column_names", "column_defaults",        "features",           "num_parallel_reads",
        "sloppy",       "num_rows_for_inference", "encoding",           "buffer_size",
        "name",         "cycle_length",           "reader_num_threads", "parser_num_threads",
        "reader"};
    return std::find(kNames.begin(), kNames.end(), std::string_view(argument)) != kNames.end();
}

}  // namespace

// One name, or a list of them.
void DataStatements::takeFiles(const Node& given, DataCode& data) const {
    const std::optional<Node> names = constant(given);
    const bool many = names && (names->kind == Node::Kind::kList || names->kind == Node::Kind::kTuple);
    const std::vector<Node> one = names && !many ? std::vector<Node>{*names} : std::vector<Node>();
    for (const Node& name : many ? names->items : one) {
        if (name.kind == Node::Kind::kText) data.files.push_back(name.text);
    }
    const std::size_t all = many ? names->items.size() : 1;
    if (data.files.size() == all && all > 0) return;
    data.files.clear();
    data.problems.push_back(faultAt(given, "expected names of files as texts, got " + nodeText(given) + "; the project's files stay"));
}

void DataStatements::readFilesArgument(const std::string& argument, const Node& given, DataCode& data) {
    const std::optional<Node> value = constant(given);
    const auto refuse = [&](const std::string& expected) {
        data.problems.push_back(faultAt(given, argument + ": expected " + expected + ", got " + nodeText(given)));
    };
    const auto text = [&](std::string& target) {
        value && value->kind == Node::Kind::kText ? void(target = value->text) : refuse("a text");
    };
    const auto number = [&](const char* field) -> std::optional<std::int64_t> {
        const std::optional<std::int64_t> size = whole(given);
        if (!size) refuse("a whole number");
        data.numbers[field] = {given.line, given.column};
        return size;
    };
    const bool is_off = value && value->kind == Node::Kind::kBool && !value->flag;
    if (argument == "file_pattern" || argument == "filenames") {
        takeFiles(given, data);
    } else if (argument == "batch_size") {
        data.batch = batchOf(given);
        data.numbers["batch_size_per_replica"] = {given.line, given.column};
        if (!data.batch) data.problems.push_back(faultAt(given, "expected a batch that the text gives, got " + nodeText(given)));
    } else if (value && value->kind == Node::Kind::kNone) {
        return;  // as without it
    } else if (argument == "label_name") {
        text(data.csv.label);
    } else if (argument == "label_key") {
        text(data.record.label);
    } else if (argument == "select_columns") {
        data.csv.features.clear();
        for (const Node& column : value ? value->items : std::vector<Node>()) data.csv.features.push_back(column.text);
        if (data.csv.features.empty()) refuse("a list of columns");
    } else if (argument == "field_delim") {
        text(data.csv.delimiter);
    } else if (argument == "use_quote_delim") {
        data.csv.quotes = !is_off;
    } else if (argument == "na_value") {
        text(data.csv.missing_value);
    } else if (argument == "header") {
        if (is_off) refuse("a first line that names the columns");
    } else if (argument == "num_epochs") {
        const std::optional<std::int64_t> epochs = whole(given);
        epochs&&* epochs > 0 ? void(data.passes = *epochs) : refuse("a whole number");
        data.endless = false;
    } else if (argument == "shuffle") {
        if (is_off) data.shuffle = 0;
    } else if (argument == "shuffle_buffer_size") {
        if (const auto size = number("shuffle"); size && data.shuffle != 0) data.shuffle = *size;
    } else if (argument == "prefetch_buffer_size") {
        if (const auto size = number("prefetch"); size && *size >= 0) data.prefetch = size;
    } else if (argument == "drop_final_batch") {
        data.drop_remainder = !is_off;
    } else if (!isNeutral(argument) && !is_off && !(value && value->kind == Node::Kind::kText && value->text.empty())) {
        data.problems.push_back(faultAt(given, "expected an argument that is known here, got " + argument));
    }
}

std::optional<DataCode> DataStatements::loadFiles(const Node& call) {
    const std::string_view function = lastPart(calledName(call));
    const bool is_table = function == "make_csv_dataset", is_chain = function == "TFRecordDataset";
    DataCode data;
    data.kind = Kind::kPairs;
    data.arrays = false;
    data.set = is_table ? "csv" : "tfrecord";
    data.endless = !is_chain;
    data.says_cache = is_chain;
    data.shuffle = is_chain ? 0 : kFilesBuffer;
    std::vector<ArgumentFault> faults;
    std::vector<Argument> arguments = namedArguments(call, argumentsOf(function), faults);
    // `shuffle`, which says if there is any shuffling, is read before the size of the buffer.
    std::stable_partition(arguments.begin(), arguments.end(), [](const Argument& one) { return one.name == "shuffle"; });
    for (const Argument& argument : arguments) readFilesArgument(argument.name, *argument.value, data);
    for (const ArgumentFault& fault : faults) data.problems.push_back(fault.fault);
    std::erase(data.csv.features, data.csv.label);
    if (is_table && data.csv.label.empty())
        data.problems.push_back(faultAt(call, "label_name: expected the column of the labels, got none"));
    if (data.batch) passStep(data, DataStep::kBatch, call);
    return data;
}

// One of a folder of texts.
void DataStatements::readFolderArgument(const std::string& argument, const Node& given, DataCode& data) {
    const std::optional<Node> value = constant(given);
    const bool is_none = value && value->kind == Node::Kind::kNone;
    const bool is_text = value && value->kind == Node::Kind::kText;
    const auto refuse = [&](const std::string& expected) {
        data.problems.push_back(faultAt(given, argument + ": expected " + expected + ", got " + nodeText(given)));
    };
    if (argument == "directory") {
        takeFiles(given, data);
    } else if (argument == "labels") {
        if (!is_text || value->text != "inferred") refuse("labels by the names of sub-folders");
    } else if (argument == "label_mode") {  // a float32 of "binary" is the same class
        if (!is_text || (value->text != "int" && value->text != "binary")) refuse("int or binary");
    } else if (argument == "batch_size") {
        data.batch = is_none ? std::nullopt : batchOf(given);
        data.numbers["batch_size_per_replica"] = {given.line, given.column};
        if (!is_none && !data.batch)
            data.problems.push_back(faultAt(given, "expected a batch that the text gives, got " + nodeText(given)));
    } else if (argument == "class_names") {
        std::vector<std::string> names;
        for (const Node& name : value ? value->items : std::vector<Node>()) names.push_back(name.text);
        if (!is_none && (names.empty() || !std::is_sorted(names.begin(), names.end()))) refuse("all sub-folders in order");
    } else if (argument == "max_length") {
        if (!is_none) refuse("whole texts");
    } else if (argument == "seed") {
        const std::optional<std::int64_t> seed = is_none ? std::optional<std::int64_t>(0) : whole(given);
        seed&&* seed >= 0 ? void(data.split_seed = seed) : refuse("a whole number");
    } else if (argument == "validation_split") {
        const bool is_share = value && value->isNumber() && value->number() > 0 && value->number() < 1;
        if (!is_none) is_share ? void(data.split = value->number()) : refuse("a number between 0 and 1");
    }
}

// text_dataset_from_directory(directory, …): texts in the order of their names, or mixed once by the seed, and then through a small buffer.
std::optional<DataCode> DataStatements::loadTextFolder(const Node& call) {
    constexpr std::int64_t kUsualBatch = 32, kBatchesOfABuffer = 8, kBufferWithoutBatch = 1024;
    DataCode data;
    data.kind = Kind::kPairs;
    data.arrays = false;
    data.set = "text_folder";
    data.batch = BatchCode{kUsualBatch, false};
    std::vector<ArgumentFault> faults;
    const std::vector<Argument> arguments =
        namedArguments(call,
                       {"directory", "labels", "label_mode", "class_names", "batch_size", "max_length", "shuffle", "seed",
                        "validation_split", "subset", "follow_links", "format", "verbose"},
                       faults);
    bool mixes = true;
    std::string subset;
    for (const Argument& argument : arguments) {
        const std::optional<Node> value = constant(*argument.value);
        if (argument.name == "shuffle") mixes = !(value && value->kind == Node::Kind::kBool && !value->flag);
        if (argument.name == "subset" && value) subset = value->text;
        readFolderArgument(argument.name, *argument.value, data);
    }
    for (const ArgumentFault& fault : faults) data.problems.push_back(fault.fault);
    if (data.batch) passStep(data, DataStep::kBatch, call);
    if (mixes) {
        data.shuffle = data.batch ? kBatchesOfABuffer * data.batch->size : kBufferWithoutBatch;
        if (!data.split_seed) data.split_seed = 0;     // Keras draws one: any will do
        data.numbers.erase("batch_size_per_replica");  // another batch is another buffer, too
    } else {
        data.split_seed.reset();
    }
    const bool is_both = subset == "both", is_known = is_both || subset == "training" || subset == "validation";
    if (data.split > 0 && !is_known) {
        data.problems.push_back(faultAt(call, "subset: expected training, validation or both, got " + (subset.empty() ? "none" : subset)));
    }
    data.test = data.split > 0 && subset == "validation";
    if (!is_both || data.split == 0) return data;
    DataCode group;
    group.kind = Kind::kGroup;
    group.set = data.set;
    group.items = {data, data};
    group.items.back().test = true;
    return group;
}

// What else the project says of files stays where they are the same.
void DataStatements::useFiles(const DataCode& data) {
    DataSpec& spec = reading_.run.data;
    if (data.files.empty()) return;
    if (spec.train_files != data.files) {
        spec.test_files.clear();
        spec.feature_columns.clear();
    }
    spec.train_files = data.files;
    if (data.set == "text_folder") {
        spec.split_seed = data.split_seed.value_or(-1);
        return;
    }
    if (data.set == "csv") {
        const std::string missing = spec.csv.missing;
        spec.csv = data.csv;
        spec.csv.missing = missing;
        return;
    }
    if (!data.record.label.empty()) spec.tfrecord.label = data.record.label;
    if (!data.record.sample.empty()) spec.tfrecord.sample = data.record.sample;
    if (!data.record.encoding.empty()) spec.tfrecord.encoding = data.record.encoding;
    if (data.record.encoding == "raw") spec.tfrecord.dtype = data.record.dtype;
}

}  // namespace engine::spec::code
