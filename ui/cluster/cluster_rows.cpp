// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/cluster_rows.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <map>

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
#include "ui/session/host/far_hosts.h"
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

constexpr std::size_t kCoresFact = 2;  // of TaskBox::facts

// Builds the picture of one project.
class PictureBuilder {
public:
    PictureBuilder(const session::Session& session, const theme::Theme& theme, int lost_s)
        : session_(session), theme_(theme), run_(session.project().spec()), lost_s_(lost_s), training_(run_.cluster.spec.trainingTasks()) {
        for (std::size_t rank = 0; rank < training_.size(); ++rank) ranks_[training_[rank]] = static_cast<int>(rank);
        for (const Diagnostic& d : session.project().diagnostics()) {
            if (d.severity != Severity::kInfo) problems_.emplace(d.path, &d);  // the first of each path
        }
        for (const auto& device : devicesOf(run_.strategy)) devices_ << QString::fromStdString(toString(device));
        const auto* strategy = engine::spec::findStrategy(run_.strategy.name);
        has_servers_ = strategy != nullptr && strategy->has_servers;
    }

    canvas::ClusterPicture build() {
        canvas::ClusterPicture picture;
        picture.can_edit = !session_.runs().hasActiveOfOwn();
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
            picture.ring = QString::fromStdString(run_.strategy.communication == "AUTO" ? "RING" : run_.strategy.communication);
            picture.bytes = parameters > 0 ? ClusterRows::tr("%1 a step").arg(models::formatBytes(parameters * kBytes)) : QString();
        }
        return picture;
    }

