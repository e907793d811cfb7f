// SPDX-License-Identifier: GPL-3.0-or-later
// A learning rate that is changed while two workers train: every replica takes it at one step, a mark on the charts says so, the curve of
// the rate and that of the loss follow.
#include <gtest/gtest.h>

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <numeric>

#include "home.h"
#include "studio.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_plot.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"

namespace tests {
namespace {

using ui::charts::ChartCard;
using ui::views::Mode;

constexpr double kOld = 1e-4, kNew = 0.05;
constexpr std::size_t kWindow = 60;

double meanBehind(const std::vector<double>& values, std::size_t from) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(from);
    return std::accumulate(first, first + kWindow, 0.0) / kWindow;
}

TEST(LearningRate, IsChangedWhileItTrainsWithItsMarkAndTheCurvesFollow) {
    const Home home;
    Studio studio(home.path("studio"));
    ASSERT_TRUE(studio.agentIsReady()) << studio.session().host().agentProblem().toStdString();
    ASSERT_TRUE(studio.session().project().openStarter("mnist_multi_worker"));
    studio.session().project().change("Validate never", [](engine::spec::RunSpec& run) { run.data.validate_on_test = false; });
    studio.chooseFreePorts();
    studio.click("railLaunchButton");
    ASSERT_TRUE(waitFor([&] { return studio.session().runs().current() != nullptr; }));
    ui::session::RunRecord& run = studio.run();
    ASSERT_TRUE(waitFor([&] { return run.global().size() > 2 * kWindow; })) << "points";

    // Nonsense is refused before it is sent.
    auto& field = studio.find<QLineEdit>("monitorRate");
    auto& apply = studio.find<QPushButton>("monitorApplyRate");
    const auto put = [&](const QString& text) {
        studio.click(field);
        studio.key(Qt::Key_A, Qt::ControlModifier);
        studio.type(text);
    };
    put("-1");
    EXPECT_FALSE(apply.isEnabled());
    put("0.05");
    ASSERT_TRUE(apply.isEnabled());
    studio.click(apply);
    ASSERT_TRUE(waitFor([&] { return !run.controls().empty(); })) << "the chief applied it";
    ASSERT_EQ(run.controls().size(), 1u);
    const auto& applied = run.controls().front().applied;
    EXPECT_EQ(applied.what.substr(0, 13), "learning_rate") << applied.what;
    ASSERT_TRUE(waitFor([&] { return run.global().size() > static_cast<std::size_t>(applied.step) + 6 * kWindow; })) << "goes on";

    // Every point before the step has the old rate, every one from it on the new: no step between.
    const auto& rates = *run.global().find("learning_rate");
    const auto first =
        static_cast<std::size_t>(std::find_if(rates.begin(), rates.end(), [](double rate) { return rate > 2 * kOld; }) - rates.begin());
    ASSERT_LT(first, rates.size());
    EXPECT_NEAR(run.global().step[first], static_cast<double>(applied.step), 1);
    for (std::size_t i = 0; i < rates.size(); ++i) ASSERT_NEAR(rates[i], i < first ? kOld : kNew, 1e-8) << "step " << run.global().step[i];
    // 500 times the rate: the loss, flat until then, falls.
    const auto& losses = *run.global().find("loss");
    const double before = meanBehind(losses, first - kWindow), after = meanBehind(losses, losses.size() - kWindow);
    EXPECT_LT(after, before - 0.3) << before << " to " << after;

    auto& rate_chart = studio.find<ChartCard>("chartLearningRate");
    auto& loss_chart = studio.find<ChartCard>("chartLoss");
    ASSERT_TRUE(waitFor([&] {
        const auto drawn = rate_chart.drawnPoints(0);
        return !drawn.empty() && std::abs(drawn.back().y - kNew) < 1e-6;
    })) << "the curve of the rate";
    // Paused, so that the mark stands still under the mouse.
    studio.click("monitorPause");
    ASSERT_TRUE(waitFor([&] { return run.state() == ui::session::RunState::kPaused; }));
    for (ChartCard* card : {&loss_chart, &rate_chart}) {
        SCOPED_TRACE(card->objectName().toStdString());
        auto& plot = card->plot();
        const auto mark = [&] { return QPoint(qRound(plot.pixelOf(run.global().step[first], 1).x()), plot.plotRect().top() - 4); };
        ASSERT_TRUE(waitFor([&] { return plot.plotRect().adjusted(0, -8, 0, 0).contains(mark()); }));
        studio.clickAt(plot, mark());
        ASSERT_TRUE(waitFor([] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr; })) << "the mark answers";
        QStringList lines;
        for (const QAction* action : qobject_cast<QMenu*>(QApplication::activePopupWidget())->actions()) lines << action->text();
        EXPECT_TRUE(lines.join('\n').contains("learning rate 5e-2 from step")) << lines.join('\n').toStdString();
        EXPECT_TRUE(lines.join('\n').contains("set by hand")) << lines.join('\n').toStdString();
        studio.key(Qt::Key_Escape);
        ASSERT_TRUE(waitFor([] { return QApplication::activePopupWidget() == nullptr; }));
    }
    studio.shoot("rate");
    studio.click("monitorStop");
    EXPECT_TRUE(waitFor([&] { return isFinal(run.state()); }));
}

}  // namespace
}  // namespace tests
