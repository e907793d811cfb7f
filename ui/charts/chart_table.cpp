// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_plot.h"
#include "ui/models/numbers.h"

namespace ui::charts {

using theme::TextRole;

namespace {

constexpr int kRow = 28, kFixedColumns = 2;

// Returns the point of that step, if there is one.
std::optional<models::SeriesPoint> pointAt(const models::Series& series, std::int64_t step) {
    const auto at = series.indexAtOrBefore(static_cast<double>(step), models::XAxis::kStep);
    if (!at || series.at(*at).step != step) return std::nullopt;
    return series.at(*at);
}

}  // namespace

void ChartTableModel::reload() {
    std::size_t points = 0;
    for (const ChartSeries& one : state_.series) points += one.points.size();
    if (points == points_ && series_ == state_.series.size()) return;
    beginResetModel();
    points_ = points;
    series_ = state_.series.size();
    steps_.clear();
    for (const ChartSeries& one : state_.series) {
        const std::size_t before = steps_.size();
        for (std::size_t i = 0; i < one.points.size(); ++i) steps_.push_back(one.points.at(i).step);
        std::inplace_merge(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(before), steps_.end());
        steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
    }
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kFixedColumns + static_cast<int>(series_);
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const std::int64_t step = steps_[steps_.size() - 1 - static_cast<std::size_t>(index.row())];
    if (index.column() == 0) return models::formatCount(step);
    if (index.column() == 1) {
        for (const ChartSeries& one : state_.series) {
            if (const auto point = pointAt(one.points, step))
                return models::formatDuration(one.points.xOf(point->step, point->time_unix_ns, models::XAxis::kRelative));
        }
        return QString(QChar(models::kMissing));
    }
    const auto place = static_cast<std::size_t>(index.column() - kFixedColumns);
    if (place >= state_.series.size()) return {};
    const ChartSeries& one = state_.series[place];
    const auto point = pointAt(one.points, step);
    return point ? formatValue(one.style.format, static_cast<double>(point->value)) : QString(QChar(models::kMissing));
}

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (section == 0) return tr("Step");
    if (section == 1) return tr("Time");
    const auto place = static_cast<std::size_t>(section - kFixedColumns);
    return place < state_.series.size() ? state_.series[place].name : QString();
}

ChartTable::ChartTable(const ChartState& state, const theme::ThemeController& theme, QWidget* parent) : QWidget(parent) {
    model_ = new ChartTableModel(state, this);
    summary_ = new QLabel(this);
    summary_->setFont(theme.font(TextRole::kSmall));
    summary_->setWordWrap(true);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    view_ = new QTableView(this);
    view_->setObjectName(QStringLiteral("chartTable"));
    view_->setModel(model_);
    view_->setFont(theme.font(TextRole::kMono));
    view_->setShowGrid(false);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(kRow);
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    setFocusProxy(view_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    column->addWidget(summary_);
    column->addWidget(view_, 1);
}

void ChartTable::refresh(const QString& summary) {
    summary_->setText(summary);
    view_->setAccessibleName(summary);
    model_->reload();
}

}  // namespace ui::charts

#include "moc_chart_table.cpp"
