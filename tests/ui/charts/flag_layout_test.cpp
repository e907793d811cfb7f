// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/flag_layout.h"

#include <gtest/gtest.h>

#include <set>

namespace ui::charts {
namespace {

constexpr FlagRoom kRoom{.left = 60, .right = 500, .top = 0, .rows = 3};

std::vector<Flag> placed(const std::vector<std::pair<double, const char*>>& marks, const FlagRoom& room = kRoom) {
    std::vector<FlagWish> wishes;
    for (const auto& [x, label] : marks)
        wishes.push_back({wishes.size(), x, QString::fromUtf8(label), std::string_view(label).starts_with("lost")});
    return placeFlags(wishes, room, [](const QString& label) { return 6.0 * static_cast<double>(label.size()) + 10; });
}

void expectReadable(const std::vector<Flag>& flags, std::size_t marks) {
    std::set<std::size_t> told;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(flags[i].rect.intersects(flags[j].rect)) << i << " over " << j;
        EXPECT_GE(flags[i].rect.left(), kRoom.left);
        EXPECT_LE(flags[i].rect.right(), kRoom.right);
        told.insert(flags[i].markers.begin(), flags[i].markers.end());
    }
    EXPECT_EQ(told.size(), marks) << "a mark is lost";
}

TEST(FlagLayout, FlagsApartStandInOneRow) {
    const auto flags = placed({{300, "restarted"}, {100, "epoch 4"}});
    ASSERT_EQ(flags.size(), 2u);
    EXPECT_EQ(flags[0].label, "epoch 4");
    EXPECT_EQ(flags[0].rect.topLeft(), QPointF(100, 0));
    EXPECT_EQ(flags[1].rect.topLeft(), QPointF(300, 0));
    expectReadable(flags, 2);
}

TEST(FlagLayout, WhatWouldCoverAnotherStandsBelowIt) {
    const auto flags = placed({{100, "restarted"}, {110, "stop"}, {104, "lost"}});
    ASSERT_EQ(flags.size(), 3u);
    EXPECT_EQ(flags[0].label, "lost") << "what was lost stands at the top";
    EXPECT_EQ(flags[0].rect.top(), 0);
    EXPECT_EQ(flags[1].rect.top(), kRoom.pitch);
    EXPECT_EQ(flags[2].rect.top(), 2 * kRoom.pitch);
    expectReadable(flags, 3);
}

TEST(FlagLayout, WithoutARowTheyAreCounted) {
    const auto flags = placed({{100, "pause"}, {101, "resume"}, {102, "pause"}, {103, "resume"}, {104, "stop"}});
    ASSERT_EQ(flags.size(), 3u);
    EXPECT_EQ(flags[2].label, "pause +2");
    EXPECT_EQ(flags[2].markers, (std::vector<std::size_t>{2, 3, 4}));
    expectReadable(flags, 5);
}

TEST(FlagLayout, ACountThatHasNoRoomBesideItsLabelStandsAlone) {
    const auto flags = placed({{100, "resume"}, {150, "lost one"}, {101, "pause"}}, {.left = 60, .right = 500, .top = 0, .rows = 1});
    ASSERT_EQ(flags.size(), 2u);
    EXPECT_EQ(flags[1].label, "+1");
    expectReadable(flags, 3);
}

TEST(FlagLayout, AtTheRightEdgeTheyStandAtTheLeftOfTheirLine) {
    const auto flags = placed({{480, "restarted"}, {490, "resumed"}, {500, "stop now"}});
    for (const Flag& flag : flags) EXPECT_EQ(flag.rect.right(), flag.x);
    expectReadable(flags, 3);
}

TEST(FlagLayout, NoneCoverEachOtherInACrowd) {
    for (const double pitch : {1.0, 3.0, 7.0, 20.0, 55.0}) {
        std::vector<std::pair<double, const char*>> marks;
        for (int i = 0; i * pitch < 440 && i < 60; ++i)
            marks.emplace_back(60 + i * pitch, i % 3 == 0 ? "restarted" : i % 3 == 1 ? "1e-4" : "lost worker 1");
        expectReadable(placed(marks), marks.size());
    }
}

}  // namespace
}  // namespace ui::charts
