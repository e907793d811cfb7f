// SPDX-License-Identifier: GPL-3.0-or-later
// The narrow bar of modes at the left: icon over label, tint and edge bar on the current one, a dot where something runs.
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

class ModeBar : public QWidget {
    Q_OBJECT
public:
    explicit ModeBar(const theme::ThemeController& themes, QWidget* parent = nullptr);

    // Fixed for the bar's life; texts come by setTexts, tooltips name the key.
    void setModes(const QStringList& icons);
    void setTexts(const QStringList& labels, const QStringList& toolTips);
    int current() const { return current_; }
    void setCurrent(int index);
    // A dot beside the icon; nullopt takes it away.
    void setDot(int index, std::optional<QColor> color);
    QRect modeRect(int index) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void currentChanged(int index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct ModeItem {
        QString icon, label, tool_tip;
        std::optional<QColor> dot;
    };
    int modeHeight() const;
    int modeAt(const QPoint& position) const;
    void setHovered(int index);
    void paintMode(QPainter& painter, int index) const;

    const theme::ThemeController& themes_;
    std::vector<ModeItem> modes_;
    int current_ = 0, hovered_ = -1;
};

}  // namespace ui::widgets
