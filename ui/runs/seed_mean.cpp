// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/seed_mean.h"

#include <algorithm>

#include "ui/models/mean_deviation.h"

namespace ui::models {

MeanCurve meanCurve(const std::vector<Curve>& curves) {
    MeanCurve result;
    if (curves.empty()) return result;
    std::vector<std::size_t> next(curves.size(), 0);
    for (const CurvePoint& point : curves.front()) {
        MeanDeviation value, seconds;
        bool everywhere = true;
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const Curve& curve = curves[i];
            while (next[i] < curve.size() && curve[next[i]].step < point.step) ++next[i];
            everywhere = everywhere && next[i] < curve.size() && curve[next[i]].step == point.step;
            if (!everywhere) break;
            value.add(curve[next[i]].value);
            seconds.add(curve[next[i]].seconds);
        }
        if (!everywhere || value.count() == 0) continue;
        result.mean.push_back({point.step, seconds.mean(), value.mean()});
        result.lower.push_back(static_cast<float>(value.mean() - value.deviation()));
        result.upper.push_back(static_cast<float>(value.mean() + value.deviation()));
    }
    return result;
}

}  // namespace ui::models
