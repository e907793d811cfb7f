// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QFile>
#include <QRegularExpression>
#include <QTextStream>
#include <string>
#include <vector>

#include "ui/theme/theme.h"

namespace ui::theme {
namespace {

struct Pair {
    std::string name;
    QColor ink, ground;
    double least;
};

std::vector<Pair> pairsOf(const Theme& t) {
    std::vector<Pair> pairs;
    // Every ground on which running text stands.
    for (const auto& [name, ground] : {std::pair{"window", t.window}, {"rail", t.rail}, {"surface", t.surface}, {"sunken", t.sunken}}) {
        pairs.push_back({std::string("text on ") + name, t.text, ground, 11.5});
        pairs.push_back({std::string("text2 on ") + name, t.text2, ground, 6.4});
        pairs.push_back({std::string("text3 on ") + name, t.text3, ground, 4.5});
    }
    pairs.push_back({"accent on window", t.accent, t.window, 5.6});
    pairs.push_back({"accent on tint", t.accent, t.accent_tint, 4.5});
    pairs.push_back({"text on tint", t.text, t.accent_tint, 4.5});
    pairs.push_back({"on_accent on fill", t.on_accent, t.accent_fill, 4.85});
    pairs.push_back({"on_accent on hover", t.on_accent, t.accent_hover, 5.0});
    pairs.push_back({"ok on its tint", t.ok, t.ok_tint, 4.5});
    pairs.push_back({"warn on its tint", t.warn, t.warn_tint, 4.5});
    pairs.push_back({"err on its tint", t.err, t.err_tint, 4.5});
    pairs.push_back({"err on surface", t.err, t.surface, 4.5});
    pairs.push_back({"edge of a field on surface", t.control, t.surface, 3.0});
    pairs.push_back({"edge of a field on window", t.control, t.window, 3.0});
    for (const auto& [name, ink] :
         {std::pair{"keyword", t.code.keyword}, {"string", t.code.string}, {"number", t.code.number}, {"call", t.code.call}}) {
        pairs.push_back({std::string("code ") + name, ink, t.surface, 4.5});
    }
    for (std::size_t i = 0; i < t.categories.size(); ++i) {
        pairs.push_back({"white on layer category " + std::to_string(i), t.on_accent, t.categories[i], 5.0});
    }
    pairs.push_back({"white on data", t.on_accent, t.category_data, 5.0});
    return pairs;
}

class ThemeContrast : public testing::TestWithParam<bool> {};

TEST_P(ThemeContrast, EveryTextAndEdgeReachesItsLeastContrast) {
    const Theme theme = GetParam() ? darkTheme() : lightTheme();
    for (const Pair& pair : pairsOf(theme)) {
        EXPECT_GE(contrast(pair.ink, pair.ground), pair.least)
            << pair.name << ": " << pair.ink.name().toStdString() << " on " << pair.ground.name().toStdString();
    }
}

TEST_P(ThemeContrast, ChipTextIsReadableOnEverySeries) {
    const Theme theme = GetParam() ? darkTheme() : lightTheme();
    for (const QColor& fill : theme.series) EXPECT_GE(contrast(theme.onFill(fill), fill), 4.5) << fill.name().toStdString();
}

TEST_P(ThemeContrast, PaletteSetsEveryRoleOfEveryGroup) {
    const Theme theme = GetParam() ? darkTheme() : lightTheme();
    const QPalette palette = paletteOf(theme);
    EXPECT_EQ(palette.color(QPalette::Window), theme.window);
    EXPECT_EQ(palette.color(QPalette::Disabled, QPalette::Text), theme.text3);
    EXPECT_EQ(palette.color(QPalette::PlaceholderText), theme.text3);
}

INSTANTIATE_TEST_SUITE_P(LightAndDark, ThemeContrast, testing::Bool(), [](const auto& each) { return each.param ? "Dark" : "Light"; });

TEST(Contrast, IsWcags) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 0.01);
    EXPECT_NEAR(contrast(Qt::white, Qt::white), 1.0, 0.001);
    EXPECT_NEAR(contrast(QColor("#767676"), Qt::white), 4.54, 0.01);  // the well-known lightest grey that passes AA
}

TEST(Theme, GivesEachDutyItsOwnSeries) {
    const Theme theme = lightTheme();
    EXPECT_EQ(theme.taskColor({"chief", 0}), theme.series[0]);
    EXPECT_EQ(theme.taskColor({"ps", 0}), theme.series[1]);
    EXPECT_EQ(theme.taskColor({"worker", 0}), theme.series[2]);
    EXPECT_EQ(theme.taskColor({"worker", 1}), theme.series[3]);
    EXPECT_EQ(theme.taskColor({"evaluator", 0}), theme.series[5]);
    EXPECT_EQ(theme.taskColor({"worker", 5}), theme.series[2]) << "the sixth worker starts again";
}

TEST(Theme, MarksTasksByLetterAndIndex) {
    EXPECT_EQ(taskMark({"worker", 1}), "W1");
    EXPECT_EQ(taskMark({"ps", 0}), "P0");
    EXPECT_EQ(taskMark({"chief", 0}), "C");
    EXPECT_EQ(taskMark({"evaluator", 0}), "E");
}

TEST(StyleSheet, FillsEveryNameAndStaysShort) {
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        const QString sheet = styleSheetOf(theme, "/images");
        EXPECT_FALSE(sheet.contains('@'));
        EXPECT_FALSE(sheet.contains(QRegularExpression(": *;")));
        EXPECT_FALSE(sheet.contains(QRegularExpression("solid *;"))) << "a name that the theme does not know";
        EXPECT_LT(sheet.count('\n'), 150);
    }
}

TEST(HexValues, StandInThemeCppAlone) {
    const QRegularExpression hex("\"#[0-9A-Fa-f]{3,8}\"");
    for (const char* name : {"ui/theme/style_sheet.cpp", "ui/theme/theme_controller.cpp", "ui/cluster/cluster_page.cpp",
                             "ui/widgets/painting.cpp", "ui/canvas/cluster_canvas.cpp"}) {
        QFile file(QStringLiteral(TANDEM_RESOURCES "/../") + name);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        EXPECT_FALSE(QString::fromUtf8(file.readAll()).contains(hex)) << name;
    }
}

}  // namespace
}  // namespace ui::theme
