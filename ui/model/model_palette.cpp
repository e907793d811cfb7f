// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_palette.h"

#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/field_schema.h"
#include "ui/canvas/layer_look.h"
#include "ui/canvas/model_canvas.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using engine::spec::LayerCategory;
using engine::spec::LayerSchema;
using theme::TextRole;
using widgets::paintBox;
using widgets::paintText;

namespace {

constexpr LayerCategory kGroups[] = {LayerCategory::kLayer,      LayerCategory::kPool,          LayerCategory::kShape,
                                     LayerCategory::kActivation, LayerCategory::kNormalization, LayerCategory::kDropout,
                                     LayerCategory::kRecurrent};

QString groupName(LayerCategory category) {
    switch (category) {
        case LayerCategory::kLayer:
            return PaletteModel::tr("Core");
        case LayerCategory::kPool:
            return PaletteModel::tr("Pooling");
        case LayerCategory::kShape:
            return PaletteModel::tr("Shape");
        case LayerCategory::kActivation:
            return PaletteModel::tr("Activation");
        case LayerCategory::kNormalization:
            return PaletteModel::tr("Normalisation");
        case LayerCategory::kDropout:
            return PaletteModel::tr("Dropout");
        case LayerCategory::kRecurrent:
            return PaletteModel::tr("Recurrent");
    }
    return {};
}

}  // namespace

PaletteModel::PaletteModel(QObject* parent) : QAbstractListModel(parent) {
    setFilter({});
}

void PaletteModel::setFilter(const QString& text) {
    beginResetModel();
    rows_.clear();
    for (const LayerCategory group : kGroups) {
        const std::size_t head = rows_.size();
        rows_.push_back({nullptr, group});
        for (const LayerSchema& schema : engine::spec::layerSchemas()) {
            if (schema.category != group) continue;
            if (text.isEmpty() || QString::fromStdString(schema.class_name).contains(text, Qt::CaseInsensitive))
                rows_.push_back({&schema, group});
        }
        if (rows_.size() == head + 1) rows_.pop_back();
    }
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return row.schema == nullptr ? groupName(row.category) : QString::fromStdString(row.schema->class_name);
        case kIsGroupRole:
            return row.schema == nullptr;
        case kClassRole:
            return row.schema == nullptr ? QString() : QString::fromStdString(row.schema->class_name);
        case kCategoryRole:
            return static_cast<int>(row.category);
        case kIconRole:
            return row.schema == nullptr ? QString() : canvas::layerIcon(*row.schema);
        case kKeyRole:
            return row.schema == nullptr ? QString() : canvas::addKey(row.schema->class_name);
        default:
            return {};
    }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    if (rows_[static_cast<std::size_t>(index.row())].schema == nullptr) return Qt::ItemNeverHasChildren;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList PaletteModel::mimeTypes() const {
    return {QLatin1String(canvas::kLayerMimeType)};
}

QMimeData* PaletteModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty()) return nullptr;
    auto* mime = new QMimeData;  // QDrag takes it
    mime->setData(QLatin1String(canvas::kLayerMimeType), indexes.front().data(kClassRole).toString().toUtf8());
    return mime;
}

LayerPalette::LayerPalette(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName(QStringLiteral("layerPalette"));
    model_ = new PaletteModel(this);
    search_ = new QLineEdit(this);
    search_->setObjectName(QStringLiteral("paletteSearch"));
    search_->setProperty("compact", true);
    search_->setClearButtonEnabled(true);
    search_->addAction(themes.icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    list_ = new QListView(this);
    list_->setObjectName(QStringLiteral("paletteList"));
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(themes, this));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setDragEnabled(true);
    list_->setDragDropMode(QAbstractItemView::DragOnly);
    list_->setUniformItemSizes(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kSpace4, theme::kSpace5, theme::kSpace4, theme::kSpace2);
    layout->setSpacing(theme::kSpace2);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    connect(search_, &QLineEdit::textChanged, model_, &PaletteModel::setFilter);
    connect(list_, &QListView::activated, this, [this](const QModelIndex& index) {
        const QString class_name = index.data(PaletteModel::kClassRole).toString();
        if (!class_name.isEmpty()) emit layerChosen(class_name);
    });
    // Return adds the first layer that is left, Down goes into the list.
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        for (int row = 0; row < model_->rowCount(); ++row) {
            const QString class_name = model_->index(row).data(PaletteModel::kClassRole).toString();
            if (!class_name.isEmpty()) return emit layerChosen(class_name);
        }
    });
    auto* down = new QShortcut(Qt::Key_Down, search_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(down, &QShortcut::activated, this, [this] {
        list_->setFocus(Qt::ShortcutFocusReason);
        if (model_->rowCount() > 1) list_->setCurrentIndex(model_->index(1));
    });
    retranslate();
}

void LayerPalette::retranslate() {
    search_->setPlaceholderText(tr("Find a layer"));
    search_->setAccessibleName(tr("Find a layer"));
    list_->setAccessibleName(tr("Layers"));
    list_->viewport()->update();
}

void LayerPalette::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void LayerPalette::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themes_.theme().surface);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), themes_.theme().border);
}

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const theme::Theme& t = themes_.theme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF row = option.rect;
    if (index.data(PaletteModel::kIsGroupRole).toBool()) {
        themes_.paintIcon(*painter, QStringLiteral("chevron-down"), QRectF(row.left() + 2, row.center().y() - 6, 12, 12), t.text2);
        paintText(*painter, row.adjusted(18, 0, 0, 0), index.data().toString(), themes_.font(TextRole::kSmallMedium), t.text2);
        painter->restore();
        return;
    }
    const bool focused = (option.state & QStyle::State_HasFocus) != 0;
    if (option.state & QStyle::State_Selected)
        paintBox(*painter, row, 4, t.accent_tint, focused ? t.accent : QColor(), 2);
    else if (option.state & QStyle::State_MouseOver)
        paintBox(*painter, row, 4, t.mixed(t.surface, 4), QColor());
    const auto category = static_cast<LayerCategory>(index.data(PaletteModel::kCategoryRole).toInt());
    const QColor fill = t.categoryColor(category);
    const QRectF square(row.left() + 2, row.center().y() - 10, 20, 20);
    paintBox(*painter, square, 4, fill, QColor());
    themes_.paintIcon(*painter, index.data(PaletteModel::kIconRole).toString(), square.adjusted(3, 3, -3, -3), t.onFill(fill));
    const QString key = index.data(PaletteModel::kKeyRole).toString();
    paintText(*painter, row.adjusted(32, 0, key.isEmpty() ? -4 : -40, 0), index.data().toString(), themes_.font(TextRole::kBody), t.text);
    paintText(*painter, row.adjusted(0, 0, -4, 0), key, themes_.font(TextRole::kMonoTick), t.text3, Qt::AlignRight | Qt::AlignVCenter);
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {120, theme::kListRowHeight};
}

}  // namespace ui::views

#include "moc_model_palette.cpp"
