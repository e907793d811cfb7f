// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_view.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QShortcut>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/help/manual_text.h"

namespace ui::views {

namespace {

constexpr int kSideWidth = 236, kNarrowSide = 204;
constexpr int kPlaceRole = Qt::UserRole + 1;  // of an item of the contents: "data.md#sharding"

}  // namespace

ManualView::ManualView(QString folder, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), folder_(std::move(folder)), themes_(themes) {
    setObjectName("manualView");
    build();
    addKeys();
    connect(search_, &QLineEdit::textChanged, this, &ManualView::search);
    connect(search_, &QLineEdit::returnPressed, this, [this] { searchOn(1); });
    const auto open_item = [this](const QModelIndex& index) { follow(index.data(kPlaceRole).toString()); };
    connect(contents_, &QTreeView::clicked, this, open_item);
    connect(contents_, &QTreeView::activated, this, open_item);
    connect(text_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { link.isRelative() ? void(follow(link.toString())) : void(QDesktopServices::openUrl(link)); });
    connect(&themes_, &theme::ThemeController::themeChanged, this, [this] {
        if (!language_.isEmpty()) showPlace(place());
    });
}

void ManualView::build() {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);  // the line of paintEvent()
    side_ = new QWidget(this);
    side_->setAutoFillBackground(true);
    side_->setBackgroundRole(QPalette::Base);
    side_->setFixedWidth(kSideWidth);
    auto* column = new QVBoxLayout(side_);
    column->setContentsMargins(theme::kSpace4, theme::kSpace1, theme::kSpace2, theme::kSpace2);
    column->setSpacing(theme::kSpace2);
    search_ = new QLineEdit(side_);
    search_->setObjectName("manualSearch");
    search_->setProperty("compact", true);
    search_->setClearButtonEnabled(true);
    search_->addAction(themes_.icon("search"), QLineEdit::LeadingPosition);
    column->addWidget(search_);
    found_ = new QLabel(side_);
    found_->setObjectName("manualFound");
    found_->setFont(themes_.font(theme::TextRole::kSmall));
    found_->setWordWrap(true);
    found_->hide();
    column->addWidget(found_);
    model_ = new QStandardItemModel(this);
    contents_ = new QTreeView(side_);
    contents_->setObjectName("manualContents");
    contents_->setModel(model_);
    contents_->setHeaderHidden(true);
    contents_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    contents_->setExpandsOnDoubleClick(false);
    contents_->setIndentation(theme::kSpace4);
    contents_->setTextElideMode(Qt::ElideRight);
    contents_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(contents_, 1);
    row->addWidget(side_);
    text_ = new ManualText(themes_, this);
    text_->setObjectName("manual");
    row->addWidget(text_, 1);
}

