// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/agent_link.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include "engine/spec/project/run_spec.h"
#include "tests/support/fake_agent_client.h"

namespace ui::session {
namespace {

constexpr int kDeadlineMs = 180'000;

class AgentLinkTest : public testing::Test {
protected:
    void connectNow() {
        QSignalSpy connected(&link_, &AgentLink::connected);
        link_.connectAgent();
        ASSERT_TRUE(connected.wait(kDeadlineMs));
    }
    std::string submitted(const char* name) {
        engine::spec::RunSpec run;
        run.name = name;
        QSignalSpy answers(&link_, &AgentLink::submitted);
        link_.submit(run, {});
        EXPECT_TRUE(answers.wait(kDeadlineMs));
        return answers.empty() ? std::string() : answers[0][0].value<RunSummary>().id.toStdString();
    }
    static engine::spec::TaskEvent line(const std::string& text) {
        engine::spec::TaskEvent event;
        event.task = {"worker", 0};
        event.body = engine::spec::LogLine{engine::spec::LogLevel::kInfo, text};
        return event;
    }

    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    AgentLink link_{[world = world_] { return std::make_unique<tests::FakeAgentClient>(world); }};
};

TEST_F(AgentLinkTest, AnswersOnTheThreadOfTheWindow) {
    connectNow();
    world_->host.host_name = "lab-3";
    const QThread* here = QThread::currentThread();
    bool asked = false;
    QObject::connect(&link_, &AgentLink::described, &link_, [&](const engine::run::HostInfo& host) {
        EXPECT_EQ(QThread::currentThread(), here);
        EXPECT_EQ(host.host_name, "lab-3");
        asked = true;
    });
    link_.describe();
    EXPECT_FALSE(asked) << "a call never answers before it returns";
    EXPECT_TRUE(QTest::qWaitFor([&] { return asked; }, kDeadlineMs));
}

TEST_F(AgentLinkTest, SaysWhyTheAgentIsLost) {
    world_->answers = false;
    QSignalSpy lost(&link_, &AgentLink::lost);
    link_.connectAgent();
    ASSERT_TRUE(lost.wait(kDeadlineMs));
    EXPECT_TRUE(lost[0][0].toString().contains("the connection was refused")) << lost[0][0].toString().toStdString();
}

TEST_F(AgentLinkTest, DeliversEveryEventOnceInOrder) {
    connectNow();
    const std::string run = submitted("one");
    std::vector<std::uint64_t> sequences;
    QObject::connect(&link_, &AgentLink::eventsArrived, &link_, [&](const QString& id, const std::vector<engine::spec::TaskEvent>& events) {
        EXPECT_EQ(id.toStdString(), run);
        for (const auto& event : events) sequences.push_back(event.sequence);
    });
    for (int i = 0; i < 500; ++i) world_->addEvents(run, {line("before")});
    link_.watch(QString::fromStdString(run), 11);
    for (int i = 0; i < 500; ++i) world_->addEvents(run, {line("after")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sequences.empty() && sequences.back() == 1000; }, kDeadlineMs));
    ASSERT_EQ(sequences.size(), 990u) << "from the sequence that was asked for";
    for (std::size_t i = 0; i < sequences.size(); ++i) ASSERT_EQ(sequences[i], 11 + i);
}

// A watch that was ended or replaced says nothing more, whatever is on its way.
TEST_F(AgentLinkTest, IsSilentAboutAWatchThatWasEnded) {
    connectNow();
    const std::string run = submitted("one");
    const QString id = QString::fromStdString(run);
    std::size_t arrived = 0;
    QObject::connect(&link_, &AgentLink::eventsArrived, &link_, [&](const QString&, const auto& events) { arrived += events.size(); });
    link_.watch(id, 1);
    world_->addEvents(run, {line("one")});
    ASSERT_TRUE(QTest::qWaitFor([&] { return arrived == 1; }, kDeadlineMs));
    world_->addEvents(run, {line("two")});
    link_.endWatch(id);
    QSignalSpy listed(&link_, &AgentLink::runsListed);
    link_.listRuns();  // behind the end of the watch on the link's thread
    ASSERT_TRUE(listed.wait(kDeadlineMs));
    EXPECT_EQ(arrived, 1u);
    link_.watch(id, 2);
    EXPECT_TRUE(QTest::qWaitFor([&] { return arrived == 2; }, kDeadlineMs)) << "and can be followed again from where it was";
}

TEST_F(AgentLinkTest, TellsOfAnAgentThatHangs) {
    connectNow();
    QSignalSpy silent(&link_, &AgentLink::silent), answered(&link_, &AgentLink::answered);
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            const std::lock_guard lock(world_->mutex);
            return world_->pulse.silent != nullptr;
        },
        kDeadlineMs));
    world_->tellSilence(std::chrono::seconds(6));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !silent.empty(); }, kDeadlineMs));
    EXPECT_EQ(silent[0][0].toLongLong(), 6000);
    world_->tellSilence(std::nullopt);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !answered.empty(); }, kDeadlineMs));
}

TEST_F(AgentLinkTest, ACallThatFailsIsToldByItself) {
    connectNow();
    QSignalSpy failed(&link_, &AgentLink::callFailed), lost(&link_, &AgentLink::lost);
    link_.control("nosuch", {engine::spec::ControlVerb::kPause});
    ASSERT_TRUE(failed.wait(kDeadlineMs));
    EXPECT_TRUE(failed[0][0].value<ErrorInfo>().detail.contains("expected a known run"));
    EXPECT_TRUE(lost.empty()) << "the connection is none the worse";
}

}  // namespace
}  // namespace ui::session
