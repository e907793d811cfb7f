// SPDX-License-Identifier: GPL-3.0-or-later
// What the computers of this agent's runs used in the last hour, as their agents measured it: the agent's own, and those on which its runs
// have tasks. Owned by Session; lives and is read on the GUI thread.
#pragma once

#include <QObject>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/spec/events/host_load.h"

namespace ui::session {

class HostHistory : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 3600;  // an hour of one a second; then the oldest go

    using QObject::QObject;

    // The loads of the agent's own computer in order of time, the newest last.
    const std::deque<engine::spec::HostLoad>& loads() const { return loads_; }
    // The loads of the other computers, by name.
    const std::map<std::string, std::deque<engine::spec::HostLoad>>& others() const { return others_; }
    const engine::spec::HostLoad* newest() const { return loads_.empty() ? nullptr : &loads_.back(); }
    // Loads are numbered from 0 as they come in; this is the number of loads().front(). A reader that follows by number misses none and
    // takes none twice.
    std::uint64_t firstNumber() const { return first_number_; }

    // Adds loads; a load that is not later than the newest of its computer is left out, because a replay may overlap.
    void add(const std::vector<engine::spec::HostLoad>& loads);

signals:
    void changed();

private:
    std::deque<engine::spec::HostLoad> loads_;
    std::map<std::string, std::deque<engine::spec::HostLoad>> others_;
    std::uint64_t first_number_ = 0;
};

// Returns what `task` of a run used; nullptr when the load does not tell.
const engine::spec::TaskLoad* findTask(const engine::spec::HostLoad& load, const std::string& run_id, const engine::spec::TaskId& task);

}  // namespace ui::session
