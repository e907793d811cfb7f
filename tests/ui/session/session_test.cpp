// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.h"
#include "ui/session/project/model_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>
#include <optional>

#include "engine/launch/port_holder.h"
#include "engine/launch/tf_config_files.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/error.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/fake_host_backend.h"
#include "tests/support/listening_port.h"
#include "tests/support/real_engine.h"
#include "tests/support/sample_loads.h"
#include "tests/support/sample_run.h"
#include "ui/session/event_list.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/host.h"
#include "ui/session/project/exported_files.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/project/recent_projects.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_facts.h"
#include "ui/session/runs/run_names.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"

namespace ui::session {
namespace {

using namespace engine::spec;

constexpr int kDeadlineMs = 180'000;
constexpr auto kTwoWorkers = "mnist_multi_worker";

class SessionTest : public testing::Test {
protected:
    SessionTest() : settings_(folder_.filePath("settings.ini"), QSettings::IniFormat) {
        world_->host = tests::sampleHost();
        world_->engine = tests::askRealEngine;
    }

    std::unique_ptr<Session> make(std::shared_ptr<tests::FakeHostBackend> hosts = nullptr) {
        return std::make_unique<Session>(
            SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                           .share_dir = QStringLiteral(TANDEM_RESOURCES),
                           .history_file = folder_.filePath("history/studio.sqlite"),
                           .settings = &settings_,
                           .reconnect_ms = 50,
                           .far_hosts = std::move(hosts)});
    }
    static void waitReady(Session& session) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.host().agentState() == AgentState::kReady && session.host().info().has_value(); },
                                    kDeadlineMs));
    }
    // A run's ports must be free for Launch; which are is not this test's matter.
    static void openTwoWorkers(Session& session) {
        ASSERT_TRUE(session.project().openStarter(kTwoWorkers));
        ui::session::chooseFreePorts(session.project());
    }

    QTemporaryDir folder_;
    QSettings settings_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
};

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

TEST_F(SessionTest, RefusesNotesTagsAndNamesThatAreTooLong) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    QSignalSpy launched(&session->runs(), &Runs::launched);
    session->launcher().launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    const QString before = session->runs().list().front().name;
    std::vector<QString> told;
    QObject::connect(&session->events(), &EventList::failed, session.get(), [&](const ErrorInfo& error) { told.push_back(error.detail); });
    session->runs().setNotes("run-1", QString(65537, 'x'));
    session->runs().setTags("run-1", {QString(9000, 'x')});
    session->runs().rename("run-1", QString(1001, 'x'));
    EXPECT_EQ(told, (std::vector<QString>{"notes: expected at most 65536 bytes, got 65537", "tags: expected at most 8192 bytes, got 9000",
                                          "name: expected at most 1000 bytes, got 1001"}));
    EXPECT_TRUE(session->runs().list().front().notes.isEmpty());
    EXPECT_TRUE(session->runs().list().front().tags.isEmpty());
    EXPECT_EQ(session->runs().list().front().name, before);
    session->runs().setNotes("run-1", "short");
    EXPECT_EQ(session->runs().list().front().notes, "short");
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

TEST_F(SessionTest, UndoesAndRedoesEveryEdit) {
    auto session = make();
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    const RunSpec before = session->project().spec();
    session->project().change("Change epochs", [](RunSpec& run) { run.fit.epochs = 99; });
    EXPECT_TRUE(session->project().isModified());
    EXPECT_EQ(session->project().undoStack().undoText(), "Change epochs");
    session->project().undoStack().undo();
    EXPECT_EQ(session->project().spec(), before);
    EXPECT_FALSE(session->project().isModified());
    session->project().undoStack().redo();
    EXPECT_EQ(session->project().spec().fit.epochs, 99);
}

TEST_F(SessionTest, MergesTypingInOneFieldIntoOneStepOfUndo) {
    auto session = make();
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    const auto before = session->project().spec().fit.epochs;
    for (const int epochs : {11, 12, 13}) {
        session->project().change(
            "Change epochs", [epochs](RunSpec& run) { run.fit.epochs = epochs; }, Project::mergeKey("fit.epochs"));
    }
    EXPECT_EQ(session->project().undoStack().count(), 1);
    session->project().undoStack().undo();
    EXPECT_EQ(session->project().spec().fit.epochs, before);
}

TEST_F(SessionTest, IgnoresAnEditThatChangesNothing) {
    auto session = make();
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    session->project().change("Nothing", [](RunSpec&) {});
    EXPECT_EQ(session->project().undoStack().count(), 0);
}

