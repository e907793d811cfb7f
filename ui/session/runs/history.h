// SPDX-License-Identifier: GPL-3.0-or-later
// What the studio keeps of runs (colour, name, notes, tags, pin, archive): read once, written on a thread of its own. Owned by Session; GUI
// thread. The destructor waits for what is still to be written, up to a deadline.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

#include "agent/history/annotation_store.h"
#include "ui/session/values.h"
#include "ui/session/worker_thread.h"

class QSettings;

namespace ui::session {

class History : public QObject {
    Q_OBJECT
public:
    // `file` empty: nothing outlives the program. `settings` (may be null) outlives this.
    History(const QString& file, const QSettings* settings, QObject* parent = nullptr);
    ~History() override;

    // False until loaded() was emitted; runs are given their colours only then.
    bool isReady() const { return ready_; }
    // Fills in what is kept of the run; one that is new takes the next colour.
    void annotate(RunSummary& run);
    // Keeps colour, name, notes, tags, pin and archive of `runs` as they are now.
    void keep(const std::vector<RunSummary>& runs);

signals:
    void loaded();
    void failed(ui::session::ErrorInfo error);

private:
    using Annotations = std::map<QString, agent::history::RunAnnotation>;
    void write(std::vector<agent::history::RunAnnotation> annotations);
    // Opens the store and returns what the file holds. A damaged file is put aside, an empty one takes its place, and `problem` says so.
    std::vector<agent::history::RunAnnotation> openStore(const QString& file, ErrorInfo& problem);

    const QSettings* settings_;
    Annotations annotations_;
    bool ready_ = false;
    std::unique_ptr<agent::history::AnnotationStore> store_;  // of thread_
    WorkerThread thread_;
};

}  // namespace ui::session
