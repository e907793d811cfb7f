// SPDX-License-Identifier: GPL-3.0-or-later
// What has not been saved yet, written aside so that a kill loses none of it, and what an earlier studio left so. Owned by Session; GUI
// thread only, files are written on a thread of its own.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/spec/project/run_spec.h"
#include "ui/session/worker_thread.h"

class QLockFile;

namespace ui::session {

// A project as a studio that ended without saving left it.
struct Leftover {
    QString id;            // file name in the folder
    QString project_path;  // where it would have been saved; empty: it never was
    QString title;
    std::int64_t changed_unix_ms = 0;
    engine::spec::RunSpec run;
    friend bool operator==(const Leftover&, const Leftover&) = default;
};

// One file a studio, "PID-MS.recovery": JSON {"version": 1, "project_path", "title", "changed_unix_ms", "project": text of a *.tandem
// file}, written aside, synced and renamed. "PID-MS.lock" beside it tells another studio whether the writer lives.
class Recovery : public QObject {
    Q_OBJECT
public:
    // The file is written `delay_ms` after the first change that is not written yet, however fast the changes go on.
    Recovery(QString folder, int delay_ms, QObject* parent = nullptr);
    ~Recovery() override;

    // What studios that are gone left unsaved, newest first; empty when all was saved. It is searched for once, when this is made.
    const std::vector<Leftover>& leftovers() const { return leftovers_; }
    const Leftover* find(const QString& id) const;
    void discard(const QString& id);

    // Takes the project as it stands now; the last one taken is what gets written.
    void keep(const engine::spec::RunSpec& run, const QString& project_path, const QString& title);
    // Called when everything is saved, or the user gave it up: removes the file.
    void forget();
    // Writes what is waiting without delay; leftovers given in `replaced` go once it is on the disk.
    void writeNow(const QString& replaced = {});

signals:
    void leftoversChanged();
    void failed(QString reason);  // could not be written; the next change tries again

private:
    void findLeftovers();

    const QString folder_, path_;
    std::unique_ptr<QLockFile> lock_;  // held while this studio lives
    std::vector<Leftover> leftovers_;
    std::map<QString, std::unique_ptr<QLockFile>> leftover_locks_;  // so that no second studio offers the same
    std::optional<Leftover> waiting_;
    bool is_kept_ = false;  // a file is there or on its way
    QTimer timer_;
    WorkerThread writer_;
};

}  // namespace ui::session
