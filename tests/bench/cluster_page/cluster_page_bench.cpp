// SPDX-License-Identifier: GPL-3.0-or-later
// How long a change of a cluster of 1000 tasks on 100 computers takes: the checks of TF_CONFIG and project by themselves, and the Cluster
// page until it is painted anew. Prints a line an action, median of five, in milliseconds, and the slowest change of the page as JSON.
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/validate/validate.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host_backend.h"
#include "ui/cluster/cluster_page.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

namespace {

namespace spec = engine::spec;
using ui::session::Session;

constexpr int kHosts = 100, kTasksEach = 10, kRounds = 5, kPatienceMs = 60'000;

std::string hostName(int host) {
    return "node" + std::to_string(host);
}

std::map<int, std::string> addresses() {
    std::map<int, std::string> all;
    for (int task = 0; task < kHosts * kTasksEach; ++task) {
        all[task] = hostName(task / kTasksEach) + ":" + std::to_string(6000 + task % kTasksEach);
    }
    return all;
}

double median(const std::function<void(int round)>& action) {
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        action(round);
        times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    std::sort(times.begin(), times.end());
    return times[kRounds / 2];
}

bool waitFor(const std::function<bool()>& fact) {
    QElapsedTimer timer;
    timer.start();
    while (!fact()) {
        if (timer.elapsed() > kPatienceMs) return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const auto hosts = std::make_shared<tests::FakeHostBackend>();
    std::vector<ui::session::HostEntry> entries;
    for (int host = 0; host < kHosts; ++host) {
        const QString name = QString::fromStdString(hostName(host));
        entries.push_back({.name = name, .destination = name});
        hosts->setSight(name, {.state = ui::session::FarHostState::kReachable});
    }
    hosts->setEntries(std::move(entries));
    const auto world = std::make_shared<tests::FakeAgentWorld>();
    Session session({.connect = [world] { return std::make_unique<tests::FakeAgentClient>(world); },
                     .share_dir = QStringLiteral(TANDEM_RESOURCES),
                     .far_hosts = hosts});
    ui::theme::ThemeController themes;
    ui::views::ClusterPage page(session, themes, nullptr);
    page.resize(1364, 834);
    page.show();
    ui::session::Project& project = session.project();
    if (!waitFor([&] { return session.farHosts().isLoaded(); }) || !project.openStarter(QStringLiteral("mnist_multi_worker"))) {
        std::fprintf(stderr, "expected a list of hosts and a starter project, got none\n");
        return 1;
    }

    double worst = 0;
    const auto tell = [&](const char* what, double ms) { std::printf("%-40s %8.2f ms\n", what, ms); };
    // Until everything that the change has queued is done and painted.
    const auto change = [&](const char* what, const std::function<void(spec::RunSpec&, int round)>& edit, bool counts = true) {
        const double ms = median([&](int round) {
            project.change(QString::fromLatin1(what), [&](spec::RunSpec& run) { edit(run, round); });
            QCoreApplication::sendPostedEvents();
            page.repaint();
            QCoreApplication::processEvents();
        });
        worst = counts ? std::max(worst, ms) : worst;
        tell(what, ms);
    };
    change(
        "1000 tasks, and back to two",
        [](spec::RunSpec& run, int round) {
            run.cluster.spec.jobs.front().tasks =
                round % 2 == 0 ? addresses() : std::map<int, std::string>{{0, "localhost:6000"}, {1, "localhost:6001"}};
        },
        false);
    const spec::RunSpec whole = project.spec();
    tell("the project's checks alone", median([&](int) { spec::validate(whole); }));
    tell("TF_CONFIG of a task and its checks", median([&](int round) {
             const std::string text = spec::toTfConfigJson(whole.cluster.spec, {"worker", 100 * round});
             spec::checkTfConfig(text, spec::TfConfigUse::kMultiWorker);
         }));
    change("another port",
           [](spec::RunSpec& run, int round) { run.cluster.spec.jobs.front().tasks[500] = "node50:" + std::to_string(7000 + round); });
    change("a port that is taken", [](spec::RunSpec& run, int round) {
        run.cluster.spec.jobs.front().tasks[500] = round % 2 == 0 ? "node50:6001" : "node50:7005";
    });
    change("a task on another computer",
           [](spec::RunSpec& run, int round) { run.cluster.spec.jobs.front().tasks[501] = hostName(60 + round) + ":7010"; });
    change("another communication", [](spec::RunSpec& run, int round) { run.strategy.communication = round % 2 == 0 ? "RING" : "AUTO"; });
    change("epochs", [](spec::RunSpec& run, int round) { run.fit.epochs = 20 + round; });
    std::printf("{\"bench\": \"cluster_page\", \"tasks\": %d, \"change_ms\": %.2f}\n", kHosts * kTasksEach, worst);
    return 0;
}
