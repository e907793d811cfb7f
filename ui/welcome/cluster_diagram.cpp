// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/cluster_diagram.h"

#include <QPainter>
#include <cmath>
#include <numbers>
#include <vector>

#include "ui/widgets/painting.h"

namespace ui::views {
namespace {

using engine::spec::TaskId;

constexpr double kBigRadius = 20, kSmallRadius = 14, kColumnStep = 40, kSide = 52;
constexpr std::size_t kMostBig = 2;

struct Node {
    TaskId task;
    QPointF center;
    double radius;
};

void paintNode(QPainter& painter, const theme::ThemeController& themes, const Node& node) {
    const theme::Theme& t = themes.theme();
    painter.setPen(QPen(t.taskColor(node.task), 2));
    painter.setBrush(t.surface);
    painter.drawEllipse(node.center, node.radius, node.radius);
    const QRectF box(node.center - QPointF(node.radius, node.radius), QSizeF(2 * node.radius, 2 * node.radius));
    const auto role = node.radius > 16 ? theme::TextRole::kStrong : theme::TextRole::kTickStrong;
    widgets::paintText(painter, box, theme::taskMark(node.task), themes.font(role), t.text, Qt::AlignCenter);
}

std::vector<TaskId> tasksOf(const engine::spec::ClusterSpec& cluster, std::string_view job) {
    std::vector<TaskId> out;
    if (const auto* found = cluster.findJob(job)) {
        for (const auto& [index, address] : found->tasks) out.push_back({found->name, index});
    }
    return out;
}

// Returns centres on an ellipse, from the left clockwise; two lie side by side.
std::vector<Node> circle(const std::vector<TaskId>& tasks, const QRectF& rect) {
    const double radius = tasks.size() <= kMostBig ? kBigRadius : kSmallRadius;
    std::vector<Node> nodes;
    const double rx = tasks.size() < 2 ? 0 : std::min(rect.width() / 2 - radius, 46.0 + 10.0 * static_cast<double>(tasks.size() - 2));
    const double ry = tasks.size() < 3 ? 0 : rect.height() / 2 - radius - 6;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const double angle = std::numbers::pi + 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(tasks.size());
        nodes.push_back({tasks[i], rect.center() + QPointF(rx * std::cos(angle), ry * std::sin(angle)), radius});
    }
    return nodes;
}

// Returns the nodes one below the other.
std::vector<Node> column(const std::vector<TaskId>& tasks, double x, const QRectF& rect) {
    const double last = static_cast<double>(tasks.size()) - 1;
    const double step = last > 0 ? std::min(kColumnStep, (rect.height() - 2 * kSmallRadius - 8) / last) : 0;
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        nodes.push_back({tasks[i], {x, rect.center().y() + (static_cast<double>(i) - last / 2) * step}, kSmallRadius});
    }
    return nodes;
}

}  // namespace

void paintClusterDiagram(QPainter& painter, const theme::ThemeController& themes, const QRectF& rect,
                         const engine::spec::ClusterSpec& cluster) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const theme::Theme& t = themes.theme();
    std::vector<TaskId> training = cluster.trainingTasks();
    if (training.empty()) training.push_back({"worker", 0});
    const std::vector<TaskId> servers = tasksOf(cluster, "ps"), evaluators = tasksOf(cluster, "evaluator");
    const bool has_chief = !evaluators.empty() && training.front().type == "chief" && training.size() > 1;
    std::vector<Node> nodes;
    if (!servers.empty()) {
        nodes = column(training, rect.right() - kSide, rect);
    } else if (has_chief) {
        nodes = column({training.begin() + 1, training.end()}, rect.center().x(), rect);
        nodes.insert(nodes.begin(), {training.front(), {rect.left() + kSide, rect.center().y()}, kBigRadius});
    } else {
        nodes = circle(training, evaluators.empty() ? rect : rect.adjusted(0, 0, -70, 0));
    }
    if (servers.empty() && nodes.size() == 2) {
        widgets::paintRing(painter, nodes[0].center + QPointF(nodes[0].radius * 0.6, 0),
                           nodes[1].center - QPointF(nodes[1].radius * 0.6, 0), 30, t.accent_fill);
    } else if (servers.empty() && nodes.size() > 2) {
        painter.setPen(QPen(t.accent_fill, 2));
        for (std::size_t i = 0; i < nodes.size(); ++i) painter.drawLine(nodes[i].center, nodes[(i + 1) % nodes.size()].center);
    }
    painter.setPen(QPen(t.control, 1.5));
    for (std::size_t s = 0; s < servers.size(); ++s) {
        const double y = rect.center().y() + (static_cast<double>(s) - (static_cast<double>(servers.size()) - 1) / 2) * 44;
        const Node server{servers[s], {rect.left() + kSide, y}, kBigRadius};
        for (const Node& node : nodes) painter.drawLine(server.center, node.center);
        paintNode(painter, themes, server);
        painter.setPen(QPen(t.control, 1.5));
    }
    if (!evaluators.empty()) {
        const Node evaluator{evaluators.front(), {rect.right() - kSide, rect.center().y()}, kSmallRadius};
        QPen dashes(t.control, 1.5);
        dashes.setDashPattern({4, 3});
        painter.setPen(dashes);
        painter.drawLine(nodes.front().center, evaluator.center);
        paintNode(painter, themes, evaluator);
    }
    for (const Node& node : nodes) paintNode(painter, themes, node);
    painter.restore();
}

}  // namespace ui::views
