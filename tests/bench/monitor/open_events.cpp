// SPDX-License-Identifier: GPL-3.0-or-later
#include "open_events.h"

#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include <sys/resource.h>
#include <unistd.h>

#include "agent/client/agent_client.h"
#include "tests/engine/event_files/event_bytes.h"
#include "turn_times.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/session/host/host.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

namespace tests::bench {
namespace {

using namespace std::chrono_literals;

constexpr auto kDeadline = 120s;
constexpr auto kSettling = 2s;

std::uint64_t write(const std::string& file, const OpenEventsOptions& options) {
    std::ofstream out(file, std::ios::binary);
    std::string bytes;
    std::uint64_t all = 0;
    for (int step = 1; step <= options.points; ++step) {
        for (int s = 0; s < options.series; ++s) {
            const std::string tag = "train/metric_" + std::to_string(s);
            const auto value = static_cast<float>(s + std::sin(step * 1e-4) + 0.2 * std::sin(step * 7.7));
            const double time = 1.7e9 + step * 1e-3;
            bytes += event_files::record(options.of_tensorflow_2 ? event_files::scalar(tag, step, value, time)
                                                                 : event_files::simple(tag, step, value, time));
        }
        if (bytes.size() > (4U << 20) || step == options.points) {
            out << bytes;
            all += bytes.size();
            bytes.clear();
        }
    }
    return all;
}

template <typename Condition>
bool waitFor(Condition met) {
    const auto until = std::chrono::steady_clock::now() + kDeadline;
    QTimer look;
    look.start(5ms);
    while (!met() && std::chrono::steady_clock::now() < until) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return met();
}

double processSeconds(int whose) {
    rusage usage{};
    ::getrusage(whose, &usage);
    const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The process of the agent that was started for this measurement; 0: there is none.
int agentPid(const QString& data_dir) {
    QFile file(data_dir + QStringLiteral("/tandem/runs/agent.json"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("pid")).toInt();
}

// Processor time since its start.
double agentSeconds(const QString& data_dir) {
    std::ifstream stat("/proc/" + std::to_string(agentPid(data_dir)) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 2)));
    std::string word;
    double ticks = 0;
    constexpr int kUserTime = 12, kSystemTime = 13;  // behind the name
    for (int i = 1; i <= kSystemTime && rest >> word; ++i) {
        if (i >= kUserTime) ticks += std::strtod(word.c_str(), nullptr);
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

int measureOpenEvents(const OpenEventsOptions& options) {
    const QTemporaryDir scratch;
    qputenv("XDG_DATA_HOME", scratch.path().toUtf8());
    qputenv("XDG_RUNTIME_DIR", scratch.path().toUtf8());
    const std::string logs = scratch.filePath(QStringLiteral("logs")).toStdString();
    std::filesystem::create_directories(logs);
    const std::uint64_t bytes = write(logs + "/events.out.tfevents.1", options);

    QSettings settings(scratch.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    ui::theme::ThemeController themes;
    ui::session::Session session({.connect = [] { return agent::client::connectLocalAgent({}, 30s); },
                                  .share_dir = scratch.path(),
                                  .history_file = {},
                                  .settings = &settings});
    ui::views::MainWindow window(session, themes);
    window.resize(1440, 900);
    window.show();
    window.showMode(ui::views::Mode::kMonitor);
    if (!waitFor([&] { return session.host().isReady() && !session.runs().isReading(); })) return 1;

    const Moment begin = Moment::now();
    const double cpu_before = processSeconds(RUSAGE_SELF);
    const auto since = [&] { return (Moment::now().wall_ms - begin.wall_ms) * 1e-3; };
    session.runs().openFolder(QString::fromStdString(logs));
    const auto cards = [&] {
        std::vector<ui::charts::ChartCard*> shown;
        for (auto* card : window.findChildren<ui::charts::ChartCard*>()) {
            if (card->isVisible() && !card->isEmpty()) shown.push_back(card);
        }
        return shown;
    };
    if (!waitFor([&] { return !cards().empty(); })) return 1;
    const double first_s = since();
    const auto points = static_cast<std::size_t>(options.points - 1);  // the last step may wait for more of its values
    const bool all = waitFor([&] { return session.runs().current() != nullptr && session.runs().current()->global().size() >= points; });
    const double all_s = since();
    // Curves grow turn by turn: the window answers in between.
    const auto isWhole = [&](ui::charts::ChartCard* card) { return card->series(0).size() >= points; };
    Times turns;
    bool drawn = false;
    for (const auto until = std::chrono::steady_clock::now() + kDeadline; !drawn && std::chrono::steady_clock::now() < until;) {
        const Moment start = Moment::now();
        QApplication::processEvents();
        turns.add(start, Moment::now());
        const auto shown = cards();
        drawn = static_cast<int>(shown.size()) >= options.series && std::all_of(shown.begin(), shown.end(), isWhole);
    }
    const double drawn_s = since();
    const double window_cpu_s = processSeconds(RUSAGE_SELF) - cpu_before;
    const double agent_cpu_s = agentSeconds(scratch.path());

    // What opening has left to do, such as charts that wait for their turn to be painted, is no part of panning.
    const auto settled = std::chrono::steady_clock::now() + kSettling;
    while (std::chrono::steady_clock::now() < settled) {
        const Moment start = Moment::now();
        QApplication::processEvents();
        turns.add(start, Moment::now());
        std::this_thread::sleep_for(1ms);
    }

    Times pan;
    const auto shown = cards();
    const double width = 0.1 * options.points;
    for (int frame = 0; !shown.empty() && frame < options.frames; ++frame) {
        const double from = 0.9 * options.points * frame / options.frames;
        const Moment start = Moment::now();
        shown.front()->axes().setXRange(ui::models::Range{from, from + width});
        QApplication::processEvents();
        pan.add(start, Moment::now());
    }
    const auto* record = session.runs().current();
    std::printf(
        "{\"bench\": \"open_events\", \"series\": %d, \"points\": %d, \"bytes\": %llu, \"first_curve_s\": %.2f, \"all_points_s\": %.2f, "
        "\"drawn_s\": %.2f, \"window_cpu_s\": %.2f, \"agent_cpu_s\": %.2f, \"columns\": %zu, \"dropped\": %lld, \"charts\": %zu, "
        "\"frames\": %d, \"turns_until_then\": {%s}, %s}\n",
        options.series, options.points, static_cast<unsigned long long>(bytes), first_s, all_s, drawn_s, window_cpu_s, agent_cpu_s,
        record == nullptr ? std::size_t{0} : record->global().names.size(),
        static_cast<long long>(record == nullptr ? 0 : record->droppedPoints()), shown.size(), options.frames, turns.json().c_str(),
        pan.json().c_str());
    std::fflush(stdout);
    if (const int pid = agentPid(scratch.path()); pid > 0) ::kill(pid, SIGTERM);
    return all && drawn ? 0 : 1;
}

}  // namespace tests::bench
