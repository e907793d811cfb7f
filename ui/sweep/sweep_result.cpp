// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_result.h"

#include <QHeaderView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "engine/sweep/field_importance.h"
#include "engine/sweep/sweep_project.h"
#include "ui/models/numbers.h"
#include "ui/parallel/parallel_view.h"
#include "ui/parts/gap_splitter.h"
#include "ui/parts/inset_delegate.h"
#include "ui/sweep/importance_bars.h"
#include "ui/sweep/sweep_plot.h"
#include "ui/sweep/sweep_table_model.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using models::SweepTableModel;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kTableShare = 52, kChartShare = 48, kLeastChart = 220, kMarkSize = 16, kBarsWidth = 300, kInset = InsetDelegate::kInset,
              kArrow = 12;
constexpr int kTrialWidth = 88, kStateWidth = 130, kEpochsWidth = 96, kValueWidth = 120, kFieldWidth = 190, kLeastField = 110,
              kLeastNote = 150;

// Texts in the small face, with the arrow of the column that is sorted by.
class SweepHeader : public QHeaderView {
public:
    SweepHeader(const theme::ThemeController& themes, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), themes_(themes) {
        setFixedHeight(theme::kTableRowHeight);
        setStretchLastSection(true);
        setSectionsClickable(true);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const theme::Theme& t = themes_.theme();
        painter->fillRect(rect, t.surface);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.border_strong);
        const bool is_sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
        const auto side = static_cast<Qt::Alignment>(model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
        QRectF box = QRectF(rect).adjusted(kInset, 0, -kInset, 0);
        if (is_sorted) {
            themes_.paintIcon(*painter,
                              sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral("arrow-up") : QStringLiteral("arrow-down"),
                              {box.right() - kArrow, box.center().y() - kArrow / 2.0, kArrow, kArrow}, t.accent);
            box.setRight(box.right() - kArrow - 4);
        }
        widgets::paintText(*painter, box, model()->headerData(section, Qt::Horizontal).toString(), themes_.font(TextRole::kSmallMedium),
                           is_sorted ? t.accent : t.text2, side);
    }

private:
    const theme::ThemeController& themes_;
};

}  // namespace

SweepResult::SweepResult(const session::SweepDesk& desk, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), desk_(desk) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* splitter = new GapSplitter(Qt::Vertical, this);
    splitter->setObjectName("sweepSplitter");
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(theme::kSpace3);
    column->addWidget(splitter);
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, splitter);
    auto* frame = new QVBoxLayout(card);
    frame->setContentsMargins(1, theme::kSpace1, 1, theme::kSpace1);
    table_ = new QTableView(card);
    table_->setObjectName("sweepTable");
    table_->setHorizontalHeader(new SweepHeader(themes, table_));
    table_->setItemDelegate(new InsetDelegate(table_));
    model_ = new SweepTableModel(desk, themes, this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSortRole(SweepTableModel::kSortRole);
    sorted_->setDynamicSortFilter(false);  // rows stay where they are while values stream; a click on a head sorts anew
    sorted_->setSourceModel(model_);
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(SweepTableModel::kTrial, Qt::AscendingOrder);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setWordWrap(false);
    table_->setIconSize({kMarkSize, kMarkSize});
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(theme::kListRowHeight);
    frame->addWidget(table_);

    auto* below = new QWidget(splitter);
    below->setMinimumHeight(kLeastChart);
    auto* row = new QHBoxLayout(below);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace3);
    const auto cardWith = [&](TextLabel*& title, QVBoxLayout*& inside) {
        auto* made = new widgets::CardFrame(themes, widgets::FrameKind::kCard, below);
        inside = new QVBoxLayout(made);
        inside->setContentsMargins(theme::kSpace4, theme::kSpace3, theme::kSpace4, theme::kSpace3);
        inside->setSpacing(theme::kSpace2);
        inside->addWidget(title = new TextLabel(themes, TextRole::kSection, Ink::kText, made));
        return made;
    };
    QVBoxLayout* bars = nullptr;
    row->addWidget(parallel_ = new ParallelView(themes, below), 1);
    parallel_->setObjectName("sweepParallel");
    auto* importance = cardWith(bars_title_, bars);
    importance->setFixedWidth(kBarsWidth);
    row->addWidget(importance);
    bars->addWidget(bars_ = new ImportanceBars(themes, importance), 1);
    bars->addWidget(best_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, importance));
    best_->setObjectName("sweepBest");
    bars->addWidget(best_values_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, importance));
    best_values_->setWordWrap(true);
    splitter->addWidget(card);
    splitter->addWidget(below);
    splitter->setStretchFactor(0, kTableShare);
    splitter->setStretchFactor(1, kChartShare);
    splitter->setSizes({kTableShare * 10, kChartShare * 10});
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SweepResult::chooseLine);
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        const auto trial = static_cast<std::size_t>(sorted_->mapToSource(index).row());
        if (desk_.sweep() && trial < desk_.sweep()->trials().size()) {
            const std::string& id = desk_.sweep()->trials()[trial].runs.front().run_id;
            if (!id.empty()) emit runWanted(QString::fromStdString(id));
        }
    });
    connect(parallel_, &ParallelView::runClicked, this, [this](const QString& id) {
        const QModelIndex at = sorted_->mapFromSource(model_->index(id.toInt() - 1, 0));
        table_->selectRow(at.row());
        table_->scrollTo(at);
    });
    connect(&themes, &theme::ThemeController::themeChanged, model_, &SweepTableModel::repaint);
}