TEST_F(SessionTest, SavesOpensAndRemembersAProject) {
    auto session = make();
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    session->project().change("Change epochs", [](RunSpec& run) { run.fit.epochs = 5; });
    const QString path = folder_.filePath(QString::fromUtf8("실험 训练 1.tandem"));
    ASSERT_TRUE(session->project().saveAs(path));
    EXPECT_FALSE(session->project().isModified());
    const RunSpec saved = session->project().spec();
    session->project().close();
    ASSERT_TRUE(session->project().open(path));
    EXPECT_EQ(session->project().spec(), saved);
    ASSERT_EQ(session->recents().list().size(), 1u);
    EXPECT_EQ(session->recents().list()[0].path, path);
}

TEST_F(SessionTest, KeepsTheOpenProjectWhenAnotherCannotBeRead) {
    auto session = make();
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    const RunSpec open = session->project().spec();
    const QString path = folder_.filePath("broken.tandem");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"version\": 1,");
    file.close();
    QSignalSpy failed(&session->project(), &Project::failed);
    EXPECT_FALSE(session->project().open(path));
    EXPECT_FALSE(session->project().open(folder_.filePath("absent.tandem")));
    EXPECT_EQ(failed.count(), 2);
    EXPECT_EQ(session->project().spec(), open);
}

TEST_F(SessionTest, DoesNotWaitForAPipeThatIsOpenedAsAProject) {
    auto session = make();
    const QString pipe = folder_.filePath("pipe.tandem");
    ASSERT_EQ(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    QSignalSpy failed(&session->project(), &Project::failed);
    EXPECT_FALSE(session->project().open(pipe));
    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(toString(failed[0][1].value<Diagnostics>().at(0)),
              "error: " + pipe.toStdString() + ": expected a readable file: expected a file, got a pipe or a device");
    EXPECT_FALSE(session->project().open(folder_.path()));
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

TEST_F(SessionTest, CountsTheSamplesOfTheShippedDataSet) {
    auto session = make();
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->project().dataset().found; }, kDeadlineMs))
        << session->project().dataset().problem.toStdString();
    EXPECT_EQ(session->project().dataset().train_samples, 60000);
    EXPECT_EQ(session->project().dataset().test_samples, 10000);
    ASSERT_EQ(session->project().dataset().train_per_class.size(), 10u);
    EXPECT_EQ(session->project().dataset().train_per_class[1], 6742) << "MNIST's known count of ones";
    EXPECT_GT(session->project().stepsPerEpoch(), 0);
}

TEST_F(SessionTest, CountsTheSamplesOfEveryKindOfSet) {
    const auto write = [this](const QString& name, const QByteArray& bytes) {
        QFile file(folder_.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    QByteArray first = "x,y\n", second = "x,y\n";
    for (int i = 0; i < 300; ++i) first += "1.5," + QByteArray::number(i % 3) + "\n";
    for (int i = 0; i < 40; ++i) second += "2.5,1\n";
    write("first.csv", first);
    write("second.csv", second);
    auto session = make();
    ASSERT_TRUE(session->project().openStarter("guide_dense"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->project().dataset().found; }, 6 * kDeadlineMs))
        << session->project().dataset().problem.toStdString();
    EXPECT_EQ(session->project().dataset().train_samples, 100) << "the guide's ones";
    ASSERT_TRUE(session->project().saveAs(folder_.filePath("table.tandem")));
    session->project().change("Use a table", [](RunSpec& run) {
        run.data.dataset = "csv";
        run.data.csv.label = "y";
        run.data.train_files = {"first.csv", "second.csv"};  // beside the project
        run.data.batch_size_per_replica = 10;
        run.data.scale = 1;
    });
    EXPECT_FALSE(session->project().dataset().found) << "not known yet; nothing waited for it";
    EXPECT_EQ(session->project().stepsPerEpoch(), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->project().dataset().found; }, 6 * kDeadlineMs))
        << session->project().dataset().problem.toStdString();
    EXPECT_EQ(session->project().dataset().train_samples, 340);
    EXPECT_EQ(session->project().dataset().train_files, (std::vector<std::int64_t>{300, 40}));
    EXPECT_EQ(session->project().dataset().train_per_class, (std::vector<std::int64_t>{100, 140, 100}));
    const int tasks = std::max<int>(1, static_cast<int>(session->project().taskPlans().size()));
    EXPECT_EQ(session->project().stepsPerEpoch(), tasks == 1 ? 34 : 30) << "files are dealt whole";
    session->project().change("Lose it", [](RunSpec& run) { run.data.train_files = {"third.csv"}; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !session->project().dataset().problem.isEmpty(); }, 6 * kDeadlineMs));
    EXPECT_TRUE(session->project().dataset().problem.contains("third.csv")) << session->project().dataset().problem.toStdString();
    EXPECT_EQ(session->project().stepsPerEpoch(), 0);
}

