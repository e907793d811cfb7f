// SPDX-License-Identifier: GPL-3.0-or-later
// Mean and standard deviation of a few values (Welford's way; n - 1 in the deviation). Values that are no numbers are left out.
#pragma once

#include <cmath>

namespace ui::models {

class MeanDeviation {
public:
    void add(double value) {
        if (!std::isfinite(value)) return;
        ++count_;
        const double delta = value - mean_;
        mean_ += delta / count_;
        squares_ += delta * (value - mean_);
    }
    int count() const { return count_; }
    double mean() const { return mean_; }
    double deviation() const { return count_ > 1 ? std::sqrt(squares_ / (count_ - 1)) : 0; }

private:
    int count_ = 0;
    double mean_ = 0, squares_ = 0;
};

}  // namespace ui::models
