// What a studio leaves when it ends without saving, and what the next one makes of it. The kill of a real process: tests/ui/e2e.
#include "ui/session/project/recovery.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/spec/project/run_spec.h"
#include "tests/support/fake_agent_client.h"
#include "ui/session/project/leftovers.h"
#include "ui/session/project/project.h"
#include "ui/session/session.h"

namespace ui::session {
namespace {

using engine::spec::RunSpec;

constexpr int kDeadlineMs = 180'000;

class RecoveryTest : public testing::Test {
protected:
    QStringList files() const { return QDir(folder_.filePath("aside")).entryList({"*.recovery"}, QDir::Files); }
    bool waitForFiles(int count) const {
        return QTest::qWaitFor([this, count] { return files().size() == count; }, kDeadlineMs);
    }
    // As a killed studio leaves it: the file without a living holder of its lock.
    void orphan(const QString& name) {
        ASSERT_TRUE(waitForFiles(1));
        const QDir aside(folder_.filePath("aside"));
        ASSERT_TRUE(QFile::copy(aside.filePath(files().front()), aside.filePath(name)));
    }
    static RunSpec project(int epochs) {
        RunSpec run;
        run.name = "lost";
        run.fit.epochs = epochs;
        return run;
    }

    QTemporaryDir folder_;
};

TEST_F(RecoveryTest, OffersWhatAStudioThatIsGoneLeft) {
    Recovery living(folder_.filePath("aside"), 0);
    living.keep(project(7), "/home/me/lost.tandem", "lost.tandem");
    orphan("1-1.recovery");
    const Recovery next(folder_.filePath("aside"), 0);
    ASSERT_EQ(next.leftovers().size(), 1u) << "the living studio's own file is not offered";
    EXPECT_EQ(next.leftovers()[0].run, project(7));
    EXPECT_EQ(next.leftovers()[0].project_path, "/home/me/lost.tandem");
    const Recovery third(folder_.filePath("aside"), 0);
    EXPECT_TRUE(third.leftovers().empty()) << "it is in the hands of another studio";
}

TEST_F(RecoveryTest, KeepsNothingOnceSaved) {
    Recovery recovery(folder_.filePath("aside"), 0);
    recovery.keep(project(1), {}, "lost");
    ASSERT_TRUE(waitForFiles(1));
    recovery.forget();
    EXPECT_TRUE(waitForFiles(0));
}

TEST_F(RecoveryTest, WritesSoonHoweverFastTheChangesGoOn) {
    Recovery recovery(folder_.filePath("aside"), 100);
    int changes = 0;
    const auto changedOnceMore = [&] {
        recovery.keep(project(++changes), {}, "lost");
        return !files().isEmpty();
    };
    EXPECT_TRUE(QTest::qWaitFor(changedOnceMore, kDeadlineMs));
    EXPECT_GT(changes, 1) << "it went on meanwhile";
    EXPECT_EQ(files().size(), 1);
}

TEST_F(RecoveryTest, DropsWhatEqualsTheSavedFile) {
    const QString path = folder_.filePath("saved.tandem");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(toProjectJson(project(3))));
    file.close();
    Recovery living(folder_.filePath("aside"), 0);
    living.keep(project(3), path, "saved.tandem");
    orphan("1-1.recovery");
    const Recovery next(folder_.filePath("aside"), 0);
    EXPECT_TRUE(next.leftovers().empty());
    EXPECT_EQ(files().size(), 1) << "the orphan is gone, the living studio's stays";
}

TEST_F(RecoveryTest, LeavesADamagedFileAlone) {
    QDir().mkpath(folder_.filePath("aside"));
    QFile file(folder_.filePath("aside/1-1.recovery"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"version\": 1, \"project\": \"{");
    file.close();
    const Recovery next(folder_.filePath("aside"), 0);
    EXPECT_TRUE(next.leftovers().empty());
    EXPECT_EQ(files().size(), 1);
}

TEST_F(RecoveryTest, SaysWhenItCannotWrite) {
    QFile obstacle(folder_.filePath("aside"));
    ASSERT_TRUE(obstacle.open(QIODevice::WriteOnly));
    Recovery recovery(folder_.filePath("aside"), 0);
    QSignalSpy failed(&recovery, &Recovery::failed);
    recovery.keep(project(1), {}, "lost");
    ASSERT_TRUE(failed.wait(kDeadlineMs));
    EXPECT_TRUE(failed[0][0].toString().contains("expected to write"));
}

TEST_F(RecoveryTest, RestoresAProjectAsModified) {
    const auto world = std::make_shared<tests::FakeAgentWorld>();
    const auto make = [&] {
        return std::make_unique<Session>(SessionOptions{.connect = [world] { return std::make_unique<tests::FakeAgentClient>(world); },
                                                        .share_dir = QStringLiteral(TANDEM_RESOURCES),
                                                        .recovery_dir = folder_.filePath("aside"),
                                                        .recovery_delay_ms = 0});
    };
    {
        auto session = make();
        ASSERT_TRUE(session->project().openStarter("mnist_multi_worker"));
        EXPECT_TRUE(files().isEmpty()) << "a fresh template is no work of the user's";
        session->project().change("Train longer", [](RunSpec& run) { run.fit.epochs = 77; });
        orphan("1-1.recovery");
        session->project().undoStack().undo();
        EXPECT_TRUE(waitForFiles(1)) << "back to the clean state: its own file goes, the orphan stays";
    }
    auto session = make();
    ASSERT_EQ(session->leftovers().list().size(), 1u);
    QSignalSpy left(&session->leftovers(), &Leftovers::changed);
    ASSERT_TRUE(session->leftovers().recover(session->leftovers().list()[0].id));
    EXPECT_EQ(session->project().spec().fit.epochs, 77);
    EXPECT_TRUE(session->project().isModified());
    ASSERT_TRUE(left.wait(kDeadlineMs));
    EXPECT_TRUE(session->leftovers().list().empty());
    EXPECT_EQ(files().size(), 1) << "kept aside by this studio until it is saved";
    ASSERT_TRUE(session->project().saveAs(folder_.filePath("saved.tandem")));
    EXPECT_TRUE(waitForFiles(0));
}

}  // namespace
}  // namespace ui::session