TEST_F(SessionTest, MakesAClusterOfAnyNumberOfLocalWorkers) {
    auto session = make();
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    for (const int workers : {3, 8, 1, 2}) {
        ui::session::setLocalWorkers((*session).project(), workers);
        EXPECT_EQ(ui::session::localWorkers((*session).project()), workers);
        EXPECT_EQ(session->project().taskPlans().size(), static_cast<std::size_t>(workers)) << "whoever holds the usual ports just now";
    }
}

TEST_F(SessionTest, NamesAHeldPortOnItsTaskAndPlansAllTheSame) {
    auto session = make();
    openTwoWorkers(*session);
    const tests::support::ListeningPort held;
    const std::string address = "localhost:" + std::to_string(held.port());
    session->project().change("Take that port", [&](engine::spec::RunSpec& run) { run.cluster.spec.jobs[0].tasks[1] = address; });
    const auto& found = session->project().diagnostics();
    const auto problem = std::find_if(found.begin(), found.end(), [](const Diagnostic& d) { return d.path == "cluster.worker[1]"; });
    ASSERT_NE(problem, found.end());
    EXPECT_EQ(problem->severity, Severity::kError);
    const std::string own_name = toString(engine::launch::findPortHolder(held.port()).value());
    EXPECT_THAT(own_name, testing::HasSubstr("pid " + std::to_string(::getpid())));
    EXPECT_EQ(problem->message, "worker 1: expected a free port, " + own_name + " holds " + std::to_string(held.port()));
    EXPECT_EQ(session->project().taskPlans().size(), 2u) << "what a task does does not hang on its port";
    EXPECT_NE(session->launcher().obstacle(), "");
}

// A process of its own that listens in place of `port`, under a worker's name; ended and waited for by the destructor.
class TaskThatListens {
public:
    explicit TaskThatListens(std::unique_ptr<tests::support::ListeningPort> port) : port_(port->port()), pid_(::fork()) {
        if (pid_ == 0) {
            ::prctl(PR_SET_NAME, "tandem-worker");
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;) ::pause();
        }
    }
    ~TaskThatListens() {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    TaskThatListens(const TaskThatListens&) = delete;
    TaskThatListens& operator=(const TaskThatListens&) = delete;
    int port() const { return port_; }
    int pid() const { return pid_; }

private:
    const int port_, pid_;
};

TEST_F(SessionTest, ATaskOfOursThatStillHoldsAPortIsCalledSo) {
    auto session = make();
    openTwoWorkers(*session);
    const TaskThatListens task(std::make_unique<tests::support::ListeningPort>());
    const std::string name = "tandem-worker (pid " + std::to_string(task.pid()) + ")", port = std::to_string(task.port());
    ASSERT_TRUE(QTest::qWaitFor(  // its name comes a moment after its beginning
        [&] {
            const auto holder = engine::launch::findPortHolder(task.port());
            return holder && toString(*holder) == name;
        },
        kDeadlineMs));
    session->project().change("Take that port",
                              [&](engine::spec::RunSpec& run) { run.cluster.spec.jobs[0].tasks[1] = "localhost:" + port; });
    const auto& found = session->project().diagnostics();
    const auto problem = std::find_if(found.begin(), found.end(), [](const Diagnostic& d) { return d.path == "cluster.worker[1]"; });
    ASSERT_NE(problem, found.end());
    EXPECT_EQ(problem->message, "worker 1: expected a free port, a task that still runs, " + name + ", holds " + port);
}

TEST_F(SessionTest, APortThatIsFreeAgainIsNoProblemAnyMore) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    auto held = std::make_unique<tests::support::ListeningPort>();
    const std::string address = "localhost:" + std::to_string(held->port());
    session->project().change("Take that port", [&](engine::spec::RunSpec& run) { run.cluster.spec.jobs[0].tasks[1] = address; });
    ASSERT_EQ(session->project().errorCount(), 1);
    const QSignalSpy changes(&session->project(), &Project::changed);
    const int edits = session->project().undoStack().count();
    session->project().lookAtPorts();
    EXPECT_EQ(changes.count(), 0) << "nothing is new";
    held.reset();
    QTRY_COMPARE(session->project().errorCount(), 0);  // by itself
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(session->project().undoStack().count(), edits) << "it is no edit";
}

