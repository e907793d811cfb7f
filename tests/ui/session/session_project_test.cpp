// SPDX-License-Identifier: GPL-3.0-or-later
// The open project: edited, saved, made of other files.
#include "ui/session/project/model_import.h"
#include "ui/session/session.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <memory>

#include "engine/launch/tf_config_files.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/project/run_spec.h"
#include "session_fixture.h"
#include "tests/support/fake_agent_client.h"
#include "ui/session/project/exported_files.h"
#include "ui/session/project/project.h"
#include "ui/session/project/recent_projects.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"

namespace ui::session {
namespace {

using namespace engine::spec;

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

}  // namespace
}  // namespace ui::session
