// A run as one HTML file: results, charts, settings, tasks, epochs, checkpoints, what happened. It needs no network and no script, follows
// the reader's light or dark, and is well-formed XML, too.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/report/data_files.h"
#include "engine/report/run_data.h"

namespace engine::report {

// RUN_ID.html.
ReportFile htmlReport(const RunData& run);

// A heading with rows of texts, the first row being the header: what the report holds beside its charts, for other writers of it.
struct ReportTable {
    std::string title;
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> numeric;  // by column: right-aligned, fixed width
};
std::vector<ReportTable> reportTables(const RunData& run);

// "2026-11-22 00:54:13" of local time; "" for 0.
std::string localTime(std::int64_t unix_ns);
// "1:15", "1:02:03".
std::string durationText(double seconds);

}  // namespace engine::report