TEST_F(SessionTest, APortThatWasTakenMeanwhileKeepsALaunchBack) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    std::optional<tests::support::ListeningPort> held;
    ASSERT_TRUE(QTest::qWaitFor(  // the tests that run beside this one choose among the same ports
        [&] {
            ui::session::chooseFreePorts((*session).project());
            const int port = engine::spec::parseHostPort(*session->project().spec().cluster.spec.address({"worker", 1}))->port;
            return session->launcher().obstacle().isEmpty() && held.emplace(port).port() == port;
        },
        kDeadlineMs));
    session->launcher().launch();
    const auto& found = session->project().diagnostics();
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Diagnostic& d) { return d.path == "cluster.worker[1]"; }));
    EXPECT_NE(session->launcher().obstacle(), "");
    EXPECT_EQ(session->runs().current(), nullptr);
}

TEST_F(SessionTest, WritesExportedFiles) {
    auto session = make();
    const QString out = folder_.filePath("out/deep");
    const ErrorInfo done =
        ui::session::writeFiles((*session).events(), out, {{"worker-0.json", "{}\n"}, {"worker-1.json", "{\"a\": 1}\n"}});
    EXPECT_EQ(done.detail, "");
    QFile file(out + "/worker-1.json");
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), "{\"a\": 1}\n");
    QFile obstacle(folder_.filePath("a_file"));
    ASSERT_TRUE(obstacle.open(QIODevice::WriteOnly));
    EXPECT_NE(ui::session::writeFiles((*session).events(), folder_.filePath("a_file"), {{"x", "y"}}).detail, "");
}

TEST_F(SessionTest, GivesARunItsColourForLife) {
    world_->runs = {{.id = "b", .created_unix_ns = 2}, {.id = "a", .created_unix_ns = 1}};
    std::map<QString, int> colors;
    for (int round = 0; round < 2; ++round) {
        auto session = make();
        ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() >= 2; }, kDeadlineMs));
        for (const auto& run : session->runs().list()) {
            if (round > 0 && colors.contains(run.id)) {
                EXPECT_EQ(run.color, colors[run.id]);
            }
            colors[run.id] = run.color;
        }
        world_->runs.insert(world_->runs.begin(), {.id = "c", .created_unix_ns = 3});
    }
    EXPECT_NE(colors["a"], colors["b"]);
}

TEST_F(SessionTest, ShowsTheRunThatWasWorkedOnLast) {
    using engine::run::RunState;
    world_->runs = {{.id = "b", .state = RunState::kDone, .created_unix_ns = 5, .finished_unix_ns = 6},
                    {.id = "a", .state = RunState::kDone, .created_unix_ns = 1, .finished_unix_ns = 9, .attempts = 2, .idle_ns = 5}};
    auto session = make();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(session->runs().current()->id(), "a") << "made earlier, started again later";
    EXPECT_EQ(session->runs().list()[0].id, "b") << "the table goes by creation";
}

TEST_F(SessionTest, KeepsWhatTheUserSaysOfARun) {
    world_->runs = {{.id = "b", .name = "second", .created_unix_ns = 2}, {.id = "a", .name = "first", .created_unix_ns = 1}};
    {
        auto session = make();
        ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() == 2; }, kDeadlineMs));
        session->runs().rename("a", "  my run ");
        session->runs().setTags("a", {"paper"});
        session->runs().setNotes("a", "two\nlines");
        session->runs().setColor("a", 5, 1);
        session->runs().setPinned("a", true);
        session->runs().setArchived({"b", "unknown"}, true);
        EXPECT_EQ(session->runs().list()[1].name, "my run");
        EXPECT_TRUE(session->runs().list()[0].archived);
    }
    auto session = make();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() == 2; }, kDeadlineMs));
    const RunSummary& run = session->runs().list()[1];
    EXPECT_EQ(run.name, "my run");
    EXPECT_EQ(run.tags, QStringList{"paper"});
    EXPECT_EQ(run.notes, "two\nlines");
    EXPECT_EQ(std::pair(run.color, run.dash), std::pair(5, 1));
    EXPECT_TRUE(run.pinned);
    EXPECT_TRUE(session->runs().list()[0].archived);
    session->runs().rename("a", "");
    EXPECT_TRUE(QTest::qWaitFor([&] { return session->runs().list()[1].name == "first"; }, kDeadlineMs)) << "the project's name again";
}

