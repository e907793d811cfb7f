// SPDX-License-Identifier: GPL-3.0-or-later
// Names and numbers on a sunken ground: one below the other (names left, numbers right), or side by side with the number above its name.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

class FactsWell : public QWidget {
    Q_OBJECT
public:
    enum class Layout { kColumn, kRow };
    FactsWell(const theme::ThemeController& themes, QWidget* parent, Layout layout = Layout::kColumn);
    void setFacts(std::vector<std::pair<QString, QString>> facts);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    const Layout layout_;
    std::vector<std::pair<QString, QString>> facts_;
};

}  // namespace ui::views
