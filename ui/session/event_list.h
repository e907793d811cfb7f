// SPDX-License-Identifier: GPL-3.0-or-later
// What the studio and the agent did, newest last, for the Events pane; and the errors of calls that a view shows. Owned by Session; GUI
// thread only.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "ui/session/values.h"

namespace ui::session {

class EventList : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const std::vector<EventRow>& rows() const { return rows_; }
    void add(engine::spec::Severity severity, const QString& text);
    // Called when a verb failed and changed nothing: the error becomes a row, and views are told.
    void fail(const ErrorInfo& error);
    // Adds a row that tells that files were written into a folder.
    void addFiles(const QString& folder, int count);

signals:
    void added();
    void failed(ui::session::ErrorInfo error);

private:
    std::vector<EventRow> rows_;
};

}  // namespace ui::session
