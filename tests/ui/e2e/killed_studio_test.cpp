// SPDX-License-Identifier: GPL-3.0-or-later
// The studio is killed in the middle of a run and opened again. `ui_killed_studio_test --studio FOLDER` is the studio that is killed: it
// opens FOLDER/work.tandem, launches it by a click, changes settings and the project by keys, and goes on until SIGKILL. Nothing may be
// lost: no point and no checkpoint beside what the agent's journal holds, no setting, no change of the project.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <cmath>
#include <cstring>
#include <map>

#include "agent/history/journal.h"
#include "agent/history/run_store.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/cluster_spec.h"
#include "home.h"
#include "studio.h"
#include "ui/charts/chart_card.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_page.h"
#include "ui/parts/run_group.h"
#include "ui/session/host/port_probe.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"

namespace tests {
namespace {

using agent::history::Journal;
using engine::spec::TaskEvent;
using ui::session::RunRecord;
using ui::views::Mode;

constexpr int kBatch = 48;
constexpr int kStepsPerEpoch = 60;

// What the journal of a run holds by now; another process writes it.
std::vector<TaskEvent> journalOf(const QString& run_dir) {
    const Journal journal((run_dir + "/" + agent::history::kJournalFile).toStdString(), Journal::Access::kReadOnly);
    std::vector<TaskEvent> events;
    for (std::uint64_t from = 1;;) {
        const auto entries = journal.read(from, 4096, 16u << 20);
        if (entries.empty()) return events;
        for (const auto& entry : entries) {
            events.push_back(agent::convert::decodeEvent(entry.event));
            events.back().sequence = entry.sequence;
        }
        from = entries.back().sequence + 1;
    }
}

// Folder of the only run; empty before it begins.
QString runFolder() {
    const QDir runs(qEnvironmentVariable("XDG_DATA_HOME") + "/tandem/runs");
    for (const QString& name : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (QFile::exists(runs.filePath(name) + "/journal")) return runs.filePath(name);
    }
    return {};
}

std::size_t countOf(const std::vector<TaskEvent>& events, bool (*wanted)(const TaskEvent&)) {
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), wanted));
}

bool isCheckpoint(const TaskEvent& event) {
    return std::holds_alternative<engine::spec::CheckpointSaved>(event.body);
}

std::string contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

int workUntilKilled(const QString& folder) {
    Studio studio(folder);
    if (!studio.agentIsReady() || !studio.session().project().open(folder + "/work.tandem")) return 1;
    studio.clickMode(Mode::kData);
    auto& batch = studio.find<QSpinBox>("batchField");
    studio.click(batch);
    if (!waitFor([&] { return batch.hasFocus(); })) return 5;
    studio.key(Qt::Key_A, Qt::ControlModifier);
    studio.type(QString::number(kBatch));
    studio.key(Qt::Key_Return);
    const auto& project = studio.session().project();
    if (!waitFor([&] { return project.spec().data.batch_size_per_replica == kBatch && project.isModified(); })) return 4;
    studio.key(Qt::Key_D, Qt::AltModifier | Qt::ShiftModifier);  // dark
    if (!waitFor([&] { return studio.themes().theme().dark; })) return 3;
    studio.click("railLaunchButton");
    if (!waitFor([&] { return studio.session().runs().current() != nullptr && studio.run().global().size() > 10; })) return 2;
    studio.chooseFromMenu({"Compute time"}, [&] { studio.click("monitorAddChart"); });
    return QApplication::exec();
}

class KilledStudio : public testing::Test {
protected:
    void SetUp() override {
        QDir().mkpath(folder_);
        engine::spec::ProjectReport report =
            engine::spec::parseProject(contentOf(QStringLiteral(TANDEM_RESOURCES "/templates/mnist_multi_worker.tandem")));
        ASSERT_FALSE(hasErrors(report.diagnostics));
        project_ = report.run;
        project_.fit.epochs = 500;
        project_.fit.steps_per_epoch = kStepsPerEpoch;
        project_.fit.validation_steps = 2;
        useLocalWorkers(project_, ui::session::freeLoopbackPorts(2));
        QFile file(folder_ + "/work.tandem");
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(toProjectJson(project_)));
    }

    Home home_;
    const QString folder_ = home_.path("studio");
    engine::spec::RunSpec project_;
};

// Each point of the journal stands in the record as it was told, and no other.
void expectPoints(const std::vector<TaskEvent>& events, const RunRecord& run) {
    std::map<engine::spec::TaskId, std::pair<std::size_t, std::size_t>> seen;  // rows so far: whole batches, own
    std::size_t points = 0;
    for (const TaskEvent& event : events) {
        const auto* told = std::get_if<engine::spec::StepPoints>(&event.body);
        if (told == nullptr) continue;
        const auto* task = run.tasks().find(event.task);
        ASSERT_NE(task, nullptr);
        const auto& table = told->aggregated ? task->whole : task->own;
        std::size_t& row = told->aggregated ? seen[event.task].first : seen[event.task].second;
        ASSERT_LE(row + told->step.size(), table.size());
        for (std::size_t i = 0; i < told->step.size(); ++i, ++row, ++points) {
            ASSERT_EQ(table.step[row], static_cast<double>(told->step[i]));
            for (const auto& column : told->columns) {
                const double shown = (*table.find(column.name))[row], meant = static_cast<double>(column.values[i]);
                ASSERT_TRUE(shown == meant || (std::isnan(shown) && std::isnan(meant))) << column.name << " of step " << told->step[i];
            }
        }
    }
    EXPECT_GE(points, 2u * kStepsPerEpoch) << "it was watched for two epochs at least";
    for (const auto& task : run.tasks()) {
        EXPECT_EQ(task.whole.size(), seen[task.id].first);
        EXPECT_EQ(task.own.size(), seen[task.id].second);
    }
    EXPECT_EQ(run.droppedPoints(), 0);
}

