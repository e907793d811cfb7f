// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcut_dialog.h"

#include <QAbstractTableModel>
#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;

namespace {

constexpr QSize kLeastSize{620, 420};
constexpr int kKeysWidth = 190;

}  // namespace

// One row an action: what it does, its keys, its default keys.
class ShortcutModel : public QAbstractTableModel {
public:
    enum Column { kAction, kKeys, kDefault, kColumnCount };
    ShortcutModel(const ShortcutStore& store, const theme::ThemeController& themes, QObject* parent)
        : QAbstractTableModel(parent), store_(store), themes_(themes) {}

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(store_.actions().size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kColumnCount; }
    QAction* action(int row) const { return store_.actions()[static_cast<std::size_t>(row)]; }

    QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
        const QAction* action = this->action(index.row());
        const bool changed = action->shortcut() != store_.defaultOf(action);
        if (role == Qt::FontRole) {
            if (index.column() != kAction) return themes_.font(TextRole::kMono);
            return themes_.font(changed ? TextRole::kStrong : TextRole::kBody);
        }
        if (role == Qt::ForegroundRole && index.column() == kDefault) return themes_.theme().text2;
        if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
        switch (index.column()) {
            case kAction:
                return ShortcutStore::nameOf(action);
            case kKeys:
                return action->shortcut().toString(QKeySequence::NativeText);
            default:
                return store_.defaultOf(action).toString(QKeySequence::NativeText);
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
        return section == kAction ? ShortcutDialog::tr("Action")
               : section == kKeys ? ShortcutDialog::tr("Keys")
                                  : ShortcutDialog::tr("By default");
    }

    void announce() {
        emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
        emit headerDataChanged(Qt::Horizontal, 0, kColumnCount - 1);
    }

private:
    const ShortcutStore& store_;
    const theme::ThemeController& themes_;
};

ShortcutDialog::ShortcutDialog(ShortcutStore& store, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent), store_(store), model_(new ShortcutModel(store, themes, this)), filtered_(new QSortFilterProxyModel(this)) {
    setObjectName("shortcutDialog");
    setMinimumSize(kLeastSize);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, theme::kSpace5, theme::kSpace6, theme::kSpace5);
    column->setSpacing(theme::kSpace4);
    auto* head = new QHBoxLayout;
    title_ = new widgets::TextLabel(themes, TextRole::kTitle, Ink::kText, this);
    filter_ = new QLineEdit(this);
    filter_->setObjectName("shortcutFilter");
    filter_->setClearButtonEnabled(true);
    head->addWidget(title_, 1);
    head->addWidget(filter_, 1);
    column->addLayout(head);
    filtered_->setSourceModel(model_);
    filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    filtered_->setFilterKeyColumn(-1);
    table_ = new QTableView(this);
    table_->setObjectName("shortcutTable");
    table_->setModel(filtered_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(theme::kListRowHeight);
    table_->horizontalHeader()->setSectionResizeMode(ShortcutModel::kAction, QHeaderView::Stretch);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setColumnWidth(ShortcutModel::kKeys, kKeysWidth);
    table_->setColumnWidth(ShortcutModel::kDefault, kKeysWidth);
    column->addWidget(table_, 1);
    auto* editor = new QHBoxLayout;
    editor->setSpacing(theme::kSpace2);
    keys_label_ = new widgets::TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    keys_ = new QKeySequenceEdit(this);
    keys_->setObjectName("shortcutKeys");
    keys_->setFixedWidth(kKeysWidth);
    assign_ = widgets::makeButton(themes, {.object_name = "shortcutAssign"}, this);
    reset_ = widgets::makeButton(themes, {.object_name = "shortcutReset"}, this);
    keys_label_->setBuddy(keys_);
    editor->addWidget(keys_label_);
    editor->addWidget(keys_);
    editor->addWidget(assign_);
    editor->addWidget(reset_);
    editor->addStretch();
    column->addLayout(editor);
    conflict_ = new widgets::TextLabel(themes, TextRole::kSmall, Ink::kWarn, this);
    conflict_->setObjectName("shortcutConflict");
    conflict_->setWordWrap(true);
    column->addWidget(conflict_);
    auto* foot = new QHBoxLayout;
    reset_all_ = widgets::makeButton(themes, {.object_name = "shortcutResetAll"}, this);
    close_ = widgets::makeButton(themes, {.object_name = "shortcutClose"}, this);
    foot->addWidget(reset_all_);
    foot->addStretch();
    foot->addWidget(close_);
    column->addLayout(foot);

    connect(filter_, &QLineEdit::textChanged, filtered_, &QSortFilterProxyModel::setFilterFixedString);
    connect(filter_, &QLineEdit::textChanged, this, &ShortcutDialog::refresh);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        keys_->setKeySequence(chosen() ? chosen()->shortcut() : QKeySequence());
        refresh();
    });
    connect(table_, &QTableView::activated, keys_, [this] { keys_->setFocus(); });
    connect(keys_, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutDialog::refresh);
    connect(assign_, &QPushButton::clicked, this, [this] {
        table_->setFocus();  // the button that is greyed next would hand the focus to "Reset all"
        if (QAction* action = chosen()) store_.assign(action, typed());
    });
    connect(reset_, &QPushButton::clicked, this, [this] {
        table_->setFocus();
        if (QAction* action = chosen()) store_.reset(action);
    });
    connect(reset_all_, &QPushButton::clicked, &store_, &ShortcutStore::resetAll);
    connect(close_, &QPushButton::clicked, this, &QDialog::accept);
    connect(&store_, &ShortcutStore::changed, this, [this] {
        model_->announce();
        keys_->setKeySequence(chosen() ? chosen()->shortcut() : QKeySequence());
        refresh();
    });
    retranslate();
    table_->selectRow(0);
    setFocusProxy(filter_);
}

ShortcutDialog::~ShortcutDialog() = default;

QAction* ShortcutDialog::chosen() const {
    const QModelIndex at = table_->selectionModel()->currentIndex();
    return at.isValid() ? model_->action(filtered_->mapToSource(at).row()) : nullptr;
}

// Returns one chord: actions of the studio have no sequences of several.
QKeySequence ShortcutDialog::typed() const {
    const QKeySequence keys = keys_->keySequence();
    return keys.isEmpty() ? keys : QKeySequence(keys[0]);
}

void ShortcutDialog::refresh() {
    const QAction* action = chosen();
    const QAction* holder = action ? store_.holderOf(typed(), action) : nullptr;
    conflict_->setText(holder ? tr("%1 belongs to “%2”, which will have no key then.")
                                    .arg(typed().toString(QKeySequence::NativeText), ShortcutStore::nameOf(holder))
                              : QString());
    assign_->setText(holder ? tr("Take it over") : tr("Assign"));
    assign_->setEnabled(action && typed() != action->shortcut());
    reset_->setEnabled(action && action->shortcut() != store_.defaultOf(action));
    keys_->setEnabled(action);
}

void ShortcutDialog::retranslate() {
    title_->setText(tr("Keyboard shortcuts"));
    setWindowTitle(title_->text());
    filter_->setPlaceholderText(tr("Filter by action or keys"));
    filter_->setAccessibleName(filter_->placeholderText());
    table_->setAccessibleName(tr("Actions and their keys"));
    keys_label_->setText(tr("New keys"));
    keys_->setAccessibleName(keys_label_->text());
    reset_->setText(tr("Reset"));
    reset_all_->setText(tr("Reset all"));
    close_->setText(tr("Close"));
    model_->announce();
    refresh();
}

void ShortcutDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

}  // namespace ui::views

#include "moc_shortcut_dialog.cpp"
