// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of this computer's agent: their list, the records of those that are shown, the verbs on the one in Monitor, and what the studio
// keeps of each. Owned by Session; GUI thread only, nothing here blocks.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/spec/events/task_event.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/values.h"

class QSettings;

namespace ui::session {

class AgentLink;
class EventList;
class History;
class Host;

// The parts of the session that the runs need; all of them outlive them.
struct RunsPlace {
    AgentLink& link;
    Host& host;
    EventList& events;
    QSettings* settings = nullptr;  // curves of runs for Welcome; null: none are kept
    QString history_file;           // colours, names, notes, tags (SQLite); empty: nothing of them is remembered
    int rewatch_ms = 2000;          // from the end of a broken stream to the next try
};

class Runs : public QObject {
    Q_OBJECT
public:
    explicit Runs(const RunsPlace& place);
    ~Runs() override;

    // The runs, the newest first, as the agent lists them.
    const std::vector<RunSummary>& list() const { return list_; }
    const RunSummary* find(const QString& id) const;
    // True until the agent has listed its runs for the first time.
    bool isReading() const { return reads_list_; }
    void refresh();

    RunRecord* current() const { return current_; }  // shown in Monitor; null before the first
    // Returns the run that current() is a branch of, read beside it; null when it is none, or that run is not listed.
    RunRecord* parent() const { return parent_; }
    bool hasActive() const { return current_ && isActive(current_->state()); }
    // True when hasActive() and the run is not merely followed: it has the ports and the cores of its cluster, so that nothing is launched
    // beside it.
    bool hasActiveOfOwn() const { return hasActive() && !current_->summary().followed; }
    void show(const QString& id);
    // Returns the run's accuracy, else its loss, over its steps in a few dozen values, as far as this studio saw it; empty when it did not.
    std::vector<double> curveOf(const QString& id) const;

    // These act on the current run; they do nothing when it is not active.
    void pause() { control(engine::spec::ControlVerb::kPause); }
    void resume() { control(engine::spec::ControlVerb::kResume); }
    void stepOnce() { control(engine::spec::ControlVerb::kStep); }
    void stop() { control(engine::spec::ControlVerb::kStop); }
    void stopNow() { control(engine::spec::ControlVerb::kStopNow); }
    void checkpointNow() { control(engine::spec::ControlVerb::kCheckpointNow); }
    void setLearningRate(double rate) { control(engine::spec::ControlVerb::kSetLearningRate, rate); }

    // The studio keeps these for the life of the run. An id that is not known changes nothing; a text that is too long neither, and
    // EventList::failed says so.
    void rename(const QString& id, const QString& name);  // empty: the project's name again
    void setColor(const QString& id, int color, int dash);
    void setNotes(const QString& id, const QString& notes);
    void setTags(const QString& id, const QStringList& tags);
    void setPinned(const QString& id, bool pinned);
    void setArchived(const QStringList& ids, bool archived);

    // Reads the events of these runs, in this order, besides those of the current one; ids that are not known are left out.
    void compare(const QStringList& ids);
    const std::vector<RunRecord*>& compared() const { return compared_; }
    // Returns the record of the current run or of a compared one; null for others.
    RunRecord* record(const QString& id) const;

    // Called when the agent took a run: it is listed and shown. launched() follows.
    void adoptLaunched(RunSummary run);

    // Shows the run whose tasks tell their events in that folder, and have no agent; opened() follows, else EventList::failed says why not.
    // `host`: of the user's list, which is reached over ssh; empty: this computer. opened() or openRefused() comes.
    void openFolder(const QString& folder, const QString& host = {});
    // A run from its archive (.tandem-run), which is shown, and one that is over into an archive; opened() or archived() follows, else
    // EventList::failed says why not.
    void openArchive(const QString& file);
    void saveArchive(const QString& id, const QString& file);

signals:
    void changed();                                  // list()
    void currentChanged();                           // current() is another one, or none
    void stateChanged();                             // its phase
    void currentEnded();                             // it was active and is over; comes before stateChanged
    void firstAdopted();                             // of the runs that the agent listed first one is shown now; comes before changed
    void launched();                                 // comes after currentChanged
    void opened();                                   // the same of a run that is followed in its folder, or came in an archive
    void openRefused(ui::session::ErrorInfo error);  // of a folder; the events have it, too
    void archived(QString file);
    void comparedChanged();  // compared() are others

private:
    void onRuns(std::vector<RunSummary> runs);
    void takeRuns(std::vector<RunSummary> runs);
    void onWatchEnded(const QString& id, const std::optional<QString>& error);
    void adoptOpened(RunSummary run, const QString& said);
    void adopt(const RunSummary& run);
    void adoptParent();
    void hear(RunRecord& own, const RunSummary& summary);
    void goOn(RunSummary& known, RunSummary run);
    RunSummary* findOwn(const QString& id);
    void annotate(const QStringList& ids, const std::function<void(RunSummary&)>& edit);
    bool refuseLong(const char* what, const QString& text, qsizetype most);
    std::vector<RunRecord*> records() const;
    RunRecord* makeRecord(const RunSummary& run);
    void releaseRecord(RunRecord* record);
    void keepCurve();
    void control(engine::spec::ControlVerb verb, double value = 0);

    const RunsPlace place_;
    QTimer poll_timer_;
    std::vector<RunSummary> list_;
    bool reads_list_ = true;
    std::optional<std::vector<RunSummary>> early_list_;  // came before what is kept of them
    RunRecord* current_ = nullptr;
    RunRecord* parent_ = nullptr;       // may be compared, too
    std::vector<RunRecord*> compared_;  // may hold the current one
    std::unique_ptr<History> history_;
};

// Returns 1 for a run that was started once, 2 for its first restart, and so on.
int attemptOf(const Runs& runs, const RunSummary& run);
// Returns where a run trains that another computer's agent follows, "login:/home/ann/mnist-run", as scp has it. Empty for any other run.
QString farPlaceOf(const RunSummary& run);
// True when tasks without an agent tell their events in the folder, or did.
bool isFolderOfTasks(const QString& folder);

}  // namespace ui::session
