// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_summary.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <algorithm>

#include "engine/spec/project/run_spec.h"
#include "made_up_run.h"
#include "painted_texts.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {
namespace {

constexpr int kBarTop = 33, kBarHeight = 7, kMargin = 20;

TEST(ModelSummary, KeepsTheBarOfManyLayersWithinItsRoom) {
    theme::ThemeController themes;
    themes.setChoice(theme::Choice::kLight);
    tests::MadeUpStudio studio;
    ASSERT_TRUE(studio.openTwoWorkers());
    ModelSummary summary(studio.session().project(), themes, nullptr);
    summary.resize(1000, summary.sizeHint().height());
    summary.show();
    const auto edges = [&] {  // of the bar
        QCoreApplication::processEvents();
        const QImage picture = summary.grab().toImage();
        const QRgb ground = picture.pixel(picture.width() - 4, 4);
        int left = picture.width(), right = -1;
        for (int x = picture.width() / 2; x < picture.width(); ++x) {
            if (picture.pixel(x, kBarTop + kBarHeight / 2) == ground) continue;
            left = std::min(left, x);
            right = std::max(right, x);
        }
        return std::pair(left, right);
    };
    const auto [left, right] = edges();
    ASSERT_LT(left, right) << "a bar";
    EXPECT_LT(right, summary.width() - kMargin);
    studio.session().project().change("Edit", [](engine::spec::RunSpec& run) {
        const auto dense = run.model.layers.back();
        for (int i = 0; i < 200; ++i) {
            run.model.layers.push_back(dense);
            run.model.layers.back().name = "more_" + std::to_string(i);
        }
    });
    const auto [many_left, many_right] = edges();
    EXPECT_EQ(many_left, left);
    EXPECT_LT(many_right, summary.width() - kMargin);
    EXPECT_GT(many_right, summary.width() - kMargin - 8) << "all of its room";
    if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) summary.grab().save(shots + "/model-summary-200.png");
}

TEST(ModelSummary, WritesTheLargestLayerOutWhereThereIsRoom) {
    theme::ThemeController themes;
    tests::MadeUpStudio studio;
    ASSERT_TRUE(studio.openTwoWorkers());
    session::Project& project = studio.session().project();
    project.change("Edit", [](engine::spec::RunSpec& run) {
        auto& layers = run.model.layers;
        std::erase_if(layers, [](const auto& layer) { return layer.class_name == "Dense"; });
        layers.front().name = "convolution_of_the_first_block";
    });
    ModelSummary summary(project, themes, nullptr);
    summary.resize(1600, summary.sizeHint().height());
    const auto texts = tests::paintedTexts(summary);
    const auto share = std::find_if(texts.begin(), texts.end(), [](const auto& one) { return one.text.contains("% in "); });
    ASSERT_NE(share, texts.end());
    EXPECT_TRUE(share->text.endsWith("convolution_of_the_first_block")) << share->text.toStdString();
    EXPECT_FALSE(share->elided);
}

}  // namespace
}  // namespace ui::views
