// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoints of a run, newest first.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <cstdint>
#include <limits>
#include <vector>

namespace ui::models {

struct CheckpointRow {
    QString prefix{};  // "checkpoints/ckpt_3"
    int epoch = 0;     // from 0
    std::int64_t step = 0;
    std::int64_t bytes = 0;
    double seconds = 0;                                       // to write it
    double value = std::numeric_limits<double>::quiet_NaN();  // of the watched metric
    bool best = false;
    friend bool operator==(const CheckpointRow& a, const CheckpointRow& b) {
        const bool same_value = a.value == b.value || (a.value != a.value && b.value != b.value);
        return same_value && a.prefix == b.prefix && a.epoch == b.epoch && a.step == b.step && a.bytes == b.bytes &&
               a.seconds == b.seconds && a.best == b.best;
    }
};

// Owned by a view; GUI thread only.
class CheckpointModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { kNameRole = Qt::UserRole + 1, kValueTextRole, kBestRole, kStepRole };

    explicit CheckpointModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    // Sets the rows, given in the order in which they were written.
    void setRows(std::vector<CheckpointRow> rows);
    const CheckpointRow& row(int index) const { return rows_[rows_.size() - 1 - static_cast<std::size_t>(index)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<CheckpointRow> rows_;  // oldest first
};

}  // namespace ui::models
