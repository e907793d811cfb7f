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
    // The arguments outlive the doctor.
    Doctor(AgentLink& link, Host& host, Project& project, EventList& events);

    // Asks the agent to look; changed() follows at once and with the answer.
    void call();
    bool isLooking() const { return asked_.has_value() && !report_; }
    // Returns the report on the project as it is now; nullopt before the first look, during one, and after a change of the project that the
    // report does not cover.
    const std::optional<engine::spec::DoctorReport>& report() const { return report_; }

signals:
    void changed();

private:
    void forget();

    AgentLink& link_;
    Host& host_;
    Project& project_;
    int awaited_ = 0;                             // calls without an answer: they come one by one, and the last one counts
    std::optional<engine::spec::RunSpec> asked_;  // for which the report is, or will be
    std::optional<engine::spec::DoctorReport> report_;
};

}  // namespace ui::session
