// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/weight_view.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QTest>
#include <cmath>

#include "tests/support/sample_weights.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/segmented_control.h"

namespace ui::views {
namespace {

using engine::spec::TaskEvent;
using engine::spec::TaskId;
using engine::spec::WeightReport;

constexpr int kWidth = 280;

class WeightViewTest : public testing::Test {
protected:
    WeightViewTest() : record_(session::RunSummary{.id = "run", .name = "run", .state = session::RunState::kTraining}) {
        themes_.setChoice(theme::Choice::kLight);
        view_ = std::make_unique<WeightView>(themes_);
        view_->resize(kWidth, 400);
        view_->setRun(&record_);
    }
    void report(const WeightReport& report) {
        record_.ingest({TaskEvent{0, 1'000'000'000 * (report.epoch + 1), TaskId{"worker", 0}, report}});
        record_.flush();
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* found = view_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    std::string facts() const { return find<QLabel>("weightFacts")->text().toStdString(); }
    // Pixels of a widget that differ from the ground of its upper left corner.
    static int inked(QWidget* widget) {
        const QImage picture = widget->grab().toImage();
        int count = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) count += picture.pixel(x, y) != picture.pixel(0, 0);
        }
        return count;
    }

    theme::ThemeController themes_;
    session::RunRecord record_;
    std::unique_ptr<WeightView> view_;
};

TEST_F(WeightViewTest, ShowsTheNewestReportOfTheChosenVariable) {
    EXPECT_TRUE(view_->isHidden()) << "nothing was reported yet";
    report(tests::sampleWeights(0));
    report(tests::sampleWeights(1));
    EXPECT_FALSE(view_->isHidden());
    auto* variables = find<QComboBox>("weightVariable");
    ASSERT_EQ(variables->count(), 3);
    EXPECT_EQ(variables->currentText(), "conv2d/kernel");
    EXPECT_EQ(facts(), "norm 1.02 · mean 0.01 ± 0.06");
    auto* stack = find<HistogramStack>("histogramStack");
    EXPECT_EQ(stack->accessibleName(), "Histogram of conv2d/kernel");
    EXPECT_EQ(stack->accessibleDescription(), "epoch 2: from -0.17 to 0.19, mean 0.01");
    variables->setCurrentIndex(2);
    EXPECT_EQ(facts(), "norm 0.51 · mean -0.01 ± 0.03");
}

TEST_F(WeightViewTest, SwitchesToTheGradientsOfTheSameVariable) {
    report(tests::sampleWeights(1));
    find<QComboBox>("weightVariable")->setCurrentIndex(1);
    find<widgets::SegmentedControl>("weightWhich")->setCurrent(1);
    view_->refresh();
    EXPECT_EQ(find<QComboBox>("weightVariable")->currentText(), "conv2d/bias");
    EXPECT_EQ(facts(), "norm 0.068 · mean 0 ± 0.004");
}

TEST_F(WeightViewTest, SaysThatNoBatchWasSeenWhereGradientsAreMissing) {
    WeightReport first = tests::sampleWeights(0);
    first.gradients.clear();
    report(first);
    find<widgets::SegmentedControl>("weightWhich")->setCurrent(1);
    view_->refresh();
    EXPECT_EQ(facts(), "no batch was seen yet");
}

TEST_F(WeightViewTest, DrawsABumpAnEpochAndTheLaterOnesLower) {
    report(tests::sampleWeights(0));
    auto* stack = find<HistogramStack>("histogramStack");
    stack->resize(kWidth, stack->sizeHint().height());
    const int one = inked(stack);
    EXPECT_GT(one, 1000) << "a filled bump";
    for (int epoch = 1; epoch < 4; ++epoch) report(tests::sampleWeights(epoch));
    EXPECT_GT(inked(stack), 1000);
    const QImage picture = stack->grab().toImage();
    // The oldest bump begins in the upper half, the newest ends at the foot.
    const auto inkedRow = [&](int y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (picture.pixel(x, y) != picture.pixel(0, 0)) return true;
        }
        return false;
    };
    EXPECT_TRUE(inkedRow(picture.height() * 2 / 5));
    EXPECT_TRUE(inkedRow(picture.height() * 3 / 4));
}

TEST_F(WeightViewTest, AConstantVariableIsASentence) {
    WeightReport zeros = tests::sampleWeights(0);
    zeros.weights = {tests::sampleDistribution("bias", 0, 0)};
    report(zeros);
    auto* stack = find<HistogramStack>("histogramStack");
    stack->resize(kWidth, stack->sizeHint().height());
    const int ink = inked(stack);
    EXPECT_GT(ink, 20) << "it says that all values are 0";
    EXPECT_LT(ink, 1500) << "and draws no bump";
}

TEST_F(WeightViewTest, NumbersThatAreNoneAreToldAndDrawNothing) {
    WeightReport broken = tests::sampleWeights(0);
    broken.weights[0].not_finite = 12;
    broken.weights[0].mean = std::nan("");
    report(broken);
    EXPECT_EQ(facts(), "norm 0.85 · mean — ± 0.05 · 12 not finite");
    broken.weights[0].counts.clear();
    broken.epoch = 1;
    report(broken);
    find<HistogramStack>("histogramStack")->grab();  // an empty distribution is drawn as none
}

TEST_F(WeightViewTest, ShowsKernelsAsPicturesAndNoMoreThanFourRows) {
    report(tests::sampleWeights(0, 32));
    auto* pictures = find<FilterPicturesView>("filterPictures");
    EXPECT_FALSE(pictures->isHidden());
    EXPECT_EQ(pictures->accessibleName(), "32 kernel(s) of conv2d/kernel");
    const int tiles_in_a_row = (kWidth + 4) / 26;
    const int rows = (32 + tiles_in_a_row - 1) / tiles_in_a_row;
    EXPECT_EQ(pictures->heightForWidth(kWidth), rows * 26);
    report(tests::sampleWeights(1, 512));
    EXPECT_EQ(pictures->heightForWidth(kWidth), 4 * 26);
    pictures->resize(kWidth, 4 * 26);
    EXPECT_GT(inked(pictures), kWidth * 26) << "tiles of grey levels";
}

TEST_F(WeightViewTest, HidesKernelsOfAModelThatHasNone) {
    WeightReport report_without = tests::sampleWeights(0);
    report_without.filters = {};
    report(report_without);
    EXPECT_TRUE(find<FilterPicturesView>("filterPictures")->isHidden());
}

TEST_F(WeightViewTest, PicturesThatAreCutShortAreLeftOut) {
    WeightReport cut = tests::sampleWeights(0, 8);
    cut.filters.values.resize(9 * 5 + 4);
    report(cut);
    EXPECT_EQ(find<FilterPicturesView>("filterPictures")->accessibleName(), "5 kernel(s) of conv2d/kernel");
}

TEST_F(WeightViewTest, TakesTheNamesOfAnotherRun) {
    report(tests::sampleWeights(0));
    session::RunRecord other(session::RunSummary{.id = "other"});
    WeightReport renamed = tests::sampleWeights(0);
    renamed.weights[0].name = "conv2d_1/kernel";
    other.ingest({TaskEvent{0, 1, TaskId{"worker", 0}, renamed}});
    other.flush();
    view_->setRun(&other);
    EXPECT_EQ(find<QComboBox>("weightVariable")->currentText(), "conv2d_1/kernel") << "as many variables, another name";
    EXPECT_NE(facts(), "no batch was seen yet");
    view_->setRun(nullptr);
}

TEST_F(WeightViewTest, AnotherRunWithoutReportsHidesIt) {
    report(tests::sampleWeights(0));
    session::RunRecord other(session::RunSummary{.id = "other"});
    view_->setRun(&other);
    EXPECT_TRUE(view_->isHidden());
    view_->setRun(nullptr);
    EXPECT_TRUE(view_->isHidden());
}

}  // namespace
}  // namespace ui::views
