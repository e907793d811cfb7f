// SPDX-License-Identifier: GPL-3.0-or-later
// A card of the ways between the computers of a cluster: a row for each computer that calls, a column for each that is called. Up to four
// computers have numbers in the cells; up to sixteen have colours alone, with the numbers in the tool tip; for more, the card lists the
// worst ways.
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
    // Returns the lines of a cell as it is painted: latency above, bandwidth below, or one line on a way without numbers; empty for a
    // colour alone.
    QStringList cellText(std::size_t from, std::size_t to) const;
    // Returns one line for each way, the worst first: the card shows these in place of a table of more than sixteen.
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
