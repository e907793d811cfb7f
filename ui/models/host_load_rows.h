// SPDX-License-Identifier: GPL-3.0-or-later
// What a host used, as rows: a name, the value now, its course over the last minutes.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstdint>
#include <deque>
#include <vector>

#include "engine/spec/events/host_load.h"

namespace ui::models {

// One point of a row's course.
struct HostPoint {
    double age_s = 0;  // before the newest
    double value = 0;
    friend bool operator==(const HostPoint&, const HostPoint&) = default;
};

struct HostRow {
    QString name;     // "CPU"
    QString value;    // "7.52 of 8 cores"; a dash when nothing is known now
    QString details;  // a sentence or two; may be empty
    std::vector<HostPoint> course;
    double most = 0;  // the top of the course's scale; above 0
    friend bool operator==(const HostRow&, const HostRow&) = default;
};

// Texts are translated when made.
class HostLoadRows {
    Q_DECLARE_TR_FUNCTIONS(HostLoadRows)
public:
    static constexpr double kSpanS = 120;
    // Returns rows for CPU, memory, each GPU, network and loopback, made of the last kSpanS seconds of loads between `from_unix_ns` and
    // `upto_unix_ns`. `fresh`: the newest of them is the present, so the rows have its values.
    static std::vector<HostRow> of(const std::deque<engine::spec::HostLoad>& loads, std::int64_t from_unix_ns, std::int64_t upto_unix_ns,
                                   bool fresh);

    // Returns one row for all of another computer: it shows the processor, and its details have the rest.
    static HostRow ofComputer(const QString& name, const std::deque<engine::spec::HostLoad>& loads, std::int64_t from_unix_ns,
                              std::int64_t upto_unix_ns, bool fresh);

private:
    static std::vector<HostRow> gpuRows(const std::vector<const engine::spec::HostLoad*>& shown, const engine::spec::HostLoad& last,
                                        bool fresh);
};

}  // namespace ui::models
