// SPDX-License-Identifier: GPL-3.0-or-later
// Findings one below the other: state, what, detail, and what mends it. Doctor rows, diagnostics and the Problems pane.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <vector>

namespace ui::models {

enum class CheckState { kOk, kInfo, kWarning, kError, kPending };

struct CheckRow {
    CheckState state = CheckState::kOk;
    QString title{};
    QString detail{};
    QString fix{};   // text of a link at the right; empty: none
    QString path{};  // of a diagnostic: "model.layers[2].units"
    friend bool operator==(const CheckRow&, const CheckRow&) = default;
};

class CheckListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { kStateRole = Qt::UserRole + 1, kDetailRole, kFixRole, kPathRole };

    explicit CheckListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    // Rows that stay in place are kept; only changed ones are announced.
    void setRows(std::vector<CheckRow> rows);
    const CheckRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<CheckRow> rows_;
};

}  // namespace ui::models
