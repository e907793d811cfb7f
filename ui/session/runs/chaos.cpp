// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/chaos.h"

#include "ui/session/host/agent_link.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"

namespace ui::session {

Chaos::Chaos(AgentLink& link, Runs& runs) : link_(link), runs_(runs) {
    connect(&runs_, &Runs::currentChanged, this, &Chaos::follow);
    connect(&runs_, &Runs::stateChanged, this, &Chaos::runChanged);
    connect(&link_, &AgentLink::faultRefused, this, [this](const ErrorInfo& error) { emit refused(error.detail); });
    follow();
}

void Chaos::follow() {
    RunRecord* const current = runs_.current();
    if (current != nullptr && current != followed_) {
        connect(current, &RunRecord::faultsChanged, this, &Chaos::storiesChanged, Qt::UniqueConnection);
        connect(current, &RunRecord::tasksChanged, this, &Chaos::runChanged, Qt::UniqueConnection);
    }
    followed_ = current;
    emit runChanged();
    emit storiesChanged();
}

const std::vector<engine::chaos::FaultStory>& Chaos::stories() const {
    static const std::vector<engine::chaos::FaultStory> none;
    return runs_.current() != nullptr ? runs_.current()->faults() : none;
}

std::vector<engine::spec::TaskId> Chaos::tasks() const {
    std::vector<engine::spec::TaskId> tasks;
    if (runs_.current() != nullptr) {
        for (const TaskRecord& task : runs_.current()->tasks()) tasks.push_back(task.id);
    }
    return tasks;
}

bool Chaos::isPossible() const {
    return runs_.hasActiveOfOwn();
}

bool Chaos::isFollowed() const {
    return runs_.hasActive() && !runs_.hasActiveOfOwn();
}

void Chaos::inject(const engine::chaos::Fault& fault) {
    if (isPossible()) link_.injectFault(runs_.current()->id(), fault);
}

}  // namespace ui::session

#include "moc_chaos.cpp"
