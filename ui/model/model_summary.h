// SPDX-License-Identifier: GPL-3.0-or-later
// The foot of Model: totals of the whole model and where its parameters lie.
#pragma once

#include <QWidget>

namespace ui::session {
class Project;
}
namespace ui::theme {
class ThemeController;
}

namespace ui::views {

class ModelSummary : public QWidget {
    Q_OBJECT
public:
    ModelSummary(const session::Project& project, const theme::ThemeController& themes, QWidget* parent = nullptr);
    void refresh();
    QSize sizeHint() const override { return {600, 54}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintShares(class QPainter& painter, double left, double least_left) const;  // words not before the latter

    const session::Project& project_;
    const theme::ThemeController& themes_;
};

}  // namespace ui::views
