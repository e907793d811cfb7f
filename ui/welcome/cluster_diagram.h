// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster as circles and lines, drawn to fit: ring between tasks that train together, star from parameter servers, dashes to an
// evaluator.
#pragma once

#include <QRectF>

#include "engine/spec/project/cluster_spec.h"
#include "ui/theme/theme_controller.h"

class QPainter;

namespace ui::views {

// An empty cluster is one worker.
void paintClusterDiagram(QPainter& painter, const theme::ThemeController& themes, const QRectF& rect,
                         const engine::spec::ClusterSpec& cluster);

}  // namespace ui::views
