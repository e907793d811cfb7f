// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/place_model.h"

#include <algorithm>

namespace ui::models {

void PlaceModel::setPlaces(std::vector<Place> places) {
    places_ = std::move(places);
    refresh();
}

void PlaceModel::setNeedle(const QString& needle) {
    needle_ = needle;
    refresh();
}

void PlaceModel::refresh() {
    beginResetModel();
    shown_.clear();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const QString& text = places_[i].text;
        // A match in the text counts for more than one that needs the detail.
        if (auto match = fuzzyMatch(needle_, text)) {
            match->score *= 2;
            shown_.push_back({i, std::move(*match)});
        } else if (auto wider = fuzzyMatch(needle_, text + " " + places_[i].detail)) {
            std::erase_if(wider->positions, [&](int at) { return at >= text.size(); });
            shown_.push_back({i, std::move(*wider)});
        }
    }
    std::stable_sort(shown_.begin(), shown_.end(), [](const Shown& a, const Shown& b) { return a.match.score > b.match.score; });
    endResetModel();
}

int PlaceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PlaceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Shown& shown = shown_[static_cast<std::size_t>(index.row())];
    const Place& place = places_[shown.index];
    switch (role) {
        case Qt::DisplayRole:
            return place.text;
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return place.detail.isEmpty() ? place.text : place.text + ", " + place.detail;
        case kKindRole:
            return static_cast<int>(place.kind);
        case kDetailRole:
            return place.detail;
        case kKeysRole:
            return place.keys;
        case kPositionsRole:
            return QVariant::fromValue(QList<int>(shown.match.positions.begin(), shown.match.positions.end()));
        default:
            return {};
    }
}

}  // namespace ui::models

#include "moc_place_model.cpp"
