// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong in the middle of a run of two workers. A worker is killed: Monitor says what, where, when and what it wrote last, and
// both ways on work: again from the backup, and on with the worker that is left. A worker hangs: it is named within seconds, and so is its
// end. The agent is killed: the run is told as over, and the backup is good for going on.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <algorithm>
#include <csignal>

#include "home.h"
#include "studio.h"
#include "tests/support/stopwatch.h"
#include "ui/charts/chart_card.h"
#include "ui/monitor/monitor_marks.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/widgets/status_pill.h"
#include "ui/window/output_panes.h"

namespace tests {
namespace {

using ui::session::RunRecord;
using ui::session::RunState;
using ui::views::Mode;

class TwoWorkers : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(studio_.agentIsReady()) << studio_.session().host().agentProblem().toStdString();
        ASSERT_TRUE(studio_.session().project().openStarter("mnist_multi_worker"));
        studio_.session().project().change("Short epochs, many of them", [this](engine::spec::RunSpec& run) {
            run.fit.steps_per_epoch = 60;
            run.fit.epochs = 2000;
            run.data.validate_on_test = false;
            run.cluster.on_task_lost = onTaskLost();
            if (const double seconds = patience(); seconds > 0) run.cluster.heartbeat_fatal_s = seconds;
        });
        studio_.chooseFreePorts();
        launch();
    }
    // How a run that has lost a worker is told of, and what a user does then.
    virtual engine::spec::OnTaskLost onTaskLost() const { return engine::spec::OnTaskLost::kFail; }
    // With a silent task, in seconds; 0: the usual one.
    virtual double patience() const { return 0; }
    virtual void launch() {
        studio_.click("railLaunchButton");
        ASSERT_TRUE(waitFor([this] { return studio_.session().runs().current() != nullptr; }));
    }
    // A checkpoint to go back to, and steps behind it that would be lost.
    void trainPastACheckpoint() {
        RunRecord& run = studio_.run();
        ASSERT_TRUE(waitFor([&] { return !run.checkpoints().empty() || isFinal(run.state()); }));
        ASSERT_FALSE(isFinal(run.state())) << run.summary().detail.toStdString();
        const auto saved = static_cast<std::size_t>(run.lastStep());
        ASSERT_TRUE(waitFor([&] { return static_cast<std::size_t>(run.lastStep()) > saved + 20; }));
    }
    int processOf(int worker) {
        const auto found = home_.processes("tandem-worker", {QStringLiteral("\"index\": %1").arg(worker)});
        EXPECT_EQ(found.size(), 1u);
        return found.size() == 1 ? found.front() : 0;
    }
    void kill(int worker) {
        const int process = processOf(worker);
        ASSERT_GT(process, 0);
        ::kill(process, SIGKILL);
    }
    // Of what is seen on the card.
    QString cardText() {
        QStringList texts;
        for (const QLabel* label : studio_.find("failureCard").findChildren<QLabel*>())
            if (label->isVisible()) texts << label->text();
        return texts.join('\n');
    }
    // None of the last lines is cut off.
    void expectLinesInSight() {
        auto& lines = studio_.find<QLabel>("failureLines");
        EXPECT_TRUE(waitFor([&] { return lines.height() >= lines.sizeHint().height(); }))
            << lines.height() << " of " << lines.sizeHint().height();
    }
    bool has(const QString& text, const char* part) { return text.contains(QString::fromUtf8(part)); }

    Home home_;
    Studio studio_{home_.path("studio")};
};

class KilledWorker : public TwoWorkers {};

