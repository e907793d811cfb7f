// SPDX-License-Identifier: GPL-3.0-or-later
// The ways between the computers of a cluster in a card of its own: a row for each that calls, a column for each that is called. Up to four
// computers have their numbers in the cells, up to sixteen their colours alone, with the numbers in the tool tip; of more the worst ways
// are listed.
#pragma once

#include <QStringList>
#include <QWidget>
#include <string>
#include <vector>

#include "engine/spec/events/host_way.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class WayMatrix : public QWidget {
    Q_OBJECT
public:
    enum class State { kNothing, kProbing, kMeasured };
    WayMatrix(const theme::ThemeController& themes, QWidget* parent = nullptr);

    // `ways` are read when measured. The width that the card wants changes with the number of computers.
    void setWays(State state, std::vector<std::string> hosts, std::vector<engine::spec::HostWay> ways);
    QSize sizeHint() const override;
    // Of a cell as it is painted: latency above, bandwidth below; empty where colours stand alone.
    QStringList cellText(std::size_t from, std::size_t to) const;
    // One line a way, the worst first: what stands in the card in place of a table of more than sixteen.
    QStringList worstLines(std::size_t most) const;
    QString tipOf(std::size_t from, std::size_t to) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Inks {
        QColor ground, ink;
    };
    bool isTable() const;
    bool hasNumbers() const;
    const engine::spec::HostWay* way(std::size_t from, std::size_t to) const;
    QRectF cellRect(std::size_t from, std::size_t to) const;
    Inks inksOf(const engine::spec::HostWay* way) const;
    QString sentence() const;  // what all measured ways have in common, or what to do
    void paintTable(QPainter& painter) const;

    const theme::ThemeController& themes_;
    State state_ = State::kNothing;
    std::vector<std::string> hosts_;
    std::vector<engine::spec::HostWay> ways_;
};

}  // namespace ui::views
