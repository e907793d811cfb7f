// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the X-ray: the tasks of a run around a circle, host by host, with parameter servers in its middle. A task that is late is
// red.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "engine/run/exchange_culprit.h"

namespace ui::theme {
class ThemeController;
}

namespace ui::views {

struct RingPicture {
    std::vector<engine::run::ExchangeRank> ranks;
    std::optional<engine::run::ExchangeCulprit> culprit;
};

// GUI thread only; `themes` outlives it. Up to kMostNodes tasks stand on the circle as nodes with their numbers; more are cells of a wheel
// that has a sector for each host.
class RankRing : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kMostNodes = 80, kMostFull = 12;

    explicit RankRing(const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setPicture(RingPicture picture);
    const RingPicture& picture() const { return picture_; }
    void setChosen(int rank);  // outlined; -1: none
    // Returns the task at that position; -1: none.
    int rankAt(const QPointF& position) const;
    // Returns where a task is painted.
    QPointF placeOf(int rank) const { return places_[static_cast<std::size_t>(rank)].at; }

    QSize sizeHint() const override { return {520, 360}; }
    QSize minimumSizeHint() const override { return {280, 220}; }

signals:
    void rankClicked(int rank);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Place {
        QPointF at;
        double radius = 0;  // of a node, or half of a cell
        double angle = 0;   // from the middle, radians
    };
    // Tasks of one host that stand side by side.
    struct Group {
        std::string host;
        double from = 0, to = 0;  // angles
    };
    enum class Detail { kFull, kCompact, kWheel };

    void arrange();
    void arrangeNodes(const std::vector<std::size_t>& members);
    void arrangeWheel(const std::vector<std::size_t>& members);
    void paintLinks(QPainter& painter) const;
    void paintNode(QPainter& painter, std::size_t rank) const;
    void paintCells(QPainter& painter) const;
    void paintLabel(QPainter& painter, std::size_t rank) const;
    void paintHosts(QPainter& painter) const;
    void paintMiddle(QPainter& painter) const;
    bool isCulprit(std::size_t rank) const { return picture_.culprit && picture_.culprit->rank == rank; }
    bool isServer(std::size_t rank) const { return picture_.ranks[rank].task.type == "ps"; }
    QColor colorOf(std::size_t rank) const;
    int placeOfTask(const engine::spec::TaskId& task) const;

    const theme::ThemeController& themes_;
    RingPicture picture_;
    int chosen_ = -1;
    Detail detail_ = Detail::kFull;
    QPointF middle_;
    double radius_ = 0;
    std::vector<Place> places_;  // by rank
    std::vector<Group> groups_;
    bool has_servers_ = false;
};

}  // namespace ui::views
