// SPDX-License-Identifier: GPL-3.0-or-later
// The agent's look at what the open project would need of the hosts in its cluster. Owned by Session; GUI thread only.
#pragma once

#include <QObject>
#include <optional>

#include "engine/spec/events/doctor_report.h"
#include "engine/spec/project/run_spec.h"

namespace ui::session {

class AgentLink;
class EventList;
class Host;
class Project;

class Doctor : public QObject {
    Q_OBJECT
public:
    // All outlive it.
    Doctor(AgentLink& link, Host& host, Project& project, EventList& events);

    // changed() follows at once and with the answer.
    void call();
    bool isLooking() const { return asked_.has_value() && !report_; }
    // Of the project as it stands; nullopt before the first look, while one goes on, and after a change that it does not know of.
    const std::optional<engine::spec::DoctorReport>& report() const { return report_; }

signals:
    void changed();

private:
    void forget();

    AgentLink& link_;
    Host& host_;
    Project& project_;
    std::optional<engine::spec::RunSpec> asked_;  // for which the report is, or will be
    std::optional<engine::spec::DoctorReport> report_;
};

}  // namespace ui::session
