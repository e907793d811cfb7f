// SPDX-License-Identifier: GPL-3.0-or-later
// The tasks of a run, one row each, in rank order.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace ui::models {

// Returns the word of a state, the same on every page.
QString stateWord(engine::spec::TaskState state);

struct TaskRow {
    engine::spec::TaskId task{};
    QString address{};  // "localhost:12345"
    bool is_chief = false;
    engine::spec::TaskState state = engine::spec::TaskState::kNotStarted;
    QString detail{};                             // why it waits or failed; may be empty
    double images_per_s = -1;                     // below 0: none yet
    double updates_per_s = -1, bytes_per_s = -1;  // of a ps: what it applies, and what goes to and from it; below 0: none yet
    double cpu_cores = -1;                        // in use; below 0: unknown
    int cores = 0;                                // of its host; 0: unknown
    friend bool operator==(const TaskRow&, const TaskRow&) = default;
};

// Owned by a view; GUI thread only. Text roles translate when asked.
class TaskListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        kNameRole = Qt::UserRole + 1,
        kAddressRole,
        kStateRole,
        kStateWordRole,
        kDetailRole,
        kRateTextRole,
        kCpuTextRole,
        kCpuShareRole
    };

    explicit TaskListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    // Keeps rows that stay in place: with the same tasks in the same order only changed rows are announced.
    void setRows(std::vector<TaskRow> rows);
    const TaskRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    int rowOf(const engine::spec::TaskId& task) const;  // -1 when absent

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

private:
    std::vector<TaskRow> rows_;
};

}  // namespace ui::models
