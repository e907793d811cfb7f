// SPDX-License-Identifier: GPL-3.0-or-later
// A run's record as what data files and reports are written from: the same series that the command line gathers from the journal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/report/run_data.h"

namespace ui::session {

class RunRecord;
struct PointTable;

// One series that a run streams, by its name: where its points lie in the record.
struct StreamedSeries {
    enum class Source { kColumn, kThroughput, kTotalThroughput, kEpochLog, kNorm };
    std::string name;  // as in engine::report::SeriesData
    std::string unit;
    Source source = Source::kColumn;
    std::optional<engine::spec::TaskId> task{};  // empty: of the whole cluster
    enum class Table { kGlobal, kOwn, kPhases, kResources } table = Table::kGlobal;
    std::string column;  // of the table; for kEpochLog Keras' name
    friend bool operator==(const StreamedSeries&, const StreamedSeries&) = default;
};

// Every series that has a point by now: cluster, epochs, then task by task.
std::vector<StreamedSeries> streamedSeries(const RunRecord& run);
// The table that a series of kColumn or a throughput reads; nullptr when the task is gone.
const PointTable* tableOf(const RunRecord& run, const StreamedSeries& series);
// How many replicas' examples the chief's rows stand for.
double clusterShare(const RunRecord& run);

engine::report::RunData runData(const RunRecord& run);

}  // namespace ui::session
