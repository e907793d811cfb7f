// CSV tables: a line a sample, one column the label, others the features.
//
// A column of the training file is numeric when, of its cells that are not missing, all are numbers, or all but fewer than one in 20,
// which are then bad cells; else it is categorical: its texts, sorted by bytes, become the codes 0, 1, ... A label is int32 when it is
// categorical or its cells are all integers of 32 bits, else float32. Features are float32; the texts of a categorical label become the
// classes' names. The test file is read with the columns, types and codes of the training file.
//
// With data.feature_columns each of those columns says what its cells become: a number, or a place for each bucket, text or value, of which
// one is 1. Their sizes are the project's, not the file's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/read_report.h"
#include "engine/data/readers/feature_encoder.h"
#include "engine/spec/project/data_spec.h"

namespace engine::data {

enum class CsvType { kInteger, kNumber, kCategory };

struct CsvColumn {
    std::string name;   // of the header, or "column 3"
    std::size_t index;  // in a line
    CsvType type = CsvType::kInteger;
    std::vector<std::string> categories;      // sorted
    double mean = 0;                          // of the training file's cells that are not missing
    std::optional<FeatureEncoder> feature{};  // of data.feature_columns, which says what the cells become
};

// What the training files say of the table.
struct CsvTable {
    std::size_t width = 0;  // cells of a line
    std::vector<CsvColumn> features;
    CsvColumn label;
};

// Looks at every cell of the files; broken lines are left to readCsv(). Errors: those of MappedFile; kInvalidArgument naming data.csv's
// field (no such column) or a file that is no text.
CsvTable inspectCsv(const std::vector<std::filesystem::path>& files, const spec::CsvFormat& format,
                    const std::vector<spec::ObjectSpec>& feature_columns = {});

// Each file is one of Samples::files. `report` is told what is wrong with a line ("table.csv:17: expected 5 cells, got 4"), such as a text
// in a numeric column, an unknown category or, with missing = refuse, a missing cell. kInvalidArgument when no line is left.
Samples readCsv(const std::vector<std::filesystem::path>& files, const spec::CsvFormat& format, const CsvTable& table, ReadReport& report);

}  // namespace engine::data
