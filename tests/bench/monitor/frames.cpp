// SPDX-License-Identifier: GPL-3.0-or-later
#include "frames.h"

#include <QApplication>
#include <cmath>
#include <cstdio>
#include <functional>

#include "turn_times.h"
#include "ui/charts/chart_card.h"
#include "ui/theme/theme_controller.h"

namespace tests::bench {
namespace {

using ui::charts::ChartCard;
using ui::models::Range;

void fill(ChartCard& card, const FrameOptions& options) {
    for (int s = 0; s < options.series; ++s) {
        const int index = card.addSeries(QStringLiteral("series %1").arg(s + 1), {.color = s});
        ui::models::Series& series = card.series(index);
        for (int i = 1; i <= options.points; ++i) {
            series.append(i, static_cast<std::int64_t>(i) * 1'000'000,
                          static_cast<float>(s + std::sin(i * 1e-4) + 0.2 * std::sin(i * 7.7)));
        }
    }
}

class PaintCount : public QObject {
public:
    explicit PaintCount(QWidget& widget) { widget.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override {
        count_ += event->type() == QEvent::Paint;
        return false;
    }
    int count() const { return count_; }

private:
    int count_ = 0;
};

// One frame: a new range, its points chosen, the chart painted and handed to the window system.
Times measure(ChartCard& card, int frames, const std::function<Range(double)>& rangeAt) {
    Times times;
    for (int frame = 0; frame < frames; ++frame) {
        const Moment begin = Moment::now();
        card.axes().setXRange(rangeAt(static_cast<double>(frame) / frames));
        QApplication::processEvents();
        times.add(begin, Moment::now());
    }
    return times;
}

}  // namespace

int measureFrames(const FrameOptions& options) {
    const ui::theme::ThemeController themes;
    ChartCard card(QStringLiteral("chartBench"), themes);
    card.resize(1200, 600);
    card.setTexts(QStringLiteral("Bench"), QStringLiteral("value"));
    card.setSmoothing(0.6);
    const Moment begin = Moment::now();
    fill(card, options);
    const double fill_s = (Moment::now().wall_ms - begin.wall_ms) * 1e-3;
    card.dataChanged();
    card.show();
    while (card.drawnPoints(0).empty() || !card.isVisible()) QApplication::processEvents();
    QApplication::processEvents();
    const PaintCount paints(*card.findChild<QWidget*>(QStringLiteral("chartBenchPlot")));
    const double all = options.points;
    const auto print = [&](const char* what, const Times& times) {
        std::printf("{\"bench\": \"%s\", \"series\": %d, \"points\": %d, \"frames\": %d, \"fill_s\": %.2f, %s}\n", what, options.series,
                    options.points, options.frames, fill_s, times.json().c_str());
        std::fflush(stdout);
    };
    print("pan", measure(card, options.frames, [&](double t) { return Range{0.9 * all * t, 0.9 * all * t + 0.1 * all}; }));
    // From everything to a thousandth of it, and out again.
    print("zoom", measure(card, options.frames, [&](double t) {
              const double width = all * std::pow(10.0, -3.0 * (1 - std::abs(1 - 2 * t)));
              return Range{(all - width) / 2, (all + width) / 2};
          }));
    return paints.count() >= 2 * options.frames ? 0 : 1;
}

}  // namespace tests::bench
