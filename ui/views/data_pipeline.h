// SPDX-License-Identifier: GPL-3.0-or-later
// The steps between the files and a batch: one row of 44 a step with value and switch. Every change is an edit of the project.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace ui::widgets {
class SwitchButton;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

enum class PipelineStep { kTake, kMap, kNormalise, kOneHot, kCache, kShuffle, kBatch, kPrefetch };

// A step's row. Painted name and sentence; the value and the switch are its children.
class PipelineRow : public QWidget {
    Q_OBJECT
public:
    PipelineRow(PipelineStep step, const theme::ThemeController& themes, QWidget* parent);

    PipelineStep step() const { return step_; }
    void setTexts(const QString& name, const QString& sentence);
    void setLast(bool last);
    QSpinBox* addNumber(int minimum, int maximum);
    QLineEdit* addText();
    widgets::SwitchButton& switchButton() { return *switch_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    const PipelineStep step_;
    const theme::ThemeController& themes_;
    QString name_, sentence_;
    widgets::SwitchButton* switch_;
    QWidget* value_ = nullptr;
    bool last_ = false;
};

class PipelinePanel : public QWidget {
    Q_OBJECT
public:
    PipelinePanel(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    // `bytes` that the decoded training samples take, 0 = not known; for the sentence of cache.
    void setCacheBytes(std::int64_t bytes);
    void refresh();
    void retranslate();
    // The rows as they stand, for tests.
    std::vector<PipelineStep> shownSteps() const;
    PipelineRow& row(PipelineStep step) const { return *rows_[static_cast<std::size_t>(step)]; }

private:
    PipelineRow* addRow(PipelineStep step);
    void buildRows();
    void openMenu();
    void switchStep(PipelineStep step, bool on);
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
    QSpinBox *take_, *classes_, *shuffle_, *prefetch_;
    QLineEdit* normal_;
    std::int64_t cache_bytes_ = 0;
};

}  // namespace ui::views