TEST_F(SessionTest, NumbersTheRunsOfOneProject) {
    world_->runs = {{.id = "d", .name = "first", .created_unix_ns = 4},
                    {.id = "c", .name = "second", .created_unix_ns = 3},
                    {.id = "b", .name = "first", .created_unix_ns = 2},
                    {.id = "a", .name = "first", .created_unix_ns = 1}};
    for (auto& run : world_->runs) run.state = engine::run::RunState::kDone;
    auto session = make();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() == 4; }, kDeadlineMs));
    const auto names = [&] {
        QStringList all;
        for (const RunSummary& run : session->runs().list()) all << run.name;
        return all.join(", ").toStdString();
    };
    EXPECT_EQ(names(), "first (3), second, first (2), first");
    session->runs().rename("b", "the good one");
    session->runs().refresh();
    EXPECT_EQ(names(), "first (3), second, the good one, first") << "the others keep their numbers";
    waitReady(*session);
    openTwoWorkers(*session);
    session->project().change("Name it", [](RunSpec& run) { run.name = "first"; });
    session->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() == 5; }, kDeadlineMs));
    EXPECT_EQ(session->runs().list().front().name, "first (4)");
    EXPECT_EQ(session->runs().current()->summary().name, "first (4)");
}

TEST_F(SessionTest, AProjectGoesByTheNameThatItIsSavedUnder) {
    auto session = make();
    session->project().create();
    EXPECT_EQ(session->project().spec().name, "untitled");
    ASSERT_TRUE(session->project().saveAs(folder_.filePath("digits.tandem")));
    EXPECT_EQ(session->project().spec().name, "digits");
    EXPECT_FALSE(session->project().isModified());
    ASSERT_TRUE(session->project().saveAs(folder_.filePath("digits two.tandem")));
    EXPECT_EQ(session->project().spec().name, "digits two") << "a copy is another one";
    session->project().change("Name it", [](RunSpec& run) { run.name = "my own words"; });
    ASSERT_TRUE(session->project().saveAs(folder_.filePath("third.tandem")));
    EXPECT_EQ(session->project().spec().name, "my own words");
    // As an earlier version saved it.
    QFile file(folder_.filePath("letters.tandem"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    RunSpec untitled;
    untitled.name = "untitled";
    file.write(QByteArray::fromStdString(toProjectJson(untitled)));
    file.close();
    ASSERT_TRUE(session->project().open(file.fileName()));
    EXPECT_EQ(session->project().spec().name, "letters");
    EXPECT_FALSE(session->project().isModified());
    EXPECT_FALSE(session->project().isFileChanged());
}

TEST_F(SessionTest, ARunHoldsItsProject) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    session->project().change("Two epochs", [](RunSpec& run) { run.fit.epochs = 2; });
    const RunSpec trained = session->project().spec();
    QSignalSpy launched(&session->runs(), &Runs::launched);
    session->launcher().launch();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    const QString first = session->runs().current()->id();
    session->project().close();
    EXPECT_EQ(session->launcher().launchAgainObstacle(), "The run is not over");
    world_->setState(first.toStdString(), engine::run::RunState::kDone);
    session->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->launcher().launchAgainObstacle().isEmpty(); }, kDeadlineMs))
        << session->launcher().launchAgainObstacle().toStdString();
    EXPECT_NE(session->launcher().obstacle(), "") << "there is no project to launch";
    session->launcher().launchAgain();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    EXPECT_NE(session->runs().current()->id(), first);
    EXPECT_EQ(world_->submits.back().run.fit.epochs, 2);
    EXPECT_EQ(world_->submits.back().run_dir, "") << "a run of its own";
    EXPECT_FALSE(session->project().isOpen());
    // Beside another project it is the shown run that is trained again.
    const QString again = session->runs().current()->id();
    world_->setState(again.toStdString(), engine::run::RunState::kDone);
    session->runs().refresh();
    ASSERT_TRUE(session->project().openStarter(QStringLiteral("mnist_mlp")));
    ASSERT_NE(session->project().spec().name, trained.name);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->launcher().launchAgainObstacle().isEmpty(); }, kDeadlineMs));
    session->launcher().launchAgain();
    ASSERT_TRUE(launched.wait(kDeadlineMs));
    EXPECT_EQ(world_->submits.back().run.name, trained.name);
    EXPECT_EQ(world_->submits.back().run.fit.epochs, 2);
    session->project().close();
    ASSERT_TRUE(session->openRunAsProject(first));
    EXPECT_EQ(session->project().spec().model, trained.model);
    EXPECT_EQ(session->project().spec().fit.epochs, 2);
    EXPECT_TRUE(session->project().path().isEmpty());
    EXPECT_TRUE(session->project().isModified()) << "it is in no file yet";
    EXPECT_FALSE(session->openRunAsProject("nobody"));
    // A branch goes on behind a checkpoint in the run's folder, and has epochs left.
    const std::string folder = session->runs().find(first)->run_dir.toStdString();
    ASSERT_TRUE(session->openBranch(first, "checkpoints/ckpt_1", 1, 469));
    EXPECT_EQ(session->project().spec().fit.initial_weights, folder + "/checkpoints/ckpt_1");
    EXPECT_TRUE(session->project().spec().fit.initial_state);
    EXPECT_EQ(session->project().spec().fit.epochs, 2);
    ASSERT_TRUE(session->openBranch(first, "checkpoints/ckpt_2", 2, 938));
    EXPECT_EQ(session->project().spec().fit.epochs, 4) << "two lie behind the checkpoint";
    EXPECT_TRUE(session->project().isModified());
    ASSERT_TRUE(session->project().openStarter(kTwoWorkers));
    EXPECT_FALSE(session->project().isModified()) << "a starter that nobody changed";
}