void ManualView::addKeys() {
    const auto on = [this](const QKeySequence& keys, auto act) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    on(QKeySequence::Find, [this] {
        side_->show();
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
    on(QKeySequence("F3"), [this] { searchOn(1); });
    on(QKeySequence("Shift+F3"), [this] { searchOn(-1); });
    on(QKeySequence("Shift+Return"), [this] { searchOn(-1); });
    on(QKeySequence("Alt+Left"), [this] { back(); });
    on(QKeySequence("Alt+Right"), [this] { forward(); });
    on(QKeySequence("Esc"), [this] {
        search_->clear();
        text_->setFocus(Qt::OtherFocusReason);
    });
}

void ManualView::open() {
    read();
    text_->setFocus(Qt::OtherFocusReason);
}

void ManualView::retranslate() {
    search_->setPlaceholderText(tr("Search the manual"));
    search_->setAccessibleName(tr("Search the manual"));
    contents_->setAccessibleName(tr("Contents of the manual"));
    text_->setAccessibleName(tr("User manual"));
    if (!language_.isEmpty()) read();
}

void ManualView::setNarrow(bool narrow) {
    side_->setFixedWidth(narrow ? kNarrowSide : kSideWidth);
}

// Opens the same chapter in another language at its top, because headings differ.
void ManualView::read() {
    if (language_ == themes_.language()) return;
    const QString file = book_.isEmpty() ? QString() : book_.chapters()[static_cast<std::size_t>(chapter_)].file;
    language_ = themes_.language();
    book_ = models::ManualBook(folder_, language_);
    back_.clear();
    forward_.clear();
    fillContents();
    if (book_.isEmpty()) {
        text_->setPlainText(tr("The manual is not installed: %1 was expected.").arg(book_.folder() + QStringLiteral("/index.md")));
        return;
    }
    chapter_ = -1;
    showPlace(file.isEmpty() || book_.find(file) < 0 ? book_.chapters().front().file : file);
}

void ManualView::fillContents() {
    model_->clear();
    for (const models::ManualChapter& chapter : book_.chapters()) {
        auto* item = new QStandardItem(chapter.title);
        item->setData(chapter.file, kPlaceRole);
        item->setToolTip(chapter.title);
        for (const models::ManualSection& section : chapter.sections) {
            auto* below = new QStandardItem(section.title);
            below->setData(chapter.file + '#' + section.anchor, kPlaceRole);
            below->setToolTip(section.title);
            item->appendRow(below);
        }
        model_->appendRow(item);
    }
}

QString ManualView::place() const {
    if (book_.isEmpty()) return {};
    const QString& file = book_.chapters()[static_cast<std::size_t>(chapter_)].file;
    return anchor_.isEmpty() ? file : file + '#' + anchor_;
}

bool ManualView::follow(const QString& link) {
    const QString from = place();
    const QString to = link.startsWith('#') && !from.isEmpty() ? from.section('#', 0, 0) + link : link;
    if (!showPlace(to)) return false;
    if (place() != from) {
        back_.push_back(from);
        forward_.clear();
    }
    return true;
}

void ManualView::back() {
    if (back_.isEmpty()) return;
    forward_.push_back(place());
    showPlace(back_.takeLast());
}

void ManualView::forward() {
    if (forward_.isEmpty()) return;
    back_.push_back(place());
    showPlace(forward_.takeLast());
}

// Called for the present place too, when the theme changes.
bool ManualView::showPlace(const QString& place) {
    const int at = book_.find(place.section('#', 0, 0));
    if (at < 0) return false;
    const models::ManualChapter& chapter = book_.chapters()[static_cast<std::size_t>(at)];
    const QString anchor = place.section('#', 1);
    const bool has_anchor = anchor.isEmpty() || chapter.anchors.contains(anchor);
    if (!has_anchor) return false;
    anchor_ = anchor;
    chapter_ = at;
    text_->setChapter(chapter.text, book_.folder());
    search(search_->text());
    text_->goTo(anchor_);
    showCurrent();
    return true;
}

void ManualView::showCurrent() {
    const QModelIndex chapter = model_->index(chapter_, 0);
    contents_->collapseAll();
    contents_->expand(chapter);
    QModelIndex current = chapter;
    for (int row = 0; row < model_->rowCount(chapter); ++row) {
        if (model_->index(row, 0, chapter).data(kPlaceRole).toString() == place()) current = model_->index(row, 0, chapter);
    }
    contents_->setCurrentIndex(current);
}

void ManualView::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), themes_.theme().border);
}

void ManualView::search(const QString& text) {
    marks_ = text_->mark(text);
    mark_ = -1;
    refreshFound();
}

// Past the last place of a chapter the search goes on in the next one that has some.
void ManualView::searchOn(int way) {
    if (search_->text().isEmpty() || book_.isEmpty()) return;
    mark_ += way;
    if (mark_ < 0 || mark_ >= marks_) {
        searchChapters(way);
        mark_ = marks_ == 0 ? -1 : way > 0 ? 0 : marks_ - 1;
    }
    if (mark_ >= 0) text_->showMark(mark_);
    refreshFound();
}

void ManualView::searchChapters(int way) {
    const int count = static_cast<int>(book_.chapters().size()), from = chapter_;
    for (int step = 1; step < count; ++step) {
        const models::ManualChapter& chapter = book_.chapters()[static_cast<std::size_t>(((from + way * step) % count + count) % count)];
        if (!chapter.text.contains(search_->text(), Qt::CaseInsensitive)) continue;
        follow(chapter.file);
        if (marks_ > 0) return;
    }
}

void ManualView::refreshFound() {
    const bool searches = !search_->text().isEmpty();
    found_->setVisible(searches);
    if (!searches) return;
    if (marks_ == 0) {
        found_->setText(tr("Not in this chapter. Enter looks in the others."));
    } else {
        found_->setText(mark_ < 0 ? tr("%n place(s) in this chapter", nullptr, marks_)
                                  : tr("%1 of %2 in this chapter").arg(mark_ + 1).arg(marks_));
    }
}

}  // namespace ui::views

#include "moc_manual_view.cpp"
