// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/cluster_rows.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/strategy_table.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/models/task_list_model.h"
#include "ui/parts/host_checks.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"

namespace ui::views {

using engine::spec::allTasks;
using engine::spec::ClusterHost;
using engine::spec::Diagnostic;
using engine::spec::DoctorRow;
using engine::spec::DoctorState;
using engine::spec::hostOf;
using engine::spec::isLoopbackName;
using engine::spec::RunSpec;
using engine::spec::Severity;
using engine::spec::TaskId;
using models::CheckState;

namespace {

struct ClusterRows {
    Q_DECLARE_TR_FUNCTIONS(ClusterRows)
};

// Builds the picture of one project.
class PictureBuilder {
public:
    PictureBuilder(const session::Session& session, const theme::Theme& theme, int lost_s)
        : session_(session), theme_(theme), run_(session.project().spec()), lost_s_(lost_s), training_(run_.cluster.spec.trainingTasks()) {
        const auto* strategy = engine::spec::findStrategy(run_.strategy.name);
        has_servers_ = strategy != nullptr && strategy->has_servers;
    }

    canvas::ClusterPicture build() {
        canvas::ClusterPicture picture;
        picture.can_edit = !session_.runs().hasActive();
        std::vector<ClusterHost> hosts =
            hostsOf(run_.cluster, [this](const std::string& name) { return session_.host().isThisComputer(name); });
        if (run_.cluster.spec.empty()) hosts.front().tasks.push_back({"worker", 0});  // training alone
        here_ = static_cast<int>(
            std::count_if(hosts.front().tasks.begin(), hosts.front().tasks.end(), [this](const TaskId& t) { return trains(t); }));
        for (const ClusterHost& host : hosts) picture.hosts.push_back(host.is_here ? thisComputer(host) : otherHost(host));
        picture.star = run_.cluster.spec.taskCount("ps") > 0;
        if (training_.size() > 1) {
            std::int64_t parameters = 0;
            for (const auto& layer : session_.project().layerInfos()) parameters += layer.parameters;
            constexpr std::int64_t kBytes = 4;
            picture.ring = QString::fromStdString(run_.strategy.communication == "NCCL" ? "NCCL" : "RING");
            picture.bytes = parameters > 0 ? ClusterRows::tr("%1 a step").arg(models::formatBytes(parameters * kBytes)) : QString();
        }
        return picture;
    }

private:
    bool trains(const TaskId& task) const {
        return training_.empty() || std::find(training_.begin(), training_.end(), task) != training_.end();
    }

    canvas::HostCard thisComputer(const ClusterHost& host) {
        const auto& facts = session_.host().info();
        canvas::HostCard card;
        card.key = QStringLiteral("localhost");
        card.is_here = true;
        card.name = ClusterRows::tr("This computer");
        card.address = facts && !facts->host_name.empty() ? QStringLiteral("%1 · 127.0.0.1").arg(QString::fromStdString(facts->host_name))
                                                          : QStringLiteral("localhost · 127.0.0.1");
        card.security = ClusterRows::tr("own socket, token");
        card.cores = facts ? facts->cores : 0;
        card.gpus = facts ? static_cast<int>(facts->gpus.gpus.size()) : 0;
        card.processor =
            facts ? ClusterRows::tr("%n core(s), %1", nullptr, facts->cores).arg(QString::fromStdString(facts->vector_units)) : QString();
        card.gpu = facts ? gpuText(facts->gpus) : QString();
        if (lost_s_ >= 0) card.problem = ClusterRows::tr("no answer for %n s", nullptr, lost_s_);
        for (const TaskId& task : host.tasks) card.tasks.push_back(box(task, true));
        return card;
    }

    // "NVIDIA H200 139.8 GB, NCCL", "2 x NVIDIA H200 139.8 GB, no NCCL"
    static QString gpuText(const engine::spec::GpuInventory& inventory) {
        if (inventory.gpus.empty()) return ClusterRows::tr("no GPU");
        const engine::spec::Gpu& first = inventory.gpus.front();
        const auto count = inventory.gpus.size();
        const bool alike =
            std::all_of(inventory.gpus.begin(), inventory.gpus.end(), [&](const auto& gpu) { return gpu.name == first.name; });
        const QString name = alike ? QString::fromStdString(first.name) : ClusterRows::tr("%n GPU(s)", nullptr, static_cast<int>(count));
        const QString memory = QStringLiteral(" ") + models::formatBytes(first.memory_bytes);
        return (count > 1 && alike ? QStringLiteral("%1 × ").arg(count) : QString()) + name + (alike ? memory : QString()) + ", " +
               (inventory.nccl_version.empty() ? ClusterRows::tr("no NCCL") : QStringLiteral("NCCL"));
    }

