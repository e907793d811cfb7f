// SPDX-License-Identifier: GPL-3.0-or-later
// What a host uses, as a few lines of Monitor's dock: name, course of the last two minutes, value now. A tooltip tells whose it is.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/host_load_rows.h"

class QPainter;

namespace ui::theme {
class ThemeController;
}

namespace ui::views {

class HostLoadView : public QWidget {
    Q_OBJECT
public:
    explicit HostLoadView(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setRows(std::vector<models::HostRow> rows);
    const std::vector<models::HostRow>& rows() const { return rows_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void paintCourse(QPainter& painter, const QRectF& place, const models::HostRow& row) const;

    const theme::ThemeController& themes_;
    std::vector<models::HostRow> rows_;
    double widest_value_ = 0;  // so far, so that nothing moves while values stream
};

}  // namespace ui::views
