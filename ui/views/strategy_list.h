// SPDX-License-Identifier: GPL-3.0-or-later
// tf.distribute's strategies as cards: the chosen one in full, impossible ones greyed with the reason. Up and Down move, Space chooses.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

struct StrategyCard {
    QString name{};      // as Keras writes it
    QString sentence{};  // what it does, or why it can't be chosen
    bool possible = true;
    friend bool operator==(const StrategyCard&, const StrategyCard&) = default;
};

class StrategyList : public QWidget {
    Q_OBJECT
public:
    explicit StrategyList(const theme::ThemeController& themes, QWidget* parent);
    void setCards(std::vector<StrategyCard> cards, const QString& chosen);
    QRect cardRect(int index) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void chosen(QString name);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(int index);

    const theme::ThemeController& themes_;
    std::vector<StrategyCard> cards_;
    int chosen_ = -1, focused_ = 0;
};

}  // namespace ui::views
