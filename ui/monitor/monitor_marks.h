// SPDX-License-Identifier: GPL-3.0-or-later
// The marks on Monitor's charts: what happened to a run, where, and in words why. They are made of the run's facts whenever they are shown,
// so that their words are of the language of that moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/charts/chart_types.h"

namespace ui::session {
class RunRecord;
}

namespace ui::views {

// A step from which on the learning rate is another one.
struct RateChange {
    std::int64_t step = 0, time_unix_ns = 0;
    double rate = 0;
    int epoch = -1;  // from 0; -1: not known
};

enum class RateLabel { kRate, kEpoch };  // "1e-4" or "epoch 4"

// Returns marks that tell who changed the learning rate, when and why: a user, the run's callbacks or its schedule. Returns none when there
// are too many, as with a schedule that changes the rate all the time.
std::vector<charts::Marker> rateMarks(const session::RunRecord& run, const std::vector<RateChange>& changes, RateLabel label);

// Returns marks where training was started again: by hand, after a task was lost, from an earlier backup, or as a branch of another run.
std::vector<charts::Marker> restartMarks(const session::RunRecord& run);

// Returns the stretches in which nobody worked on the run, as a chart's relative axis leaves them out.
std::vector<models::Pause> pausesOf(const session::RunRecord& run);

// Returns pauses, stops and checkpoints that someone asked for, and restartMarks().
std::vector<charts::Marker> controlMarks(const session::RunRecord& run);

// Returns the place among the run's checkpoints of the best one: the newest that the run itself called the best of its time; where the run
// keeps all of them, the one behind the best validation of the first metric (of the loss without one). nullopt where neither is told.
std::optional<std::size_t> bestCheckpoint(const session::RunRecord& run);

// Returns checkpoints on the x axis, bestCheckpoint() as such.
std::vector<charts::Marker> checkpointMarks(const session::RunRecord& run);

// Returns tasks that were lost or ended for it, the cause first. Returns none while the cause is silent and has not ended.
std::vector<charts::Marker> failureMarks(const session::RunRecord& run);

// Converts seconds since the run's creation to Unix time in nanoseconds; a value that is not finite counts as 0.
std::int64_t unixNsOf(const session::RunRecord& run, double time_s);

}  // namespace ui::views
