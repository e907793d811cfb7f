// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_text.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextFrame>
#include <QTextTable>
#include <algorithm>

#include "ui/help/manual_book.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kReadingWidth = 780;  // longer lines are hard to follow
constexpr int kLinePercent = 145, kCodePercent = 130;

struct Fragment {
    int from, to;
    QTextCharFormat format;
};

// Returns the fragments of the whole document, so that formats may be set while walking through them.
std::vector<Fragment> fragmentsOf(const QTextDocument& document) {
    std::vector<Fragment> out;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment fragment = it.fragment();
            out.push_back({fragment.position(), fragment.position() + fragment.length(), fragment.charFormat()});
        }
    }
    return out;
}

QTextCursor cursorOver(QTextDocument* document, int from, int to) {
    QTextCursor cursor(document);
    cursor.setPosition(from);
    cursor.setPosition(to, QTextCursor::KeepAnchor);
    return cursor;
}

bool isCode(const QTextBlock& block) {
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence) || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

}  // namespace

ManualText::ManualText(const theme::ThemeController& themes, QWidget* parent) : QTextBrowser(parent), themes_(themes) {
    setOpenLinks(false);
    setUndoRedoEnabled(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
}

void ManualText::setChapter(const QString& markdown, const QString& folder) {
    if (folder != folder_) pictures_.clear();
    folder_ = folder;
    marks_.clear();
    shown_mark_ = -1;
    document()->setDefaultFont(themes_.font(TextRole::kBody));
    document()->setMarkdown(markdown, QTextDocument::MarkdownDialectGitHub);
    dress();
    verticalScrollBar()->setValue(0);
}

bool ManualText::goTo(const QString& anchor) {
    if (anchor.isEmpty()) {
        verticalScrollBar()->setValue(0);
        return true;
    }
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || models::manualAnchor(block.text()) != anchor) continue;
        setTextCursor(QTextCursor(block));
        (void)document()->size();  // lays out to the end: only then the scroll bar reaches there
        const double top = document()->documentLayout()->blockBoundingRect(block).top();
        verticalScrollBar()->setValue(static_cast<int>(top) - theme::kSpace4);
        return true;
    }
    return false;
}

int ManualText::mark(const QString& text) {
    marks_.clear();
    shown_mark_ = -1;
    if (!text.isEmpty()) {
        for (QTextCursor found = document()->find(text); !found.isNull(); found = document()->find(text, found)) marks_.push_back(found);
    }
    refreshMarks();
    return static_cast<int>(marks_.size());
}

void ManualText::showMark(int place) {
    shown_mark_ = place;
    refreshMarks();
    QTextCursor at = marks_.at(static_cast<std::size_t>(place));
    at.clearSelection();
    setTextCursor(at);
    ensureCursorVisible();
}

void ManualText::refreshMarks() {
    const theme::Theme& t = themes_.theme();
    QList<ExtraSelection> selections;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const bool is_shown = static_cast<int>(i) == shown_mark_;
        ExtraSelection selection;
        selection.cursor = marks_[i];
        selection.format.setBackground(is_shown ? t.accent_fill : t.warn_tint);
        selection.format.setForeground(is_shown ? t.on_accent : t.text);
        selections.push_back(selection);
    }
    setExtraSelections(selections);
}

void ManualText::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fitColumn();
}

void ManualText::dress() {
    dressBlocks();
    dressWords();
    dressTables();
    dressCode();
    fitColumn();
}

void ManualText::dressBlocks() {
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        QTextCursor cursor(block);
        QTextBlockFormat format;
        format.setLineHeight(isCode(block) ? kCodePercent : kLinePercent, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(level == 0 ? 0 : level == 1 ? theme::kSpace2 : theme::kSpace6);
        format.setBottomMargin(isCode(block) ? 0 : block.textList() != nullptr ? theme::kSpace1 : theme::kSpace2);
        format.setNonBreakableLines(false);  // long lines of code wrap: nothing is to be scrolled sideways
        cursor.mergeBlockFormat(format);
        if (level == 0) continue;
        QTextCharFormat words;  // whole: Markdown's own says how much larger than the text
        words.setFont(themes_.font(level == 1 ? TextRole::kDisplay : level == 2 ? TextRole::kTitle : TextRole::kSection));
        words.setForeground(themes_.theme().text);
        cursorOver(document(), block.position(), block.position() + block.length() - 1).setCharFormat(words);
    }
}

