// SPDX-License-Identifier: GPL-3.0-or-later
// Names at the left, numbers in the fixed-width face at the right, on a sunken ground.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

class FactsWell : public QWidget {
    Q_OBJECT
public:
    explicit FactsWell(const theme::ThemeController& themes, QWidget* parent);
    void setFacts(std::vector<std::pair<QString, QString>> facts);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    std::vector<std::pair<QString, QString>> facts_;
};

}  // namespace ui::views
