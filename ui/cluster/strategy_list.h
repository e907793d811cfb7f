// SPDX-License-Identifier: GPL-3.0-or-later
// tf.distribute's strategies as cards: the chosen one is shown in full, impossible ones are greyed with the reason. Up and Down move, Space
// chooses.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

struct StrategyCard {
    QString name{};      // as Keras writes it
    QString sentence{};  // what it does, or why it can't be chosen
    bool possible = true;
    QString details{};  // of the tooltip: what works with it
    friend bool operator==(const StrategyCard&, const StrategyCard&) = default;
};

class StrategyList : public QWidget {
    Q_OBJECT
public:
    explicit StrategyList(const theme::ThemeController& themes, QWidget* parent);
    void setCards(std::vector<StrategyCard> cards, const QString& chosen);
    QRect cardRect(int index) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

signals:
    void chosen(QString name);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(int index);
    void describe();
    int chosenHeight() const;

    const theme::ThemeController& themes_;
    std::vector<StrategyCard> cards_;
    int chosen_ = -1, focused_ = 0;
};

}  // namespace ui::views
