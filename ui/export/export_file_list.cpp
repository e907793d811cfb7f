// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_file_list.h"

#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kRowHeight = 26, kSizeRole = Qt::UserRole + 3, kLeastRows = 3, kUsualWidth = 256;

// An icon, the name, and the size at the right.
class FileDelegate : public QStyledItemDelegate {
public:
    FileDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, kRowHeight}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr double kIcon = 16;
        const theme::Theme& t = themes_.theme();
        const QRectF row = QRectF(option.rect).adjusted(0, 1, 0, -1);
        if (option.state & QStyle::State_Selected)
            widgets::paintBox(*painter, row, theme::kRadiusControl, t.accent_tint,
                              option.state & QStyle::State_HasFocus ? t.accent : QColor(), 2);
        const bool possible = index.flags() & Qt::ItemIsEnabled;
        themes_.paintIcon(*painter, QStringLiteral("file"), QRectF(row.left() + 12, row.center().y() - kIcon / 2, kIcon, kIcon),
                          possible ? t.text2 : t.text3);
        // A name that has no room loses its middle: the ending says what the file is.
        const QFontMetrics metrics(themes_.font(TextRole::kMono));
        const QString size = index.data(kSizeRole).toString();
        const double left = row.left() + 36;
        const double size_width = size.isEmpty() ? 0 : metrics.horizontalAdvance(size) + theme::kSpace4;
        const double room = row.right() - theme::kSpace2 - size_width - left;
        const QString name = metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideMiddle, static_cast<int>(room));
        widgets::paintText(*painter, QRectF(left, row.top(), room, row.height()), name, themes_.font(TextRole::kMono), t.text);
        widgets::paintText(*painter, QRectF(row.right() - 104, row.top(), 96, row.height()), size, themes_.font(TextRole::kMono), t.text2,
                           Qt::AlignRight | Qt::AlignVCenter);
    }

private:
    const theme::ThemeController& themes_;
};

// Shows whole rows only: what of its height makes none stays free below them.
class WholeRows : public QListView {
public:
    using QListView::QListView;
    // At its least the view shows this many rows, or all of them where there are fewer.
    void setLeast(int rows) { setMinimumHeight(rows * kRowHeight); }
    // The height is the least one: what room is left over comes to it by its stretch.
    QSize sizeHint() const override { return {kUsualWidth, minimumHeight()}; }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QListView::resizeEvent(event);
        const int below = viewportMargins().bottom(), left_over = (viewport()->height() + below) % kRowHeight;
        if (left_over != below) setViewportMargins(0, 0, 0, left_over);
    }
};

QString sizeText(const ExportEntry& entry) {
    if (entry.bytes < 0) return {};
    const double kilobytes = static_cast<double>(entry.bytes) / 1024.0;
    const QString size = kilobytes < 1000 ? ExportFileList::tr("%1 KB").arg(kilobytes, 0, 'f', 1) : models::formatBytes(entry.bytes);
    return entry.about ? QStringLiteral("\u2248 ") + size : size;
}

}  // namespace

ExportFileList::ExportFileList(const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), model_(new QStandardItemModel(this)) {
    title_ = new widgets::TextLabel(themes, TextRole::kSmall, widgets::Ink::kText2, this);
    auto* list = new WholeRows(this);
    list_ = list;
    list_->setObjectName("exportFiles");
    list_->setModel(model_);
    list_->setItemDelegate(new FileDelegate(themes, list_));
    list->setLeast(1);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->viewport()->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    column->addWidget(title_);
    column->addWidget(list_, 1);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ExportFileList::currentChanged);
}

void ExportFileList::setEntries(const std::vector<ExportEntry>& entries) {
    const int row_before = list_->currentIndex().row();
    model_->clear();
    for (const ExportEntry& entry : entries) {
        auto* item = new QStandardItem(entry.name);
        item->setData(sizeText(entry), kSizeRole);
        item->setToolTip(entry.name);
        model_->appendRow(item);
    }
    static_cast<WholeRows*>(list_)->setLeast(std::clamp(count(), 1, kLeastRows));
    list_->setCurrentIndex(model_->index(std::clamp(row_before, 0, std::max(0, count() - 1)), 0));
}

int ExportFileList::count() const {
    return model_->rowCount();
}

int ExportFileList::current() const {
    return std::max(0, list_->currentIndex().row());
}

QString ExportFileList::name(int row) const {
    return model_->item(row)->text();
}

void ExportFileList::retranslate() {
    title_->setText(tr("Files"));
    list_->setAccessibleName(tr("Files"));
}

}  // namespace ui::views

#include "moc_export_file_list.cpp"
