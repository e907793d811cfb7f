// SPDX-License-Identifier: GPL-3.0-or-later
// What the model's canvas shows: nodes from the top, and the edges between them.
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace ui::canvas {

struct CanvasNode {
    enum class Kind { kInput, kLayer, kCompile };
    Kind kind = Kind::kLayer;
    QString type{}, name{}, settings{}, icon{};
    engine::spec::LayerCategory category = engine::spec::LayerCategory::kLayer;
    std::int64_t parameters = -1;  // below 0: unknown, shown as a dash
    double share = 0;              // of all parameters
    bool wrong = false;            // does not fit, or a setting of it is wrong
    bool warned = false;           // trains, though hardly as it is meant
    QString problem{};             // what is wrong, a sentence a line; shown while the mouse is over it
    bool dimmed = false;           // after it
    friend bool operator==(const CanvasNode&, const CanvasNode&) = default;
};

// The edge below node i, which leads to node i + 1.
struct CanvasEdge {
    bool known = true;
    engine::spec::Shape shape{};
    engine::spec::LayerCategory category = engine::spec::LayerCategory::kLayer;
    bool from_input = false;  // the feature map takes the colour of data
    bool wrong = false;       // a red "?"
    bool invites = false;     // to add the first layer
    friend bool operator==(const CanvasEdge&, const CanvasEdge&) = default;
};

struct CanvasContent {
    std::vector<CanvasNode> nodes;
    std::vector<CanvasEdge> edges;  // one less than nodes
    friend bool operator==(const CanvasContent&, const CanvasContent&) = default;
};

}  // namespace ui::canvas
