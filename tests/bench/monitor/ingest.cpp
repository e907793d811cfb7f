// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest.h"

#include <QComboBox>
#include <QDateTime>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>

#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "turn_times.h"
#include "ui/charts/chart_card.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

namespace tests::bench {
namespace {

using namespace engine::spec;
using namespace std::chrono_literals;

constexpr const char* kRunId = "bench";
constexpr auto kDeadline = 60s;
constexpr auto kLook = 20ms;

std::int64_t nowUnixNs() {
    return QDateTime::currentMSecsSinceEpoch() * 1'000'000;
}

void add(std::vector<TaskEvent>& events, int worker, EventBody body) {
    TaskEvent& event = events.emplace_back();
    event.time_unix_ns = nowUnixNs();
    event.task.type = "worker";
    event.task.index = worker;
    event.body = std::move(body);
}

std::shared_ptr<FakeAgentWorld> worldWithRun(const IngestOptions& options) {
    RunSpec run;
    run.name = "bench";
    std::vector<int> ports;
    for (int task = 0; task < options.tasks; ++task) ports.push_back(20000 + task);
    useLocalWorkers(run, ports);
    auto world = std::make_shared<FakeAgentWorld>();
    world->host = sampleHost();
    engine::run::RunInfo info;
    info.id = kRunId;
    info.name = run.name;
    info.state = engine::run::RunState::kTraining;
    info.created_unix_ns = nowUnixNs();
    info.tasks = options.tasks;
    info.project_json = toProjectJson(run);
    world->runs = {info};
    std::vector<TaskEvent> begin;
    for (int task = 0; task < options.tasks; ++task) add(begin, task, StateChanged{TaskState::kTraining, {}});
    const auto steps = static_cast<std::int64_t>(options.rate * options.seconds);
    add(begin, 0, RunStarted{steps, 1, 64 * options.tasks, 347146, 1388584, "cpu", {}});
    world->addEvents(kRunId, std::move(begin));
    return world;
}

StepPoints onePoint(std::int64_t step, bool aggregated, int task) {
    StepPoints points;
    points.step = {step};
    points.epoch = {0};
    points.time_unix_ns = {nowUnixNs()};
    const double loss = 0.02 + std::exp(-static_cast<double>(step) / 900) * (1 + 0.3 * std::sin(static_cast<double>(step + task) * 7.7));
    points.columns = {{"loss", {static_cast<float>(loss)}}, {"accuracy", {static_cast<float>(1 - 0.3 * loss)}}};
    if (aggregated) points.columns.push_back({"learning_rate", {1e-3F}});
    points.examples_per_step = 64;
    points.input_us = 500, points.compute_us = 8000, points.wait_us = 200, points.reduce_us = 900, points.apply_us = 300;
    points.aggregated = aggregated;
    return points;
}

// A step of every task, and the chief's word on all of them, as often as the rate says. Returns the number of points it sent.
std::int64_t feed(FakeAgentWorld& world, const IngestOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    const auto steps = static_cast<std::int64_t>(options.rate * options.seconds);
    std::int64_t sent = 0;
    for (std::int64_t step = 1; step <= steps; ++step) {
        std::this_thread::sleep_until(begin + std::chrono::duration_cast<std::chrono::nanoseconds>(step * 1s) / options.rate);
        std::vector<TaskEvent> events;
        for (int task = 0; task < options.tasks; ++task) add(events, task, onePoint(step, false, task));
        add(events, 0, onePoint(step, true, 0));
        sent += static_cast<std::int64_t>(events.size());
        world.addEvents(kRunId, std::move(events));
    }
    return sent;
}

template <typename Condition>
bool waitFor(Condition met, std::chrono::seconds deadline = kDeadline) {
    const auto until = std::chrono::steady_clock::now() + deadline;
    // With a time of its own processEvents() does not sleep but asks again and again: a core would be gone.
    QTimer look;
    look.start(kLook);
    while (!met() && std::chrono::steady_clock::now() < until) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return met();
}

std::int64_t rowsOf(const ui::session::RunRecord& record) {
    std::int64_t rows = 0;
    for (const auto& task : record.tasks()) rows += static_cast<std::int64_t>(task.own.size() + task.whole.size());
    return rows;
}

}  // namespace

int measureIngest(TimedApplication& application, const IngestOptions& options) {
    const QTemporaryDir scratch;
    QSettings settings(scratch.filePath("settings.ini"), QSettings::IniFormat);
    const std::shared_ptr<FakeAgentWorld> world = worldWithRun(options);
    ui::theme::ThemeController themes;
    ui::session::Session session({.connect = [world] { return std::make_unique<FakeAgentClient>(world); },
                                  .share_dir = scratch.path(),
                                  .history_file = {},
                                  .settings = &settings});
    ui::views::MainWindow window(session, themes);
    window.resize(1440, 900);
    window.show();
    window.showMode(ui::views::Mode::kMonitor);
    auto* loss = window.findChild<ui::charts::ChartCard*>("chartLoss");
    auto* workers = window.findChild<QComboBox*>("monitorWorkers");
    if (!waitFor([&] { return session.runs().current() != nullptr; })) return 1;
    const ui::session::RunRecord& record = *session.runs().current();

    std::atomic<bool> over = false;
    std::atomic<std::int64_t> sent = 0;
    std::jthread feeder([&] {
        sent = feed(*world, options);
        over = true;
    });
    if (!waitFor([&] { return record.lastStep() > 2; })) return 1;
    if (options.each) workers->setCurrentIndex(1);
    application.turns().clear();  // the window's first frames are none of the stream's
    const std::chrono::seconds stream(static_cast<std::int64_t>(options.seconds) + 1);
    if (!waitFor([&] { return over.load(); }, stream + kDeadline)) return 1;
    const std::string times = application.turns().json();
    const bool drawn = waitFor([&] { return loss->series(0).size() == static_cast<std::size_t>(options.rate * options.seconds); });
    const std::int64_t lost = sent - rowsOf(record);
    std::printf(
        "{\"bench\": \"ingest\", \"tasks\": %d, \"rate\": %d, \"seconds\": %.0f, \"each\": %s, \"sent\": %lld, \"lost\": %lld, "
        "\"dropped\": "
        "%lld, \"drawn\": %s, %s}\n",
        options.tasks, options.rate, options.seconds, options.each ? "true" : "false", static_cast<long long>(sent),
        static_cast<long long>(lost), static_cast<long long>(record.droppedPoints()), drawn ? "true" : "false", times.c_str());
    return 0;
}

}  // namespace tests::bench
