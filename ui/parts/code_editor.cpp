// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/code_editor.h"

#include <QHelpEvent>
#include <QMimeData>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>

#include "engine/spec/keras/keras_code.h"
#include "ui/models/finding_text.h"
#include "ui/widgets/window_undo.h"

namespace ui::views {

using theme::TextRole;

namespace {

constexpr int kDigitsRoom = 26, kGutterSide = 8;
constexpr qsizetype kMostGrounds = 1000;  // lines with a ground of their own: each is looked at for each line that is painted

bool isWithin(const CodeMark& mark, int line) {
    return line >= mark.first_line && line <= mark.last_line;
}

}  // namespace

// Python's words, texts, numbers and calls; comments and lines that are kept as text stay quiet. Texts over several lines are followed by
// the block's state: 1 for ''' and 2 for """.
class CodeHighlighter : public QSyntaxHighlighter {
public:
    CodeHighlighter(const theme::ThemeController& themes, const CodeEditor& editor)
        : QSyntaxHighlighter(editor.document()), themes_(themes), editor_(editor) {}

protected:
    void highlightBlock(const QString& text) override {
        const theme::Theme& t = themes_.theme();
        setCurrentBlockState(0);
        int from = 0;
        if (previousBlockState() > 0) from = highlightLongText(text, 0, previousBlockState());
        static const QRegularExpression token(
            R"((?<comment>#.*)|(?<long>'''|""")|(?<string>[rRbBuUfF]{0,2}(?:'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?))|)"
            R"((?<number>\b\d[\w.]*(?:(?<=[eE])[+-]\d+)?)|(?<word>\b[A-Za-z_]\w*\b)(?<call>\s*\()?)");
        static const QSet<QString> keywords{"def",    "class", "if",    "elif",     "else",   "return", "for",    "while",
                                            "in",     "not",   "and",   "or",       "is",     "import", "from",   "as",
                                            "with",   "None",  "True",  "False",    "pass",   "lambda", "yield",  "try",
                                            "except", "raise", "break", "continue", "global", "del",    "finally"};
        // The characters are checked once, not in each search of a line that may hold the whole text.
        const bool valid = text.isValidUtf16();
        while (valid && from >= 0 && from < text.size()) {
            const QRegularExpressionMatch found =
                token.match(text, from, QRegularExpression::NormalMatch, QRegularExpression::DontCheckSubjectStringMatchOption);
            if (!found.hasMatch()) break;
            const int start = static_cast<int>(found.capturedStart());
            int end = static_cast<int>(found.capturedEnd());
            const auto paint = [&](const QString& group, const QColor& color) {
                setFormat(static_cast<int>(found.capturedStart(group)), static_cast<int>(found.capturedLength(group)), color);
            };
            if (found.capturedLength(u"comment") > 0) {
                paint("comment", t.text3);
            } else if (found.capturedLength(u"long") > 0) {
                end = highlightLongText(text, start, text[start] == '\'' ? 1 : 2);
                if (end < 0) break;
            } else if (found.capturedLength(u"string") > 0) {
                paint("string", t.code.string);
            } else if (found.capturedLength(u"number") > 0) {
                paint("number", t.code.number);
            } else if (keywords.contains(found.captured(u"word"))) {
                paint("word", t.code.keyword);
                end = static_cast<int>(found.capturedEnd(u"word"));
            } else if (found.capturedLength(u"call") > 0) {
                paint("word", t.code.call);
                end = static_cast<int>(found.capturedEnd(u"word"));
            }
            from = std::max(end, start + 1);
        }
        const auto line = static_cast<std::size_t>(currentBlock().blockNumber());
        if (line < editor_.kept_lines_.size() && editor_.kept_lines_[line]) setFormat(0, static_cast<int>(text.size()), t.code.unchanged);
    }

private:
    // Behind its end; -1 when it goes on below.
    int highlightLongText(const QString& text, int from, int state) {
        const QString quotes = state == 1 ? QStringLiteral("'''") : QStringLiteral("\"\"\"");
        const bool opens = previousBlockState() <= 0 || from > 0;
        const qsizetype end = text.indexOf(quotes, opens ? from + 3 : from);
        const int behind = end < 0 ? static_cast<int>(text.size()) : static_cast<int>(end) + 3;
        setFormat(from, behind - from, themes_.theme().code.string);
        if (end < 0) setCurrentBlockState(state);
        return end < 0 ? -1 : behind;
    }

    const theme::ThemeController& themes_;
    const CodeEditor& editor_;
};

class CodeGutter : public QWidget {
public:
    explicit CodeGutter(CodeEditor* editor) : QWidget(editor), editor_(editor) { setAttribute(Qt::WA_TransparentForMouseEvents); }

protected:
    void paintEvent(QPaintEvent* event) override {
        QPainter painter(this);
        editor_->paintGutter(painter, event->rect());
    }

private:
    CodeEditor* editor_;
};

CodeEditor::CodeEditor(const theme::ThemeController& themes, QWidget* parent) : QPlainTextEdit(parent), themes_(themes) {
    setObjectName(QStringLiteral("codeEditor"));
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(themes.font(TextRole::kMono));
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    document()->setDocumentMargin(theme::kSpace1);
    highlighter_ = new CodeHighlighter(themes, *this);
    gutter_ = new CodeGutter(this);
    setViewportMargins(gutterWidth(), 0, 0, 0);
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(gutterWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& area, int scrolled) {
        scrolled != 0 ? gutter_->scroll(0, scrolled) : gutter_->update(0, area.y(), gutter_->width(), area.height());
    });
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!showing_) emit textEdited();
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (!showing_ && hasFocus()) emit lineEntered(currentLine());
    });
    connect(&themes, &theme::ThemeController::themeChanged, this, &CodeEditor::refresh);
    refresh();
}