TEST_F(SessionTest, ABranchOfAnEstimatorOrOfStepsHasStepsLeft) {
    engine::spec::RunSpec of_steps, estimator;
    of_steps.fit.steps = 500;
    estimator.estimator.emplace();
    estimator.estimator->train_spec = {.max_steps = 500, .input_repeats = 3};
    world_->runs = {{.id = "steps", .run_dir = "/runs/steps", .project_json = toProjectJson(of_steps)},
                    {.id = "estimator", .run_dir = "/runs/estimator", .project_json = toProjectJson(estimator)}};
    auto session = make();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() == 2; }, kDeadlineMs));
    ASSERT_TRUE(session->openBranch("steps", "checkpoints/ckpt_1", 1, 500));
    EXPECT_EQ(session->project().spec().fit.steps, 1000);
    ASSERT_TRUE(session->openBranch("estimator", "model.ckpt-500", 1, 500));
    ASSERT_TRUE(session->project().spec().estimator);
    EXPECT_EQ(session->project().spec().estimator->train_spec.max_steps, 1000);
    EXPECT_EQ(session->project().spec().estimator->train_spec.input_repeats, 6);
    ASSERT_TRUE(session->openBranch("estimator", "model.ckpt-200", 0, 200));
    EXPECT_EQ(session->project().spec().estimator->train_spec.max_steps, 500) << "300 are left";
    EXPECT_EQ(session->project().spec().estimator->train_spec.input_repeats, 3);
}

// Monitor draws both.
TEST_F(SessionTest, ReadsTheParentOfABranchBesideIt) {
    world_->runs = {{.id = "branch",
                     .name = "Branch",
                     .state = engine::run::RunState::kDone,
                     .created_unix_ns = 9,
                     .finished_unix_ns = 10,
                     .branch_of = "parent"},
                    {.id = "parent", .name = "Parent", .state = RunState::kDone, .created_unix_ns = 5, .finished_unix_ns = 6}};
    auto session = make();
    waitReady(*session);
    session->runs().show("branch");
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return session->runs().current() != nullptr && session->runs().current()->id() == "branch"; }, kDeadlineMs));
    ASSERT_NE(session->runs().parent(), nullptr);
    EXPECT_EQ(session->runs().parent()->id(), "parent");
    session->runs().show("parent");
    EXPECT_EQ(session->runs().current()->id(), "parent");
    EXPECT_EQ(session->runs().parent(), nullptr);
}

TEST(RunNames, BecomeNamesOfFiles) {
    RunSummary run;
    run.id = "20261124-120000-0001";
    for (const auto& [name, stem] : std::vector<std::pair<QString, QString>>{{"mnist", "mnist"},
                                                                             {"mnist (2)", "mnist-2"},
                                                                             {"a/b\\c: d?", "a-b-c-d"},
                                                                             {"..", run.id},
                                                                             {"", run.id},
                                                                             {"\uc190\uae00\uc528 (3)", "\uc190\uae00\uc528-3"}}) {
        run.name = name;
        EXPECT_EQ(fileStemOf(run).toStdString(), stem.toStdString());
    }
}

TEST_F(SessionTest, ListsWhatWasDoneByHand) {
    auto session = make();
    waitReady(*session);
    openTwoWorkers(*session);
    session->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current() != nullptr; }, kDeadlineMs));
    const std::int64_t later = (QDateTime::currentMSecsSinceEpoch() + 5000) * 1'000'000;
    const auto by_hand = [&](const char* what, std::int64_t step) {
        return engine::spec::TaskEvent{0, later + step, {"worker", 0}, engine::spec::ControlApplied{what, step}};
    };
    world_->addEvents(session->runs().current()->id().toStdString(),
                      {by_hand("pause", 12), by_hand("step", 13), by_hand("learning_rate 0.0005", 13), by_hand("resume", 13)});
    const auto said = [&] {
        QStringList texts;
        for (const EventRow& row : session->events().rows()) texts << row.text.section(": ", 1);
        return texts;
    };
    EXPECT_TRUE(QTest::qWaitFor([&] { return said().contains("resumed at step 13"); }, kDeadlineMs)) << said().join('|').toStdString();
    EXPECT_TRUE(said().contains("paused at step 12"));
    EXPECT_TRUE(said().contains("learning rate 0.0005 from step 13 on"));
}

