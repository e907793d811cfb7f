// SPDX-License-Identifier: GPL-3.0-or-later
// One row a class: label, bar of training samples over test samples, counts.
#pragma once

#include <QWidget>

#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class ClassBars : public QWidget {
    Q_OBJECT
public:
    explicit ClassBars(const theme::ThemeController& themes, QWidget* parent);
    void setFacts(session::DatasetFacts facts);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    session::DatasetFacts facts_;
};

}  // namespace ui::views