void CodeEditor::showCode(const QString& text) {
    if (text == toPlainText()) return;
    showing_ = true;
    const int at = verticalScrollBar()->value();
    const QString before = toPlainText();
    const auto [here, there] = std::mismatch(before.begin(), before.end(), text.begin(), text.end());
    const auto same = static_cast<int>(here - before.begin());
    const int cursor = textCursor().position();
    setPlainText(text);
    const int behind = static_cast<int>(before.size()) - cursor;  // characters behind the cursor
    QTextCursor back = textCursor();
    back.setPosition(cursor <= same ? cursor : std::clamp(static_cast<int>(text.size()) - behind, same, static_cast<int>(text.size())));
    setTextCursor(back);
    verticalScrollBar()->setValue(at);
    showing_ = false;
}

void CodeEditor::setMarks(std::vector<CodeMark> marks) {
    if (marks == marks_) return;
    marks_ = std::move(marks);
    kept_lines_.assign(static_cast<std::size_t>(blockCount()), false);
    for (const CodeMark& mark : marks_) {
        if (mark.kind != CodeMark::Kind::kKept) continue;
        for (int line = std::max(mark.first_line, 1); line <= std::min(mark.last_line, blockCount()); ++line)
            kept_lines_[static_cast<std::size_t>(line - 1)] = true;
    }
    refresh();
}

void CodeEditor::refresh() {
    const theme::Theme& t = themes_.theme();
    QList<QTextEdit::ExtraSelection> selections;
    for (const CodeMark& mark : marks_) {
        if (mark.kind == CodeMark::Kind::kKept) continue;
        const QColor ground = mark.kind == CodeMark::Kind::kSelected ? t.accent_tint
                              : mark.kind == CodeMark::Kind::kError  ? t.err_tint
                                                                     : t.warn_tint;
        QTextBlock block = document()->findBlockByNumber(mark.first_line - 1);
        for (int line = mark.first_line; line <= mark.last_line && block.isValid() && selections.size() < kMostGrounds;
             ++line, block = block.next()) {
            QTextEdit::ExtraSelection selection;
            selection.cursor = QTextCursor(block);
            selection.format.setBackground(ground);
            selection.format.setProperty(QTextFormat::FullWidthSelection, true);
            selections << selection;
        }
    }
    setExtraSelections(selections);
    const bool before = showing_;
    showing_ = true;  // colours are no edit
    highlighter_->rehighlight();
    showing_ = before;
    gutter_->update();
}

void CodeEditor::revealLine(int line) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid() || hasFocus()) return;
    const int top = verticalScrollBar()->value(), rows = verticalScrollBar()->pageStep();
    if (line - 1 < top || line > top + rows) verticalScrollBar()->setValue(std::max(0, line - 1 - rows / 3));
}