TEST_F(KilledWorker, IsNamedWithPlaceTimeAndLastLinesAndBothWaysOnWork) {
    trainPastACheckpoint();
    RunRecord& first = studio_.run();
    const QString first_id = first.id();
    const QString address = QString::fromStdString(first.tasks()[1].address);
    ASSERT_TRUE(address.startsWith("localhost:"));
    kill(1);
    ASSERT_TRUE(waitFor([&] { return first.state() == RunState::kFailed; })) << "within seconds, not minutes";
    QWidget& card = studio_.find("failureCard");
    ASSERT_TRUE(waitFor([&] { return card.isVisible() && cardText().contains("worker 1"); }));
    const QString text = cardText();
    expectLinesInSight();
    studio_.shoot("killed-worker");
    EXPECT_TRUE(has(text, "First failure: worker 1 was killed")) << text.toStdString();
    EXPECT_TRUE(has(text, ("Worker 1 at " + address + " ended at ").toUtf8())) << text.toStdString();
    EXPECT_TRUE(has(text, "after step ")) << text.toStdString();
    EXPECT_TRUE(has(text, "killed by signal 9")) << text.toStdString();
    EXPECT_TRUE(has(text, "signal 9")) << text.toStdString();
    EXPECT_EQ(first.tasks().firstFailure()->id, (engine::spec::TaskId{"worker", 1}));
    const auto& lines = first.tasks().firstFailure()->failure->last_lines;
    ASSERT_FALSE(lines.empty()) << "a worker tells at its start where it listens";
    EXPECT_TRUE(studio_.find<QLabel>("failureLines").text().contains(QString::fromStdString(lines.back())));
    EXPECT_TRUE(studio_.find("failureTimeline").isVisible());
    EXPECT_EQ(studio_.find<ui::widgets::StatusPill>("monitorState").text(), "Failed");
    EXPECT_TRUE(home_.processes("tandem-worker").empty()) << "the other one does not go on alone";
    // The details to hand on, and the log of that task at that second.
    studio_.click("failureCopy");
    const QString copied = QApplication::clipboard()->text();
    EXPECT_TRUE(copied.contains("First failure: worker 1 was killed") && copied.contains(first_id)) << copied.toStdString();
    studio_.click("failureLog");
    EXPECT_EQ(studio_.window().panes().openPane(), 2);
    EXPECT_EQ(studio_.find<QComboBox>("logTask").currentText(), "worker 1");
    EXPECT_GT(studio_.find<QListView>("logList").model()->rowCount(), 0);
    studio_.click("paneClose");

    // Again from the backup: in the same folder, at the step of the backup, to the point where it was lost and on.
    const auto lost_at = first.lastStep();
    const QString folder = first.summary().run_dir;
    const QString checkpoint_before = QString::fromStdString(first.checkpoints().front().saved.prefix);
    auto& smoothing = studio_.find<QDoubleSpinBox>("monitorSmoothingBox");
    smoothing.setValue(0.35);
    studio_.click("monitorRestart");
    RunRecord& second = studio_.run();
    ASSERT_TRUE(waitFor([&] { return !second.attempts().empty() && second.attempts().back().resumed_step; }));
    EXPECT_EQ(&second, &first) << "the same run";
    EXPECT_EQ(second.id(), first_id);
    EXPECT_EQ(second.summary().run_dir, folder);
    EXPECT_EQ(studio_.session().runs().list().size(), 1u) << "one row";
    EXPECT_EQ(smoothing.value(), 0.35) << "as it was chosen";
    const auto resumed = *second.attempts().back().resumed_step;
    ASSERT_TRUE(waitFor([&] { return second.lastStep() > lost_at + 20 || isFinal(second.state()); }));
    ASSERT_FALSE(isFinal(second.state())) << second.summary().detail.toStdString();
    EXPECT_TRUE(second.attempts().back().started.by_hand);
    EXPECT_GE(resumed, 60) << "not from the beginning";
    EXPECT_LE(resumed, lost_at);
    EXPECT_EQ(resumed % 60, 0) << "the backup of the last full epoch";
    const auto& steps = second.global().step;
    EXPECT_EQ(steps.front(), 1) << "the curve of before is there";
    for (std::size_t i = 1; i < steps.size(); ++i) ASSERT_EQ(steps[i], steps[i - 1] + 1);
    EXPECT_EQ(QString::fromStdString(second.checkpoints().front().saved.prefix), checkpoint_before) << "so are its checkpoints";
    EXPECT_FALSE(card.isVisible());
    trainPastACheckpoint();
    studio_.shoot("restarted-by-hand");
    studio_.window().showMode(ui::views::Mode::kRuns);
    studio_.shoot("restarted-run-in-runs");
    studio_.window().showMode(ui::views::Mode::kMonitor);

    // Killed again; this time the one that is left goes on, from the newest checkpoint.
    const QString second_id = second.id();
    kill(1);
    ASSERT_TRUE(waitFor([&] { return second.state() == RunState::kFailed; }));
    ASSERT_TRUE(waitFor([&] { return card.isVisible() && cardText().contains("First failure: worker 1 was killed"); }));
    auto& fewer = studio_.find<QPushButton>("monitorFewer");
    EXPECT_EQ(fewer.text(), "Continue with 1 worker");
    const auto newest = second.checkpoints().back().saved;
    studio_.click(fewer);
    ASSERT_TRUE(waitFor([&] { return studio_.run().id() != second_id; }));
    RunRecord& third = studio_.run();
    ASSERT_TRUE(waitFor([&] { return third.lastStep() > 0 || isFinal(third.state()); }));
    ASSERT_FALSE(isFinal(third.state())) << third.summary().detail.toStdString();
    EXPECT_EQ(third.tasks().size(), 1u);
    EXPECT_EQ(third.run().fit.initial_epoch, newest.epoch + 1);
    const std::size_t before = third.global().size();
    ASSERT_TRUE(waitFor([&] { return third.global().size() > before + 60; })) << "it trains";
    EXPECT_GE(static_cast<int>(third.global().epoch.front()), newest.epoch + 1) << "the next epoch";
    const auto& losses = *third.global().find("loss");
    const auto& first_losses = *first.global().find("loss");
    EXPECT_LT(losses.front(), first_losses.front()) << "with the weights that were trained";
    studio_.click("monitorStop");
    EXPECT_TRUE(waitFor([&] { return isFinal(third.state()); }));
    EXPECT_EQ(third.state(), RunState::kStopped) << third.summary().detail.toStdString();
}

