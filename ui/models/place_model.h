// SPDX-License-Identifier: GPL-3.0-or-later
// What the locator finds: pages, actions, layers, tasks, runs, settings; the best match first.
#pragma once

#include <QAbstractListModel>
#include <QString>
#include <functional>
#include <vector>

#include "ui/models/fuzzy_match.h"

namespace ui::models {

enum class PlaceKind { kPage, kAction, kLayer, kTask, kRun, kSetting };

struct Place {
    PlaceKind kind = PlaceKind::kAction;
    QString text{};
    QString detail{};  // beside the text, searched too: a class, an address, a date
    QString keys{};    // "Ctrl+R"; empty: none
    std::function<void()> go{};
};

class PlaceModel : public QAbstractListModel {
    Q_OBJECT
public:
    // kPositionsRole: QList<int> of the matched characters of the text.
    enum Role { kKindRole = Qt::UserRole + 1, kDetailRole, kKeysRole, kPositionsRole };

    explicit PlaceModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    void setPlaces(std::vector<Place> places);
    // Sets the text to find; when it is empty, all places are shown in the order given.
    void setNeedle(const QString& needle);
    const Place& place(int row) const { return places_[shown_[static_cast<std::size_t>(row)].index]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Shown {
        std::size_t index;
        FuzzyMatch match;
    };
    void refresh();

    std::vector<Place> places_;
    QString needle_;
    std::vector<Shown> shown_;
};

}  // namespace ui::models
