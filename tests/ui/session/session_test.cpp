// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/launch/tf_config_files.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/sample_run.h"

namespace ui::session {
namespace {

using namespace engine::spec;

constexpr int kDeadlineMs = 5000;
constexpr auto kTwoWorkers = "mnist_multi_worker";

class SessionTest : public testing::Test {
protected:
    SessionTest() : settings_(folder_.filePath("settings.ini"), QSettings::IniFormat) { world_->host = tests::sampleHost(); }

    std::unique_ptr<Session> make() {
        return std::make_unique<Session>(
            SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                           .share_dir = QStringLiteral(TANDEM_RESOURCES),
                           .settings = &settings_,
                           .reconnect_ms = 50});
    }
    static void waitReady(Session& session) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.agentState() == AgentState::kReady && session.host().has_value(); }, kDeadlineMs));
    }
    // A run's ports must be free for Launch; which are is not this test's matter.
    static void openTwoWorkers(Session& session) {
        ASSERT_TRUE(session.newFromTemplate(kTwoWorkers));
        session.chooseFreePorts();
    }

    QTemporaryDir folder_;
    QSettings settings_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
};

TEST_F(SessionTest, LaunchesAProjectAndFollowsItsRun) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    ASSERT_EQ(session->launchObstacle(), "");
    QSignalSpy launched(session.get(), &Session::runLaunched);
    session->launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    ASSERT_NE(session->currentRun(), nullptr);
    EXPECT_EQ(session->launchObstacle(), "A run is going on");
    world_->addEvents("run-1", tests::sampleRun({.epochs_done = 1, .extra_steps = 0}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return session->currentRun()->global().size() == 469; }, kDeadlineMs));
    EXPECT_EQ(session->currentRun()->phase(), RunPhase::kTraining);
    ASSERT_EQ(world_->submits.size(), 1u);
    EXPECT_EQ(world_->submits[0].run, session->project()) << "what was shown is what runs";
}

TEST_F(SessionTest, FindsTheActiveRunAndAllItsPointsWhenOpenedAgain) {
    {
        auto first = make();
        waitReady(*first);
        openTwoWorkers(*first);
        QSignalSpy launched(first.get(), &Session::runLaunched);
        first->launch();
        ASSERT_TRUE(launched.wait(kDeadlineMs));
    }
    world_->setState("run-1", agent::client::RunState::kTraining);
    world_->addEvents("run-1", tests::sampleRun({.epochs_done = 2, .extra_steps = 10}));
    auto second = make();
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return second->currentRun() && second->currentRun()->global().size() == 2 * 469 + 10; }, kDeadlineMs));
    EXPECT_TRUE(second->hasActiveRun());
}

TEST_F(SessionTest, ComesBackWhenTheAgentWasGoneWithoutLosingOrDoublingPoints) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    QSignalSpy launched(session.get(), &Session::runLaunched);
    session->launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    auto events = tests::sampleRun({.epochs_done = 1, .extra_steps = 0});
    const auto half = static_cast<std::ptrdiff_t>(events.size() / 2);
    world_->addEvents("run-1", {events.begin(), events.begin() + half});
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->currentRun()->lastSequence() == static_cast<std::uint64_t>(half); }, kDeadlineMs));
    {
        const std::lock_guard lock(world_->mutex);
        world_->answers = false;
    }
    world_->news.notify_all();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->agentState() == AgentState::kLost; }, kDeadlineMs));
    world_->addEvents("run-1", {events.begin() + half, events.end()});
    {
        const std::lock_guard lock(world_->mutex);
        world_->answers = true;
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return session->currentRun()->global().size() == 469; }, kDeadlineMs));
    EXPECT_EQ(session->agentState(), AgentState::kReady);
}

TEST_F(SessionTest, SendsControlsToTheRun) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    QSignalSpy launched(session.get(), &Session::runLaunched);
    session->launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    session->pause();
    session->setLearningRate(1e-4);
    session->stop();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const std::lock_guard lock(world_->mutex);
            return world_->controls.size() == 3;
        },
        kDeadlineMs));
    EXPECT_EQ(world_->controls[0].second.verb, ControlVerb::kPause);
    EXPECT_EQ(world_->controls[1].second, (Control{ControlVerb::kSetLearningRate, 1e-4}));
    EXPECT_EQ(world_->controls[2].second.verb, ControlVerb::kStop);
}

TEST_F(SessionTest, UndoesAndRedoesEveryEdit) {
    auto session = make();
    ASSERT_TRUE(session->newFromTemplate(kTwoWorkers));
    const RunSpec before = session->project();
    session->change("Change epochs", [](RunSpec& run) { run.fit.epochs = 99; });
    EXPECT_TRUE(session->isModified());
    EXPECT_EQ(session->undoStack().undoText(), "Change epochs");
    session->undoStack().undo();
    EXPECT_EQ(session->project(), before);
    EXPECT_FALSE(session->isModified());
    session->undoStack().redo();
    EXPECT_EQ(session->project().fit.epochs, 99);
}