class KilledWorkerThatIsStartedAgain : public TwoWorkers {
protected:
    engine::spec::OnTaskLost onTaskLost() const override { return engine::spec::OnTaskLost::kRestart; }
};

TEST_F(KilledWorkerThatIsStartedAgain, GoesOnInTheSameRunAndCurve) {
    trainPastACheckpoint();
    RunRecord& run = studio_.run();
    const QString id = run.id();
    kill(1);
    QStringList states;
    auto& state = studio_.find<ui::widgets::StatusPill>("monitorState");
    ASSERT_TRUE(waitFor([&] {
        if (states.isEmpty() || states.back() != state.text()) states << state.text();
        return (!run.attempts().empty() && run.attempts().back().resumed_step && run.state() == RunState::kTraining) ||
               isFinal(run.state());
    }));
    ASSERT_FALSE(isFinal(run.state())) << run.summary().detail.toStdString();
    const auto resumed = *run.attempts().back().resumed_step;
    EXPECT_GT(resumed, 0);
    EXPECT_EQ(run.attempts().back().lost, (engine::spec::TaskId{"worker", 1}));
    EXPECT_TRUE(states.contains("Restarting (attempt 2)")) << states.join(", ").toStdString();
    EXPECT_FALSE(states.contains("Failed"));
    ASSERT_TRUE(waitFor([&] { return static_cast<double>(resumed) + 80 < (run.global().size() > 0 ? run.global().step.back() : 0); }));
    EXPECT_EQ(studio_.run().id(), id) << "no other run";
    EXPECT_EQ(run.tasks().firstFailure(), nullptr);
    EXPECT_FALSE(studio_.find("failureCard").isVisible());
    const auto& steps = run.global().step;
    for (std::size_t i = 1; i < steps.size(); ++i) ASSERT_EQ(steps[i], steps[i - 1] + 1) << "one curve";
    const auto marks = ui::views::controlMarks(run);
    EXPECT_TRUE(std::any_of(marks.begin(), marks.end(),
                            [&](const auto& mark) { return mark.kind == ui::charts::Marker::Kind::kRestart && mark.step == resumed; }));
    studio_.shoot("restarted-worker");
    studio_.click("monitorStop");
    EXPECT_TRUE(waitFor([&] { return isFinal(run.state()); }));
}

class HangingWorker : public TwoWorkers, public testing::WithParamInterface<int> {
protected:
    // Who is named just now, by every place that names one.
    QStringList namedNow() {
        QStringList names;
        for (const auto& mark : ui::views::failureMarks(studio_.run()))
            if (mark.label.endsWith(" lost")) names << mark.subject;
        if (const auto* failed = studio_.run().tasks().firstFailure()) names << QString::fromStdString(toString(failed->id));
        if (const auto* silent = studio_.run().tasks().silent()) names << QString::fromStdString(toString(silent->id));
        const QString ring = studio_.window().findChild<ui::views::RingView*>()->accessibleName();
        for (const char* words : {" is gone", " does not answer"})
            if (ring.endsWith(words)) names << ring.section(", ", -1).section(words, 0, 0);
        const QString card = studio_.find("failureCard").isVisible() ? studio_.find("failureCard").accessibleName() : QString();
        if (card.startsWith("First failure: ")) names << card.section(": ", 1);
        names.removeDuplicates();
        return names;
    }
};
INSTANTIATE_TEST_SUITE_P(Each, HangingWorker, testing::Values(0, 1));

