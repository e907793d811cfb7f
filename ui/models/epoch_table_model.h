// SPDX-License-Identifier: GPL-3.0-or-later
// The end of each epoch as a row: Keras' logs as columns in the order in which they first came, and the seconds it took.
#pragma once

#include <QAbstractTableModel>
#include <string>
#include <vector>

#include "ui/session/runs/run_record.h"

namespace ui::models {

class EpochTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit EpochTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    // Appends what is new; starts anew when the rows are of another run (fewer than before).
    void setEpochs(const std::vector<session::EpochEntry>& epochs);
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<session::EpochEntry> rows_;
    std::vector<std::string> names_;
};

}  // namespace ui::models