TEST_F(SessionTest, MergesTypingInOneFieldIntoOneStepOfUndo) {
    auto session = make();
    ASSERT_TRUE(session->newFromTemplate(kTwoWorkers));
    const auto before = session->project().fit.epochs;
    for (const int epochs : {11, 12, 13}) {
        session->change(
            "Change epochs", [epochs](RunSpec& run) { run.fit.epochs = epochs; }, Session::mergeKey("fit.epochs"));
    }
    EXPECT_EQ(session->undoStack().count(), 1);
    session->undoStack().undo();
    EXPECT_EQ(session->project().fit.epochs, before);
}

TEST_F(SessionTest, IgnoresAnEditThatChangesNothing) {
    auto session = make();
    ASSERT_TRUE(session->newFromTemplate(kTwoWorkers));
    session->change("Nothing", [](RunSpec&) {});
    EXPECT_EQ(session->undoStack().count(), 0);
}

TEST_F(SessionTest, SavesOpensAndRemembersAProject) {
    auto session = make();
    ASSERT_TRUE(session->newFromTemplate(kTwoWorkers));
    session->change("Change epochs", [](RunSpec& run) { run.fit.epochs = 5; });
    const QString path = folder_.filePath(QString::fromUtf8("실험 训练 1.tandem"));
    ASSERT_TRUE(session->saveAs(path));
    EXPECT_FALSE(session->isModified());
    const RunSpec saved = session->project();
    session->closeProject();
    ASSERT_TRUE(session->open(path));
    EXPECT_EQ(session->project(), saved);
    ASSERT_EQ(session->recentProjects().size(), 1u);
    EXPECT_EQ(session->recentProjects()[0].path, path);
}

TEST_F(SessionTest, KeepsTheOpenProjectWhenAnotherCannotBeRead) {
    auto session = make();
    ASSERT_TRUE(session->newFromTemplate(kTwoWorkers));
    const RunSpec open = session->project();
    const QString path = folder_.filePath("broken.tandem");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"version\": 1,");
    file.close();
    QSignalSpy failed(session.get(), &Session::projectFailed);
    EXPECT_FALSE(session->open(path));
    EXPECT_FALSE(session->open(folder_.filePath("absent.tandem")));
    EXPECT_EQ(failed.count(), 2);
    EXPECT_EQ(session->project(), open);
}

TEST_F(SessionTest, SaysWhyItCannotLaunch) {
    auto session = make();
    EXPECT_EQ(session->launchObstacle(), "No project");
    waitReady(*session);
    openTwoWorkers(*session);
    session->change("Break it", [](RunSpec& run) { run.fit.epochs = -1; });
    EXPECT_GT(session->errorCount(), 0);
    EXPECT_NE(session->launchObstacle(), "");
    session->launch();
    EXPECT_TRUE(world_->submits.empty());
}

TEST_F(SessionTest, CountsTheSamplesOfTheShippedDataSet) {
    auto session = make();
    ASSERT_TRUE(session->newFromTemplate(kTwoWorkers));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->dataset().found; }, kDeadlineMs)) << session->dataset().problem.toStdString();
    EXPECT_EQ(session->dataset().train_samples, 60000);
    EXPECT_EQ(session->dataset().test_samples, 10000);
    ASSERT_EQ(session->dataset().train_per_class.size(), 10u);
    EXPECT_EQ(session->dataset().train_per_class[1], 6742) << "MNIST's known count of ones";
    EXPECT_GT(session->stepsPerEpoch(), 0);
}

TEST_F(SessionTest, MakesAClusterOfAnyNumberOfLocalWorkers) {
    auto session = make();
    ASSERT_TRUE(session->newFromTemplate(kTwoWorkers));
    for (const int workers : {3, 8, 1, 2}) {
        session->setLocalWorkers(workers);
        EXPECT_EQ(session->localWorkers(), workers);
        EXPECT_EQ(session->taskPlans().size(), session->errorCount() == 0 ? static_cast<std::size_t>(workers) : 0u);
    }
}

TEST_F(SessionTest, WritesExportedFiles) {
    auto session = make();
    const QString out = folder_.filePath("out/deep");
    const ErrorInfo done = session->writeFiles(out, {{"worker-0.json", "{}\n"}, {"worker-1.json", "{\"a\": 1}\n"}});
    EXPECT_EQ(done.detail, "");
    QFile file(out + "/worker-1.json");
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), "{\"a\": 1}\n");
    QFile obstacle(folder_.filePath("a_file"));
    ASSERT_TRUE(obstacle.open(QIODevice::WriteOnly));
    EXPECT_NE(session->writeFiles(folder_.filePath("a_file"), {{"x", "y"}}).detail, "");
}

TEST_F(SessionTest, GivesARunItsColourForLife) {
    world_->runs = {{.id = "b", .created_unix_ns = 2}, {.id = "a", .created_unix_ns = 1}};
    std::map<QString, int> colors;
    for (int round = 0; round < 2; ++round) {
        auto session = make();
        ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().size() >= 2; }, kDeadlineMs));
        for (const auto& run : session->runs()) {
            if (round > 0 && colors.contains(run.id)) {
                EXPECT_EQ(run.color, colors[run.id]);
            }
            colors[run.id] = run.color;
        }
        world_->runs.insert(world_->runs.begin(), {.id = "c", .created_unix_ns = 3});
    }
    EXPECT_NE(colors["a"], colors["b"]);
}

}  // namespace
}  // namespace ui::session