TEST_F(SessionTest, BeginsANewProjectWithCheckpointsAndABackup) {
    auto session = make();
    session->project().create();
    EXPECT_EQ(session->project().spec().callbacks, (engine::spec::CallbackSpecs{{"ModelCheckpoint", {}}, {"BackupAndRestore", {}}}));
    EXPECT_FALSE(session->project().isModified());
}

TEST_F(SessionTest, OpensAModelFileOfKerasAsAProject) {
    const auto noQuestion = [] { return true; };
    auto session = make();
    const QString files = QStringLiteral(TANDEM_TEST_DATA "/keras_files/");
    for (const char* name : {"plain_cnn.keras", "plain_cnn_legacy.h5", "plain_cnn_config.json"}) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(ModelImport::isModelFile(files + name));
        QSignalSpy opened(&session->project(), &Project::modelOpened);
        session->project().openModel(files + name, noQuestion);
        ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, kDeadlineMs));
        const RunSpec& run = session->project().spec();
        EXPECT_EQ(run.model.layers.size(), 6u);
        EXPECT_EQ(run.model.layers.front().class_name, "Conv2D");
        EXPECT_EQ(QString::fromStdString(run.fit.initial_weights), QString(name).endsWith("json") ? QString() : files + name);
        EXPECT_EQ(run.callbacks.size(), 2u) << "as every new project";
        EXPECT_EQ(session->project().path(), "") << "it is no file of Tandem's yet";
        session->project().close();
    }
    EXPECT_FALSE(ModelImport::isModelFile(folder_.filePath("a.tandem")));
    EXPECT_FALSE(ModelImport::isModelFile(QStringLiteral(TANDEM_TEST_DATA "/keras/losses.json"))) << "JSON of something else";
}

TEST_F(SessionTest, KeepsTheProjectWhereAModelFileCanNotBeReadOrIsNotWanted) {
    auto session = make();
    openTwoWorkers(*session);
    const RunSpec before = session->project().spec();
    const QString files = QStringLiteral(TANDEM_TEST_DATA "/keras_files/");
    QSignalSpy failed(&session->project(), &Project::failed);
    session->project().openModel(files + "plain_cnn.weights.h5", [] { return true; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 1; }, kDeadlineMs));
    EXPECT_TRUE(failed[0][0].toString().endsWith("plain_cnn.weights.h5"));
    const auto why = failed[0][1].value<engine::spec::Diagnostics>();
    ASSERT_FALSE(why.empty());
    EXPECT_NE(why.front().message.find("expected"), std::string::npos) << why.front().message;
    int asked = 0;
    session->project().openModel(files + "plain_cnn.keras", [&asked] { return ++asked == 0; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return asked == 1; }, kDeadlineMs));
    EXPECT_EQ(session->project().spec(), before);
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

// A studio that was killed left what it had open among the settings.
TEST_F(SessionTest, OpensWhatAKilledStudioHadOpen) {
    const auto makeAgain = [&] {
        return std::make_unique<Session>(
            SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                           .share_dir = QStringLiteral(TANDEM_RESOURCES),
                           .settings = &settings_,
                           .reconnect_ms = 50,
                           .recovery_dir = folder_.filePath("recovery")});
    };
    QVariant left;
    {
        auto session = makeAgain();
        EXPECT_FALSE(session->project().isOpen());
        waitReady(*session);
        ASSERT_TRUE(session->project().openStarter("mnist_mlp"));
        ASSERT_EQ(session->launcher().obstacle(), "");
        session->launcher().launch();
        ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current() != nullptr; }, kDeadlineMs));
        ASSERT_EQ(session->recents().list().size(), 1u);
        EXPECT_EQ(session->recents().list().front().name.toStdString(), session->project().spec().name);
        left = settings_.value("open_project");
    }
    EXPECT_FALSE(settings_.contains("open_project")) << "it ended, nobody killed it";
    settings_.setValue("open_project", left);
    auto session = makeAgain();
    ASSERT_TRUE(session->project().isOpen());
    EXPECT_FALSE(session->project().isModified());
    const RunSpec& project = session->project().spec();
    EXPECT_EQ(std::find_if(session->starters().all().begin(), session->starters().all().end(),
                           [](const Template& one) { return one.id == "mnist_mlp"; })
                  ->run,
              project);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current() != nullptr; }, kDeadlineMs)) << "the run that goes on";
    EXPECT_TRUE(session->runs().hasActive());
    session->project().close();
    ASSERT_TRUE(session->project().open(session->recents().list().front().path)) << "from Recent";
    EXPECT_EQ(session->project().title().toStdString(), session->project().spec().name);
}

