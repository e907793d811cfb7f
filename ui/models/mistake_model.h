// SPDX-License-Identifier: GPL-3.0-or-later
// The wrong answers of an evaluation, surest first; of all classes or of one cell of the confusion matrix. Owned by a view; GUI thread.
#pragma once

#include <QAbstractListModel>
#include <optional>
#include <utility>
#include <vector>

#include "ui/session/runs/evaluation.h"

namespace ui::models {

class MistakeModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { kSampleRole = Qt::UserRole + 1, kConfidenceRole, kPairRole };

    explicit MistakeModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    void setMistakes(std::vector<session::WrongAnswer> mistakes, QStringList classes);
    // Shows the mistakes of one label and prediction; nullopt: all.
    void setCell(std::optional<std::pair<int, int>> cell);
    const session::WrongAnswer& at(int row) const { return mistakes_[shown_[static_cast<std::size_t>(row)]]; }
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void choose();

    std::vector<session::WrongAnswer> mistakes_;
    std::vector<std::size_t> shown_;
    QStringList classes_;
    std::optional<std::pair<int, int>> cell_;
};

}  // namespace ui::models
