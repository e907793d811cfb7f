// SPDX-License-Identifier: GPL-3.0-or-later
// The project's model as Keras Python, two-way: what is typed changes the project, what changes the project is written into the text. A
// statement that can't be read leaves the whole project as it was; its line is marked. Text of other meaning stays as it is and is
// saved with the project. A long text is read on a thread of its own: by then it counts as typed and not read, and the editor takes no
// typing while the project is written into it.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/run_spec.h"
#include "ui/model/code_changes.h"
#include "ui/model/code_work.h"

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

    // What became of a paste: `message` tells what was read and what was kept. Not taken: the text says nothing about a project, or a part
    // of it can't be read; nothing changed, and `layers` are those of a text that has nothing else.
    struct Pasted {
        bool taken = false;
        QString message{};
        std::optional<std::vector<engine::spec::LayerSpec>> layers{};
    };
    // Applies code, or a document that holds some, or a TF_CONFIG that was pasted beside the editor. nullopt: it is long, and pasted()
    // follows unless the paste is cancelled or another project is opened.
    std::optional<Pasted> paste(const QString& text);
    void cancelPaste();
    // A text of more characters is read on a thread of its own: reading it takes about 0.1 s.
    static constexpr std::size_t kLongText = 64 << 10;
    // True while a long text is read.
    bool isReading() const { return work_.isRunning(); }
    void setSelectedLayer(int layer);  // from 0; -1: none
    void focusEditor();
    CodeEditor& editor() { return *editor_; }
    const engine::spec::CodeReading& reading() const { return reading_; }
    void retranslate();

signals:
    void layerEntered(int layer);  // the cursor stands in its lines
    void pasted(ui::views::CodePanel::Pasted pasted);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    // What a long text is read for. The editor's text is not in the project (kTake), the project is not in the text (kBring).
    enum class Pending { kNone, kPaste, kTake, kBring };
    // A change of the text that is not in the project yet.
    struct Unread {
        QString undo_text;
        int merge_key = 0;
    };

    void follow();   // the project changed
    void restart();  // another project
    // Does the work, on a thread of its own where the text is long. Work in progress is cancelled.
    void work(std::size_t length, Pending pending, const CodeWork::Work& work);
    void ended();       // the work that was begun, however
    void drop();        // the work in progress
    void takeUnread();  // into the project
    void applyTaken(const Unread& unread, TakenText taken);
    void bring(bool typed);  // the project into the text
    void applyBrought(BroughtText brought);
    void readPasted();
    Pasted applyPasted(PastedText pasted);
    void resume();        // with what came up while a paste was read, as far as that left it undone
    void takeText();      // what was typed
    void finishTyping();  // takes what was typed or pasted and waits to be read, at once
    std::size_t lengthOfText() const;
    Unread edited() const;
    void refreshMarks();
    void refreshState();
    QString runnableCode() const;

    session::Project& project_;
    const theme::ThemeController& themes_;
    widgets::TextLabel *title_, *hint_;
    widgets::StatusPill* pill_;
    QToolButton *copy_, *cancel_;
    CodeEditor* editor_;
    QTimer typing_;
    QElapsedTimer last_typed_;
    struct {
        int line = 0, step = 0;  // of undo
    } typed_;
    engine::spec::CodeReading reading_;  // of the editor's text
    engine::spec::RunSpec said_;         // what that text says by itself
    engine::spec::RunSpec agreed_;       // what text and project said alike before the typing that waits to be read
    std::string kept_;                   // RunSpec::code as it was last seen
    std::vector<std::string> parts_;     // of which the text says something else than the project
    int selected_layer_ = -1;
    bool applying_ = false;
    bool stale_ = false;  // hidden while the project changed, or a paste was read: brought up to date when that is over
    bool said_is_old_ = true;
    bool at_once_ = false;  // whoever asks can't wait for a thread
    std::optional<Unread> unread_;
    Pending pending_ = Pending::kNone;
    struct {
        std::string text;              // that is read
        std::optional<Pasted> result;  // for paste() alone
        bool is_asked = false;         // by paste(), which waits for it
    } paste_;
    CodeWork work_;
};

}  // namespace ui::views