private:
    bool trains(const TaskId& task) const { return training_.empty() || ranks_.contains(task); }

    canvas::HostCard thisComputer(const ClusterHost& host) {
        const auto& facts = session_.host().info();
        canvas::HostCard card;
        card.key = QStringLiteral("localhost");
        card.is_here = true;
        card.name = ClusterRows::tr("This computer");
        card.address = facts && !facts->host_name.empty() ? QStringLiteral("%1 · 127.0.0.1").arg(QString::fromStdString(facts->host_name))
                                                          : QStringLiteral("localhost · 127.0.0.1");
        card.security = ClusterRows::tr("own socket, token");
        if (facts) fillInventory(card, *facts);
        if (lost_s_ >= 0) card.problem = ClusterRows::tr("no answer for %n s", nullptr, lost_s_);
        for (const TaskId& task : host.tasks) card.tasks.push_back(box(task, true));
        return card;
    }

    static void fillInventory(canvas::HostCard& card, const engine::run::HostInfo& facts) {
        card.cores = facts.cores;
        card.gpus = static_cast<int>(facts.gpus.gpus.size());
        card.processor = facts.vector_units.empty()
                             ? ClusterRows::tr("%n core(s)", nullptr, facts.cores)
                             : ClusterRows::tr("%n core(s), %1", nullptr, facts.cores).arg(QString::fromStdString(facts.vector_units));
        card.gpu = gpuText(facts.gpus);
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
        const session::FarHost* known = session_.farHosts().reachedAs(card.name);
        if (known != nullptr) {
            fillKnown(card, *known);
            if (session_.runs().hasActiveOfOwn() && !known->is_installing) card.action.clear();
        } else {
            fillUnknown(card, host);
        }
        const int cores = known != nullptr ? known->sight.info.cores : 0;
        const auto trainers = std::count_if(host.tasks.begin(), host.tasks.end(), [this](const TaskId& t) { return trains(t); });
        for (const TaskId& task : host.tasks) {
            card.tasks.push_back(box(task, false));
            canvas::TaskBox& added = card.tasks.back();
            if (known == nullptr) continue;
            if (!added.state_filled) added.state = ClusterRows::tr("Not started");
            if (!added.trains || cores == 0) continue;
            added.cores = run_.cluster.threads_per_task > 0 ? static_cast<int>(run_.cluster.threads_per_task)
                                                            : std::max(1, cores / std::max(static_cast<int>(trainers), 1));
            added.facts[kCoresFact].second = ClusterRows::tr("%1 of %2").arg(added.cores).arg(cores);
        }
        return card;
    }

    void fillUnknown(canvas::HostCard& card, const ClusterHost& host) const {
        card.address = ClusterRows::tr("another computer");
        card.security = ClusterRows::tr("not in the list of hosts");
        card.secure = false;
        card.note = ClusterRows::tr(
            "In your list of hosts its tasks are started from here. Else export TF_CONFIG, and start them there with tandem-worker "
            "--cluster-key.");
        if (!session_.runs().hasActiveOfOwn()) card.action = ClusterRows::tr("Add to your hosts");
        if (!session_.doctor().report()) return;
        for (const DoctorRow& row : session_.doctor().report()->rows) {
            const bool own = row.check == "host" && row.title.starts_with(host.name);
            if (!own) continue;
            card.address = QString::fromStdString(row.title).mid(static_cast<int>(host.name.size()) + 1).trimmed();
            if (row.state == DoctorState::kError) card.problem = ClusterRows::tr("no answer");
        }
    }

    // A computer of the user's list, as the last look found it.
    static void fillKnown(canvas::HostCard& card, const session::FarHost& host) {
        const session::HostSight& sight = host.sight;
        card.address = sight.address.isEmpty() || sight.address == host.entry.destination
                           ? host.entry.destination
                           : QStringLiteral("%1 · %2").arg(host.entry.destination, sight.address);
        card.security = host.entry.fingerprint.isEmpty() ? ClusterRows::tr("ssh, then TLS") : ClusterRows::tr("TLS, without ssh");
        if (sight.info.cores > 0) fillInventory(card, sight.info);
        if (host.is_installing) {
            const auto& progress = host.progress;
            card.note = session::phaseText(progress.phase) +
                        (progress.all_bytes > 0 ? QStringLiteral(" · %1 / %2")
                                                      .arg(models::formatBytes(static_cast<std::int64_t>(progress.done_bytes)),
                                                           models::formatBytes(static_cast<std::int64_t>(progress.all_bytes)))
                                                : QString());
            card.progress = progress.all_bytes > 0 ? static_cast<double>(progress.done_bytes) / static_cast<double>(progress.all_bytes) : 0;
            card.action = ClusterRows::tr("Cancel");
            return;
        }
        switch (host.state()) {
            case session::FarHostState::kUnknown:
            case session::FarHostState::kLooking:
                card.note = ClusterRows::tr("Looking at it");
                break;
            case session::FarHostState::kReachable:
                card.note = card.processor + QStringLiteral(" · ") + card.gpu;
                break;
            case session::FarHostState::kOtherVersion:
                card.problem = sight.is_older ? ClusterRows::tr("Tandem %1, older").arg(sight.version)
                                              : ClusterRows::tr("Tandem %1, newer").arg(sight.version);
                card.note = ClusterRows::tr("Runs need the version of this computer.");
                card.action = sight.is_newer ? ClusterRows::tr("Install this version") : ClusterRows::tr("Update");
                break;
            case session::FarHostState::kNoTandem:
                card.problem = ClusterRows::tr("no Tandem there");
                card.note = ClusterRows::tr("This Tandem goes there over ssh, without root.");
                card.action = ClusterRows::tr("Install");
                break;
            case session::FarHostState::kProblem:
                card.problem = ClusterRows::tr("out of reach");
                card.note = models::findingText(sight.problem);
                card.action = ClusterRows::tr("Look closer");
                break;
        }
        if (!host.install_problem.isEmpty() && host.state() != session::FarHostState::kReachable)
            card.note = models::findingText(host.install_problem);
    }

    canvas::TaskBox box(const TaskId& task, bool is_here) {
        const bool alone = run_.cluster.spec.empty();
        const std::string address = run_.cluster.spec.address(task).value_or("");
        const auto ranked = ranks_.find(task);
        const int rank = ranked == ranks_.end() ? static_cast<int>(training_.size()) : ranked->second;
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
        const QStringList& devices = devices_;
        box.cores = box.trains && is_here ? coresOf(rank) : 0;
        box.facts = {
            {ClusterRows::tr("duty"), duty},
            {ClusterRows::tr("device"), devices.size() > 2 ? devices.front() + "…" + devices.back().mid(4) : devices.join(", ")},
            {ClusterRows::tr("cores"), box.cores > 0 ? coreText(rank, box.cores) : missing},
            {ClusterRows::tr("batch"),
             box.trains ? models::formatCount(run_.data.batch_size_per_replica * std::max<qsizetype>(devices.size(), 1)) : missing},
            {ClusterRows::tr("shard"), !box.trains    ? missing
                                       : has_servers_ ? ClusterRows::tr("all")
                                                      : QStringLiteral("%1 / %2").arg(rank + 1 > replicas ? 1 : rank + 1).arg(replicas)}};
        box.brief = duty;
        const session::RunRecord* record = session_.runs().hasActiveOfOwn() ? session_.runs().current() : nullptr;
        const auto* known = record ? record->tasks().find(task) : nullptr;
        const auto found = problems_.find(pathOf(task));
        const Diagnostic* problem = found == problems_.end() ? nullptr : found->second;
        if (problem != nullptr && problem->severity == Severity::kError) box.problem = models::findingText(problem->message);
        box.state = known                                ? models::stateWord(known->state)
                    : !is_here                           ? ClusterRows::tr("Started by hand")
                    : task.type == "ps" && !has_servers_ ? ClusterRows::tr("Not started from here")
                    : problem != nullptr                 ? ClusterRows::tr("Not started")
                    : alone                              ? ClusterRows::tr("Not started")
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
    std::map<TaskId, int> ranks_;                        // of training_
    std::map<std::string, const Diagnostic*> problems_;  // by path
    QStringList devices_;                                // of each task
    bool has_servers_ = false;                           // its ps tasks run, and each worker reads all samples
    int here_ = 0;                                       // tasks that train on this computer
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
            {{state, named ? text : models::withName(where, text), models::findingText(fix),
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
