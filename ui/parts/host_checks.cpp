// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/host_checks.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QLocale>
#include <QUrl>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/cluster/strategy_support.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"

namespace ui::views {

using engine::spec::Severity;
using models::CheckRow;
using models::CheckState;

namespace {

struct HostChecks {
    Q_DECLARE_TR_FUNCTIONS(HostChecks)
};

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
constexpr std::int64_t kLowMemory = 1LL << 30, kLowDisk = 1LL << 30;

QString gigabytes(std::int64_t bytes) {
    return QLocale().toString(static_cast<double>(bytes) / kGib, 'f', 1);
}

// Returns "NVIDIA H200, 139.8 GB".
QString gpuText(const engine::spec::Gpu& gpu) {
    return HostChecks::tr("%1, %2 GB").arg(QString::fromStdString(gpu.name), gigabytes(gpu.memory_bytes));
}

CheckRow agentRow(const session::Session& session) {
    switch (session.host().agentState()) {
        case session::AgentState::kReady:
            return {CheckState::kOk, HostChecks::tr("Agent"), HostChecks::tr("ready, this computer only")};
        case session::AgentState::kConnecting:
            return {CheckState::kPending, HostChecks::tr("Agent"), HostChecks::tr("connecting")};
        case session::AgentState::kLost:
            break;
    }
    return {CheckState::kError, HostChecks::tr("Agent"), HostChecks::tr("The agent does not answer"), HostChecks::tr("Start it")};
}

}  // namespace

std::vector<CheckRow> hostChecks(const session::Session& session) {
    std::vector<CheckRow> rows{agentRow(session)};
    if (!session.host().info()) return rows;
    const engine::run::HostInfo& host = *session.host().info();
    rows.push_back({CheckState::kOk, HostChecks::tr("Processor"),
                    HostChecks::tr("%n core(s), %1", nullptr, host.cores).arg(QString::fromStdString(host.vector_units))});
    const engine::spec::GpuInventory& gpus = host.gpus;
    const QString reason = models::engineText(gpuObstacle(gpus));
    if (gpus.gpus.empty()) {
        rows.push_back({CheckState::kInfo, HostChecks::tr("GPU"),
                        reason.isEmpty() ? HostChecks::tr("none found") : HostChecks::tr("none found: %1").arg(reason)});
    } else {
        QStringList facts;
        for (const engine::spec::Gpu& gpu : gpus.gpus) facts << gpuText(gpu);
        facts << (gpus.nccl_version.empty() ? HostChecks::tr("no NCCL") : "NCCL " + QString::fromStdString(gpus.nccl_version));
        rows.push_back({reason.isEmpty() ? CheckState::kOk : CheckState::kWarning, HostChecks::tr("GPU"),
                        reason.isEmpty() ? facts.join(", ") : HostChecks::tr("%1 can't be used: %2").arg(facts.join(", "), reason)});
    }
    rows.push_back({host.memory_available_bytes < kLowMemory ? CheckState::kWarning : CheckState::kOk, HostChecks::tr("Memory"),
                    HostChecks::tr("%1 GB free of %2 GB").arg(gigabytes(host.memory_available_bytes), gigabytes(host.memory_bytes))});
    QStringList sets;  // the Data page's names; other folders there hold starters' files
    for (const std::string& name : host.datasets) {
        if (const auto* set = engine::spec::findNamedDataset(name)) sets << models::engineText(set->title);
    }
    rows.push_back(sets.isEmpty()
                       ? CheckRow{CheckState::kWarning, HostChecks::tr("Data sets"), HostChecks::tr("none found on this computer")}
                       : CheckRow{CheckState::kOk, HostChecks::tr("Data sets"), sets.join(", ")});
    rows.push_back({host.disk_available_bytes < kLowDisk ? CheckState::kWarning : CheckState::kOk, HostChecks::tr("Disk"),
                    HostChecks::tr("%1 GB free for runs").arg(gigabytes(host.disk_available_bytes))});
    return rows;
}

std::vector<CheckRow> projectChecks(const session::Session& session) {
    std::vector<CheckRow> rows;
    if (!session.project().isOpen()) return rows;
    bool cluster_holds = true;
    for (const auto& found : session.project().diagnostics()) {
        const QString path = QString::fromStdString(found.path);
        const bool port = path.startsWith("cluster.") && found.fix.find("free port") != std::string::npos;
        if (found.severity != Severity::kInfo && path.startsWith("cluster")) cluster_holds = false;
        const CheckState state = found.severity == Severity::kError     ? CheckState::kError
                                 : found.severity == Severity::kWarning ? CheckState::kWarning
                                                                        : CheckState::kInfo;
        rows.push_back(
            {state, models::findingText(found.message), models::findingText(found.fix), port ? HostChecks::tr("Fix") : QString(), path});
    }
    if (cluster_holds && !session.project().spec().cluster.spec.empty()) {
        rows.push_back({CheckState::kOk, HostChecks::tr("TF_CONFIG: all rules hold")});
        if (!session.runs().hasActiveOfOwn()) rows.push_back({CheckState::kOk, HostChecks::tr("Ports of this computer are free")});
    }
    const session::DatasetFacts& data = session.project().dataset();
    if (data.found) {
        rows.push_back({CheckState::kOk,
                        HostChecks::tr("%1 is here: %2 training samples")
                            .arg(QString::fromStdString(session.project().spec().data.dataset), models::formatCount(data.train_samples))});
    } else if (!data.problem.isEmpty()) {
        rows.push_back({CheckState::kWarning, models::findingText(data.problem)});
    }
    if (session.host().info()) {
        const int cores = session.host().info()->cores, tasks = session::localWorkers(session.project());
        if (cores >= tasks) {
            rows.push_back({CheckState::kOk, HostChecks::tr("%n core(s) for each task", nullptr, cores / std::max(1, tasks))});
        } else {
            rows.push_back({CheckState::kWarning, HostChecks::tr("%1 tasks share %n core(s)", nullptr, cores).arg(tasks)});
        }
        const std::string choice = engine::spec::communicationChoice(session.project().spec(), session.host().info()->gpus);
        if (!choice.empty() && tasks > 1) rows.push_back({CheckState::kInfo, models::engineText(choice)});
    }
    return rows;
}

void openFolder(const QString& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

}  // namespace ui::views
