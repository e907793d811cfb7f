// SPDX-License-Identifier: GPL-3.0-or-later
// The data sets that a project may take: those with a name, with where they are, and the formats of own files. Filtered by a search text.
#pragma once

#include <QAbstractListModel>
#include <QSet>
#include <QString>
#include <vector>

namespace ui::models {

enum class DataSetKind { kGroup, kNamed, kFormat };
enum class DataSetPlace { kHere, kCanBeFetched, kFetching };

class DataSetModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { kKindRole = Qt::UserRole + 1, kNameRole, kDetailRole, kPlaceRole, kProgressRole };

    explicit DataSetModel(QObject* parent = nullptr);

    void setFilter(const QString& text);
    void setHere(const QSet<QString>& names);
    // Shows how far a fetch is: `progress` from 0 to 1; below 0: not known yet. `name` empty: nothing is fetched.
    void setFetching(const QString& name, double progress);
    // Makes the texts anew after the language changed.
    void retranslate();
    int rowOf(const QString& name) const;  // -1 when it is filtered away

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        DataSetKind kind = DataSetKind::kGroup;
        QString name;  // "fashion_mnist", "csv"; of a group which it is
    };
    QString titleOf(const Row& row) const;
    QString detailOf(const Row& row) const;

    std::vector<Row> rows_;
    QString filter_, fetching_;
    QSet<QString> here_;
    double progress_ = -1;
};

}  // namespace ui::models