    canvas::HostCard otherHost(const ClusterHost& host) {
        canvas::HostCard card;
        card.key = card.name = QString::fromStdString(host.name);
        card.address = ClusterRows::tr("another computer");
        card.security = ClusterRows::tr("not paired");
        card.secure = false;
        card.note = ClusterRows::tr(
            "Reached over mutual TLS alone, which this version lacks: design and export its TF_CONFIG, start it there with tandem-worker "
            "--cluster-key.");
        if (session_.doctor().report()) {
            for (const DoctorRow& row : session_.doctor().report()->rows) {
                const bool own = row.check == "host" && row.title.starts_with(host.name);
                if (!own) continue;
                card.address = QString::fromStdString(row.title).mid(static_cast<int>(host.name.size()) + 1).trimmed();
                if (row.state == DoctorState::kError) card.problem = ClusterRows::tr("no answer");
            }
        }
        for (const TaskId& task : host.tasks) card.tasks.push_back(box(task, false));
        return card;
    }

    canvas::TaskBox box(const TaskId& task, bool is_here) {
        const bool alone = run_.cluster.spec.empty();
        const std::string address = run_.cluster.spec.address(task).value_or("");
        const auto rank = std::find(training_.begin(), training_.end(), task) - training_.begin();
        const int replicas = std::max<int>(1, static_cast<int>(training_.size()));
        canvas::TaskBox box{.task = task};
        const std::size_t colon = address.rfind(':');
        box.port = colon == std::string::npos ? QString() : QString::fromStdString(address.substr(colon + 1));
        box.address = alone                        ? ClusterRows::tr("no TF_CONFIG")
                      : colon == std::string::npos ? QString::fromStdString(address)
                                                   : ":" + box.port;
        box.trains = trains(task);
        const bool chief = alone || run_.cluster.spec.isChief(task);
        const QString duty = task.type == "ps"          ? ClusterRows::tr("keeps variables")
                             : task.type == "evaluator" ? ClusterRows::tr("evaluates")
                             : chief                    ? ClusterRows::tr("chief, saves")
                                                        : ClusterRows::tr("trains");
        const QString missing(models::kMissing);
        QStringList devices;
        for (const auto& device : devicesOf(run_.strategy)) devices << QString::fromStdString(toString(device));
        box.cores = box.trains && is_here ? coresOf(static_cast<int>(rank)) : 0;
        box.facts = {
            {ClusterRows::tr("duty"), duty},
            {ClusterRows::tr("device"), devices.size() > 2 ? devices.front() + "…" + devices.back().mid(4) : devices.join(", ")},
            {ClusterRows::tr("cores"), box.cores > 0 ? coreText(static_cast<int>(rank), box.cores) : missing},
            {ClusterRows::tr("batch"),
             box.trains ? models::formatCount(run_.data.batch_size_per_replica * std::max<qsizetype>(devices.size(), 1)) : missing},
            {ClusterRows::tr("shard"), !box.trains    ? missing
                                       : has_servers_ ? ClusterRows::tr("all")
                                                      : QStringLiteral("%1 / %2").arg(rank + 1 > replicas ? 1 : rank + 1).arg(replicas)}};
        box.brief = duty;
        const session::RunRecord* record = session_.runs().hasActive() ? session_.runs().current() : nullptr;
        const auto* known = record ? record->tasks().find(task) : nullptr;
        const auto problem = std::find_if(session_.project().diagnostics().begin(), session_.project().diagnostics().end(),
                                          [&](const Diagnostic& d) { return d.path == pathOf(task) && d.severity != Severity::kInfo; });
        if (problem != session_.project().diagnostics().end() && problem->severity == Severity::kError)
            box.problem = models::findingText(problem->message);
        box.state = known                                               ? models::stateWord(known->state)
                    : !is_here                                          ? ClusterRows::tr("Started by hand")
                    : task.type == "ps" && !has_servers_                ? ClusterRows::tr("Not started from here")
                    : problem != session_.project().diagnostics().end() ? ClusterRows::tr("Not started")
                    : alone                                             ? ClusterRows::tr("Not started")
                                                                        : ClusterRows::tr("Not started, port free");
        box.state_filled = known && known->state != engine::spec::TaskState::kNotStarted;
        box.state_color = !box.state_filled                                  ? theme_.text3
                          : known->state == engine::spec::TaskState::kFailed ? theme_.err
                          : known->state == engine::spec::TaskState::kTraining || known->state == engine::spec::TaskState::kReady
                              ? theme_.ok
                              : theme_.warn;
        return box;
    }

