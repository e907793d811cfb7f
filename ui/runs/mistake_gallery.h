// SPDX-License-Identifier: GPL-3.0-or-later
// The wrong answers of an evaluation as a card of pictures, surest first: all of them, or those of one cell of the confusion matrix.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <utility>

#include "ui/session/runs/evaluation.h"
#include "ui/widgets/card_frame.h"

class QListView;

namespace ui::models {
class MistakeModel;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class MistakeGallery : public widgets::CardFrame {
    Q_OBJECT
public:
    MistakeGallery(const theme::ThemeController& themes, QWidget* parent);

    void setResult(const session::EvaluationResult& result);
    // Shows the mistakes of one label and prediction; nullopt: all.
    void setCell(std::optional<std::pair<int, int>> cell);
    // Chooses the first mistake and emits chosen(); does nothing when there is none.
    void chooseFirst();
    // Says how many are shown. `of_cell`: what the chosen cell of the matrix says; nullopt: none is chosen.
    void refresh(const std::optional<QString>& of_cell);
    void retranslate();

signals:
    void chosen(std::int64_t sample);

private:
    void chooseCurrent();

    widgets::TextLabel *title_, *count_;
    models::MistakeModel* model_;
    QListView* list_;
};

}  // namespace ui::views
