// SPDX-License-Identifier: GPL-3.0-or-later
// The project's model as Keras Python, two-way: what is typed changes the project, what changes the project is written into the text. A
// statement that can't be read leaves the whole project as it was; its line is marked. Text of other meaning stays as it is and is
// saved with the project.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/run_spec.h"

class QLabel;
class QToolButton;

namespace ui::session {
class Project;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class StatusPill;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class CodeEditor;

class CodePanel : public QWidget {
    Q_OBJECT
public:
    CodePanel(session::Project& project, const theme::ThemeController& themes, QWidget* parent = nullptr);

    // Applies code, or a document that holds some, or a TF_CONFIG that was pasted beside the editor. False: it says nothing about a
    // project, or a part of it can't be read; nothing changed. `message` tells what was read and what was kept.
    bool paste(const QString& text, QString& message);
    void setSelectedLayer(int layer);  // from 0; -1: none
    void focusEditor();
    CodeEditor& editor() { return *editor_; }
    const engine::spec::CodeReading& reading() const { return reading_; }
    void retranslate();

signals:
    void layerEntered(int layer);  // the cursor stands in its lines

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void follow();   // the project changed
    void restart();  // another project
    engine::spec::CodeReading readText() const;
    void takeText();      // what was typed
    void finishTyping();  // takes what was typed and waits to be read
    void takeReading(engine::spec::CodeReading reading, const QString& undo_text, int merge_key);
    void refreshMarks();
    QString runnableCode() const;

    session::Project& project_;
    const theme::ThemeController& themes_;
    widgets::TextLabel *title_, *hint_;
    widgets::StatusPill* pill_;
    QToolButton* copy_;
    CodeEditor* editor_;
    QTimer typing_;
    QElapsedTimer last_typed_;
    int typed_line_ = 0, typing_step_ = 0;
    engine::spec::CodeReading reading_;  // of the editor's text
    engine::spec::RunSpec said_;         // what that text says by itself
    engine::spec::RunSpec agreed_;       // what text and project said alike before the typing that waits to be read
    std::string kept_;                   // RunSpec::code as it was last seen
    int selected_layer_ = -1;
    bool applying_ = false;
    bool stale_ = false;  // hidden while the project changed: brought up to date when it is shown
};

}  // namespace ui::views
