// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/leftovers.h"

#include "ui/session/event_list.h"
#include "ui/session/project/project.h"

namespace ui::session {

Leftovers::Leftovers(const QString& folder, int delay_ms, Project& project, EventList& events) : project_(project) {
    if (folder.isEmpty()) return;
    recovery_ = std::make_unique<Recovery>(folder, delay_ms);
    connect(&project_, &Project::changed, this, &Leftovers::keepAside);
    connect(&project_, &Project::modifiedChanged, this, &Leftovers::keepAside);
    connect(recovery_.get(), &Recovery::leftoversChanged, this, &Leftovers::changed);
    connect(recovery_.get(), &Recovery::failed, this,
            [&events](const QString& reason) { events.add(engine::spec::Severity::kWarning, reason); });
}

void Leftovers::keepAside() {
    if (project_.isModified()) {
        recovery_->keep(project_.spec(), project_.path(), project_.title());
    } else {
        recovery_->forget();
    }
}

const std::vector<Leftover>& Leftovers::list() const {
    static const std::vector<Leftover> none;
    return recovery_ ? recovery_->leftovers() : none;
}

bool Leftovers::recover(const QString& id) {
    const Leftover* left = recovery_ ? recovery_->find(id) : nullptr;
    if (!left) return false;
    project_.replace(left->run, left->project_path, Project::State::kEdited);
    recovery_->writeNow(id);
    return true;
}

void Leftovers::discard(const QString& id) {
    if (recovery_) recovery_->discard(id);
}

void Leftovers::giveUpChanges() {
    if (recovery_) recovery_->forget();
}

}  // namespace ui::session

#include "moc_leftovers.cpp"
