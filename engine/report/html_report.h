// A run as one HTML file: results, charts, settings, tasks, epochs, checkpoints, what happened. It needs no network and no script, follows
// the reader's light or dark, and is well-formed XML, too.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/report/data_files.h"
#include "engine/report/run_data.h"

namespace engine::report {

// Whose words a report is written in. Names stay in every language: of series and results (Keras' own), classes, tasks, files.
struct ReportLanguage {
    std::string tag = "en";  // of <html lang>
    // What stands for an English word or sentence of the report; places for values are %1 and %2. Called many times for a report.
    std::function<std::string(std::string_view english)> word = [](std::string_view english) { return std::string(english); };
};

// STEM.html, as data files are called.
ReportFile htmlReport(const RunData& run, const ReportLanguage& language = {});
// What it says of the run below its name: "Run 20261122-010203-00ff", "Done", "2 tasks", "launched ...", "2 attempts", "took 1:15" (of all
// attempts together).
std::vector<std::string> reportHead(const RunData& run, const ReportLanguage& language = {});
// "Best val_accuracy 0.9883 in epoch 7."; empty without validation.
std::string bestSentence(const RunData& run, const ReportLanguage& language = {});

// A heading with rows of texts, the first row being the header: what the report holds beside its charts, for other writers of it.
struct ReportTable {
    std::string title;
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> numeric;  // by column: right-aligned, fixed width
};
std::vector<ReportTable> reportTables(const RunData& run, const ReportLanguage& language = {});

// "2026-11-22 00:54:13" of local time; "" for 0.
std::string localTime(std::int64_t unix_ns);
// "1:15", "1:02:03".
std::string durationText(double seconds);

}  // namespace engine::report
