// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluate: what one run's model does with its test set and with a drawing. Shown in place of the table of runs; Esc goes back.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/session/runs/evaluation.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ActivationView;
class ConfusionView;
class DrawingCard;
class MistakeGallery;

class EvaluateView : public QWidget {
    Q_OBJECT
public:
    EvaluateView(session::Session& session, const theme::ThemeController& themes, QWidget* parent);

    // Shows the run and at once evaluates its latest checkpoint, unless it was evaluated just before.
    void show(const session::RunSummary& run);
    QString sentence() const;
    void setNarrow(bool narrow);
    void retranslate();

signals:
    void closeWanted();
    void sentenceChanged();

private:
    enum class State { kWorking, kFailed, kNoCheckpoint, kElsewhere, kResult };

    QWidget* buildHead();
    QWidget* buildState();
    QWidget* buildResult();
    QWidget* buildConfusion(QWidget* parent);
    QWidget* buildLayers(QWidget* parent);
    session::ModelOfRun model() const;
    void start();
    void take(const session::EvaluationResult& result);
    void takeInspection(const session::InspectionResult& result);
    void showState(State state);
    void refreshTexts();

    session::Session& session_;
    const theme::ThemeController& themes_;
    session::RunSummary run_;
    std::optional<session::EvaluationResult> result_;
    session::ErrorInfo error_;
    State state_ = State::kWorking;
    QWidget* dot_;
    widgets::TextLabel *name_, *facts_, *checkpoint_label_, *state_title_, *state_text_;
    widgets::TextLabel *confusion_title_, *layers_title_;
    QComboBox* checkpoint_;
    QPushButton *back_, *again_, *state_button_;
    QStackedWidget* stack_;
    ConfusionView* confusion_;
    MistakeGallery* mistakes_;
    DrawingCard* drawing_;
    ActivationView* layers_;
};

}  // namespace ui::views