int CodeEditor::currentLine() const {
    return textCursor().blockNumber() + 1;
}

int CodeEditor::gutterWidth() const {
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return std::max(kDigitsRoom,
                    QFontMetrics(themes_.font(TextRole::kMonoTick)).horizontalAdvance(QLatin1Char('9')) * digits + kGutterSide) +
           kGutterSide;
}

const CodeMark* CodeEditor::markAt(int line) const {
    const CodeMark* gravest = nullptr;
    for (const CodeMark& mark : marks_) {
        if (isWithin(mark, line) && (gravest == nullptr || mark.kind > gravest->kind)) gravest = &mark;
    }
    return gravest;
}

void CodeEditor::paintGutter(QPainter& painter, const QRect& area) {
    const theme::Theme& t = themes_.theme();
    painter.fillRect(area, t.surface);
    painter.setFont(themes_.font(TextRole::kMonoTick));
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= area.bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        const int line = block.blockNumber() + 1;
        const QRectF row(0, top, gutter_->width(), height);
        const CodeMark* mark = markAt(line);
        QColor ink = t.text3;
        if (mark != nullptr && mark->kind != CodeMark::Kind::kKept) {
            const bool error = mark->kind == CodeMark::Kind::kError, warning = mark->kind == CodeMark::Kind::kWarning;
            painter.fillRect(row, error ? t.err_tint : warning ? t.warn_tint : t.accent_tint);
            ink = error ? t.err : warning ? t.warn : t.accent;
            painter.fillRect(QRectF(0, top, 3, height), error ? t.err : warning ? t.warn : t.accent_fill);
        }
        painter.setPen(ink);
        painter.drawText(row.adjusted(0, 0, -kGutterSide, 0), Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        top += height;
    }
}

bool CodeEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && widgets::isUndoKey(*static_cast<QKeyEvent*>(event))) {
        emit undoPressed();
        event->ignore();
        return true;
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const CodeMark* mark = markAt(cursorForPosition(viewport()->mapFrom(this, help->pos())).blockNumber() + 1);
        QToolTip::showText(help->globalPos(), mark == nullptr ? QString() : models::findingText(mark->text), this);
        return true;
    }
    return QPlainTextEdit::event(event);
}

void CodeEditor::insertFromMimeData(const QMimeData* source) {
    emit pasteBegins();
    // Only the code of a pasted document is taken; indentation is taken off when the paste is all there is.
    const std::string text = source->text().toStdString();
    const engine::spec::CodeDocument code = engine::spec::readDocument(text);
    const bool all = document()->isEmpty() || textCursor().selectedText().size() >= toPlainText().size();
    const bool prompts = text.find(">>> ") != std::string::npos || text.find("In [") != std::string::npos;
    if (code.is_document && !code.blocks.empty() && (code.lines_left > 0 || prompts || all)) {
        textCursor().insertText(QString::fromStdString(code.code));
    } else {
        QPlainTextEdit::insertFromMimeData(source);
    }
    emit pasted();
}

// The key Return keeps the indent, one step deeper behind a colon or an open bracket.
void CodeEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return && event->modifiers() == Qt::NoModifier) {
        const QString before = textCursor().block().text().left(textCursor().positionInBlock());
        qsizetype blank = 0;
        while (blank < before.size() && before[blank].isSpace()) ++blank;
        QString indent = before.left(blank);
        const QString trimmed = before.trimmed();
        if (trimmed.endsWith(':') || trimmed.endsWith('(') || trimmed.endsWith('[')) indent += QStringLiteral("  ");
        insertPlainText(QLatin1Char('\n') + indent);
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void CodeEditor::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    gutter_->setGeometry(contentsRect().left(), contentsRect().top(), gutterWidth(), contentsRect().height());
}

void CodeEditor::paintEvent(QPaintEvent* event) {
    QPlainTextEdit::paintEvent(event);
    if (gutter_->width() != gutterWidth())
        gutter_->setGeometry(contentsRect().left(), contentsRect().top(), gutterWidth(), contentsRect().height());
}

}  // namespace ui::views

#include "moc_code_editor.cpp"
