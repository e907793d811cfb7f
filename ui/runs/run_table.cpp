// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSettings>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/parts/run_group.h"
#include "ui/session/values.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using models::RunTableModel;
using theme::TextRole;
using widgets::paintText;

namespace {

constexpr std::array<int, RunTableModel::kColumnCount> kWidths{44, 240, 98, 120, 68, 150, 82, 68, 118, 108, 84,
                                                               84, 84,  90, 82,  96, 110, 78, 66, 140, 200};
constexpr int kNameLeast = 200;  // below it the table scrolls sideways
constexpr int kArrow = 14;
constexpr std::array kGoWhenNarrow{RunTableModel::kStarted, RunTableModel::kStrategy, RunTableModel::kBatch};
constexpr double kGroupLine = 15;
constexpr int kCheckBox = 16, kDot = 5, kNameLeft = 20, kTagGap = 8;
constexpr auto kHeaderKey = "runs/header", kShownKey = "runs/columns";

// Paints a run's dot. A run with the second dash pattern has a ring, so that two runs of one colour can be told apart.
void paintRunDot(QPainter& painter, const theme::Theme& t, QPointF center, int color, int dash) {
    widgets::paintDot(painter, center, kDot, t.seriesColor(color), dash == 0);
}

// Texts in the small face; the sorted column in the accent, with an arrow behind its text.
class RunHeader : public QHeaderView {
public:
    RunHeader(const theme::ThemeController& themes, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), themes_(themes) {
        setSectionsClickable(true);
        setFixedHeight(theme::kTableRowHeight);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const theme::Theme& t = themes_.theme();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->fillRect(rect, t.surface);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.border_strong);
        const QString text = model()->headerData(section, Qt::Horizontal).toString();
        const bool sorted = sortIndicatorSection() == section && !text.isEmpty();
        const bool number = RunTableModel::isNumber(section);
        const QFont font = themes_.font(TextRole::kSmallMedium);
        const double room = rect.width() - theme::kSpace2 - (number ? theme::kSpace5 : theme::kSpace2) - (sorted ? kArrow + 2 : 0);
        const double width = std::min(room, QFontMetricsF(font).horizontalAdvance(text) + 1);
        double left = rect.left() + theme::kSpace2 + (section == RunTableModel::kName ? kNameLeft : 0);
        if (number) left = rect.right() + 1 - theme::kSpace5 - width - (sorted ? kArrow + 2 : 0);
        paintText(*painter, QRectF(left, rect.top(), width, rect.height() - 1), text, font, sorted ? t.accent : t.text2);
        if (sorted) {
            const QRectF arrow(left + width + 2, rect.center().y() - kArrow / 2.0, kArrow, kArrow);
            themes_.paintIcon(*painter, sortIndicatorOrder() == Qt::AscendingOrder ? "arrow-up" : "arrow-down", arrow, t.accent);
        }
        painter->restore();
    }

private:
    const theme::ThemeController& themes_;
};

QColor inkOf(const theme::Theme& t, RunTableModel::Tone tone) {
    switch (tone) {
        case RunTableModel::Tone::kMuted:
            return t.text2;
        case RunTableModel::Tone::kError:
        case RunTableModel::Tone::kWorse:
            return t.err;
        case RunTableModel::Tone::kWarning:
            return t.warn;
        case RunTableModel::Tone::kBetter:
            return t.ok;
        case RunTableModel::Tone::kPlain:
            break;
    }
    return t.text;
}

}  // namespace

RunTable::RunTable(RunTableModel& model, const theme::ThemeController& themes, QWidget* parent) : QTableView(parent), model_(model) {
    setObjectName("runTable");
    setModel(&model);
    setItemDelegate(new RunDelegate(themes, this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setMouseTracking(true);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalHeader(new RunHeader(themes, this));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(theme::kTableRowHeight);
    QHeaderView* head = horizontalHeader();
    head->setHighlightSections(false);
    head->setSectionsMovable(true);
    head->setMinimumSectionSize(kWidths[RunTableModel::kCheck]);
    setSortingEnabled(true);
    sortByColumn(RunTableModel::kStarted, Qt::DescendingOrder);
    for (int i = 0; i < RunTableModel::kColumnCount; ++i) {
        setColumnWidth(i, kWidths[static_cast<std::size_t>(i)]);
        shown_[static_cast<std::size_t>(i)] = !RunTableModel::isExtra(i);
    }
    head->setSectionResizeMode(RunTableModel::kCheck, QHeaderView::Fixed);
    applyColumns();
    connect(head, &QHeaderView::sectionResized, this, [this](int column) {
        if (column != RunTableModel::kName) fitName();
    });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (model_.run(index.row())) return emit openWanted();
        model_.setFolded(index.row(), !index.data(RunTableModel::kFoldedRole).toBool());
    });
}

