// SPDX-License-Identifier: GPL-3.0-or-later
// How smooth Monitor stays: the time of a frame while twenty series of a million points are panned and zoomed, and what taking in the
// events of 64 tasks costs the window's thread.
//   monitor_bench frames --series 20 --points 1000000 --frames 200
//   monitor_bench ingest --tasks 64 --rate 100 --seconds 5
// Prints one JSON object a run.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "ui/charts/chart_card.h"
#include "ui/session/run_record.h"
#include "ui/theme/theme_controller.h"

namespace {

using namespace engine::spec;

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

struct FrameOptions {
    int series = 20, points = 1'000'000, frames = 200;
};

// One frame: a new range, the points chosen, the chart painted into a pixmap.
int measureFrames(const FrameOptions& options) {
    const ui::theme::ThemeController themes;
    ui::charts::ChartCard card(QStringLiteral("chartBench"), themes);
    card.resize(1200, 600);
    card.setTexts(QStringLiteral("Bench"), QStringLiteral("value"));
    QElapsedTimer timer;
    timer.start();
    for (int s = 0; s < options.series; ++s) {
        const int index = card.addSeries(QStringLiteral("series %1").arg(s + 1), {.color = s});
        ui::models::Series& series = card.series(index);
        for (int i = 1; i <= options.points; ++i) {
            series.append(i, static_cast<std::int64_t>(i) * 1'000'000,
                          static_cast<float>(s + std::sin(i * 1e-4) + 0.2 * std::sin(i * 7.7)));
        }
    }
    const double fill_s = static_cast<double>(timer.elapsed()) * 1e-3;
    card.setSmoothing(0.6);
    card.show();
    QApplication::processEvents();
    std::vector<double> frames;
    const double all = options.points;
    for (int frame = 0; frame < options.frames; ++frame) {
        // Half of them pan a tenth of the data, half of them zoom in and out.
        const double t = static_cast<double>(frame) / options.frames;
        const double width = frame % 2 == 0 ? 0.1 * all : all * std::pow(10.0, -3.0 * t);
        const double from = (all - width) * t;
        timer.restart();
        card.setXRange(ui::models::Range{from, from + width});
        card.repaint();
        QApplication::processEvents();
        frames.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    std::printf(
        "{\"bench\": \"frames\", \"series\": %d, \"points\": %d, \"frames\": %d, \"fill_s\": %.2f, \"median_ms\": %.2f, \"p99_ms\": %.2f, "
        "\"most_ms\": %.2f}\n",
        options.series, options.points, options.frames, fill_s, percentile(frames, 0.5), percentile(frames, 0.99), percentile(frames, 1));
    return 0;
}

struct IngestOptions {
    int tasks = 64, rate = 100;
    double seconds = 5;
};

// Batches as the agent sends them, each of 50 ms; time on the window's thread alone, with the signals that leave the record.
int measureIngest(const IngestOptions& options) {
    RunSpec run;
    run.name = "bench";
    run.cluster.spec.jobs = {{"worker", {}}};
    for (int task = 0; task < options.tasks; ++task) run.cluster.spec.jobs[0].tasks[task] = "localhost:" + std::to_string(20000 + task);
    ui::session::RunSummary summary;
    summary.id = QStringLiteral("bench");
    summary.phase = ui::session::RunPhase::kTraining;
    summary.project_json = QString::fromStdString(toProjectJson(run));
    ui::session::RunRecord record(summary);
    std::int64_t arrived = 0;
    QObject::connect(&record, &ui::session::RunRecord::pointsArrived, &record, [&] { ++arrived; });
    constexpr double kBatchSeconds = 0.05;
    const int batches = static_cast<int>(options.seconds / kBatchSeconds);
    const int each = std::max(1, static_cast<int>(options.rate * kBatchSeconds));
    std::uint64_t sequence = 0;
    std::vector<double> times;
    for (int batch = 0; batch < batches; ++batch) {
        std::vector<TaskEvent> events;
        for (int task = 0; task < options.tasks; ++task) {
            for (int k = 0; k < each; ++k) {
                StepPoints points;
                const std::int64_t step = batch * each + k + 1;
                points.step = {step};
                points.epoch = {0};
                points.time_unix_ns = {step * 1'000'000};
                points.columns = {{"loss", {0.5F}}, {"accuracy", {0.9F}}};
                points.compute_us = 1000;
                points.aggregated = false;
                events.push_back({++sequence, step * 1'000'000, {"worker", task}, std::move(points)});
            }
        }
        QElapsedTimer timer;
        timer.start();
        record.ingest(events);
        record.flush();
        times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    std::int64_t rows = 0;
    for (const auto& task : record.tasks()) rows += static_cast<std::int64_t>(task.own.size());
    const bool lost = rows != static_cast<std::int64_t>(sequence);
    std::printf(
        "{\"bench\": \"ingest\", \"tasks\": %d, \"events\": %llu, \"lost\": %s, \"signals\": %lld, \"median_ms\": %.3f, \"p99_ms\": %.3f, "
        "\"most_ms\": %.3f}\n",
        options.tasks, static_cast<unsigned long long>(sequence), lost ? "true" : "false", static_cast<long long>(arrived),
        percentile(times, 0.5), percentile(times, 0.99), percentile(times, 1));
    return lost ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    CLI::App app("Monitor's charts and records under load");
    app.require_subcommand(1);
    FrameOptions frames;
    IngestOptions ingest;
    CLI::App* draw = app.add_subcommand("frames", "pan and zoom");
    draw->add_option("--series", frames.series)->capture_default_str();
    draw->add_option("--points", frames.points, "of each series")->capture_default_str();
    draw->add_option("--frames", frames.frames)->capture_default_str();
    CLI::App* take = app.add_subcommand("ingest", "events of many tasks");
    take->add_option("--tasks", ingest.tasks)->capture_default_str();
    take->add_option("--rate", ingest.rate, "events a second of each task")->capture_default_str();
    take->add_option("--seconds", ingest.seconds)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return draw->parsed() ? measureFrames(frames) : measureIngest(ingest);
}
