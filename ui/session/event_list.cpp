// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/event_list.h"

#include <QDateTime>

namespace ui::session {

using engine::spec::Severity;

void EventList::add(Severity severity, const QString& text) {
    constexpr std::size_t kMostRows = 2000;
    if (rows_.size() >= kMostRows) rows_.erase(rows_.begin(), rows_.begin() + kMostRows / 4);
    rows_.push_back({QDateTime::currentMSecsSinceEpoch() * 1'000'000, severity, text});
    emit added();
}

void EventList::fail(const ErrorInfo& error) {
    add(Severity::kError, error.detail);
    rows_.back().error = error;
    emit failed(error);
}

void EventList::addFiles(const QString& folder, int count) {
    add(Severity::kInfo, tr("Wrote %n file(s) to %1", nullptr, count).arg(folder));
}

}  // namespace ui::session

#include "moc_event_list.cpp"
