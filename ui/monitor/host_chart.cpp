// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/host_chart.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/session/runs/run_record.h"

namespace ui::views {

using engine::spec::HostLoad;

namespace {

constexpr double kMegabyte = 1 << 20, kGigabyte = 1 << 30;

QString chartWord(const char* source) {
    return QCoreApplication::translate("HostChart", source);
}

}  // namespace

std::vector<HostChart> hostCharts() {
    const auto cores = [](const HostLoad& load) { return load.cpu_cores; };
    const auto task_cores = [](const HostLoad& load) {
        double sum = 0;
        for (const auto& task : load.tasks) sum += task.cpu_cores;
        return sum;
    };
    const auto memory = [](const HostLoad& load) { return static_cast<double>(load.memory_used_bytes) / kGigabyte; };
    const auto gpu_busy = [](const HostLoad& load) {
        double sum = 0;
        for (const auto& gpu : load.gpus) sum += gpu.busy * 100;
        return load.gpus.empty() ? 0 : sum / static_cast<double>(load.gpus.size());
    };
    const auto gpu_memory = [](const HostLoad& load) {
        double sum = 0;
        for (const auto& gpu : load.gpus) sum += static_cast<double>(gpu.memory_used_bytes) / kGigabyte;
        return sum;
    };
    const auto received = [](const HostLoad& load) { return load.received_bytes_per_s / kMegabyte; };
    const auto sent = [](const HostLoad& load) { return load.sent_bytes_per_s / kMegabyte; };
    const auto loopback = [](const HostLoad& load) { return load.loopback_bytes_per_s / kMegabyte; };
    return {{QStringLiteral("host/cpu_cores"),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "Processor")),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "cores")),
             {{chartWord(QT_TRANSLATE_NOOP("HostChart", "all")), cores}, {chartWord(QT_TRANSLATE_NOOP("HostChart", "tasks")), task_cores}}},
            {QStringLiteral("host/memory_bytes"),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "Memory")),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "GB")),
             {{chartWord(QT_TRANSLATE_NOOP("HostChart", "used")), memory}}},
            {QStringLiteral("host/gpu_busy"),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "GPU")),
             QStringLiteral("%"),
             {{chartWord(QT_TRANSLATE_NOOP("HostChart", "busy")), gpu_busy}},
             true},
            {QStringLiteral("host/gpu_memory_bytes"),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "GPU memory")),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "GB")),
             {{chartWord(QT_TRANSLATE_NOOP("HostChart", "used")), gpu_memory}},
             true},
            {QStringLiteral("host/network_bytes"),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "Network")),
             chartWord(QT_TRANSLATE_NOOP("HostChart", "MB / s")),
             {{chartWord(QT_TRANSLATE_NOOP("HostChart", "received")), received},
              {chartWord(QT_TRANSLATE_NOOP("HostChart", "sent")), sent},
              {chartWord(QT_TRANSLATE_NOOP("HostChart", "loopback")), loopback}}}};
}

bool isHostChart(const QString& key) {
    return key.startsWith(QLatin1String("host/"));
}

HostChart hostChart(const QString& key) {
    for (HostChart& chart : hostCharts()) {
        if (chart.key == key) return chart;
    }
    return {};
}

std::int64_t stepAt(const session::RunRecord& run, std::int64_t time_unix_ns) {
    const session::PointTable& points = run.global();
    const auto after = std::upper_bound(points.time_s.begin(), points.time_s.end(), run.secondsSinceCreation(time_unix_ns));
    if (after == points.time_s.begin()) return 0;
    return static_cast<std::int64_t>(points.step[static_cast<std::size_t>(after - points.time_s.begin()) - 1]);
}

}  // namespace ui::views
