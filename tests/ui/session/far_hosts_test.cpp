// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/far_hosts.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include "tests/support/fake_host_backend.h"

namespace ui::session {
namespace {

constexpr int kDeadlineMs = 180'000;

class FarHostsTest : public testing::Test {
protected:
    // Full before anybody reads it.
    static std::shared_ptr<tests::FakeHostBackend> twoHosts() {
        auto backend = std::make_shared<tests::FakeHostBackend>();
        backend->setEntries({{"node1", "ann@node1"}, {"node2", "ann@node2"}});
        return backend;
    }
    void load() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.isLoaded(); }, kDeadlineMs));
    }
    FarHostState stateOf(const QString& name) const {
        const FarHost* host = hosts_.find(name);
        return host ? host->state() : FarHostState::kUnknown;
    }
    bool becomes(const QString& name, FarHostState state) {
        return QTest::qWaitFor([&] { return stateOf(name) == state; }, kDeadlineMs);
    }

    std::shared_ptr<tests::FakeHostBackend> backend_ = twoHosts();
    FarHosts hosts_{backend_, 20};
};

TEST_F(FarHostsTest, HasARowForEachHostAndTellsWhatALookFound) {
    load();
    ASSERT_EQ(hosts_.hosts().size(), 2U);
    EXPECT_EQ(stateOf("node1"), FarHostState::kUnknown) << "nobody looks unasked";
    EXPECT_EQ(hosts_.find("node3"), nullptr);
    backend_->setSight("node1", {.state = FarHostState::kReachable, .info = {.cores = 12}});
    const QThread* here = QThread::currentThread();
    QObject::connect(&hosts_, &FarHosts::changed, &hosts_, [&] { EXPECT_EQ(QThread::currentThread(), here); });
    hosts_.refresh({"node1"});
    EXPECT_EQ(stateOf("node1"), FarHostState::kLooking);
    ASSERT_TRUE(becomes("node1", FarHostState::kReachable));
    EXPECT_EQ(hosts_.find("node1")->sight.info.cores, 12);
    EXPECT_GT(hosts_.find("node1")->seen_unix_ms, 0);
    EXPECT_EQ(stateOf("node2"), FarHostState::kUnknown);
}

TEST_F(FarHostsTest, KeepsWhatItKnowsWhileItLooksAgain) {
    load();
    backend_->setSight("node1", {.state = FarHostState::kReachable});
    hosts_.refresh({"node1"});
    ASSERT_TRUE(becomes("node1", FarHostState::kReachable));
    backend_->hold();
    hosts_.refresh({"node1"});
    EXPECT_TRUE(hosts_.find("node1")->is_looking);
    EXPECT_EQ(stateOf("node1"), FarHostState::kReachable);
    backend_->setSight("node1", {.state = FarHostState::kProblem, .problem = "node1: expected an answer, got none"});
    backend_->release();
    ASSERT_TRUE(becomes("node1", FarHostState::kProblem));
    EXPECT_EQ(hosts_.find("node1")->sight.problem, "node1: expected an answer, got none");
}

// The window that closes does not wait for a computer that says nothing.
TEST_F(FarHostsTest, GivesUpAPairingWhenItEnds) {
    auto backend = twoHosts();
    auto hosts = std::make_unique<FarHosts>(backend, 20);
    backend->hold();
    hosts->add({"node3", "tandem://node3:7443/" + QString(64, 'a') + "/secret"});
    ASSERT_TRUE(QTest::qWaitFor([&] { return backend->pairings() == 1; }, kDeadlineMs));
    hosts.reset();
    EXPECT_EQ(backend->cancelled(), 1) << "it would go on for ever";
    EXPECT_EQ(backend->listed().size(), 2U);
}

TEST_F(FarHostsTest, LooksAtEightHostsAtATime) {
    QStringList names;
    std::vector<HostEntry> entries{{"node1", "ann@node1"}, {"node2", "ann@node2"}};
    for (int i = 10; i < 30; ++i) {
        names.append(QString("host%1").arg(i));
        entries.push_back({names.back(), names.back()});
    }
    backend_->setEntries(std::move(entries));
    backend_->hold();
    load();
    hosts_.reload();
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.hosts().size() == 22; }, kDeadlineMs));
    hosts_.refresh(names);
    ASSERT_TRUE(QTest::qWaitFor([&] { return backend_->lookingNow() == 8; }, kDeadlineMs));
    backend_->release();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return std::all_of(names.begin(), names.end(), [&](const QString& name) { return hosts_.find(name)->seen_unix_ms > 0; }); },
        kDeadlineMs));
    EXPECT_EQ(backend_->mostAtOnce(), 8);
    EXPECT_EQ(backend_->looks(), 20) << "each once";
}

TEST_F(FarHostsTest, WatchesThoseOfTheProjectAndThoseThatAreShown) {
    load();
    hosts_.setProjectHosts({"node2", "node7"});
    hosts_.setWatched(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return backend_->looksAt("node2") >= 3; }, kDeadlineMs));
    EXPECT_EQ(backend_->looksAt("node1"), 0);
    hosts_.setShown({"node1"});
    ASSERT_TRUE(QTest::qWaitFor([&] { return backend_->looksAt("node1") >= 2; }, kDeadlineMs));
    hosts_.setWatched(false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !hosts_.find("node1")->is_looking && !hosts_.find("node2")->is_looking; }, kDeadlineMs));
    const int before = backend_->looks();
    hosts_.refresh({"node1"});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !hosts_.find("node1")->is_looking; }, kDeadlineMs));
    EXPECT_EQ(backend_->looks(), before + 1);
}

