// SPDX-License-Identifier: GPL-3.0-or-later
// What views show of agents, runs and templates: plain values, filled by Session. Nothing of agent/ is named here.
#pragma once

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/run/run_state.h"
#include "engine/spec/project/run_spec.h"

namespace ui::session {

enum class AgentState { kConnecting, kReady, kLost };

using engine::run::RunState;

// What a run's project says of the run, in the terms of the table of runs.
struct RunFacts {
    QString strategy;  // "MultiWorkerMirrored"
    QString dataset, optimizer, loss;
    double learning_rate = 0;  // of the first update; 0: unknown
    QString rate_schedule;     // what changes it on the way: "ExponentialDecay"; empty: nothing
    int workers = 1;           // tasks that train
    int layers = 0;
    std::int64_t global_batch = 0, epochs = 0, seed = 0;
    QString twin_key;     // equal for runs that differ in seed, name and addresses alone
    QString scaling_key;  // equal for runs whose workers do the same work, whatever their number
    friend bool operator==(const RunFacts&, const RunFacts&) = default;
};

struct RunSummary {
    QString id, name;  // the name the user gave it, else the project's
    RunState state = RunState::kNone;
    QString detail;                                          // reason of a failure
    std::int64_t created_unix_ns = 0, finished_unix_ns = 0;  // finished 0 while it runs
    QString run_dir;
    int tasks = 1;
    QString project_json;  // as resolved
    std::vector<std::pair<QString, double>> results;
    QString checkpoint;
    RunFacts facts;
    // The studio keeps these of the run.
    int color = 0;       // series index from 0, the same for the run's life unless the user chooses another
    int dash = 0;        // 1: the second dash pattern, of every other eight runs
    QString given_name;  // empty: the project's name
    QString notes;
    QStringList tags;
    bool pinned = false, archived = false;
    QString project_name{};    // as the project has it, without the number that tells its runs apart
    int attempts = 1;          // how often its tasks were started: by its launch, after a task was lost, by hand
    std::int64_t idle_ns = 0;  // between the end of an attempt and one that was started by hand: no time of the run's own
    QString imported_from{};   // the computer where the archive was written that it came from; empty: it trained here
    QString branch_of{};       // the id of the run that wrote what it began from; empty: none that is known
    bool followed = false;     // its tasks are no agent's: a scheduler or a shell started them, here or elsewhere
    // Returns the seconds that all attempts took together, until `now_unix_ns` while the run goes on, else until its end; 0 when unknown.
    double secondsTaken(std::int64_t now_unix_ns) const {
        const std::int64_t end = finished_unix_ns > 0 ? finished_unix_ns : now_unix_ns;
        return created_unix_ns == 0 ? 0 : static_cast<double>(end - created_unix_ns - idle_ns) * 1e-9;
    }
    // Returns a result by name; NaN when there is none.
    double result(const QString& result_name) const;
    friend bool operator==(const RunSummary&, const RunSummary&) = default;
};

// A starter project.
struct Template {
    QString id;  // file name without ".tandem"
    engine::spec::RunSpec run;
    QString label;    // short, of standard terms that no language translates; empty: it has a card of its own on Welcome
    QString needs{};  // what this version can't run yet; then `run` holds the name and the cluster alone, and it can't be opened
    friend bool operator==(const Template&, const Template&) = default;
};

struct RecentProject {
    QString path, name, strategy;
    std::int64_t opened_unix_s = 0;
    friend bool operator==(const RecentProject&, const RecentProject&) = default;
};

// What the project's data set holds, as far as the set is on this computer.
struct DatasetFacts {
    bool found = false;
    std::int64_t train_samples = 0, test_samples = 0;
    std::vector<std::int64_t> train_files;                      // samples of each, of a set that is read file by file
    std::vector<std::int64_t> train_per_class, test_per_class;  // empty when its labels are numbers, or too many to be told
    QString problem;                                            // why it was not found or not readable
    friend bool operator==(const DatasetFacts&, const DatasetFacts&) = default;
};

// A call to the agent that failed, for a view to translate and show.
struct ErrorInfo {
    int code = 0;    // gRPC's status codes, as engine::ErrorCode
    QString detail;  // English, names object, expectation and fact
};

// One row of the Events pane: what the studio and the agent did, newest last.
struct EventRow {
    std::int64_t time_unix_ns = 0;
    engine::spec::Severity severity = engine::spec::Severity::kInfo;
    QString text;
    std::optional<ErrorInfo> error{};  // of a verb that failed, in place of the text, which is its detail
};

}  // namespace ui::session

Q_DECLARE_METATYPE(engine::spec::Diagnostics)