TEST_P(HangingWorker, IsNamedWithinFiveSecondsAndIsTheCause) {
    const QString name = QStringLiteral("worker %1").arg(GetParam());
    trainPastACheckpoint();
    RunRecord& run = studio_.run();
    const int process = processOf(GetParam());
    ASSERT_GT(process, 0);
    auto& state = studio_.find<ui::widgets::StatusPill>("monitorState");
    const tests::support::Stopwatch since;
    ::kill(process, SIGSTOP);
    const bool named = waitFor([&] { return state.text() == "Waiting for " + name || isFinal(run.state()); });
    const bool named_in_time = since.isWithin(std::chrono::seconds(5));
    studio_.shoot("hanging-worker");
    ASSERT_TRUE(named);
    EXPECT_EQ(state.text(), "Waiting for " + name);
    EXPECT_TRUE(named_in_time);
    QStringList others;
    ASSERT_TRUE(waitFor([&] {
        const QStringList names = namedNow();
        if (!names.isEmpty() && names != QStringList{name}) others << names.join('+');
        return run.state() == RunState::kFailed && studio_.find("failureCard").isVisible();
    }));
    EXPECT_TRUE(others.isEmpty()) << others.join(' ').toStdString();
    EXPECT_EQ(namedNow(), QStringList{name});
    ASSERT_TRUE(waitFor([&] { return studio_.find("failureCard").isVisible() && cardText().contains("First failure: " + name); }));
    expectLinesInSight();
    studio_.shoot("given-up-worker");
    const QString text = cardText();
    EXPECT_TRUE(has(text, "no heartbeat for ")) << text.toStdString();
    EXPECT_FALSE(has(text, "was killed")) << "the agent ended it: " << text.toStdString();
    EXPECT_TRUE(run.summary().detail.startsWith(name + ": no heartbeat for ")) << run.summary().detail.toStdString();
    ASSERT_NE(run.tasks().firstFailure(), nullptr);
    EXPECT_EQ(run.tasks().firstFailure()->id, (engine::spec::TaskId{"worker", GetParam()}));
    EXPECT_TRUE(studio_.find("monitorRestart").isEnabled());
    EXPECT_TRUE(studio_.find("monitorFewer").isEnabled());
    EXPECT_EQ(studio_.find<QPushButton>("monitorFewer").text(), "Continue with 1 worker");
    EXPECT_TRUE(home_.processes("tandem-worker").empty()) << "nobody is left hanging";
}

// Worker 1 is stopped as soon as there is such a process: it never meets worker 0.
class WorkerThatHangsWhileItConnects : public TwoWorkers {
protected:
    // Worker 0 tells whom it waits for five seconds after its start, which may come late on a loaded machine.
    double patience() const override { return 120; }
    // On a loaded machine it may have met worker 0 before it is stopped, or worker 0 may be so late that the run gives up before it waits
    // for anybody: then both are launched again.
    void launch() override {
        constexpr int kMostLaunches = 10;
        const auto current = [this] { return studio_.session().runs().current(); };
        for (int i = 0; i < kMostLaunches; ++i) {
            const QString before = current() == nullptr ? QString() : current()->id();
            ASSERT_TRUE(waitFor([this] { return studio_.find("railLaunchButton").isEnabled(); })) << "a run that is over leaves it free";
            studio_.click("railLaunchButton");
            int stopped = 0;
            ASSERT_TRUE(waitFor([&] {
                const auto found = home_.processes("tandem-worker", {QStringLiteral("\"index\": 1")});
                stopped = found.size() == 1 && ::kill(found.front(), SIGSTOP) == 0 ? found.front() : 0;
                return stopped > 0;
            }));
            ASSERT_TRUE(waitFor([&] {
                const RunRecord* run = current();
                return run != nullptr && run->id() != before && (isFinal(run->state()) || isWaitedFor() || hasMet(*run));
            }));
            const bool gave_up = isFinal(studio_.run().state());
            if (!gave_up && !hasMet(studio_.run())) return;
            ::kill(stopped, SIGCONT);
            if (!gave_up) studio_.click("monitorStop");
            ASSERT_TRUE(waitFor([this] { return isFinal(studio_.run().state()); }));
        }
        FAIL() << "worker 1 met worker 0 each time";
    }
    bool isWaitedFor() { return studio_.find("waitingCard").accessibleDescription().contains("it is there and waits for worker 1"); }
    static bool hasMet(const RunRecord& run) {
        const auto isAtWork = [](const auto& task) {
            return task.state == engine::spec::TaskState::kReady || task.state == engine::spec::TaskState::kTraining;
        };
        return run.lastStep() > 0 || std::any_of(run.tasks().begin(), run.tasks().end(), isAtWork);
    }
};