void SweepResult::reset() {
    model_->reset();
    setWidths();
    table_->sortByColumn(SweepTableModel::kTrial, Qt::AscendingOrder);
    told_ = 0;
    refresh();
}

// The fields share what the others leave, so that the note is seen where there is room for it.
void SweepResult::setWidths() {
    constexpr std::array<int, SweepTableModel::kFirstField> kWidths{kTrialWidth, kStateWidth, kEpochsWidth, kValueWidth};
    for (int column = 0; column < SweepTableModel::kFirstField; ++column) {
        table_->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    }
    const int fields = model_->noteColumn() - SweepTableModel::kFirstField;
    if (fields <= 0) return;
    const int room = width() - kTrialWidth - kStateWidth - kEpochsWidth - kValueWidth - kLeastNote;
    for (int i = 0; i < fields; ++i) {
        table_->setColumnWidth(SweepTableModel::kFirstField + i, std::clamp(room / fields, kLeastField, kFieldWidth));
    }
}

void SweepResult::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setWidths();
}

void SweepResult::refresh() {
    model_->refresh();
    std::size_t told = 0;
    if (desk_.sweep()) {
        for (const engine::sweep::Trial& trial : desk_.sweep()->trials()) told += trial.values.size();
    }
    if (told == told_ && told > 0) return;
    told_ = told;
    drawPlot();
    showImportance();
}

void SweepResult::showImportance() {
    const std::optional<engine::sweep::Sweep>& sweep = desk_.sweep();
    std::vector<ImportanceBars::Bar> bars;
    if (const auto importance = sweep ? engine::sweep::importanceOf(*sweep) : std::nullopt) {
        const auto& fields = sweep->settings().fields;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            bars.push_back({QString::fromStdString(engine::sweep::shortPath(fields[i].path)), importance->alone[i]});
        }
        bars.push_back({tr("fields together, and noise"), importance->together, false});
    }
    bars_->setBars(std::move(bars));
    const std::optional<int> best = sweep ? sweep->best() : std::nullopt;
    best_->setText(
        best ? tr("Best so far: %1, trial %2")
                   .arg(models::formatMetric(sweep->trials()[static_cast<std::size_t>(*best)].value()), QString::number(*best + 1))
             : tr("No trial has ended yet"));
    best_values_->setText(best ? QString::fromStdString(engine::sweep::labelOf(
                                     sweep->settings().fields, sweep->trials()[static_cast<std::size_t>(*best)].configuration))
                               : QString());
}

void SweepResult::drawPlot() {
    parallel_->setPlot(desk_.sweep() ? models::sweepPlot(*desk_.sweep(), tr("epochs")) : models::ParallelPlot());
    chooseLine();
}

void SweepResult::chooseLine() {
    const QModelIndex current = table_->currentIndex();
    parallel_->setSelected(current.isValid() ? QString::number(sorted_->mapToSource(current).row() + 1) : QString());
}

void SweepResult::focusTable() {
    table_->setFocus(Qt::OtherFocusReason);
}

void SweepResult::retranslate() {
    parallel_->setEmptyText(tr("Trials appear here as lines when they have ended a rung."));
    bars_title_->setText(tr("Importance of fields"));
    bars_title_->setToolTip(
        tr("The part of the variance over the first rung's values that each field explains alone, by a random forest (fANOVA)"));
    bars_->setAccessibleName(tr("Importance of fields"));
    bars_->setEmptyText(tr("appears when %n trial(s) have ended", nullptr, engine::sweep::kLeastForImportance));
    table_->setAccessibleName(tr("Trials of the sweep"));
    model_->repaint();
    parallel_->retranslate();
    told_ = 0;
    refresh();
}

}  // namespace ui::views

#include "moc_sweep_result.cpp"