QString RunTable::currentId() const {
    const auto* run = model_.run(currentIndex().row());
    return run ? run->id : QString();
}

QStringList RunTable::selectedIds() const {
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end(), [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
    QStringList ids;
    for (const QModelIndex& index : rows) {
        if (const auto* run = model_.run(index.row())) ids << run->id;
    }
    return ids;
}

void RunTable::select(const QString& id) {
    int row = model_.rowOf(id);
    for (int first = 0; row < 0 && first < model_.rowCount(); ++first) {
        if (model_.run(first)) row = first;
    }
    if (row >= 0) setCurrentIndex(model_.index(row, RunTableModel::kName));
}

void RunTable::keepPlace() {
    kept_ids_ = selectedIds();
    kept_scroll_ = verticalScrollBar()->value();
}

void RunTable::restorePlace(const QString& current) {
    select(current);
    for (const QString& id : std::exchange(kept_ids_, {})) {
        if (const int row = model_.rowOf(id); row >= 0) {
            selectionModel()->select(model_.index(row, RunTableModel::kName), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    }
    verticalScrollBar()->setValue(kept_scroll_);
}

void RunTable::editCell(int column) {
    if (currentId().isEmpty()) return;
    setColumnShown(column, true);
    const QModelIndex cell = model_.index(currentIndex().row(), column);
    setCurrentIndex(cell);
    scrollTo(cell);
    edit(cell);
}

void RunTable::applyColumns() {
    for (int column = 0; column < RunTableModel::kColumnCount; ++column) {
        const bool goes = narrow_ && std::find(kGoWhenNarrow.begin(), kGoWhenNarrow.end(), column) != kGoWhenNarrow.end();
        setColumnHidden(column, goes || !shown_[static_cast<std::size_t>(column)]);
    }
    fitName();
}

// The name takes what the others leave, and never less than a name needs: a stretched section alone would go down to nothing.
void RunTable::fitName() {
    QHeaderView* head = horizontalHeader();
    const int others = head->length() - head->sectionSize(RunTableModel::kName);
    const bool has_room = viewport()->width() - others >= kNameLeast;
    head->setSectionResizeMode(RunTableModel::kName, has_room ? QHeaderView::Stretch : QHeaderView::Fixed);
    if (!has_room) head->resizeSection(RunTableModel::kName, kNameLeast);
}

void RunTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitName();
}

void RunTable::setNarrow(bool narrow) {
    narrow_ = narrow;
    applyColumns();
}

void RunTable::setColumnShown(int column, bool shown) {
    shown_[static_cast<std::size_t>(column)] = shown || column == RunTableModel::kCheck || column == RunTableModel::kName;
    applyColumns();
}

void RunTable::keepColumns(QSettings* settings) const {
    if (!settings) return;
    QStringList shown;
    for (int column = 0; column < RunTableModel::kColumnCount; ++column) {
        if (isColumnShown(column)) shown << QString::number(column);
    }
    settings->setValue(kShownKey, shown);
    settings->setValue(kHeaderKey, horizontalHeader()->saveState());
}

void RunTable::restoreColumns(QSettings* settings) {
    if (!settings || !settings->contains(kShownKey)) return;
    horizontalHeader()->restoreState(settings->value(kHeaderKey).toByteArray());
    const QStringList shown = settings->value(kShownKey).toStringList();
    for (int column = 0; column < RunTableModel::kColumnCount; ++column) setColumnShown(column, shown.contains(QString::number(column)));
}

void RunTable::keyPressEvent(QKeyEvent* event) {
    if (state() == EditingState) return QTableView::keyPressEvent(event);  // Enter that confirms a text comes through its editor
    const int row = currentIndex().row();
    const bool group = row >= 0 && !model_.run(row);
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (row >= 0 && plain) {
        switch (event->key()) {
            case Qt::Key_Space:
                model_.toggleChecked(row);
                return;
            case Qt::Key_F2:
                return editCell(RunTableModel::kName);
            case Qt::Key_Delete:
                return emit archiveWanted();
            case Qt::Key_P:
                return emit pinWanted();
            case Qt::Key_Return:
            case Qt::Key_Enter:
                if (!group) return emit openWanted();
                model_.setFolded(row, !currentIndex().data(RunTableModel::kFoldedRole).toBool());
                return setCurrentIndex(model_.index(row, RunTableModel::kName));
            case Qt::Key_Left:
            case Qt::Key_Right:
                if (!group) break;
                model_.setFolded(row, event->key() == Qt::Key_Left);
                return setCurrentIndex(model_.index(row, RunTableModel::kName));
            default:
                break;
        }
    }
    QTableView::keyPressEvent(event);
}

void RunTable::mousePressEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && index.column() == RunTableModel::kCheck) {
        model_.toggleChecked(index.row());
        return;
    }
    QTableView::mousePressEvent(event);
    if (event->button() != Qt::LeftButton || !index.isValid() || index.column() != RunTableModel::kName) return;
    if (!RunDelegate::dotRect(visualRect(index)).contains(event->pos())) return;
    if (model_.run(index.row())) {
        emit colorWanted(event->globalPosition().toPoint());
    } else {
        model_.setFolded(index.row(), !index.data(RunTableModel::kFoldedRole).toBool());
    }
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {80, theme::kTableRowHeight};
}

