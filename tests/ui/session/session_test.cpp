// SPDX-License-Identifier: GPL-3.0-or-later
// The session and its agent: runs launched, followed, opened again.
#include "ui/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/error.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/project/run_spec.h"
#include "session_fixture.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host_backend.h"
#include "tests/support/sample_loads.h"
#include "tests/support/sample_run.h"
#include "ui/session/event_list.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"

namespace ui::session {
namespace {

using namespace engine::spec;

TEST_F(SessionTest, PutsDamagedNotesAsideAndKeepsNewOnes) {
    ASSERT_TRUE(QDir(folder_.path()).mkpath("history"));
    const QString file = folder_.filePath("history/studio.sqlite");
    const QByteArray damage(9000, 'x');
    for (const char* expected : {"studio.sqlite.damaged", "studio.sqlite.damaged-2"}) {
        QFile damaged(file);
        ASSERT_TRUE(damaged.open(QIODevice::WriteOnly | QIODevice::Truncate));
        damaged.write(damage);
        damaged.close();
        auto session = make();
        QSignalSpy failed(&session->events(), &EventList::failed);
        ASSERT_TRUE(failed.wait(kDeadlineMs));
        EXPECT_THAT(failed.front().front().value<ErrorInfo>().detail.toStdString(), testing::HasSubstr(expected));
        QFile aside(folder_.filePath(QString("history/") + expected));
        ASSERT_TRUE(aside.open(QIODevice::ReadOnly));
        EXPECT_EQ(aside.readAll(), damage);
        session.reset();
        QFile fresh(file);
        ASSERT_TRUE(fresh.open(QIODevice::ReadOnly));
        EXPECT_TRUE(fresh.readAll().startsWith("SQLite format 3")) << "a new one";
    }
}

struct DamagedSettingsCase {
    const char* name;
    QByteArray text;
    QString kept;  // what "theme" is afterwards
};

TEST_F(SessionTest, PutsDamagedSettingsAsideAndKeepsWhatCanBeRead) {
    const std::vector<DamagedSettingsCase> cases = {
        {"a line that is no setting", "[General]\ntheme=1\nnot a setting\nlanguage=ko\n", "1"},
        {"a page of zeros", QByteArray(4096, '\0'), ""},
        {"noise with an equals sign", "\x01\x02=\xff\x07\n[\x03]\n\x04=1\n", ""},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        const QString file = folder_.filePath("settings.ini");
        QFile::remove(file + ".damaged");
        QFile damaged(file);
        ASSERT_TRUE(damaged.open(QIODevice::WriteOnly | QIODevice::Truncate));
        damaged.write(one.text);
        damaged.close();
        QSettings settings(file, QSettings::IniFormat);
        const SessionOptions options{.connect = [this] { return std::make_unique<tests::FakeAgentClient>(world_); },
                                     .share_dir = QStringLiteral(TANDEM_RESOURCES),
                                     .settings = &settings};
        settings.value("theme");  // the studio has looked into it by then
        auto session = std::make_unique<Session>(options);
        QSignalSpy failed(&session->events(), &EventList::failed);
        ASSERT_TRUE(failed.wait(kDeadlineMs));
        EXPECT_THAT(failed.front().front().value<ErrorInfo>().detail.toStdString(), testing::HasSubstr("settings.ini.damaged"));
        QFile aside(file + ".damaged");
        ASSERT_TRUE(aside.open(QIODevice::ReadOnly));
        EXPECT_EQ(aside.readAll(), one.text);
        session.reset();
        QSettings fresh(file, QSettings::IniFormat);
        EXPECT_EQ(fresh.value("theme").toString(), one.kept);
        EXPECT_EQ(fresh.allKeys().size(), one.kept.isEmpty() ? 0 : 2);
        EXPECT_EQ(fresh.status(), QSettings::NoError);
        SessionOptions next = options;
        next.settings = &fresh;
        session = std::make_unique<Session>(next);  // said once
        QSignalSpy again(&session->events(), &EventList::failed);
        waitReady(*session);
        EXPECT_EQ(again.count(), 0);
    }
}

TEST_F(SessionTest, LaunchesAProjectAndFollowsItsRun) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    ASSERT_EQ(session->launcher().obstacle(), "");
    QSignalSpy launched(&session->runs(), &Runs::launched);
    session->launcher().launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    ASSERT_NE(session->runs().current(), nullptr);
    EXPECT_EQ(session->launcher().obstacle(), "A run is going on");
    world_->addEvents("run-1", tests::sampleRun({.epochs_done = 1, .extra_steps = 0}));
    EXPECT_TRUE(QTest::qWaitFor([&] { return session->runs().current()->global().size() == 469; }, kDeadlineMs));
    EXPECT_EQ(session->runs().current()->state(), RunState::kTraining);
    ASSERT_EQ(world_->submits.size(), 1u);
    EXPECT_EQ(world_->submits[0].run, session->project().spec()) << "what was shown is what runs";
}

TEST_F(SessionTest, FollowsTheHostWhileARunGoesOn) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    const auto watches = [&] {
        const std::lock_guard lock(world_->mutex);
        return world_->host_watches;
    };
    // An answer to a later question: what was asked before it has come by then.
    const auto agentAnswered = [&] {
        session->doctor().call();
        return QTest::qWaitFor([&] { return !session->doctor().isLooking(); }, kDeadlineMs);
    };
    ASSERT_TRUE(agentAnswered());
    EXPECT_TRUE(watches().empty()) << "nothing trains";
    session->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([&] { return watches().size() == 1; }, kDeadlineMs));
    const std::int64_t created = session->runs().current()->createdUnixNs();
    world_->addLoads(tests::sampleLoads("run-1", created, 5));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->host().history().loads().size() == 5; }, kDeadlineMs));

    {
        const std::lock_guard lock(world_->mutex);
        world_->answers = false;
    }
    world_->news.notify_all();
    session->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->host().agentState() == AgentState::kLost; }, kDeadlineMs));
    const auto firstEnded = [&] {
        const std::lock_guard lock(world_->mutex);
        return world_->host_watches_ended == 1;
    };
    ASSERT_TRUE(QTest::qWaitFor(firstEnded, kDeadlineMs)) << "else it goes on as if nothing had been";
    {
        const std::lock_guard lock(world_->mutex);
        world_->answers = true;
    }
    world_->addLoads(tests::sampleLoads("run-1", created + 5'000'000'000, 3));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->host().history().loads().size() == 8; }, kDeadlineMs)) << "it goes on by itself";
    EXPECT_EQ(watches().back(), created + 5'000'000'000) << "from where it was";

    world_->setState("run-1", engine::run::RunState::kDone);
    session->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current()->state() == RunState::kDone; }, kDeadlineMs));
    const auto allEnded = [&] {
        const std::lock_guard lock(world_->mutex);
        return world_->host_watches_ended == world_->host_watches.size();
    };
    ASSERT_TRUE(QTest::qWaitFor(allEnded, kDeadlineMs)) << "nobody looks after the run";
    world_->addLoads(tests::sampleLoads("run-1", created + 8'000'000'000, 3));
    ASSERT_TRUE(agentAnswered());
    EXPECT_EQ(session->host().history().loads().size(), 8u) << "nobody looks after the run";
}

TEST_F(SessionTest, FindsTheActiveRunAndAllItsPointsWhenOpenedAgain) {
    {
        auto first = make();
        waitReady(*first);
        openTwoWorkers(*first);
        QSignalSpy launched(&first->runs(), &Runs::launched);
        first->launcher().launch();
        ASSERT_TRUE(launched.wait(kDeadlineMs));
    }
    world_->setState("run-1", engine::run::RunState::kTraining);
    world_->addEvents("run-1", tests::sampleRun({.epochs_done = 2, .extra_steps = 10}));
    auto second = make();
    EXPECT_TRUE(QTest::qWaitFor([&] { return second->runs().current() && second->runs().current()->global().size() == 2 * 469 + 10; },
                                kDeadlineMs));
    EXPECT_TRUE(second->runs().hasActive());
}

TEST_F(SessionTest, ComesBackWhenTheAgentWasGoneWithoutLosingOrDoublingPoints) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    QSignalSpy launched(&session->runs(), &Runs::launched);
    session->launcher().launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    auto events = tests::sampleRun({.epochs_done = 1, .extra_steps = 0});
    const auto half = static_cast<std::ptrdiff_t>(events.size() / 2);
    world_->addEvents("run-1", {events.begin(), events.begin() + half});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return session->runs().current()->lastSequence() == static_cast<std::uint64_t>(half); }, kDeadlineMs));
    {
        const std::lock_guard lock(world_->mutex);
        world_->answers = false;
    }
    world_->news.notify_all();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->host().agentState() == AgentState::kLost; }, kDeadlineMs));
    world_->addEvents("run-1", {events.begin() + half, events.end()});
    {
        const std::lock_guard lock(world_->mutex);
        world_->answers = true;
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return session->runs().current()->global().size() == 469; }, kDeadlineMs));
    EXPECT_EQ(session->host().agentState(), AgentState::kReady);
}

