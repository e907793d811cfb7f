// What a person looks at of a data set before training: sizes, classes with samples of each, columns of a table, what can't be read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/error.h"
#include "engine/spec/model_spec.h"

namespace engine::spec {

struct SampleFacts {
    std::int64_t index = 0;  // in the training set
    std::int64_t rows = 0, columns = 0, channels = 0;
    std::vector<std::uint8_t> pixels;  // (rows, columns, channels), 1 or 3 channels; empty when the sample is no picture
    std::string text;                  // of any other sample: its first numbers
    friend bool operator==(const SampleFacts&, const SampleFacts&) = default;
};

// A class, or a range of labels that are numbers.
struct GroupFacts {
    std::string name;
    std::int64_t train = 0, test = 0;
    std::vector<SampleFacts> samples;
    friend bool operator==(const GroupFacts&, const GroupFacts&) = default;
};

// The facts of one column of a table.
struct ColumnFacts {
    std::string name;
    std::string type;  // integer, number, category
    bool is_label = false;
    std::int64_t categories = 0;  // texts that a category has
    friend bool operator==(const ColumnFacts&, const ColumnFacts&) = default;
};

// Why there is nothing to tell of a set.
struct DataProblem {
    ErrorCode code = ErrorCode::kInternal;
    std::string message;
    bool can_fetch = false;  // it has a name and could be downloaded
    friend bool operator==(const DataProblem&, const DataProblem&) = default;
};

struct DataFacts {
    std::optional<DataProblem> problem;  // the rest is empty then
    std::string dataset;
    std::int64_t train_samples = 0, test_samples = 0;
    std::vector<std::int64_t> train_files;  // samples of each, of a set that is read file by file
    Shape sample_shape;
    std::string sample_dtype, label_dtype;
    double smallest = 0, largest = 0;  // values of the samples that were looked at
    std::int64_t bytes = 0;            // of its files
    bool is_checked = false;           // its files carry checksums, which fitted
    std::int64_t bad = 0;              // samples that can't be read
    std::vector<std::string> first_bad;
    // Where all samples and labels were read: how many of them have a NaN or an infinity, and where the first is.
    std::int64_t not_finite = 0;
    std::string first_not_finite;
    std::vector<std::string> refusals;  // where all were read: why a run with this data would end
    std::vector<ColumnFacts> columns;   // the label is the last one
    bool has_classes = false;           // else groups are ranges of numbers, or one of everything
    std::int64_t groups_left_out = 0;
    std::vector<GroupFacts> groups;
    friend bool operator==(const DataFacts&, const DataFacts&) = default;
};

}  // namespace engine::spec
