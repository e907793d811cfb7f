// SPDX-License-Identifier: GPL-3.0-or-later
// Each starter project whose data ship: one click on Welcome opens it, one click trains it to its end. What needs a download or what this
// version can't train is left out.
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>

#include "engine/spec/catalog/dataset_names.h"
#include "home.h"
#include "studio.h"
#include "ui/charts/chart_card.h"
#include "ui/session/event_list.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/welcome/template_card.h"
#include "ui/widgets/status_pill.h"
#include "ui/window/output_panes.h"

namespace tests {
namespace {

using engine::spec::RunSpec;
using ui::session::RunState;
using ui::views::Mode;

bool isShipped(const ui::session::Template& source) {
    const auto* set = engine::spec::findNamedDataset(source.run.data.dataset);
    return source.needs.isEmpty() && (set == nullptr || set->download_bytes == 0);
}

class Starters : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(studio_.agentIsReady()) << studio_.session().host().agentProblem().toStdString(); }

    // The card's or chip's own button; the marked card's trains at once, so that one is opened by a double click on its picture.
    void openByOneClick(const ui::session::Template& source) {
        const auto open = [&] {
            if (!source.label.isEmpty()) return studio_.click("template_" + source.id);
            auto& button = studio_.find<QPushButton>("open_" + source.id);
            if (button.text() == "Open") return studio_.click(button);
            studio_.doubleClickAt(studio_.find<ui::views::TemplateCard>("template_" + source.id), {60, 60});
        };
        studio_.clickMode(Mode::kWelcome);
        studio_.session().project().isModified() ? studio_.answer("Discard", open) : open();
    }
    void shorten() {
        studio_.session().project().change("Train a moment", [](RunSpec& run) {
            run.data.take = 128;
            run.data.batch_size_per_replica = 16;
            run.fit.epochs = run.fit.steps > 0 ? 1 : 2;
            run.fit.steps = std::min<std::int64_t>(run.fit.steps, 30);
            if (run.estimator) run.estimator->train_spec = {.max_steps = std::nullopt, .input_repeats = 2};
            run.fit.initial_epoch = 0;
            run.fit.validation_steps = 2;
        });
    }

    Home home_;
    Studio studio_{home_.path("studio")};
};

TEST_F(Starters, OpenWithOneClickAndTrainWithOneClick) {
    QStringList trained;
    QString before;
    for (const ui::session::Template& source : studio_.session().starters().all()) {
        if (!isShipped(source)) continue;
        SCOPED_TRACE(source.id.toStdString());
        openByOneClick(source);
        ASSERT_EQ(studio_.window().mode(), Mode::kModel);
        EXPECT_EQ(studio_.session().project().spec(), source.run);
        EXPECT_EQ(studio_.find<ui::widgets::StatusPill>("modelState").text(), "Fits the data");
        shorten();
        studio_.chooseFreePorts();
        studio_.click("railLaunchButton");
        ASSERT_TRUE(waitFor([&] { return studio_.session().runs().current() != nullptr && studio_.run().id() != before; }))
            << "the run begins";
        ui::session::RunRecord& run = studio_.run();
        before = run.id();
        EXPECT_EQ(studio_.window().mode(), Mode::kMonitor);
        ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }));
        ASSERT_EQ(run.state(), RunState::kDone) << run.summary().detail.toStdString();
        const auto replicas = std::max<std::size_t>(1, source.run.cluster.spec.trainingTasks().size());
        const std::size_t samples = source.run.data.dataset == "ones" ? 100 : 128;
        const std::size_t steps = 2 * ((samples + 16 * replicas - 1) / (16 * replicas));
        if (source.run.fit.steps > 0) {  // each worker has a part of them
            EXPECT_TRUE(waitFor([&] { return run.lastStep() >= 30; })) << run.lastStep();
        } else {
            ASSERT_TRUE(waitFor([&] { return run.global().size() == steps; })) << run.global().size() << " of " << steps;
            const auto& losses = *run.global().find("loss");
            EXPECT_LT(*std::min_element(losses.begin() + static_cast<std::ptrdiff_t>(steps / 2), losses.end()), losses.front())
                << "it learns";
        }
        EXPECT_TRUE(waitFor([&] { return studio_.find<ui::widgets::StatusPill>("monitorState").text() == "Done"; }));
        EXPECT_TRUE(waitFor([&] { return !studio_.find<ui::charts::ChartCard>("chartLoss").isEmpty(); }));
        static const QRegularExpression kNoNumber("\\bnan\\b", QRegularExpression::CaseInsensitiveOption);
        for (const QLabel* label : studio_.window().findChildren<QLabel*>())
            EXPECT_FALSE(label->isVisible() && label->text().contains(kNoNumber)) << label->text().toStdString();
        for (const auto& event : studio_.session().events().rows())
            EXPECT_NE(event.severity, engine::spec::Severity::kError) << event.text.toStdString();
        studio_.shoot("starter-" + source.id);
        trained << source.id;
    }
    EXPECT_EQ(trained,
              (QStringList{"mnist_mirrored", "mnist_two_workers", "mnist_multi_worker", "book_parameter_servers", "tutorial_estimator",
                           "guide_dense", "guide_linear_regressor", "mnist_mlp", "mnist_lenet5", "text_lstm"}));
}

TEST_F(Starters, TheMarkedOneOpensAndTrainsWithOneClick) {
    studio_.click("open_mnist_two_workers");
    if (studio_.session().runs().current() == nullptr && studio_.window().mode() == Mode::kCluster) {
        // Another program of this machine holds one of the usual ports: the Cluster page says so and has the way out.
        EXPECT_NE(studio_.session().launcher().obstacle(), QString());
        studio_.chooseFreePorts();
        studio_.click("launchButton");
    }
    ASSERT_TRUE(waitFor([this] { return studio_.session().runs().current() != nullptr; }));
    ui::session::RunRecord& run = studio_.run();
    EXPECT_EQ(studio_.window().mode(), Mode::kMonitor);
    ASSERT_TRUE(waitFor([&] { return run.global().size() > 50; })) << "points";
    EXPECT_EQ(run.tasks().size(), 2u);
    studio_.click("railStopButton");
    ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }));
    EXPECT_EQ(run.state(), RunState::kStopped) << run.summary().detail.toStdString();
}

// What is not saved is not lost by a click on Welcome.
TEST_F(Starters, AsksBeforeAnotherProjectTakesThePlaceOfUnsavedChanges) {
    studio_.click("template_guide_dense");
    shorten();
    const RunSpec mine = studio_.session().project().spec();
    studio_.clickMode(Mode::kWelcome);
    studio_.answer("Cancel", [this] { studio_.click("template_mnist_mlp"); });
    EXPECT_EQ(studio_.session().project().spec(), mine);
    studio_.answer("Discard", [this] { studio_.click("template_mnist_mlp"); });
    EXPECT_EQ(studio_.session().project().spec().name, "MNIST with dense layers");
    EXPECT_EQ(studio_.window().mode(), Mode::kModel);
}

}  // namespace
}  // namespace tests
