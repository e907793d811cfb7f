// SPDX-License-Identifier: GPL-3.0-or-later
// "Draw and see": the field and its colours, the classes that the model takes the drawing or a sample for, and what the answer is about.
#pragma once

#include <cstdint>
#include <variant>

#include "engine/spec/model_spec.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/values.h"
#include "ui/widgets/card_frame.h"

class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class BestClasses;
class DrawPad;
class PenColors;

class DrawingCard : public widgets::CardFrame {
    Q_OBJECT
public:
    DrawingCard(const theme::ThemeController& themes, QWidget* parent);

    // Sets an empty field of the shape that a model takes, and no answer; models that take no pictures have none to draw in.
    void setInput(const engine::spec::Shape& shape);
    // While `on` is false, the model has not been evaluated and the card tells of no answer.
    void setEvaluated(bool on);
    void showAnswer(const session::InspectionResult& result);
    void showProblem(const session::ErrorInfo& problem);
    void setNarrow(bool narrow);
    void retranslate();

signals:
    void touched();  // with each stroke, at once
    void drawn(const ui::session::PixelPicture& drawing);

private:
    void connectParts();
    void refreshText();

    struct Drawing {};
    int channels_ = 0;  // of what the model takes: 1 for grey, 3 for colours; 0: nothing that could be drawn
    bool evaluated_ = false;
    std::variant<std::monostate, std::int64_t, Drawing, session::ErrorInfo> asked_;  // what the answer is about: a sample, or why none came
    widgets::TextLabel *title_, *text_;
    QPushButton *fill_, *clear_;
    DrawPad* pad_;
    PenColors* colors_;
    BestClasses* best_;
};

}  // namespace ui::views
