// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster of the open project on this computer: its tasks and their ports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>

#include "engine/launch/port_holder.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/project/run_spec.h"
#include "session_fixture.h"
#include "tests/support/listening_port.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"

namespace ui::session {
namespace {

using namespace engine::spec;

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
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->project().errorCount() == 0; }, kDeadlineMs)) << "by itself";
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

}  // namespace
}  // namespace ui::session