QRect RunDelegate::dotRect(const QRect& cell) {
    return {cell.left() + theme::kSpace1, cell.top(), 24, cell.height()};
}

void RunDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const auto* line = qobject_cast<const QLineEdit*>(editor);
    if (line == nullptr || !line->isModified()) QStyledItemDelegate::setEditorData(editor, index);
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int left = index.column() == RunTableModel::kName ? theme::kSpace2 + kNameLeft - theme::kSpace2 : 0;
    editor->setGeometry(option.rect.adjusted(left, 1, 0, -2));
}

void RunDelegate::paintCheck(QPainter& painter, const QRectF& cell, Qt::CheckState state) const {
    const theme::Theme& t = themes_.theme();
    QRectF box(0, 0, kCheckBox, kCheckBox);
    box.moveCenter(cell.center());
    box.moveTo(std::round(box.left()), std::round(box.top()));
    const bool on = state != Qt::Unchecked;
    widgets::paintBox(painter, box, theme::kRadiusSmall, on ? t.accent_fill : t.surface, on ? t.accent_fill : t.control);
    if (on) themes_.paintIcon(painter, state == Qt::Checked ? "check" : "minus", box.adjusted(1, 1, -1, -1), t.on_accent);
}

void RunDelegate::paintName(QPainter& painter, const QRectF& cell, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    const QString text = index.data(Qt::DisplayRole).toString();
    const bool strong = index.data(RunTableModel::kGroupRole).toBool() || option.state & QStyle::State_Selected;
    if (index.data(RunTableModel::kGroupRole).toBool()) {
        const QRectF mark(cell.left() - 3, cell.center().y() - 8, 16, 16);
        themes_.paintIcon(painter, index.data(RunTableModel::kFoldedRole).toBool() ? "chevron-right" : "chevron-down", mark, t.text2);
    } else {
        paintRunDot(painter, t, {cell.left() + kDot, cell.center().y()}, index.data(RunTableModel::kColorRole).toInt(),
                    index.data(RunTableModel::kDashRole).toInt());
    }
    QRectF rest = cell.adjusted(kNameLeft, 0, 0, 0);
    if (index.data(RunTableModel::kPinnedRole).toBool()) {
        themes_.paintIcon(painter, "pin", QRectF(rest.left(), rest.center().y() - 7, 14, 14), t.text2);
        rest.adjust(18, 0, 0, 0);
    }
    const QFont font = themes_.font(strong ? TextRole::kStrong : TextRole::kButton);
    const double width = std::min(rest.width(), QFontMetricsF(font).horizontalAdvance(text) + 1);
    const QColor ink = index.data(RunTableModel::kArchivedRole).toBool() ? t.text3 : t.text;
    // The name is cut in its middle: runs of one project differ in their ends.
    paintText(painter, QRectF(rest.left(), rest.top(), width, rest.height()), text, font, ink, Qt::AlignLeft | Qt::AlignVCenter,
              Qt::ElideMiddle);
    double left = rest.left() + width + kTagGap;
    const QFont small = themes_.font(TextRole::kTick);
    for (const QString& tag : index.data(RunTableModel::kTagsRole).toStringList()) {
        const double tag_width = QFontMetricsF(small).horizontalAdvance(tag) + 12;
        if (left + tag_width > rest.right()) break;
        const QRectF pill(left, rest.center().y() - 9, tag_width, 18);
        widgets::paintBox(painter, pill, 9, t.sunken, t.border);
        paintText(painter, pill, tag, small, t.text2, Qt::AlignCenter);
        left += tag_width + theme::kSpace1;
    }
}

