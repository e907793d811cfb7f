// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_diff_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/numbers.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using models::RunDiffModel;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRow = 27, kHead = 28, kColumn = 50, kLeastColumn = 46, kLeastName = 86, kNamedColumn = 130, kNameShare = 4;

class DiffDelegate : public QStyledItemDelegate {
public:
    DiffDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const theme::Theme& t = themes_.theme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF cell(option.rect);
        const bool odd = index.data(RunDiffModel::kOddRole).toBool();
        if (odd) widgets::paintBox(*painter, cell.adjusted(3, 3, -3, -3), theme::kRadiusSmall, t.warn_tint, QColor());
        const bool name = index.column() == 0;
        widgets::paintText(*painter, name ? cell : cell.adjusted(2, 0, -2, 0), index.data(Qt::DisplayRole).toString(),
                           themes_.font(name ? TextRole::kSmall : TextRole::kMono),
                           name  ? t.text2
                           : odd ? t.warn
                                 : t.text,
                           static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt()));
        if (option.state & QStyle::State_HasFocus) {
            widgets::paintBox(*painter, cell.adjusted(1, 1, -1, -1), theme::kRadiusSmall, QColor(), t.accent, 2);
        }
        painter->restore();
    }

private:
    const theme::ThemeController& themes_;
};

// The runs' dots over their columns, with the names where there is room for them.
class DotHeader : public QHeaderView {
public:
    DotHeader(const theme::ThemeController& themes, RunDiffView::Heads heads, QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent), themes_(themes), heads_(heads) {
        setSectionsClickable(false);
        setFixedHeight(kHead);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const theme::Theme& t = themes_.theme();
        painter->fillRect(rect, t.surface);
        if (section == 0) return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QColor color = t.seriesColor(model()->headerData(section, Qt::Horizontal, RunDiffModel::kColorRole).toInt());
        const QRectF cell(rect);
        if (heads_ == RunDiffView::Heads::kDots) {
            widgets::paintDot(*painter, cell.center(), 5, color);
        } else {
            widgets::paintDot(*painter, {cell.left() + 10, cell.center().y()}, 5, color);
            widgets::paintText(*painter, cell.adjusted(22, 0, -6, 0), model()->headerData(section, Qt::Horizontal).toString(),
                               themes_.font(TextRole::kSmallMedium), t.text);
        }
        painter->restore();
    }

private:
    const theme::ThemeController& themes_;
    const RunDiffView::Heads heads_;
};

class ColorDot : public QWidget {
public:
    ColorDot(const RunDiffModel& model, const theme::ThemeController& themes, QWidget* parent)
        : QWidget(parent), model_(model), themes_(themes) {
        setFixedSize(12, 12);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (const auto best = model_.best())
            widgets::paintDot(painter, QRectF(rect()).center(), 5, themes_.theme().seriesColor(best->color));
    }

private:
    const RunDiffModel& model_;
    const theme::ThemeController& themes_;
};

}  // namespace

RunDiffView::RunDiffView(RunDiffModel& model, const theme::ThemeController& themes, Heads heads, QWidget* parent)
    : QWidget(parent), model_(model), themes_(themes), heads_(heads) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* card = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    outer->addWidget(card);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(theme::kSpace5, theme::kSpace2, theme::kSpace3, theme::kSpace4);
    column->setSpacing(theme::kSpace1);
    auto* head = new QHBoxLayout;
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kText, card);
    scope_ = new widgets::SegmentedControl(themes, card);
    scope_->setObjectName("diffScope");
    head->addWidget(title_);
    head->addStretch();
    head->addWidget(scope_);
    column->addLayout(head);
    table_ = new QTableView(card);
    table_->setObjectName(heads == Heads::kDots ? "diffTable" : "settingsTable");
    table_->setModel(&model);
    table_->setItemDelegate(new DiffDelegate(themes, table_));
    auto* header = new DotHeader(themes, heads, table_);
    table_->setHorizontalHeader(header);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(kRow);
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    column->addWidget(table_, 1);
    empty_ = new TextLabel(themes, TextRole::kBody, Ink::kText2, card);
    empty_->setWordWrap(true);
    column->addWidget(empty_, 1, Qt::AlignTop);
    foot_ = new QWidget(card);
    auto* foot = new QHBoxLayout(foot_);
    foot->setContentsMargins(0, theme::kSpace2, 0, 0);
    foot->setSpacing(theme::kSpace2);
    dot_ = new ColorDot(model, themes, foot_);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    best_ = new TextLabel(themes, TextRole::kSmallMedium, Ink::kText, foot_);
    best_->setElided(true);
    lead_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, foot_);
    lead_->setElided(true);
    words->addWidget(best_);
    words->addWidget(lead_);
    foot->addWidget(dot_);
    foot->addLayout(words, 1);
    column->addWidget(foot_);
    connect(scope_, &widgets::SegmentedControl::currentChanged, this,
            [this](int index) { model_.setScope(index == 0 ? RunDiffModel::Scope::kDifferences : RunDiffModel::Scope::kAll); });
    connect(&model_, &QAbstractItemModel::modelReset, this, &RunDiffView::refresh);
    connect(&model_, &QAbstractItemModel::dataChanged, this, &RunDiffView::refresh);
    retranslate();
}

void RunDiffView::retranslate() {
    title_->setText(tr("What differs"));
    scope_->setEntries({tr("Differences"), tr("All")});
    scope_->setAccessibleName(tr("Which settings are shown"));
    table_->setAccessibleName(tr("Settings of the compared runs"));
    refresh();
}

void RunDiffView::refresh() {
    const std::size_t runs = model_.runs().size();
    const bool some = model_.rowCount() > 0 && runs > 1;
    table_->setVisible(some);
    empty_->setVisible(!some);
    empty_->setText(runs < 2 ? tr("Check two runs or more in the table to see what tells them apart.")
                             : tr("These runs have the same settings."));
    const auto best = model_.best();
    foot_->setVisible(best.has_value());
    if (best) {
        best_->setText(tr("Best so far: %1").arg(best->name));
        const QString lead = QStringLiteral("+") + models::formatMetric(best->lead);
        lead_->setText(best->over_running ? tr("%1 accuracy over the running one").arg(lead)
                                          : tr("%1 accuracy over the next best").arg(lead));
        dot_->update();
    }
    layoutColumns();
}

void RunDiffView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layoutColumns();
}

// The names keep a quarter of the width at least; the runs share the rest, and what they leave is the names', too.
void RunDiffView::layoutColumns() {
    const int runs = static_cast<int>(model_.runs().size());
    if (runs == 0) return;
    const int room = table_->viewport()->width();
    const int least = heads_ == Heads::kDots ? kLeastColumn : kNamedColumn;
    const int name = heads_ == Heads::kDots ? std::max(kLeastName, std::min(room / kNameShare, room - runs * kColumn))
                                            : std::max(220, room / kNameShare);
    const int each = std::clamp((room - name) / runs, least, heads_ == Heads::kDots ? 96 : 220);
    table_->setColumnWidth(0, std::max(name, room - runs * each));
    for (int column = 1; column <= runs; ++column) table_->setColumnWidth(column, each);
}

}  // namespace ui::views

#include "moc_run_diff_view.cpp"