TEST_F(FarHostsTest, AddsRemovesAndReadsWhatOthersAdd) {
    load();
    QSignalSpy news(&hosts_, &FarHosts::listChanged);
    hosts_.add({"node3", "node3.lan:2222"});
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.find("node3") != nullptr; }, kDeadlineMs));
    hosts_.remove("node1");
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.find("node1") == nullptr; }, kDeadlineMs));
    EXPECT_GE(news.count(), 2);
    QSignalSpy failures(&hosts_, &FarHosts::failed);
    hosts_.remove("node1");
    ASSERT_TRUE(failures.wait(kDeadlineMs));
    EXPECT_EQ(failures[0][0].toString(), "node1");
}

TEST_F(FarHostsTest, InstallsWithProgressAndLooksThen) {
    load();
    backend_->setSight("node1", {.state = FarHostState::kNoTandem, .problem = "node1: none"});
    hosts_.refresh({"node1"});
    ASSERT_TRUE(becomes("node1", FarHostState::kNoTandem));
    backend_->hold();
    QSignalSpy installed(&hosts_, &FarHosts::installed);
    hosts_.install("node1");
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.find("node1")->progress.done_bytes == 5; }, kDeadlineMs));
    EXPECT_TRUE(hosts_.find("node1")->is_installing);
    EXPECT_EQ(hosts_.find("node1")->progress.all_bytes, 10U);
    backend_->setSight("node1", {.state = FarHostState::kReachable});
    backend_->release();
    ASSERT_TRUE(installed.wait(kDeadlineMs));
    EXPECT_TRUE(becomes("node1", FarHostState::kReachable));
}

TEST_F(FarHostsTest, AnInstallationIsCancelledOrSaysWhyItFailed) {
    load();
    backend_->hold();
    hosts_.install("node1");
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.find("node1")->progress.done_bytes == 5; }, kDeadlineMs));
    hosts_.cancelInstall("node1");
    EXPECT_FALSE(hosts_.find("node1")->is_installing);
    ASSERT_TRUE(QTest::qWaitFor([&] { return backend_->cancelled() == 1; }, kDeadlineMs));
    backend_->release();
    backend_->install_error = "node1: expected 90.0 MB of free disk, got 3.0 MB";
    QSignalSpy failed(&hosts_, &FarHosts::failed);
    hosts_.install("node1");
    ASSERT_TRUE(failed.wait(kDeadlineMs));
    EXPECT_EQ(failed[0][1].value<ErrorInfo>().detail, "node1: expected 90.0 MB of free disk, got 3.0 MB");
    EXPECT_EQ(hosts_.find("node1")->install_problem, failed[0][1].value<ErrorInfo>().detail);
    backend_->install_error.clear();
    hosts_.install("node1");
    EXPECT_EQ(hosts_.find("node1")->install_problem, "") << "another one has begun";
}

TEST_F(FarHostsTest, AnInstallationAsksOnlyWhereSomebodyAnswers) {
    load();
    const HostQuestion question{.text = "ann@node1's password:"};
    backend_->setQuestion("node1", question);
    QSignalSpy failed(&hosts_, &FarHosts::failed);
    hosts_.install("node1");
    ASSERT_TRUE(failed.wait(kDeadlineMs)) << "nobody was asked";

    hosts_.install("node1", HostJob::Questions::kAsked);
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.find("node1")->question == question; }, kDeadlineMs));
    hosts_.answer("node1", "secret");
    EXPECT_FALSE(hosts_.find("node1")->question);
    hosts_.answer("node1", "again");
    ASSERT_TRUE(QTest::qWaitFor([&] { return backend_->installed().size() == 1; }, kDeadlineMs));
    EXPECT_EQ(backend_->answers(), std::vector<QString>{"secret"});

    ASSERT_TRUE(QTest::qWaitFor([&] { return !hosts_.find("node1")->is_installing; }, kDeadlineMs));
    hosts_.install("node1", HostJob::Questions::kAsked);
    ASSERT_TRUE(QTest::qWaitFor([&] { return hosts_.find("node1")->question.has_value(); }, kDeadlineMs));
    hosts_.refuseQuestions();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !hosts_.find("node1")->is_installing; }, kDeadlineMs));
    EXPECT_NE(hosts_.find("node1")->install_problem, "");
}

TEST_F(FarHostsTest, KnowsTheNamesOfSshsConfiguration) {
    backend_->ssh_names = QStringList{"node1", "lab"};
    load();
    hosts_.reload();
    EXPECT_TRUE(QTest::qWaitFor([&] { return hosts_.sshNames() == QStringList({"node1", "lab"}); }, kDeadlineMs));
}

TEST_F(FarHostsTest, EndsWhatGoesOnWhenItGoes) {
    backend_->hold();
    {
        FarHosts hosts(backend_);
        ASSERT_TRUE(QTest::qWaitFor([&] { return hosts.isLoaded(); }, kDeadlineMs));
        hosts.refresh({"node1", "node2"});
        ASSERT_TRUE(QTest::qWaitFor([&] { return backend_->lookingNow() == 2; }, kDeadlineMs));
    }
    EXPECT_EQ(backend_->cancelled(), 2);
    EXPECT_EQ(backend_->lookingNow(), 0);
}

}  // namespace
}  // namespace ui::session
