// SPDX-License-Identifier: GPL-3.0-or-later
// Latency and bandwidth between tasks as a table of cells, in a card of its own: measured, being measured, not yet.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/spec/events/doctor_report.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class LinkMatrix : public QWidget {
    Q_OBJECT
public:
    enum class State { kNothing, kProbing, kMeasured };
    LinkMatrix(const theme::ThemeController& themes, QWidget* parent = nullptr);

    // The first six tasks are shown. `links` are read when measured.
    void setLinks(State state, std::vector<engine::spec::TaskId> tasks, std::vector<engine::spec::DoctorLink> links);
    QSize sizeHint() const override { return {268, 220}; }
    QString cellText(std::size_t from, std::size_t to) const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    const engine::spec::DoctorLink* link(std::size_t from, std::size_t to) const;
    QRectF cellRect(std::size_t from, std::size_t to) const;
    QString sentence() const;  // what all measured ways have in common, or what to do

    const theme::ThemeController& themes_;
    State state_ = State::kNothing;
    std::vector<engine::spec::TaskId> tasks_;
    std::vector<engine::spec::DoctorLink> links_;
};

}  // namespace ui::views
