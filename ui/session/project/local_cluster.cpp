// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/local_cluster.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/task_plan.h"
#include "ui/session/host/host.h"
#include "ui/session/host/port_probe.h"
#include "ui/session/project/project.h"

namespace ui::session {

using namespace engine::spec;

namespace {

constexpr int kMostLocalWorkers = 8;

struct LocalCluster {
    Q_DECLARE_TR_FUNCTIONS(LocalCluster)
};

}  // namespace

int localWorkers(const Project& project) {
    return std::max<int>(1, static_cast<int>(project.spec().cluster.spec.trainingTasks().size()));
}

int hostCount(const Project& project, const Host& host) {
    const auto hosts =
        engine::spec::hostsOf(project.spec().cluster, [&host](const std::string& name) { return host.isThisComputer(name); });
    return std::max(1, static_cast<int>(std::count_if(hosts.begin(), hosts.end(), [](const auto& one) { return !one.tasks.empty(); })));
}

void setLocalWorkers(Project& project, int workers) {
    workers = std::clamp(workers, 1, kMostLocalWorkers);
    if (project.isOpen() && workers == localWorkers(project)) return;
    project.change(LocalCluster::tr("Use %n local worker(s)", nullptr, workers),
                   [workers](RunSpec& run) { useLocalWorkers(run, usualPorts(workers)); });
}

void chooseFreePorts(Project& project) {
    const int tasks = std::max<int>(1, static_cast<int>(engine::spec::allTasks(project.spec().cluster.spec).size()));
    const std::vector<int> ports = freeLoopbackPorts(tasks);
    if (static_cast<int>(ports.size()) < tasks) return;
    project.change(LocalCluster::tr("Choose free ports"), [&ports](RunSpec& run) {
        auto port = ports.begin();
        for (Job& job : run.cluster.spec.jobs) {
            for (auto& [index, address] : job.tasks) {
                const auto where = parseHostPort(address);
                if (port != ports.end() && (!where || isLoopbackName(where->host))) address = "localhost:" + std::to_string(*port++);
            }
        }
    });
}

std::optional<Repair> repairOf(const Project& project, const Host& host, const Diagnostic& finding) {
    if (!project.isOpen()) return std::nullopt;
    constexpr int kSpare = 8;
    const int tasks = static_cast<int>(allTasks(project.spec().cluster.spec).size());
    return repairRun(project.spec(), finding, {host.info() ? host.info()->host_name : std::string(), freeLoopbackPorts(tasks + kSpare)});
}

bool repair(Project& project, const Host& host, const Diagnostic& finding) {
    const std::optional<Repair> found = repairOf(project, host, finding);
    if (!found) return false;
    project.change(QString::fromStdString(found->text), [&found](RunSpec& run) { run = found->run; });
    return true;
}

}  // namespace ui::session
