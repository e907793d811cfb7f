// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of a data set in a row of 50: a number or word in the title face, what it counts below.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

struct DataFact {
    QString value, meaning;
};

class DataFacts : public QWidget {
    Q_OBJECT
public:
    DataFacts(const theme::ThemeController& themes, QWidget* parent);
    void setFacts(std::vector<DataFact> facts);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    std::vector<DataFact> facts_;
};

}  // namespace ui::views