TEST_F(SessionTest, TheNinthRunHasTheFirstColourInTheSecondDash) {
    for (int i = 0; i < 10; ++i) world_->runs.insert(world_->runs.begin(), {.id = "run-" + std::to_string(i), .created_unix_ns = i + 1});
    auto session = make();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().list().size() == 10; }, kDeadlineMs));
    const auto& runs = session->runs().list();
    EXPECT_EQ(std::pair(runs[9].color, runs[9].dash), std::pair(0, 0)) << "the oldest";
    EXPECT_EQ(std::pair(runs[2].color, runs[2].dash), std::pair(7, 0));
    EXPECT_EQ(std::pair(runs[1].color, runs[1].dash), std::pair(0, 1));
}

TEST_F(SessionTest, ReadsTheEventsOfComparedRuns) {
    world_->runs = {{.id = "c", .created_unix_ns = 3}, {.id = "b", .created_unix_ns = 2}, {.id = "a", .created_unix_ns = 1}};
    for (auto& run : world_->runs) run.state = engine::run::RunState::kDone;
    for (const char* id : {"a", "b", "c"}) world_->addEvents(id, tests::sampleRun({.epochs_done = 1, .extra_steps = 0}));
    auto session = make();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->runs().current() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(session->runs().current()->id(), "c");
    session->runs().compare({"a", "c", "unknown"});
    ASSERT_EQ(session->runs().compared().size(), 2u);
    EXPECT_EQ(session->runs().compared()[1], session->runs().current()) << "read once";
    EXPECT_TRUE(QTest::qWaitFor([&] { return session->runs().compared()[0]->global().size() == 469; }, kDeadlineMs));
    session->runs().show("a");
    EXPECT_EQ(session->runs().current(), session->runs().compared()[0]);
    session->runs().compare({});
    EXPECT_EQ(session->runs().record("c"), nullptr);
    ASSERT_NE(session->runs().record("a"), nullptr) << "the current run stays";
    EXPECT_EQ(session->runs().record("a")->global().size(), 469u);
}

TEST(RunFacts, ReadAProject) {
    RunSpec run;
    run.data.batch_size_per_replica = 32;
    run.compile.optimizer = {"SGD", {{"learning_rate", 0.25}}};
    run.strategy.name = "MultiWorkerMirroredStrategy";
    useLocalWorkers(run, {12345, 23456});
    run.fit.seed = 7;
    const RunFacts facts = factsOf(QString::fromStdString(toProjectJson(run)));
    EXPECT_EQ(facts.strategy, "MultiWorkerMirrored");
    EXPECT_EQ(facts.optimizer, "SGD");
    EXPECT_EQ(facts.workers, 2);
    EXPECT_EQ(facts.global_batch, 64);
    EXPECT_EQ(facts.learning_rate, 0.25);
    EXPECT_EQ(facts.seed, 7);
    RunSpec twin = run;
    twin.fit.seed = 8;
    twin.name = "another";
    twin.code = "# the same in other words\n";
    EXPECT_EQ(factsOf(QString::fromStdString(toProjectJson(twin))).twin_key, facts.twin_key);
    twin.fit.epochs = 99;
    EXPECT_NE(factsOf(QString::fromStdString(toProjectJson(twin))).twin_key, facts.twin_key);
    RunSpec alone = run;
    useLocalWorkers(alone, {12345});
    EXPECT_EQ(factsOf(QString::fromStdString(toProjectJson(alone))).scaling_key, facts.scaling_key) << "the same work a worker";
    EXPECT_EQ(factsOf("no project"), RunFacts());
}

TEST(RunFacts, SettingsHaveThePathsOfSet) {
    const auto settings = settingsOf(
        R"({"code": ["x"], "fit": {"epochs": 3}, "model": {"layers": [{"config": {"kernel_size": [3, 3], "use_bias": true}}]}})");
    EXPECT_EQ(settings,
              (std::vector<std::pair<QString, QString>>{
                  {"fit.epochs", "3"}, {"model.layers[0].config.kernel_size", "[3, 3]"}, {"model.layers[0].config.use_bias", "true"}}));
}

}  // namespace
}  // namespace ui::session