TEST_F(SessionTest, SaysHowLongAnAgentThatLivesDoesNotAnswerAndGoesOnAfterIt) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    QSignalSpy launched(&session->runs(), &Runs::launched);
    session->launcher().launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    auto events = tests::sampleRun({.epochs_done = 1, .extra_steps = 0});
    const auto half = static_cast<std::ptrdiff_t>(events.size() / 2);
    world_->addEvents("run-1", {events.begin(), events.begin() + half});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return session->runs().current()->lastSequence() == static_cast<std::uint64_t>(half); }, kDeadlineMs));
    const std::size_t before = session->events().rows().size();
    world_->tellSilence(std::chrono::milliseconds(5100));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->host().agentState() == AgentState::kLost; }, kDeadlineMs));
    EXPECT_EQ(session->host().agentSilentSeconds(), 5);
    EXPECT_EQ(session->host().agentProblem(), "no sign of life for 5 second(s)");
    world_->tellSilence(std::chrono::milliseconds(31000));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->host().agentSilentSeconds() == 31; }, kDeadlineMs));
    EXPECT_EQ(session->events().rows().size(), before + 1) << "told once";
    world_->tellSilence(std::nullopt);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->host().agentState() == AgentState::kReady; }, kDeadlineMs));
    EXPECT_EQ(session->host().agentSilentSeconds(), 0);
    world_->addEvents("run-1", {events.begin() + half, events.end()});
    EXPECT_TRUE(QTest::qWaitFor([&] { return session->runs().current()->global().size() == 469; }, kDeadlineMs)) << "its stream went on";
}

