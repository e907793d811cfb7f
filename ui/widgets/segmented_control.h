// SPDX-License-Identifier: GPL-3.0-or-later
// One choice of a few, side by side. Arrow keys move; a greyed entry says why in its tooltip.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

class SegmentedControl : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const theme::ThemeController& themes, QWidget* parent = nullptr);

    // Leaves less room beside each text, for a dock's narrow row.
    void setCompact(bool compact);
    void setEntries(const QStringList& texts);
    // Greys the entry with a reason; an empty reason enables it.
    void setObstacle(int index, const QString& reason);
    int current() const { return current_; }
    // Chooses an entry; emits no signal when nothing changes.
    void setCurrent(int index);
    QString entry(int index) const { return entries_[static_cast<std::size_t>(index)].text; }
    QRect entryRect(int index) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void currentChanged(int index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Entry {
        QString text, obstacle;
    };
    int entryAt(const QPoint& position) const;
    int entryWidth(const Entry& entry) const;

    const theme::ThemeController& themes_;
    std::vector<Entry> entries_;
    bool compact_ = false;
    int current_ = 0;
};

}  // namespace ui::widgets
