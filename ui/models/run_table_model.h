// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that the agent knows as the table shows them: filtered, grouped, sorted, pinned ones first. One model and no proxy, so that ten
// thousand runs are filtered within a frame or two. Owned by the Runs page; GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>
#include <map>
#include <vector>

#include "ui/models/run_filter.h"
#include "ui/session/values.h"

namespace ui::models {

class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId {
        kCheck,
        kName,
        kState,
        kStarted,
        kDuration,
        kStrategy,
        kWorkers,
        kBatch,
        kRate,
        kBestAccuracy,
        kValLoss,
        kTestAccuracy,
        kTestLoss,
        kImagesPerS,
        kScaling,
        kOptimizer,
        kDataset,
        kEpochs,
        kSeed,
        kTags,
        kNotes,
        kColumnCount
    };
    enum Role {
        kColorRole = Qt::UserRole + 1,
        kDashRole,
        kPhaseRole,
        kIdRole,
        kGroupRole,
        kFoldedRole,
        kPinnedRole,
        kArchivedRole,
        kToneRole,
        kTagsRole
    };
    static constexpr QChar kPlusMinus{u'\u00B1'};  // in a group's cell: "0.9700 ± 0.0100", mean and standard deviation
    enum class GroupBy { kNone, kSeeds, kStrategy, kState, kOptimizer, kDataset, kTag };
    enum class Tone { kPlain, kMuted, kError, kWarning, kBetter, kWorse };

    explicit RunTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    // Sets the runs. Rows that stay where they are only change; else the model is reset, and a selection is found again by rowOf().
    void setRuns(std::vector<session::RunSummary> runs);
    void setFilter(const RunFilter& filter);
    void setShowArchived(bool on);
    bool showsArchived() const { return show_archived_; }
    void setGroupBy(GroupBy group);
    GroupBy groupBy() const { return group_by_; }
    void setFolded(int row, bool folded);  // of a group's row
    // Sets the run to which metrics are told as differences; empty: they are told as they are.
    void setBaseline(const QString& id);
    QString baseline() const { return baseline_; }
    // The last sorted column comes first, those before it order what is equal.
    void sort(int column, Qt::SortOrder order) override;

    // Returns the ids of checked runs in the table's order; those that the filter hides come last. A run that is put into the archive is
    // not among them, unless the table shows the archive.
    QStringList checked() const;
    void setChecked(const QStringList& ids);
    void toggleChecked(int row);  // of a group: all of it

    int runCount() const;                                // without archived ones, unless they are shown
    int shownRuns() const { return order_.shown_runs; }  // also those of folded groups
    // Returns the run of a row; null for a group's row.
    const session::RunSummary* run(int row) const;
    const session::RunSummary* find(const QString& id) const;
    // Returns the shown runs in the order of the table.
    std::vector<const session::RunSummary*> shown() const;
    int rowOf(const QString& id) const;  // -1: not shown
    // Returns images/s over workers times the best rate of a run of one worker that does the same work; NaN when there is no such run.
    double scaling(const session::RunSummary& run) const;
    static bool isNumber(int column);
    // True for a column that is off at first.
    static bool isExtra(int column);
    QString toCsv() const;  // the rows as shown, every column, dot decimals
    void retranslate();     // after a change of language

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void checkedChanged();
    void renameWanted(QString id, QString name);
    void tagsWanted(QString id, QStringList tags);
    void notesWanted(QString id, QString notes);

private:
    struct Entry {
        int run = -1;  // -1: the row of a group
        int group = -1;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    struct Group {
        QString key, title;
        std::vector<int> runs;
        friend bool operator==(const Group&, const Group&) = default;
    };
    struct Order {
        std::vector<Entry> entries;
        std::vector<Group> groups;
        int shown_runs = 0;
        friend bool operator==(const Order&, const Order&) = default;
    };

    Order arranged() const;
    void rearrange();
    bool isPutAway(const session::RunSummary& run) const;  // into the archive, which the table does not show
    std::vector<int> sorted() const;                       // all runs
    QString groupKey(const session::RunSummary& run) const;
    QString groupTitle(const Group& group) const;
    double number(const session::RunSummary& run, int column) const;
    QString numberText(int column, double value) const;
    QString text(const session::RunSummary& run, int column) const;
    QString textOfGroup(const Group& group, int column) const;
    QString rateText(const session::RunSummary& run) const;
    QString deltaText(const session::RunSummary& run, int column) const;
    Tone tone(const session::RunSummary& run, int column) const;
    const Entry& entry(int row) const { return order_.entries[static_cast<std::size_t>(row)]; }
    const session::RunSummary& at(int run) const { return runs_[static_cast<std::size_t>(run)]; }
    void measureScaling();

    std::vector<session::RunSummary> runs_;
    std::map<QString, double> single_rates_;  // by scaling key: images/s of the fastest run of one worker
    RunFilter filter_;
    bool show_archived_ = false;
    GroupBy group_by_ = GroupBy::kNone;
    QSet<QString> folded_, checked_;
    QString baseline_;
    std::vector<std::pair<int, Qt::SortOrder>> sort_keys_{{kStarted, Qt::DescendingOrder}};
    std::vector<int> sorted_;  // all runs in their order: filtering and grouping keep it
    Order order_;
};

}  // namespace ui::models
