// SPDX-License-Identifier: GPL-3.0-or-later
// What the Model page does for models of very many layers, counted by what it takes from operator new: four times the layers may cost
// about four times as much.
#include <gtest/gtest.h>

#include <QTest>
#include <QUndoStack>
#include <functional>

#include "engine/spec/project/run_spec.h"
#include "made_up_run.h"
#include "tests/support/counted_allocations.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/code_panel.h"
#include "ui/model/model_page.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {
namespace {

using engine::spec::RunSpec;

constexpr int kFew = 200, kMany = 4 * kFew;
constexpr double kMostGrowth = 6;  // 4 where the work grows with the layers, 16 with their square

// The names are too long to be kept within a string: operator new is asked for each that is tried.
void build(RunSpec& run, int layers) {
    run.model.layers.clear();
    run.model.layers.push_back({"Flatten", "flatten", {}});
    for (int i = 1; i < layers; ++i) {
        const std::string name = "layer_normalization" + (i == 1 ? std::string() : "_" + std::to_string(i - 1));
        run.model.layers.push_back({"LayerNormalization", name, {}});
    }
    run.model.layers.push_back({"Dense", "dense", {}});
    run.model.layers.back().config.set("units", std::int64_t{10});
}

class LargeModelTest : public testing::Test {
protected:
    void SetUp() override {
        themes_.setChoice(theme::Choice::kLight);
        ASSERT_TRUE(studio_.openTwoWorkers());
        page_ = std::make_unique<ModelPage>(studio_.session(), themes_);
        page_->resize(1364, 832);
        page_->show();
        page_->setView(ModelPage::View::kSplit);  // the code is written too
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get(), 180'000));
    }

    static double allocationsOf(const std::function<void()>& work) {
        const std::int64_t before = tests::support::allocations;
        work();
        QCoreApplication::processEvents();
        return static_cast<double>(tests::support::allocations - before);
    }
    void show(int layers) {
        studio_.session().project().change("Build", [&](RunSpec& run) { build(run, layers); });
    }
    // What `edit` takes at both sizes, the second over the first.
    double growthOf(const std::function<void(RunSpec&, int layers)>& edit) {
        double taken[2]{};
        for (int i = 0; i < 2; ++i) {
            const int layers = i == 0 ? kFew : kMany;
            show(layers);
            taken[i] = allocationsOf([&] { studio_.session().project().change("Edit", [&](RunSpec& run) { edit(run, layers); }); });
        }
        return taken[1] / taken[0];
    }

    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    std::unique_ptr<ModelPage> page_;
};

TEST_F(LargeModelTest, IsShownInWorkThatGrowsWithItsLayers) {
    const double few = allocationsOf([&] { show(kFew); });
    const double many = allocationsOf([&] { show(kMany); });
    EXPECT_LT(many / few, kMostGrowth);
    EXPECT_EQ(page_->canvas().content().nodes.size(), static_cast<std::size_t>(kMany + 3));
}

TEST_F(LargeModelTest, ShowsAnEditOfOneLayer) {
    EXPECT_LT(growthOf([](RunSpec& run, int) { run.model.layers.back().config.set("units", std::int64_t{11}); }), kMostGrowth);
}

TEST_F(LargeModelTest, MarksMistakesInEveryLayer) {
    const auto breakAll = [](RunSpec& run, int) {
        for (auto& layer : run.model.layers) layer.config.set("axis", std::string("left"));
    };
    EXPECT_LT(growthOf(breakAll), kMostGrowth);
    EXPECT_TRUE(page_->canvas().content().nodes[kMany / 2].wrong);
}

TEST_F(LargeModelTest, ReadsPastedChainsOfLayers) {
    double taken[2]{};
    for (int i = 0; i < 2; ++i) {
        QString code = QStringLiteral("inputs = keras.Input(shape=(28, 28, 1))\nx = layers.Flatten()(inputs)\n");
        for (int layer = 0; layer < (i == 0 ? kFew : kMany); ++layer)
            code += QStringLiteral("x = layers.LayerNormalization()(x)\nprint(x)\n");
        code += QStringLiteral("model = keras.Model(inputs, layers.Dense(10)(x))\n");
        taken[i] = allocationsOf([&] {
            const auto pasted = page_->findChild<CodePanel*>()->paste(code);
            ASSERT_TRUE(pasted) << "it is not long";
            EXPECT_TRUE(pasted->taken);
        });
    }
    EXPECT_LT(taken[1] / taken[0], kMostGrowth);
    EXPECT_EQ(studio_.session().project().spec().model.layers.size(), static_cast<std::size_t>(kMany + 2));
}

}  // namespace
}  // namespace ui::views
