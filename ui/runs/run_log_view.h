// SPDX-License-Identifier: GPL-3.0-or-later
// The log of one of the compared runs, under its name; it grows as the run tells more.
#pragma once

#include <QPointer>
#include <QWidget>
#include <cstddef>

#include "ui/theme/theme_controller.h"

class QListView;

namespace ui::models {
class LogModel;
}
namespace ui::session {
class RunRecord;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class RunLogView : public QWidget {
    Q_OBJECT
public:
    RunLogView(const theme::ThemeController& themes, QWidget* parent);

    // Null: the view says how to choose one. A run that goes while it is shown leaves its lines until the next call.
    void setRun(const session::RunRecord* run);
    void retranslate();

private:
    void takeLines();

    widgets::TextLabel* title_;
    models::LogModel* model_;
    QListView* list_;
    QPointer<const session::RunRecord> run_;
    std::size_t taken_ = 0;  // of the run's lines
};

}  // namespace ui::views
