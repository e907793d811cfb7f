// SPDX-License-Identifier: GPL-3.0-or-later
// A studio without an agent process: Session over the agent with memory, and the events of a plausible run. The numbers are made up for
// looking at pages; nothing measures with them.
#pragma once

#include <QCoreApplication>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QLocale>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/spec/cluster/task_plan.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host_backend.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"

namespace tests {

// Runs the event loop until `fact` holds; false at the deadline.
inline bool waitUntil(const std::function<bool()>& fact, int deadline_ms = 180'000) {
    const QDeadlineTimer deadline(deadline_ms);
    while (!fact()) {
        if (deadline.hasExpired()) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

struct MadeUpRun {
    int steps = 3595;
    int steps_per_epoch = 469;
    int epochs = 12;
    double step_ms = 13.3;
    int workers = 2;
};

// Everything two workers would have told up to `shape.steps`, first step at `start_unix_ns` + 0.5 s.
inline std::vector<engine::spec::TaskEvent> eventsOf(const MadeUpRun& shape, std::int64_t start_unix_ns) {
    using namespace engine::spec;
    std::vector<TaskEvent> events;
    const auto at = [&](double seconds) { return start_unix_ns + static_cast<std::int64_t>(seconds * 1e9); };
    const auto add = [&](double seconds, int worker, EventBody body) {
        events.push_back({0, at(seconds), {"worker", worker}, std::move(body)});
    };
    const auto timeOf = [&](int step) {
        const int epochs_done = (step - 1) / shape.steps_per_epoch;
        return 0.5 + step * shape.step_ms / 1000 + epochs_done * 0.3;
    };
    unsigned state = 12345;
    const auto noise = [&] {
        state = state * 1664525u + 1013904223u;
        return (static_cast<double>(state >> 8) / (1 << 24)) - 0.5;
    };
    for (int w = 0; w < shape.workers; ++w) add(0.1, w, StateChanged{TaskState::kReady, {}});
    add(0.2, 0,
        RunStarted{shape.steps_per_epoch, shape.epochs, 128, 347146, 347146 * 4, "cpu (AVX2, 2 threads)", "worker 0 <-> worker 1: gRPC"});
    add(0.2, 0, LogLine{LogLevel::kInfo, "listening on localhost:12345, MNIST 60,000 samples"});
    for (int w = 0; w < shape.workers; ++w) {
        add(0.3, w, StateChanged{TaskState::kTraining, {}});
        add(0.31, w,
            LogLine{LogLevel::kInfo, "epoch 1 begins: shard " + std::to_string(w + 1) + " of 2, 30,000 samples, order from seed 7"});
        add(0.4, w, Heartbeat{0, 180 << 20, 1.86 + 0.04 * w});
    }
    constexpr int kPack = 20;
    for (int first = 1; first <= shape.steps; first += kPack) {
        for (int w = 0; w < shape.workers; ++w) {
            StepPoints points;
            points.examples_per_step = 64;
            points.columns = {{"loss", {}}, {"accuracy", {}}, {"learning_rate", {}}};
            for (int step = first; step < first + kPack && step <= shape.steps; ++step) {
                const int epoch = (step - 1) / shape.steps_per_epoch;
                points.step.push_back(step);
                points.epoch.push_back(epoch);
                points.time_unix_ns.push_back(at(timeOf(step) + 0.001 * noise()));
                const double loss = 2.1 * std::exp(-step / 90.0) + 0.14 * std::exp(-step / 700.0) + 0.026 +
                                    0.05 * noise() * (0.3 + std::exp(-step / 900.0));
                points.columns[0].values.push_back(static_cast<float>(std::max(0.002, loss)));
                points.columns[1].values.push_back(static_cast<float>(
                    std::min(1.0, 0.995 - 0.6 * std::exp(-step / 70.0) - 0.04 * std::exp(-step / 800.0) + 0.012 * noise())));
                points.columns[2].values.push_back(epoch < 3 ? 1e-3F : (epoch < 7 ? 1e-4F : 1e-5F));
            }
            points.input_us = 500;
            points.compute_us = static_cast<float>(10500 - 300 * w);
            points.wait_us = static_cast<float>(200 + 300 * w);
            points.reduce_us = 1500;
            points.apply_us = 600;
            const double end = timeOf(points.step.empty() ? first : static_cast<int>(points.step.back()));
            add(end, w, std::move(points));
        }
    }
    for (int epoch = 0; (epoch + 1) * shape.steps_per_epoch <= shape.steps; ++epoch) {
        const int step = (epoch + 1) * shape.steps_per_epoch;
        const double val_loss = 0.0365 + 0.035 * std::exp(-epoch / 1.5), val_accuracy = 0.9881 - 0.0093 * std::exp(-epoch / 1.2);
        const double seconds = timeOf(step) + 0.25;
        add(seconds, 0,
            EpochEnd{epoch,
                     step,
                     6.2,
                     {{"loss", val_loss - 0.005}, {"accuracy", val_accuracy}, {"val_loss", val_loss}, {"val_accuracy", val_accuracy}}});
        add(seconds, 0, CheckpointSaved{"checkpoints/ckpt_" + std::to_string(epoch + 1), epoch, step, 1388584, 0.009, true});
        add(seconds, 0,
            LogLine{LogLevel::kInfo, "checkpoint saved: checkpoints/ckpt_" + std::to_string(epoch + 1) + " (1.3 MB, 9 ms, best so far)"});
    }
    std::stable_sort(events.begin(), events.end(), [](const TaskEvent& a, const TaskEvent& b) { return a.time_unix_ns < b.time_unix_ns; });
    return events;
}

// Session over the agent with memory; the project of two local workers is open.
class MadeUpStudio {
public:
    // `settings` outlive it; without any nothing is kept.
    explicit MadeUpStudio(QSettings* settings = nullptr) : world_(std::make_shared<FakeAgentWorld>()) {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        world_->host.host_name = "studio";
        world_->host.cores = 4;
        session_ = std::make_unique<ui::session::Session>(ui::session::SessionOptions{
            .connect = [world = world_] { return std::make_unique<FakeAgentClient>(world); },
            .share_dir = QString::fromUtf8(TANDEM_RESOURCES),
            .settings = settings,
            .reconnect_ms = 20,
            .far_hosts = hosts_,
        });
        session_->host().connectAgent();
    }

    ui::session::Session& session() { return *session_; }
    FakeAgentWorld& world() { return *world_; }
    FakeHostBackend& hosts() { return *hosts_; }  // none at first
    bool openTwoWorkers() { return session_->project().openStarter(QStringLiteral("mnist_multi_worker")); }
    bool agentIsReady() {
        return waitUntil(
            [this] { return session_->host().agentState() == ui::session::AgentState::kReady && session_->host().info().has_value(); });
    }
    // Launches what is open as if it had begun `age_s` ago; true once the run is shown.
    bool launch(double age_s) {
        world_->now_unix_ns = QDateTime::currentMSecsSinceEpoch() * 1'000'000 - static_cast<std::int64_t>(age_s * 1e9);
        session_->project().lookAtPorts();
        if (session_->project().holdsPortFindings()) ui::session::chooseFreePorts(session_->project());  // other programs run here, too
        session_->launcher().launch();
        return waitUntil([this] { return session_->runs().current() != nullptr; });
    }
    std::string runId() { return session_->runs().current()->id().toStdString(); }
    std::int64_t createdUnixNs() { return session_->runs().current()->createdUnixNs(); }
    bool feed(std::vector<engine::spec::TaskEvent> events) {
        const std::uint64_t upto = session_->runs().current()->lastSequence() + events.size();
        world_->addEvents(runId(), std::move(events));
        return waitUntil([&] { return session_->runs().current()->lastSequence() >= upto; });
    }

private:
    std::shared_ptr<FakeAgentWorld> world_;
    const std::shared_ptr<FakeHostBackend> hosts_ = std::make_shared<FakeHostBackend>();
    std::unique_ptr<ui::session::Session> session_;
};

}  // namespace tests
