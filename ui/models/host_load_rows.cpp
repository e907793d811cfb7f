// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/host_load_rows.h"

#include <QLocale>
#include <algorithm>
#include <iterator>

#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"

namespace ui::models {

using engine::spec::HostLoad;

namespace {

constexpr double kMegabyte = 1 << 20, kGigabyte = 1 << 30;
constexpr double kLeastRate = kMegabyte;  // of a scale: a quiet network is a flat line, not noise in full height

QString fixed(double value, int decimals) {
    return QLocale().toString(value, 'f', decimals);
}

// Returns a rate in MB/s with as many decimals as it deserves.
QString rate(double bytes_per_s) {
    const double value = bytes_per_s / kMegabyte;
    return fixed(value, value < 9.95 ? 1 : 0);
}

template <typename Value>
HostRow row(const std::vector<const HostLoad*>& loads, const QString& name, double least_scale, const Value& value) {
    HostRow out{name, QString(QChar(kMissing)), {}, {}, least_scale};
    for (const HostLoad* load : loads) {
        const double age_s = static_cast<double>(loads.back()->time_unix_ns - load->time_unix_ns) * 1e-9;
        out.course.push_back({age_s, value(*load)});
        out.most = std::max(out.most, out.course.back().value);
    }
    return out;
}

}  // namespace

// A load that lacks a GPU counts as 0 in the GPU's course.
std::vector<HostRow> HostLoadRows::gpuRows(const std::vector<const HostLoad*>& shown, const HostLoad& last, bool fresh) {
    std::vector<HostRow> rows;
    for (std::size_t i = 0; i < last.gpus.size(); ++i) {
        const engine::spec::GpuLoad& gpu = last.gpus[i];
        const QString name = last.gpus.size() == 1 ? tr("GPU") : tr("GPU %1").arg(i);
        rows.push_back(row(shown, name, 1, [i](const HostLoad& load) { return i < load.gpus.size() ? load.gpus[i].busy : 0.0; }));
        if (fresh) {
            rows.back().value = tr("%1 %, %2 of %3 GB")
                                    .arg(fixed(gpu.busy * 100, 0), fixed(static_cast<double>(gpu.memory_used_bytes) / kGigabyte, 1),
                                         fixed(static_cast<double>(gpu.memory_bytes) / kGigabyte, 1));
        }
        double bytes = 0;
        for (const auto& task : last.tasks) bytes += static_cast<double>(task.gpu_memory_bytes);
        rows.back().details =
            QString::fromStdString(gpu.name) + QLatin1Char('\n') +
            tr("Time in which a kernel ran, and memory. Tandem's tasks hold %1 GB of all GPUs.").arg(fixed(bytes / kGigabyte, 2));
    }
    return rows;
}

std::vector<HostRow> HostLoadRows::of(const std::deque<HostLoad>& loads, std::int64_t from_unix_ns, std::int64_t upto_unix_ns, bool fresh) {
    std::vector<const HostLoad*> shown;
    for (auto load = loads.rbegin(); load != loads.rend() && load->time_unix_ns >= from_unix_ns; ++load) {
        if (load->time_unix_ns > upto_unix_ns || load->cores == 0) continue;  // 0: the tasks alone were told of
        if (!shown.empty() && shown.front()->time_unix_ns - load->time_unix_ns > static_cast<std::int64_t>(kSpanS) * 1'000'000'000) break;
        shown.push_back(&*load);
    }
    std::reverse(shown.begin(), shown.end());
    const HostLoad last = shown.empty() ? HostLoad() : *shown.back();
    HostRow cpu = row(shown, tr("CPU"), std::max(1, last.cores), [](const HostLoad& load) { return load.cpu_cores; });
    HostRow memory = row(shown, tr("Memory"), std::max(1.0, static_cast<double>(last.memory_bytes)),
                         [](const HostLoad& load) { return static_cast<double>(load.memory_used_bytes); });
    HostRow network =
        row(shown, tr("Network"), kLeastRate, [](const HostLoad& load) { return load.received_bytes_per_s + load.sent_bytes_per_s; });
    HostRow loopback = row(shown, tr("Loopback"), kLeastRate, [](const HostLoad& load) { return load.loopback_bytes_per_s; });
    network.details = tr("Over every network card, received and sent.");
    loopback.details = tr("What programs of this computer send each other over TCP: workers that exchange gradients by gRPC.");
    if (!shown.empty() && fresh) {
        double cores = 0, bytes = 0;
        for (const auto& task : last.tasks) {
            cores += task.cpu_cores;
            bytes += static_cast<double>(task.resident_bytes);
        }
        cpu.value = tr("%1 of %2 cores").arg(fixed(last.cpu_cores, 2)).arg(last.cores);
        cpu.details =
            tr("Tandem's tasks: %1 cores, other programs: %2.").arg(fixed(cores, 2), fixed(std::max(0.0, last.cpu_cores - cores), 2));
        memory.value = tr("%1 of %2 GB")
                           .arg(fixed(static_cast<double>(last.memory_used_bytes) / kGigabyte, 1),
                                fixed(static_cast<double>(last.memory_bytes) / kGigabyte, 1));
        memory.details = tr("Tandem's tasks: %1 GB, shared memory counted in each of them.").arg(fixed(bytes / kGigabyte, 2));
        network.value = tr("↓ %1 ↑ %2 MB/s").arg(rate(last.received_bytes_per_s), rate(last.sent_bytes_per_s));
        loopback.value = tr("%1 MB/s").arg(rate(last.loopback_bytes_per_s));
    }
    std::vector<HostRow> rows{cpu, memory, network, loopback};
    const auto after_memory = rows.begin() + 2;
    std::vector<HostRow> gpus = gpuRows(shown, last, fresh);
    rows.insert(after_memory, std::make_move_iterator(gpus.begin()), std::make_move_iterator(gpus.end()));
    return rows;
}

HostRow HostLoadRows::ofComputer(const QString& name, const std::deque<HostLoad>& loads, std::int64_t from_unix_ns,
                                 std::int64_t upto_unix_ns, bool fresh) {
    std::vector<HostRow> rows = of(loads, from_unix_ns, upto_unix_ns, fresh);
    HostRow computer = std::move(rows.front());
    QStringList lines{computer.details};
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) lines << withName(row->name, row->value);
    computer.name = name;
    computer.details = fresh ? lines.join(QLatin1Char('\n')) : QString();
    return computer;
}

}  // namespace ui::models