TEST_F(KilledStudio, LosesNoPointNoCheckpointAndNoSetting) {
    QProcess victim;
    victim.setProcessChannelMode(QProcess::ForwardedChannels);
    victim.start(QApplication::applicationFilePath(), {"--studio", folder_});
    ASSERT_TRUE(victim.waitForStarted(kDeadlineMs));
    // In mid-run: points and a checkpoint are there, settings and the change of the project are on the disk.
    const auto isInMidRun = [&] {
        if (victim.state() == QProcess::NotRunning) return true;
        const QString folder = runFolder();
        // The agent may be making the journal just now: it is read once a checkpoint lies beside it. It is the last to be read, for it
        // grows.
        return contentOf(folder_ + "/settings.ini").find("task/compute_us") != std::string::npos &&
               QFile::exists(folder + "/checkpoints/checkpoint") && countOf(journalOf(folder), isCheckpoint) >= 1;
    };
    // The other studio has a deadline for each of its steps, and ends where it misses one.
    constexpr int kSteps = 5;
    ASSERT_TRUE(waitFor(isInMidRun, kSteps * kDeadlineMs));
    ASSERT_EQ(victim.state(), QProcess::Running) << "exit code " << victim.exitCode();
    const auto isAside = [&] {
        if (victim.state() == QProcess::NotRunning) return true;
        for (const QString& name : QDir(folder_ + "/recovery").entryList({"*.recovery"}, QDir::Files))
            if (contentOf(folder_ + "/recovery/" + name).find("work.tandem") != std::string::npos) return true;
        return false;
    };
    ASSERT_TRUE(waitFor(isAside)) << QDir(folder_ + "/recovery").entryList(QDir::Files).join(", ").toStdString() << "\n"
                                  << contentOf(folder_ + "/settings.ini");
    ASSERT_EQ(victim.state(), QProcess::Running) << "exit code " << victim.exitCode();
    victim.kill();
    ASSERT_TRUE(victim.waitForFinished(kDeadlineMs));
    ASSERT_EQ(victim.exitStatus(), QProcess::CrashExit);
    const QString folder = runFolder();
    const std::size_t at_the_kill = journalOf(folder).size();
    ASSERT_TRUE(waitFor([&] { return journalOf(folder).size() > at_the_kill + 20; })) << "training goes on without a window";

    Studio next(folder_);
    EXPECT_TRUE(next.themes().theme().dark) << "the theme";
    ASSERT_TRUE(waitFor([&] { return next.session().runs().current() != nullptr; }));
    RunRecord& run = next.run();
    EXPECT_EQ(run.summary().run_dir, folder);
    EXPECT_TRUE(next.session().runs().hasActive());
    ASSERT_TRUE(waitFor([&] { return run.lastSequence() > at_the_kill + 20; })) << "what was told while nobody watched";
    next.clickMode(Mode::kMonitor);
    const auto& charts = static_cast<ui::views::MonitorPage&>(next.window().page(Mode::kMonitor)).charts();
    EXPECT_EQ(charts.addedCharts(), QStringList{"task/compute_us"}) << "the chart that was added";
    ASSERT_TRUE(waitFor([&] { return !next.find<ui::charts::ChartCard>("chartAdded1").isEmpty(); }));
    // The project with the change that was never saved.
    ASSERT_TRUE(next.find("recoveryBar").isVisible());
    next.click("recoveryRestore");
    project_.data.batch_size_per_replica = kBatch;
    EXPECT_EQ(next.session().project().spec(), project_);
    EXPECT_TRUE(next.session().project().isModified());
    EXPECT_EQ(next.session().project().path(), QFileInfo(folder_ + "/work.tandem").absoluteFilePath());
    EXPECT_EQ(run.run().data.batch_size_per_replica, kBatch) << "the run took it, too";

    // It goes on for some epochs and is stopped here; then everything is compared with the journal.
    const std::size_t epochs = run.epochs().size();
    ASSERT_TRUE(waitFor([&] { return run.epochs().size() >= epochs + 2; }));
    next.clickMode(Mode::kMonitor);
    next.shoot("killed-studio");
    next.click("monitorStop");
    ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }));
    EXPECT_EQ(run.state(), ui::session::RunState::kStopped) << run.summary().detail.toStdString();
    const std::vector<TaskEvent> events = journalOf(folder);
    ASSERT_TRUE(waitFor([&] { return run.lastSequence() == events.back().sequence; }));
    for (std::size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].sequence, i + 1) << "no gap in the journal itself";
    expectPoints(events, run);
    const auto& steps = run.global().step;
    for (std::size_t i = 0; i < steps.size(); ++i) ASSERT_EQ(steps[i], static_cast<double>(i + 1));
    std::vector<std::string> told;
    for (const TaskEvent& event : events)
        if (const auto* saved = std::get_if<engine::spec::CheckpointSaved>(&event.body)) told.push_back(saved->prefix);
    ASSERT_EQ(run.checkpoints().size(), told.size());
    EXPECT_GE(told.size(), 3u);
    for (std::size_t i = 0; i < told.size(); ++i) {
        EXPECT_EQ(run.checkpoints()[i].saved.prefix, told[i]);
        EXPECT_TRUE(QFile::exists(folder + "/" + QString::fromStdString(told[i]) + ".index")) << told[i];
    }
}

}  // namespace
}  // namespace tests

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc == 3 && std::strcmp(argv[1], "--studio") == 0) return tests::workUntilKilled(QString::fromLocal8Bit(argv[2]));
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
