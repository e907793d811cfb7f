// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/doctor.h"

#include "ui/session/event_list.h"
#include "ui/session/host/agent_link.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"

namespace ui::session {

Doctor::Doctor(AgentLink& link, Host& host, Project& project, EventList& events) : link_(link), host_(host), project_(project) {
    connect(&link_, &AgentLink::doctorAnswered, this, [this](const engine::spec::DoctorReport& report) {
        if (--awaited_ > 0 || !asked_) return;  // the project changed meanwhile
        report_ = report;
        project_.lookAtPorts();  // what both tell is of one moment
        emit changed();
    });
    connect(&link_, &AgentLink::doctorFailed, this, [this, &events](const ErrorInfo& error) {
        if (--awaited_ > 0 || !asked_) return;
        asked_.reset();
        events.fail(error);
        emit changed();
    });
    connect(&project_, &Project::refreshed, this, &Doctor::forget);
}

void Doctor::call() {
    if (!project_.isOpen() || !host_.isReady() || isLooking()) return;
    project_.lookAtPorts();
    asked_ = project_.spec();
    report_.reset();
    ++awaited_;
    link_.doctor(project_.spec());
    emit changed();
}

// Drops the report when the project is no longer the one that it is about.
void Doctor::forget() {
    const engine::spec::RunSpec& now = project_.spec();
    if (!asked_ || (project_.isOpen() && asked_->cluster == now.cluster && asked_->strategy == now.strategy && asked_->data == now.data))
        return;
    asked_.reset();
    report_.reset();
    emit changed();
}

}  // namespace ui::session

#include "moc_doctor.cpp"