TEST_F(SessionTest, SendsControlsToTheRun) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    QSignalSpy launched(&session->runs(), &Runs::launched);
    session->launcher().launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    session->runs().pause();
    session->runs().setLearningRate(1e-4);
    session->runs().stop();
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

TEST_F(SessionTest, SaysWhyItCannotLaunch) {
    auto session = make();
    EXPECT_EQ(session->launcher().obstacle(), "No project");
    waitReady(*session);
    openTwoWorkers(*session);
    session->project().change("Break it", [](RunSpec& run) { run.fit.epochs = -1; });
    EXPECT_GT(session->project().errorCount(), 0);
    EXPECT_NE(session->launcher().obstacle(), "");
    session->launcher().launch();
    EXPECT_TRUE(world_->submits.empty());
}

TEST_F(SessionTest, SaysWhichFileIsOnItsWayToAnotherComputer) {
    const auto hosts = std::make_shared<tests::FakeHostBackend>();
    hosts->setEntries({{.name = "node2", .destination = "node2"}});
    world_->files_sent = {{"node2", "/data/train.csv", 0, 0}, {"node2", "/data/train.csv", 300, 1000}};
    auto session = make(hosts);
    waitReady(*session);
    openTwoWorkers(*session);
    session->project().change("Move it", [](RunSpec& run) { setAddress(run, {"worker", 1}, "node2:6001"); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->launcher().obstacle().isEmpty(); }, kDeadlineMs))
        << session->launcher().obstacle().toStdString();
    std::vector<std::string> said;
    QObject::connect(&session->runs(), &Runs::stateChanged, session.get(),
                     [&] { said.push_back(session->launcher().obstacle().toStdString()); });
    session->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([&] { return world_->submits.size() == 1 && session->runs().hasActive(); }, kDeadlineMs));
    EXPECT_THAT(said, testing::IsSupersetOf({"Launching", "Sending train.csv to node2: 30 %"}));
}