TEST_F(WorkerThatHangsWhileItConnects, IsNamedWithTheReasonAndTheOthersGoOn) {
    RunRecord& run = studio_.run();
    const QString id = run.id();
    QWidget& card = studio_.find("waitingCard");
    const auto says = [&](const char* fact) { return card.isVisible() && card.accessibleDescription().contains(QLatin1String(fact)); };
    const bool named = waitFor([&] {
        return (says("worker 0: it is there and waits for worker 1") && says("worker 1: it hangs or was stopped: no heartbeat for ")) ||
               isFinal(run.state());
    });
    studio_.shoot("hanging-while-connecting");
    ASSERT_TRUE(named && !isFinal(run.state())) << card.accessibleDescription().toStdString();
    EXPECT_EQ(run.lastStep(), 0);
    EXPECT_EQ(card.accessibleName(), "Waiting for worker 1");
    EXPECT_EQ(studio_.find<ui::widgets::StatusPill>("monitorState").text(), "Waiting for worker 1");
    EXPECT_FALSE(studio_.find("waitingStart").isVisible()) << "it is there, its port is taken";
    studio_.click("waitingGoOn");
    ASSERT_TRUE(waitFor([&] { return studio_.run().id() != id; })) << "another run";
    ASSERT_TRUE(waitFor([this] { return studio_.run().lastStep() > 0 || isFinal(studio_.run().state()); }));
    EXPECT_EQ(studio_.run().tasks().size(), 1u);
    studio_.click("monitorStop");
    EXPECT_TRUE(waitFor([this] { return isFinal(studio_.run().state()); }));
    EXPECT_EQ(studio_.run().state(), RunState::kStopped) << studio_.run().summary().detail.toStdString();
}

class KilledAgent : public TwoWorkers {};

TEST_F(KilledAgent, EndsTheRunWhichGoesOnFromItsBackup) {
    trainPastACheckpoint();
    RunRecord& first = studio_.run();
    const QString first_id = first.id();
    const auto agents = home_.processes("tandem-agent");
    ASSERT_EQ(agents.size(), 1u);
    ::kill(agents.front(), SIGKILL);
    QWidget& banner = studio_.find("agentBanner");
    ASSERT_TRUE(waitFor([&] { return banner.isVisible() || isFinal(first.state()); }));
    studio_.shoot("killed-agent-lost");
    EXPECT_TRUE(waitFor([this] { return home_.processes("tandem-worker").empty(); })) << "no task goes on alone";
    ASSERT_TRUE(waitFor([&] { return first.state() == RunState::kFailed; })) << "another agent tells what became of it";
    QWidget& card = studio_.find("failureCard");
    ASSERT_TRUE(waitFor([&] { return card.isVisible(); }));
    EXPECT_FALSE(banner.isVisible());
    const QString text = cardText();
    EXPECT_TRUE(has(text, "The agent was killed while the run went on.")) << text.toStdString();
    EXPECT_FALSE(studio_.find("monitorFewer").isVisible()) << "no worker was lost";
    EXPECT_EQ(studio_.find<ui::widgets::StatusPill>("monitorState").text(), "Failed");
    const auto stopped = [](const auto& task) { return task.state == engine::spec::TaskState::kStopped; };
    EXPECT_TRUE(waitFor([&] { return std::all_of(first.tasks().begin(), first.tasks().end(), stopped); })) << "none is held for training";
    studio_.shoot("killed-agent");
    const auto lost_at = first.lastStep();
    studio_.click("monitorRestart");
    RunRecord& second = studio_.run();
    ASSERT_TRUE(waitFor([&] { return !second.attempts().empty(); }));
    EXPECT_EQ(second.id(), first_id) << "the same run";
    ASSERT_TRUE(waitFor([&] { return second.lastStep() > lost_at || isFinal(second.state()); }));
    ASSERT_FALSE(isFinal(second.state())) << second.summary().detail.toStdString();
    studio_.click("monitorStop");
    EXPECT_TRUE(waitFor([&] { return isFinal(second.state()); }));
}

}  // namespace
}  // namespace tests
