// SPDX-License-Identifier: GPL-3.0-or-later
// Runs beside each other: names, colours, notes, branches, what is compared.
#include <gtest/gtest.h>

#include <QDateTime>
#include <QSignalSpy>
#include <QTest>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/project/run_spec.h"
#include "session_fixture.h"
#include "tests/support/sample_run.h"
#include "ui/session/event_list.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_facts.h"
#include "ui/session/runs/run_names.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"

namespace ui::session {
namespace {

using namespace engine::spec;

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
