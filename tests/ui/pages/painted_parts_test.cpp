// SPDX-License-Identifier: GPL-3.0-or-later
// What widgets paint by themselves: words that have their room, endings that stay, shades that are told apart.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QImage>
#include <algorithm>
#include <cmath>

#include "painted_texts.h"
#include "ui/export/export_file_list.h"
#include "ui/export/export_kinds.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/runs/evaluate_painted.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

namespace ui::views {
namespace {

using tests::paintedTexts;
using widgets::PaintedText;

class PaintedParts : public testing::Test {
protected:
    PaintedParts() { themes_.setChoice(theme::Choice::kLight); }

    theme::ThemeController themes_;
};

const PaintedText* findText(const std::vector<PaintedText>& texts, const QString& text) {
    const auto found = std::find_if(texts.begin(), texts.end(), [&](const PaintedText& one) { return one.text == text; });
    return found == texts.end() ? nullptr : &*found;
}

TEST_F(PaintedParts, WordsInARingLieBesideItsChips) {
    const QString headline = "all-reduce #3,595", detail = "1.32 MB · 1.5 ms";
    for (const int workers : {1, 2, 3, 4, 5, 6}) {
        RingView ring(themes_);
        RingState state{.tone = RingState::Tone::kRunning, .headline = headline, .detail = detail};
        for (int i = 0; i < workers; ++i) state.tasks.push_back({"worker", i});
        ring.setState(state);
        ring.resize(280, 92);
        const auto texts = paintedTexts(ring);
        const PaintedText *head = findText(texts, headline), *numbers = findText(texts, detail);
        ASSERT_NE(head, nullptr) << workers;
        ASSERT_NE(numbers, nullptr) << workers;
        EXPECT_TRUE(!head->elided || workers > 4) << workers;
        int chips = 0;
        for (const PaintedText& one : texts) {
            if (&one == head || &one == numbers) continue;
            ++chips;
            EXPECT_FALSE(one.ink.intersects(head->ink)) << workers << ' ' << one.text.toStdString();
            EXPECT_FALSE(one.ink.intersects(numbers->ink)) << workers << ' ' << one.text.toStdString();
        }
        EXPECT_EQ(chips, workers);
    }
}

TEST_F(PaintedParts, AHintOutlivesTheTimeInWhichItsLabelIsElided) {
    widgets::TextLabel label(themes_, theme::TextRole::kSmall);
    label.setElided(true);
    label.setText("Kernel initializer");
    label.setToolTip("Where the weights begin");
    const auto tipAt = [&label](int width) {
        label.resize(width, 24);
        label.grab();  // the tooltip follows when it is painted
        return label.toolTip();
    };
    EXPECT_EQ(tipAt(400), "Where the weights begin");
    EXPECT_EQ(tipAt(40), "Kernel initializer\nWhere the weights begin");
    EXPECT_EQ(tipAt(400), "Where the weights begin");
    EXPECT_EQ(tipAt(40), "Kernel initializer\nWhere the weights begin");
    label.setToolTip("expected at least 0");
    EXPECT_EQ(tipAt(40), "Kernel initializer\nexpected at least 0");
    EXPECT_EQ(tipAt(400), "expected at least 0");
    label.setToolTip({});
    EXPECT_EQ(tipAt(400), "");
    EXPECT_EQ(tipAt(40), "Kernel initializer");
    EXPECT_EQ(tipAt(400), "");
}

TEST_F(PaintedParts, ANameWithoutRoomKeepsItsEnding) {
    const std::vector<ExportEntry> files{{.name = "TF_CONFIG.worker0.json", .bytes = 512},
                                         {.name = "a very long name of a run that was trained on Friday.weights.h5", .bytes = 1 << 20}};
    ExportFileList list(themes_, nullptr);
    list.setEntries(files);
    list.resize(260, 120);
    const auto texts = paintedTexts(list);
    const auto ends = [&](const QString& ending) {
        return std::count_if(texts.begin(), texts.end(), [&](const PaintedText& one) { return !one.elided && one.text.endsWith(ending); });
    };
    EXPECT_EQ(ends(".json"), 1);
    EXPECT_EQ(ends(".h5"), 1);
    EXPECT_EQ(findText(texts, files[1].name), nullptr) << "it has no room for all of it";
}

TEST_F(PaintedParts, OneMistakeLooksUnlikeEleven) {
    const session::EvaluationResult result{
        .classes = {"cat", "dog", "owl"}, .confusion = {{90, 1, 11}, {0, 90, 100}, {0, 0, 90}}, .class_accuracy = {0.9, 0.5, 1}};
    ConfusionView view(themes_, nullptr);
    view.resize(480, 360);
    view.setResult(&result);
    for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
        themes_.setChoice(choice);
        const QImage picture = view.grab().toImage();
        const double ratio = picture.devicePixelRatio();
        // The ground of a cell: beside the number that stands in its middle.
        const auto ground = [&](const QString& number) {
            const auto texts = paintedTexts(view);
            const PaintedText* text = findText(texts, number);
            EXPECT_NE(text, nullptr) << number.toStdString();
            return text ? picture.pixelColor(static_cast<int>(text->ink.left() - 4 * ratio), static_cast<int>(text->ink.center().y()))
                        : QColor();
        };
        const auto apart = [](const QColor& a, const QColor& b) {
            return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
        };
        const QColor one = ground("1"), eleven = ground("11"), hundred = ground("100");
        EXPECT_GE(apart(one, eleven), 24);
        EXPECT_GE(apart(eleven, hundred), 24);
        EXPECT_GE(apart(one, themes_.theme().sunken), 8) << "a mistake is not nothing";
    }
}

}  // namespace
}  // namespace ui::views
