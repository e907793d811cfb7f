// SPDX-License-Identifier: GPL-3.0-or-later
// How much each field of a sweep counted, as bars; the last one is what fields do only together, and noise.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

class ImportanceBars : public QWidget {
    Q_OBJECT
public:
    struct Bar {
        QString name;
        double share = 0;  // 0 to 1
        bool is_field = true;
    };
    ImportanceBars(const theme::ThemeController& themes, QWidget* parent);

    void setBars(std::vector<Bar> bars);
    // Sets the text that stands there when there are no bars.
    void setEmptyText(const QString& text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    std::vector<Bar> bars_;
    QString empty_text_;
};

}  // namespace ui::views