void ManualText::dressWords() {
    const theme::Theme& t = themes_.theme();
    for (const Fragment& fragment : fragmentsOf(*document())) {
        QTextCharFormat format;
        if (fragment.format.isImageFormat()) continue;
        if (fragment.format.isAnchor()) {
            format.setForeground(t.accent);
            format.setFontUnderline(false);
        }
        if (fragment.format.fontFixedPitch()) {
            format.setFontFamilies(themes_.font(TextRole::kMono).families());
            format.setProperty(QTextFormat::FontPixelSize, themes_.font(TextRole::kMono).pixelSize());
            if (!isCode(document()->findBlock(fragment.from))) format.setBackground(t.sunken);
        }
        if (!format.isEmpty()) cursorOver(document(), fragment.from, fragment.to).mergeCharFormat(format);
    }
}

void ManualText::dressTables() {
    for (QTextFrame* frame : document()->rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderBrush(themes_.theme().border_strong);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderCollapse(true);
        format.setCellPadding(5);
        format.setCellSpacing(0);
        format.setBottomMargin(theme::kSpace3);
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        table->setFormat(format);
        for (int column = 0; column < table->columns(); ++column) {
            QTextTableCell cell = table->cellAt(0, column);
            QTextCharFormat head = cell.format();
            head.setBackground(themes_.theme().sunken);
            cell.setFormat(head);
        }
    }
}

// Puts each run of code lines in a frame of its own, from the last to the first so that positions stay.
void ManualText::dressCode() {
    std::vector<std::pair<int, int>> runs;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (!isCode(block)) continue;
        const int from = block.position();
        while (isCode(block.next())) block = block.next();
        runs.emplace_back(from, block.position() + block.length() - 1);
    }
    QTextFrameFormat format;
    format.setBackground(themes_.theme().sunken);
    format.setBorder(1);
    format.setBorderBrush(themes_.theme().border);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setPadding(theme::kSpace2);
    format.setTopMargin(theme::kSpace1);
    format.setBottomMargin(theme::kSpace3);
    for (auto it = runs.rbegin(); it != runs.rend(); ++it) cursorOver(document(), it->first, it->second).insertFrame(format);
}

void ManualText::fitColumn() {
    const int room = viewport()->width() - 2 * theme::kSpace7;
    const int width = std::clamp(room, 200, kReadingWidth);
    QTextFrameFormat format = document()->rootFrame()->frameFormat();
    format.setLeftMargin(theme::kSpace7);
    format.setRightMargin(theme::kSpace7 + std::max(0, room - width));
    format.setTopMargin(theme::kSpace2);
    format.setBottomMargin(theme::kSpace7);
    document()->rootFrame()->setFrameFormat(format);
    fitPictures(width);
}

void ManualText::fitPictures(int width) {
    for (const Fragment& fragment : fragmentsOf(*document())) {
        if (!fragment.format.isImageFormat()) continue;
        QTextImageFormat format = fragment.format.toImageFormat();
        const QString name = format.name();
        if (!pictures_.contains(name)) pictures_.insert(name, QImage(folder_ + '/' + name));
        const QImage& picture = pictures_[name];
        if (picture.isNull()) continue;
        const QSize size = picture.width() <= width ? picture.size() : picture.size().scaled(width, picture.height(), Qt::KeepAspectRatio);
        document()->addResource(QTextDocument::ImageResource, QUrl(name), fitted(picture, size));
        format.setWidth(size.width());
        format.setHeight(size.height());
        cursorOver(document(), fragment.from, fragment.to).setCharFormat(format);
    }
}

// Every pixel of the screen is worked out here: what the layout draws is not scaled again.
QImage ManualText::fitted(const QImage& picture, const QSize& size) const {
    const double ratio = devicePixelRatioF();
    QImage out = picture.scaled((QSizeF(size) * ratio).toSize(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                     .convertToFormat(QImage::Format_ARGB32_Premultiplied);
    out.setDevicePixelRatio(ratio);
    QPainter painter(&out);
    painter.setPen(themes_.theme().border_strong);
    painter.drawRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1));
    return out;
}

}  // namespace ui::views

#include "moc_manual_text.cpp"