    int coresOf(int rank) const {
        if (run_.cluster.threads_per_task > 0) return static_cast<int>(run_.cluster.threads_per_task);
        const int cores = session_.host().info() ? session_.host().info()->cores : 0;
        return cores == 0 ? 0 : std::max(1, cores / std::max(here_, 1) + (rank < cores % std::max(here_, 1) ? 1 : 0));
    }

    // "0–3" or "core 0" while every task has cores of its own, else how many threads it has.
    QString coreText(int rank, int count) const {
        const int cores = session_.host().info() ? session_.host().info()->cores : 0;
        int first = 0;
        for (int before = 0; before < rank; ++before) first += coresOf(before);
        if (first + count > cores) return ClusterRows::tr("%1 of %2").arg(count).arg(cores);
        return count == 1 ? ClusterRows::tr("core %1").arg(first) : QStringLiteral("%1–%2").arg(first).arg(first + count - 1);
    }

    const session::Session& session_;
    const theme::Theme& theme_;
    const RunSpec& run_;
    const int lost_s_;
    const std::vector<TaskId> training_;
    bool has_servers_ = false;  // its ps tasks run, and each worker reads all samples
    int here_ = 0;              // tasks that train on this computer
};

CheckState stateOf(DoctorState state) {
    return state == DoctorState::kError     ? CheckState::kError
           : state == DoctorState::kWarning ? CheckState::kWarning
           : state == DoctorState::kInfo    ? CheckState::kInfo
                                            : CheckState::kOk;
}

// The studio looks at the ports of loopback addresses itself, and later than the doctor did: what it found is said, not what was.
bool isNews(const DoctorRow& port, const session::Session& session) {
    if (port.state == DoctorState::kOk) return !session.project().holdsPortFindings();
    for (const TaskId& task : allTasks(session.project().spec().cluster.spec)) {
        if (pathOf(task) == port.path) return !isLoopbackName(hostOf(session.project().spec().cluster.spec.address(task).value_or("")));
    }
    return true;
}

}  // namespace

QString pathText(const QString& path) {
    static const QRegularExpression task(QStringLiteral(R"(^cluster\.(\w+)\[(-?\d+)\]$)"));
    const auto match = task.match(path);
    return match.hasMatch() ? match.captured(1) + " " + match.captured(2) : path;
}

canvas::ClusterPicture clusterPicture(const session::Session& session, const theme::Theme& theme, int lost_s) {
    return session.project().isOpen() ? PictureBuilder(session, theme, lost_s).build() : canvas::ClusterPicture{};
}

std::vector<Finding> clusterFindings(const session::Session& session) {
    std::vector<Finding> findings;
    if (!session.project().isOpen()) return findings;
    const auto add = [&](CheckState state, const std::string& message, const std::string& fix, const std::string& path) {
        Diagnostic diagnostic{state == CheckState::kError ? Severity::kError : Severity::kWarning, path, message, fix};
        const QString where = pathText(QString::fromStdString(path)), text = models::findingText(message);
        const bool named = where.isEmpty() || message.starts_with(where.toStdString());
        const bool problem = state == CheckState::kError || state == CheckState::kWarning;
        const auto repair = problem ? session::repairOf(session.project(), session.host(), diagnostic) : std::nullopt;
        findings.push_back(
            {{state, named ? text : where + ": " + text, models::findingText(fix),
              repair ? ClusterRows::tr("Fix: %1").arg(models::engineText(repair->text)) : QString(), QString::fromStdString(path)},
             std::move(diagnostic)});
    };
    for (const Diagnostic& d : session.project().diagnostics()) {
        const CheckState state = d.severity == Severity::kError     ? CheckState::kError
                                 : d.severity == Severity::kWarning ? CheckState::kWarning
                                                                    : CheckState::kInfo;
        add(state, d.message, d.fix, d.path);
    }
    const auto& report = session.doctor().report();
    if (!report) {
        for (models::CheckRow& row : projectChecks(session)) {
            if (row.state == CheckState::kOk || row.state == CheckState::kInfo) findings.push_back({std::move(row), {}});
        }
        return findings;
    }
    for (const DoctorRow& row : report->rows) {
        const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& f) {
            return f.diagnostic.message == row.title && f.diagnostic.path == row.path;
        });
        if (known || (row.check == "port" && !isNews(row, session)) || (row.check == "project" && row.state != DoctorState::kOk)) continue;
        const CheckState state = stateOf(row.state);
        if (state == CheckState::kError || state == CheckState::kWarning) {
            add(state, row.title, row.fix, row.path);
            QStringList lines{models::findingText(row.detail), models::findingText(row.fix)};
            lines.removeAll(QString());
            findings.back().row.detail = lines.join('\n');
        } else {
            findings.push_back({{state, models::findingText(row.title), models::findingText(row.detail), {}, {}}, {}});
        }
    }
    return findings;
}

}  // namespace ui::views
