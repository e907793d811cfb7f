// A value of data as code has it, and what calculations make of it. Only files of this folder include it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

// A batch as code gives it: of all replicas together, or of one ("64 * strategy.num_replicas_in_sync", an input_fn of an estimator).
struct BatchCode {
    std::int64_t size = 0;
    bool of_one_replica = false;
};

// A value of data at one place of the text. Pairs, their samples and their labels are the same set and know the same of its way.
struct DataCode {
    enum class Kind { kOther, kSplits, kPairs, kSamples, kLabels, kGroup };
    Kind kind = Kind::kOther;
    std::string set;     // a name of dataset_names.h, or the text's own
    bool test = false;   // of the test set
    bool both = false;   // of the one or the other, as a function is asked for
    bool arrays = true;  // in memory, no tf.data
    double scale = 1, offset = 0;
    std::vector<double> mean, std;
    std::int64_t one_hot = 0, shuffle = 0, count = 0;  // count: samples, where the text gives them; 0: all
    std::optional<std::int64_t> first, last;           // a slice of the set's samples
    bool cached = false, drop_remainder = false, endless = false;
    bool says_cache = true;   // false: read by a function that has no word for it
    std::int64_t passes = 1;  // of repeat(n)
    std::optional<std::int64_t> prefetch, take;
    std::optional<BatchCode> batch;
    std::vector<std::string> files{};  // of the user's own: a table, records or a folder
    // Of a folder: what it is mixed by before it is split, the share that is kept for validation, of which `test` has the part.
    std::optional<std::int64_t> split_seed{};
    double split = 0;
    CsvFormat csv{};
    TfRecordFormat record{.sample = {}, .encoding = {}, .label = {}};  // as far as the text says it
    std::vector<DataStep> order{};
    ObjectSpec mix{};                            // what its batches are mixed by; no class: they are not
    std::vector<DataCode> items{};               // of a group: a tuple of values, some of them no data
    std::vector<Fault> problems{};               // what happens to it that has no meaning here
    std::vector<CodeLines> lines{};              // the statements that make it
    std::map<std::string, CodePlace> numbers{};  // where those of its chain stand, by the fields of DataSpec
};

// The number of samples in the set's part and slice; 0 where the set is not known.
std::int64_t samplesIn(const DataCode& data);
// The step is behind those before; twice the same, but for maps, is a problem.
void passStep(DataCode& data, DataStep step, const Node& at);
// Batches of it are mixed; twice, or before they are batches, is a problem.
void passMix(DataCode& data, const ObjectSpec& mix, const Node& at);
// x * scale + offset, then one more operation with a number, or with one a channel.
void calculate(DataCode& data, const std::string& sign, const std::vector<double>& numbers, bool number_first, const Node& at);

// One number, or a list of them.
std::optional<std::vector<double>> numbersOf(const Node& node);
// The argument by keyword, or by its place counted from 0; nullptr: none.
const Node* argumentOf(const Node& call, std::string_view name, std::size_t position);
const Node* namedArgument(const Node& call, std::string_view name);
bool isTrue(const Node* node);
bool isReplicas(const Node& node);              // strategy.num_replicas_in_sync
std::string prefixOf(std::string_view dotted);  // "a.b" of "a.b.c"
Fault faultAt(const Node& node, std::string message);

}  // namespace engine::spec::code
