// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the Data page knows of data: asks the engine (EngineCall) about the project's set and its sharding while the page is
// looked at, and fetches sets that have a name. Owned by the page or the dialog that shows it; GUI thread only.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "engine/spec/project/run_spec.h"
#include "ui/session/data/data_answers.h"
#include "ui/session/engine_call.h"

namespace ui::session {

class EventList;
class Project;

// One question about a data set, with its answer as it comes.
class DataInspection : public QObject {
    Q_OBJECT
public:
    enum class Fetch { kNo, kYes };
    enum class Depth { kLook, kCheckAll };

    explicit DataInspection(std::shared_ptr<ClientSlot> slot, QObject* parent = nullptr);

    void start(const engine::spec::DataSpec& data, const QString& base, Fetch fetch = Fetch::kNo, Depth depth = Depth::kLook, int draw = 0);
    void cancel();  // the state goes back to what it was without the question
    void clear();
    bool isRunning() const { return call_.isRunning(); }
    const DataState& state() const { return state_; }

signals:
    void changed();

private:
    EngineCall call_;
    DataState state_;
};

class DataDesk : public QObject {
    Q_OBJECT
public:
    // `project` and `events` outlive the desk.
    DataDesk(Project& project, EventList& events, const std::shared_ptr<ClientSlot>& slot, QObject* parent = nullptr);

    // Tells whether somebody looks at the page; only then does the desk ask the engine by itself.
    void setActive(bool active);
    const DataState& data() const { return inspection_.state(); }
    const ShardState& shards() const { return shards_; }
    bool isHere(const QString& name) const { return available_.contains(name); }
    QString fetching() const { return fetching_; }  // the set that is fetched now; empty: none
    const DataState& fetchState() const { return fetcher_.state(); }
    const QString& failedFetch() const { return failed_; }  // the set whose last fetch failed, as fetchState() says; empty: none

    void lookAgain();
    void checkFiles();
    void drawOthers();
    void fetch(const QString& name);
    void cancelFetch();
    QString baseFolder() const;

signals:
    void dataChanged();
    void shardsChanged();
    void listChanged();  // what is here, what is fetched
    void fetchStarted(QString name);
    void fetchFailed(QString name, QString problem);

private:
    void follow();
    void askData(DataInspection::Depth depth);
    void askShards();
    void askList();
    void onFetchChanged();

    Project& project_;
    EventList& events_;
    bool active_ = false;
    DataInspection inspection_, fetcher_;
    EngineCall shard_call_, list_call_;
    ShardState shards_;
    QTimer shard_timer_;  // edits come in bursts
    // With the folder that relative files lie in.
    std::optional<std::pair<engine::spec::DataSpec, QString>> data_asked_;
    std::optional<std::pair<engine::spec::RunSpec, QString>> shards_asked_;
    QSet<QString> available_;
    QString fetching_, failed_;
    int draw_ = 0;
};

}  // namespace ui::session
