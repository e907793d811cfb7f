// SPDX-License-Identifier: GPL-3.0-or-later
// A text field for Python: line numbers, colours by the theme's code tokens, marks on lines. Knows nothing of what the text means.
#pragma once

#include <QPlainTextEdit>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

struct CodeMark {
    enum class Kind { kSelected, kKept, kWarning, kError };
    Kind kind = Kind::kKept;
    int first_line = 1, last_line = 1;  // from 1
    QString text{};                     // its tooltip: a finding as engine words it
    friend bool operator==(const CodeMark&, const CodeMark&) = default;
};

class CodeHighlighter;

class CodeEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeEditor(const theme::ThemeController& themes, QWidget* parent = nullptr);

    // Replaces the text without textEdited(); the view stays where it is, the cursor where the text is the same.
    void showCode(const QString& text);
    void setMarks(std::vector<CodeMark> marks);
    const std::vector<CodeMark>& marks() const { return marks_; }
    void revealLine(int line);
    int currentLine() const;  // from 1

signals:
    void textEdited();  // by the user
    void pasteBegins();
    void pasted();               // after textEdited()
    void undoPressed();          // before the window takes it: the editor has no undo of its own
    void lineEntered(int line);  // the cursor was moved there by the user

protected:
    bool event(QEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    friend class CodeGutter;
    friend class CodeHighlighter;
    void paintGutter(QPainter& painter, const QRect& area);
    int gutterWidth() const;
    const CodeMark* markAt(int line) const;  // the gravest
    void refresh();

    const theme::ThemeController& themes_;
    CodeHighlighter* highlighter_;
    QWidget* gutter_;
    std::vector<CodeMark> marks_;
    std::vector<bool> kept_lines_;  // from 0
    bool showing_ = false;
};

}  // namespace ui::views
