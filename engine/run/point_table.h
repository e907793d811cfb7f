// The points of a run as columns: what charts draw and data files hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace engine::run {

// The points of one task (or of the whole cluster as the chief reports it). All columns have one entry a row; NaN where a column came later
// or a value is missing. Rows are in order of step.
struct PointTable {
    std::vector<double> step;        // from 1
    std::vector<double> epoch;       // from 0
    std::vector<double> time_s;      // since the run was created
    std::vector<double> examples;    // of this task's replica in the step
    std::vector<std::string> names;  // "loss", "accuracy", "learning_rate"
    std::vector<std::vector<double>> columns;

    std::size_t size() const { return step.size(); }
    // nullptr when no point had this column yet. The pointer lives until the next change.
    const std::vector<double>* find(std::string_view name) const;
    // Steps that come again, after a parameter server was restored, take the place of the rows that had them and of later ones; true then.
    bool append(const spec::StepPoints& points, std::int64_t origin_unix_ns);
    // Rows of later steps go.
    void dropAfter(double last_step);
    // One row with all of its columns, in the order of the first call.
    void appendRow(double at_step, double at_epoch, double at_time_s, std::initializer_list<std::pair<const char*, double>> values);
};

}  // namespace engine::run
