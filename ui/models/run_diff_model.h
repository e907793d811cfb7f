// SPDX-License-Identifier: GPL-3.0-or-later
// What tells the compared runs apart: a row a setting, a column a run, results at the foot. Owned by a view; GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <map>
#include <optional>
#include <vector>

#include "ui/session/values.h"

namespace ui::models {

class RunDiffModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { kOddRole = Qt::UserRole + 1, kResultRole, kColorRole, kIdRole };
    enum class Scope { kDifferences, kAll };
    // The best of the runs and how far it leads.
    struct Best {
        QString id, name;
        int color = 0;
        double lead = 0;            // in accuracy
        bool over_running = false;  // over the run that goes on, else over the next best
    };

    explicit RunDiffModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setRuns(std::vector<session::RunSummary> runs);
    void setScope(Scope scope);
    // Sets, by run id, the learning rate that a user gave a run while it went on: "1e-4 from step 500".
    void setLiveRates(std::map<QString, QString> rates);
    const std::vector<session::RunSummary>& runs() const { return runs_; }
    // Returns nullopt when fewer than two runs have an accuracy.
    std::optional<Best> best() const;
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;  // the name, then a run each
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    using Settings = std::vector<std::pair<QString, QString>>;
    struct Row {
        QString name;
        QStringList values;
        bool result = false;
        friend bool operator==(const Row&, const Row&) = default;
    };
    std::vector<Row> rowsOf() const;
    void rebuild();

    std::vector<session::RunSummary> runs_;
    std::map<QString, Settings> settings_;  // by run: projects do not change
    std::map<QString, QString> live_rates_;
    Scope scope_ = Scope::kDifferences;
    std::vector<Row> rows_;
};

// Returns, for each value, true when it differs from the most frequent one (of equally frequent ones, the first counts).
std::vector<bool> oddOnes(const QStringList& values);

}  // namespace ui::models