TEST_F(SessionTest, OffersNoRestartWithoutABackup) {
    ASSERT_TRUE(QDir(folder_.path()).mkpath("run"));
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    session->project().change("Keep a backup", [](RunSpec& run) { run.callbacks = {{"BackupAndRestore", {}}}; });
    world_->runs = {{.id = "a",
                     .state = engine::run::RunState::kFailed,
                     .run_dir = folder_.filePath("run").toStdString(),
                     .project_json = toProjectJson(session->project().spec())}};
    session->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(session->launcher().restartObstacle(), "No backup was written before the end");
    ASSERT_TRUE(QDir(folder_.path()).mkpath("run/backup"));
    QFile file(folder_.filePath("run/backup/checkpoint"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.close();
    EXPECT_EQ(session->launcher().restartObstacle(), "");
}

TEST_F(SessionTest, GoesOnWithTheSameRunWhenItIsStartedAgain) {
    ASSERT_TRUE(QDir(folder_.path()).mkpath("run/backup"));
    QFile file(folder_.filePath("run/backup/latest.backup"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.close();
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    session->project().change("Keep a backup", [](RunSpec& run) { run.callbacks = {{"BackupAndRestore", {}}}; });
    world_->runs = {{.id = "b", .name = "two workers", .state = engine::run::RunState::kDone, .created_unix_ns = 2, .finished_unix_ns = 3},
                    {.id = "a",
                     .name = "two workers",
                     .state = engine::run::RunState::kFailed,
                     .created_unix_ns = 1,
                     .finished_unix_ns = 60'000'000'000,
                     .run_dir = folder_.filePath("run").toStdString(),
                     .project_json = toProjectJson(session->project().spec())}};
    StepPoints points;
    points.aggregated = true;
    points.columns = {{"loss", {}}};
    for (std::int64_t step = 1; step <= 10; ++step) {
        points.step.push_back(step);
        points.epoch.push_back(0);
        points.time_unix_ns.push_back(step * 1'000'000'000);
        points.columns[0].values.push_back(0.5F);
    }
    world_->addEvents("a", {{0, 10'000'000'000, {"worker", 0}, points}});
    session->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() == 2; }, kDeadlineMs));
    session->runs().show("a");
    const RunRecord* run = session->runs().current();
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->hasAllEvents() && run->global().size() == 10; }, kDeadlineMs));
    const int color = session->runs().list()[1].color;
    world_->now_unix_ns = 3'600'000'000'000;
    QSignalSpy launched(&session->runs(), &Runs::launched);
    session->launcher().restartFromBackup();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    ASSERT_EQ(session->runs().list().size(), 2u) << "no second row";
    EXPECT_EQ(session->runs().current(), run) << "the same curve";
    EXPECT_EQ(session->runs().list()[1].id, "a");
    EXPECT_EQ(session->runs().list()[1].color, color);
    EXPECT_EQ(session->runs().list()[1].name, "two workers") << "no number behind it";
    EXPECT_EQ(attemptOf(session->runs(), session->runs().list()[1]), 2);
    EXPECT_TRUE(session->runs().hasActive());
    engine::spec::RunStarted started;
    started.resumed_step = 6;
    points.step = {7, 8};
    points.epoch = {0, 0};
    points.time_unix_ns = {3'601'000'000'000, 3'602'000'000'000};
    points.columns[0].values = {0.25F, 0.25F};
    world_->addEvents("a", {{0, 3'600'000'000'000, {"worker", 0}, AttemptStarted{2, 2, true, "failed", true}},
                            {0, 3'600'500'000'000, {"worker", 0}, started},
                            {0, 3'602'000'000'000, {"worker", 0}, points}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->global().size() == 8; }, kDeadlineMs)) << "what came again took its place";
    EXPECT_EQ(run->global().step.back(), 8);
    world_->setState("a", engine::run::RunState::kDone);
    {
        const std::lock_guard lock(world_->mutex);
        world_->runs[1].finished_unix_ns = 3'602'000'000'000;
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->state() == RunState::kDone && run->hasAllEvents(); }, kDeadlineMs));
    session->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->finishedUnixNs() == 3'602'000'000'000; }, kDeadlineMs));
    EXPECT_NEAR(run->summary().secondsTaken(0), 62, 1e-6) << "60 and 2, but not the hour in between";
}

TEST_F(SessionTest, FollowsARunThatAnotherProgramStartedAgain) {
    world_->runs = {{.id = "a", .name = "first", .state = engine::run::RunState::kStopped, .created_unix_ns = 1, .finished_unix_ns = 2}};
    auto session = make();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current() && session->runs().current()->hasAllEvents(); }, kDeadlineMs));
    {
        const std::lock_guard lock(world_->mutex);
        world_->runs[0].state = engine::run::RunState::kTraining;
        world_->runs[0].finished_unix_ns = 0;
        world_->runs[0].attempts = 2;
    }
    session->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().hasActive(); }, kDeadlineMs));
    world_->addEvents("a", {{0, 5, {"worker", 0}, LogLine{LogLevel::kInfo, "here again"}}});
    EXPECT_TRUE(QTest::qWaitFor([&] { return !session->runs().current()->logs().empty(); }, kDeadlineMs));
}

