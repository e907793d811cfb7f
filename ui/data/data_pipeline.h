// SPDX-License-Identifier: GPL-3.0-or-later
// The steps between the files and a batch, in the project's order: one row of 44 a step with grip, value and switch. A row is dragged, or
// moved by Alt+Up and Alt+Down; below stands what an unusual order means, in the engine's words. Every change is an edit of the project.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/spec/project/run_spec.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace ui::widgets {
class SwitchButton;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class FindingList;
class NumberBox;

using PipelineStep = engine::spec::DataStep;

// The row of a step. It paints grip, name and sentence; the value and the switch are its children.
class PipelineRow : public QWidget {
    Q_OBJECT
public:
    PipelineRow(PipelineStep step, const theme::ThemeController& themes, QWidget* parent);

    PipelineStep step() const { return step_; }
    void setTexts(const QString& name, const QString& sentence, const QString& place);
    void setLast(bool last);
    void setNarrow(bool narrow);
    NumberBox* addNumber(int minimum, int maximum);
    QLineEdit* addText();
    widgets::SwitchButton& switchButton() { return *switch_; }
    QWidget* value() const { return value_; }

signals:
    void moveWanted(int places);            // by keys: -1 up, 1 down
    void dragged(const QPoint& global_at);  // the mouse holds the row
    void dropped();
    void dragCancelled();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void endDrag();

    const PipelineStep step_;
    const theme::ThemeController& themes_;
    QString name_, sentence_;
    widgets::SwitchButton* switch_;
    QWidget* value_ = nullptr;
    bool last_ = false, is_held_ = false, is_dragged_ = false;
    QPoint pressed_at_;
};

class PipelinePanel : public QWidget {
    Q_OBJECT
public:
    PipelinePanel(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    // Sets the bytes that the decoded training samples take, 0 = not known; for the sentence of cache.
    void setCacheBytes(std::int64_t bytes);
    void refresh();
    // Takes what is typed and not in the project yet.
    void finishTyping();
    void retranslate();
    void setNarrow(bool narrow);
    // Returns the rows in their present order, for tests.
    std::vector<PipelineStep> shownSteps() const;
    PipelineRow& row(PipelineStep step) const { return *rows_[static_cast<std::size_t>(step)]; }
    // The place between rows where a dragged row would be dropped, 0 = in front of all; -1 while none is dragged.
    int dropPlace() const { return drop_place_; }

private:
    PipelineRow* addRow(PipelineStep step);
    void buildRows();
    void openMenu();
    void switchStep(PipelineStep step, bool on);
    void moveBy(PipelineStep step, int places);
    void moveTo(PipelineStep step, int place);
    void showDropPlace(PipelineStep step, const QPoint& global_at);
    void endDrag();
    void refreshFindings();
    void mend(int finding);
    void readNormalise();
    bool isShown(PipelineStep step) const;
    bool isOn(PipelineStep step) const;
    QString nameOf(PipelineStep step) const;
    QString sentenceOf(PipelineStep step) const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    widgets::TextLabel* title_;
    QPushButton* add_;
    QWidget* frame_;
    QVBoxLayout* list_;
    std::vector<PipelineRow*> rows_;  // by step
    NumberBox *take_, *classes_, *shuffle_, *repeat_, *prefetch_;
    QLineEdit* normal_;
    QString shown_normal_;  // what the project last said
    QWidget* drop_mark_;
    int drop_place_ = -1;
    FindingList* findings_;
    engine::spec::Diagnostics shown_findings_;
    std::int64_t cache_bytes_ = 0;
};

}  // namespace ui::views
