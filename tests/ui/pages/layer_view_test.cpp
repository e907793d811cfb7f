// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/layers/layer_view.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/support/sample_layers.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/charts/chart_header.h"
#include "ui/parts/finding_list.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {
namespace {

using engine::spec::LayerReport;
using engine::spec::TaskEvent;
using engine::spec::TaskId;

class LayerViewTest : public testing::Test {
protected:
    LayerViewTest() : record_(session::RunSummary{.id = "run", .name = "run", .state = session::RunState::kTraining}) {
        themes_.setChoice(theme::Choice::kLight);
        view_ = std::make_unique<LayerView>(themes_);
        view_->resize(300, 700);
        view_->setRun(&record_);
    }
    void tell(const LayerReport& report) {
        record_.ingest({TaskEvent{++sequence_, 1'000'000'000 * report.step, TaskId{"worker", 0}, report}});
        record_.flush();
    }
    // A run whose dense layer dies at step 5.
    void tellAll() {
        for (const std::int64_t step : {1, 2, 5, 10, 20, 50}) {
            LayerReport report = tests::sampleLayers(step);
            if (step >= 5) report.layers[1] = tests::sampleLayer("dense", 0, 0, 64, 64);
            tell(report);
        }
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* found = view_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }

    theme::ThemeController themes_;
    session::RunRecord record_;
    std::unique_ptr<LayerView> view_;
    std::uint64_t sequence_ = 0;
};

TEST_F(LayerViewTest, DrawsACurveALayerAsReportsCome) {
    EXPECT_TRUE(view_->isHidden()) << "nothing was measured yet";
    tell(tests::sampleLayers(1));
    EXPECT_FALSE(view_->isHidden());
    auto* gradients = find<charts::ChartCard>("small_gradient_norm");
    auto* dead = find<charts::ChartCard>("small_dead_share");
    ASSERT_EQ(gradients->seriesCount(), 3);
    EXPECT_EQ(find<charts::ChartCard>("small_update_ratio")->seriesCount(), 3);
    ASSERT_EQ(dead->seriesCount(), 2) << "two layers have ReLU units";
    EXPECT_EQ(gradients->series(0).size(), 1U);
    tell(tests::sampleLayers(2));
    ASSERT_EQ(gradients->series(0).size(), 2U);
    EXPECT_EQ(gradients->series(2).at(1).step, 2);
    EXPECT_FLOAT_EQ(gradients->series(2).at(1).value, static_cast<float>(1.6 / std::sqrt(1.1)));
    EXPECT_FLOAT_EQ(dead->series(0).at(1).value, 100 * 2.0F / 32) << "percent";
    EXPECT_EQ(find<QLabel>("layerStep")->text().toStdString(), "step 2 · 64 samples");
    for (const char* name : {"conv2d", "dense", "dense_1"}) EXPECT_TRUE(find<QLabel>("layerLegend")->text().contains(name));
    EXPECT_FALSE(find<QLabel>("layersFine")->isHidden());
    EXPECT_TRUE(find<FindingList>("anomalyList")->isHidden());
}

TEST_F(LayerViewTest, TellsWhatGoesWrongAndLeadsToItsStepByKeyboard) {
    tellAll();
    auto* list = find<FindingList>("anomalyList");
    EXPECT_FALSE(list->isHidden());
    EXPECT_TRUE(find<QLabel>("layersFine")->isHidden());
    ASSERT_EQ(list->rows(), 2);
    EXPECT_EQ(list->row(0).title.toStdString(), "dense: 64 of 64 ReLU units are dead since step 5: 0 for each of 64 samples");
    EXPECT_EQ(list->row(1).title.toStdString(), "dense: learns nothing since step 5: its updates are lost in the rounding of its weights");
    EXPECT_EQ(list->row(0).fix.toStdString(), "Show step 5");
    for (int i = 0; i < list->rows(); ++i)
        EXPECT_EQ(list->row(i).title.toStdString(), engine::run::anomalyText(view_->anomalies()[static_cast<std::size_t>(i)]))
            << "the window says in English what the command line says";
    QSignalSpy wanted(view_.get(), &LayerView::stepWanted);
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_Return);
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted.front().front().toLongLong(), 5);
}

TEST_F(LayerViewTest, ItsChartsShareTheCursorOfOthersAndOpenInFull) {
    charts::ChartGroup group;
    view_->join(group);
    tellAll();
    EXPECT_EQ(group.cards().size(), 3U);
    auto* ratios = find<charts::ChartCard>("small_update_ratio");
    QSignalSpy wanted(view_.get(), &LayerView::chartWanted);
    emit ratios->expandWanted();
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted.front().front().toString(), "layers/update_ratio");
    view_.reset();
    EXPECT_TRUE(group.cards().empty()) << "the cards went with the view";
}

TEST_F(LayerViewTest, AnotherMomentOfTheRunIsShownInsteadOfThisOne) {
    tellAll();
    session::RunRecord past(session::RunSummary{.id = "run", .name = "run", .state = session::RunState::kTraining});
    past.ingest({TaskEvent{1, 1'000'000'000, TaskId{"worker", 0}, tests::sampleLayers(1)}});
    past.flush();
    view_->setRun(&past);
    EXPECT_EQ(find<charts::ChartCard>("small_gradient_norm")->series(0).size(), 1U);
    EXPECT_TRUE(view_->anomalies().empty());
    view_->setRun(nullptr);
    EXPECT_TRUE(view_->isHidden());
}

// 250 px of the dock in a window of 1100, without its margins.
TEST_F(LayerViewTest, FitsTheNarrowDock) {
    tellAll();
    const int width = view_->minimumSizeHint().width();
    EXPECT_LE(width, 218);
    for (const QWidget* child : view_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        const int least = child->minimumWidth() > 0 ? child->minimumWidth() : child->minimumSizeHint().width();
        EXPECT_LE(child->isHidden() ? 0 : least, 218) << child->metaObject()->className() << ' ' << child->objectName().toStdString();
    }
}

TEST_F(LayerViewTest, OfManyLayersSomeAreDrawn) {
    LayerReport report{.epoch = 0, .step = 1, .samples = 64, .layers = {}};
    for (int i = 0; i < 50; ++i) report.layers.push_back(tests::sampleLayer("layer" + std::to_string(i), 1 + i, 1e-3));
    tell(report);
    auto* gradients = find<charts::ChartCard>("small_gradient_norm");
    ASSERT_EQ(gradients->seriesCount(), 16);
    EXPECT_EQ(gradients->series(0).at(0).value, 1);
    EXPECT_EQ(gradients->series(15).at(0).value, 50) << "first and last stay";
    EXPECT_TRUE(find<charts::ChartCard>("small_dead_share")->isHidden()) << "none has ReLU units";
}

}  // namespace
}  // namespace ui::views