TEST_F(SessionTest, OpensTheFolderOfARunWithoutAnAgentAndSaysWhyAnotherOneIsNone) {
    world_->runs = {{.id = "a",
                     .name = "first",
                     .state = engine::run::RunState::kStopped,
                     .created_unix_ns = 1,
                     .finished_unix_ns = 2,
                     .run_dir = "/shared/run"}};
    auto session = make();
    waitReady(*session);
    Runs& runs = session->runs();
    QSignalSpy opened(&runs, &Runs::opened);
    QSignalSpy failed(&session->events(), &EventList::failed);
    runs.openFolder("/shared/run");
    ASSERT_TRUE(opened.wait(kDeadlineMs));
    ASSERT_NE(runs.current(), nullptr);
    EXPECT_EQ(runs.current()->id(), "a");
    EXPECT_EQ(runs.list().size(), 1U) << "it was known before";
    runs.openFolder("/shared/another");
    ASSERT_TRUE(failed.wait(kDeadlineMs));
    EXPECT_THAT(failed.front().front().value<ErrorInfo>().detail.toStdString(),
                testing::HasSubstr("/shared/another: expected the folder of a run"));

    ASSERT_TRUE(QDir(folder_.path()).mkpath("run/events"));
    EXPECT_TRUE(isFolderOfTasks(folder_.filePath("run")));
    EXPECT_FALSE(isFolderOfTasks(folder_.path()));
    EXPECT_FALSE(isFolderOfTasks(QString()));
    EXPECT_FALSE(holdsEventFiles(folder_.path()));
    ASSERT_TRUE(QDir(folder_.path()).mkpath("logs/sgd"));
    QFile file(folder_.filePath("logs/sgd/events.out.tfevents.1"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    EXPECT_TRUE(holdsEventFiles(folder_.path()));
    EXPECT_TRUE(isEventFile("events.out.tfevents.1"));
    EXPECT_FALSE(isEventFile("events.json"));
    EXPECT_EQ(eventFolderOf({.imported_from = "/logs/sgd", .followed = true}), "/logs/sgd");
    EXPECT_EQ(eventFolderOf({.imported_from = "node1", .followed = true}), "");
}

TEST_F(SessionTest, OpensTheArchiveOfARunOnceAndSavesOne) {
    auto session = make();
    waitReady(*session);
    Runs& runs = session->runs();
    QSignalSpy opened(&runs, &Runs::opened);
    QSignalSpy failed(&session->events(), &EventList::failed);
    for (int time = 1; time <= 2; ++time) {
        runs.openArchive("/mail/afar.tandem-run");
        ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == time; }, kDeadlineMs));
        ASSERT_NE(runs.current(), nullptr);
        EXPECT_EQ(runs.current()->summary().imported_from, "node1");
        EXPECT_EQ(runs.list().size(), 1U);
    }
    QSignalSpy archived(&runs, &Runs::archived);
    runs.saveArchive(runs.current()->id(), "/mail/back.tandem-run");
    ASSERT_TRUE(archived.wait(kDeadlineMs));
    EXPECT_EQ(archived.front().front().toString(), "/mail/back.tandem-run");
    {
        const std::lock_guard lock(world_->mutex);
        EXPECT_EQ(world_->imported, (std::vector<std::string>{"/mail/afar.tandem-run", "/mail/afar.tandem-run"}));
        ASSERT_EQ(world_->archived.size(), 1U);
        EXPECT_EQ(world_->archived[0], (engine::run::ArchiveRequest{runs.current()->id().toStdString(), "/mail/back.tandem-run",
                                                                    engine::run::ArchivedCheckpoints::kAll, true}));
        world_->archive_failure =
            engine::Error(engine::ErrorCode::kDataLoss, "/mail/b.tandem-run: expected the archive of a run, got another");
    }
    runs.openArchive("/mail/b.tandem-run");
    ASSERT_TRUE(failed.wait(kDeadlineMs));
    EXPECT_EQ(failed.front().front().value<ErrorInfo>().detail, "/mail/b.tandem-run: expected the archive of a run, got another");
    EXPECT_EQ(runs.list().size(), 1U);
}

}  // namespace
}  // namespace ui::session
