// The series of a run as CSV or JSON.
//
// CSV, one series: "step,epoch,time_s,value"; several: "series,step,epoch,time_s,value", one series after another. A header line, dots as
// decimal points, no thousands, LF line ends; a missing value is an empty field; names with commas or quotes are quoted as in RFC 4180.
// JSON: {"run": {"id", "name", "state", "created_unix_ns", "attempts": [{"attempt", "time_s", "resumed_step", "by_hand", "from_backup",
// "reason"}]}, "series": [{"name", "unit", "step": [], "epoch": [], "time_s": [],
// "value": []}]}, null for a missing value. Epochs count from 0, times are seconds since the run was created, and nothing is smoothed.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/run_data.h"

namespace engine::report {

enum class DataFormat { kCsv, kJson };
// "csv", "json"; nullopt for another name.
std::optional<DataFormat> parseDataFormat(std::string_view name);

enum class DataFiles {
    kOne,         // STEM.csv with every chosen series, STEM being RunFacts::fileStem(): the run's id, or what the user calls it
    kEachSeries,  // STEM-loss.csv, STEM-worker-1-loss.csv
};

struct DataOptions {
    DataFormat format = DataFormat::kCsv;
    DataFiles files = DataFiles::kOne;
    std::vector<std::string> series;                                  // by name; empty: all
    std::size_t most_rows = std::numeric_limits<std::size_t>::max();  // of a series: for a preview
};

struct ReportFile {
    std::string file_name;
    std::string text;  // ends in a newline
    friend bool operator==(const ReportFile&, const ReportFile&) = default;
};

// Throws Error(kNotFound) naming a series that the run did not tell, with those that it did. No file when there is no series at all.
std::vector<ReportFile> dataFiles(const RunData& run, const DataOptions& options);

struct ReportFileSize {
    std::string file_name;
    std::size_t bytes = 0;
    bool about = false;  // counted from some of its rows
    friend bool operator==(const ReportFileSize&, const ReportFileSize&) = default;
};
// How large each file of dataFiles() would become, without writing it: counted from at most `sample_rows` (> 0) rows of a series, evenly
// chosen. Throws as dataFiles().
std::vector<ReportFileSize> dataFileSizes(const RunData& run, const DataOptions& options, std::size_t sample_rows = 256);

// The shortest decimal that reads back as the same number; of a number that was a float32, as that float. "" when not finite.
std::string shortestNumber(double value);

}  // namespace engine::report