QRect RunDelegate::titleRect(const QTableView& table, const QModelIndex& index) {
    const QHeaderView& head = *table.horizontalHeader();
    QRect title = table.visualRect(index.siblingAtColumn(RunTableModel::kName));
    for (int visual = head.visualIndex(RunTableModel::kName) + 1; visual < head.count(); ++visual) {
        const int column = head.logicalIndex(visual);
        if (head.isSectionHidden(column)) continue;
        const QModelIndex cell = index.siblingAtColumn(column);
        if (!cell.data(Qt::DisplayRole).toString().isEmpty()) break;
        title |= table.visualRect(cell);
    }
    return title;
}

void RunDelegate::paintState(QPainter& painter, const QRectF& cell, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    const QString text = index.data(Qt::DisplayRole).toString();
    if (text.isEmpty()) return;
    const auto phase = static_cast<session::RunState>(index.data(RunTableModel::kPhaseRole).toInt());
    const QRectF mark(cell.left() - 1, cell.center().y() - 7, 14, 14);
    QColor ink = t.text2;
    if (phase == session::RunState::kFailed) {
        themes_.paintIcon(painter, "error", mark, ink = t.err);
    } else if (phase == session::RunState::kDone) {
        themes_.paintIcon(painter, "check", mark, t.text2);
    } else {
        widgets::paintDot(painter, {cell.left() + 6, cell.center().y()}, 4, phaseColor(t, phase), isActive(phase));
        if (isActive(phase)) ink = phaseColor(t, phase);
    }
    paintText(painter, cell.adjusted(kNameLeft, 0, 0, 0), text, themes_.font(TextRole::kSmall), ink);
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    const QRectF row(option.rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool group = index.data(RunTableModel::kGroupRole).toBool();
    if (option.state & QStyle::State_Selected) {
        painter->fillRect(option.rect, t.accent_tint);
    } else if (option.state & QStyle::State_MouseOver) {
        painter->fillRect(option.rect, t.mixed(t.surface, 4));
    } else if (group) {
        painter->fillRect(option.rect, t.sunken);
    }
    painter->fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), t.border);
    // A group's title goes on over the empty cells: each paints its part.
    const auto* table = group && index.column() != RunTableModel::kCheck ? qobject_cast<const QTableView*>(option.widget) : nullptr;
    if (const QRect title = table ? titleRect(*table, index) : QRect(); title.contains(option.rect)) {
        painter->setClipRect(option.rect);
        paintName(*painter, title.adjusted(theme::kSpace2, 0, -theme::kSpace2, 0), option, index.siblingAtColumn(RunTableModel::kName));
        painter->setClipping(false);
    } else {
        paintCell(*painter, option, index);
    }
    if (option.state & QStyle::State_HasFocus)
        widgets::paintBox(*painter, row.adjusted(1, 1, -1, -2), theme::kRadiusSmall, QColor(), t.accent, 2);
    painter->restore();
}

void RunDelegate::paintCell(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    const QRectF row(option.rect);
    const QRectF cell = row.adjusted(theme::kSpace2, 0, RunTableModel::isNumber(index.column()) ? -theme::kSpace5 : -theme::kSpace2, 0);
    switch (index.column()) {
        case RunTableModel::kCheck:
            paintCheck(painter, row, static_cast<Qt::CheckState>(index.data(Qt::CheckStateRole).toInt()));
            break;
        case RunTableModel::kName:
            paintName(painter, cell, option, index);
            break;
        case RunTableModel::kState:
            paintState(painter, cell, index);
            break;
        default: {
            const bool fixed = RunTableModel::isNumber(index.column()) || index.column() == RunTableModel::kRate;
            const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
            const bool group = index.data(RunTableModel::kGroupRole).toBool();
            const QColor ink = group ? t.text : inkOf(t, static_cast<RunTableModel::Tone>(index.data(RunTableModel::kToneRole).toInt()));
            // Side by side the two would ask for twice the width of a run's value.
            if (const QString text = index.data(Qt::DisplayRole).toString(); group && text.contains(RunTableModel::kPlusMinus)) {
                const qsizetype cut = text.indexOf(RunTableModel::kPlusMinus);
                const QRectF upper(cell.left(), cell.center().y() - kGroupLine, cell.width(), kGroupLine);
                paintText(painter, upper, text.left(cut).trimmed(), themes_.font(TextRole::kMono), ink, alignment);
                paintText(painter, upper.translated(0, kGroupLine), text.mid(cut), themes_.font(TextRole::kMonoTick), t.text2, alignment);
                break;
            }
            paintText(painter, cell, index.data(Qt::DisplayRole).toString(), themes_.font(fixed ? TextRole::kMono : TextRole::kSmall),
                      fixed ? ink : t.text2, alignment);
        }
    }
}

}  // namespace ui::views

#include "moc_run_table.cpp"
