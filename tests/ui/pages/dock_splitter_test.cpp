// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dock_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

namespace ui::widgets {
namespace {

// Canvas, a dock of 312 (260 narrow, 200 to 420), and a second dock of 100.
constexpr int kGrip = 3;  // a handle is gripped a little beside its line

class DockSplitterTest : public testing::Test {
protected:
    DockSplitterTest() : splitter_(Qt::Horizontal, "splitter", nullptr) {
        for (QWidget*& part : parts_) splitter_.addWidget(part = new QWidget);
        splitter_.setDock(1, {.wide = 312, .narrow = 260, .least = 200, .most = 420});
        splitter_.setDock(2, {.wide = 100, .narrow = 100, .least = 50, .most_share = 0.5});
        parts_[2]->hide();
        splitter_.resize(1000, 200);
        splitter_.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&splitter_, 180'000));
        splitter_.arrange();
    }
    // As a user would, by the handle before part `part`.
    void drag(int part, int dx) {
        QWidget* handle = splitter_.handle(part);
        const QPoint at = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, at);
        const QPoint end = handle->mapToGlobal(at + QPoint(dx, 0));  // the handle moves along
        QMouseEvent move(QEvent::MouseMove, handle->mapFromGlobal(QPointF(end)), QPointF(end), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(handle, &move);
        QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->mapFromGlobal(end));
    }

    DockSplitter splitter_;
    QWidget* parts_[3];
};

TEST_F(DockSplitterTest, KeepsTheDockWhileTheWindowGrows) {
    EXPECT_EQ(parts_[1]->width(), 312);
    EXPECT_EQ(parts_[0]->width(), 1000 - 312 - 1);
    splitter_.resize(1600, 200);
    EXPECT_EQ(parts_[1]->width(), 312);
    splitter_.setNarrow(true);
    EXPECT_EQ(parts_[1]->width(), 260);
    EXPECT_EQ(splitter_.chosen(), "") << "as designed";
}

TEST_F(DockSplitterTest, KeepsWhatWasDraggedForWideAndNarrow) {
    QSignalSpy changed(&splitter_, &DockSplitter::chosenChanged);
    drag(1, -50);
    EXPECT_NEAR(parts_[1]->width(), 362, kGrip);
    EXPECT_GE(changed.count(), 1);
    splitter_.setNarrow(true);
    EXPECT_EQ(parts_[1]->width(), 260) << "the narrow window has a size of its own";
    drag(1, 20);
    EXPECT_NEAR(parts_[1]->width(), 240, kGrip);
    EXPECT_THAT(splitter_.chosen().toStdString(), testing::MatchesRegex("1:36[0-9],24[0-9]"));
    splitter_.setNarrow(false);
    EXPECT_NEAR(parts_[1]->width(), 362, kGrip);
    drag(1, -500);
    EXPECT_EQ(parts_[1]->width(), 420) << "not beyond its bound";

    const QString kept = splitter_.chosen();
    splitter_.reset();
    EXPECT_EQ(parts_[1]->width(), 312);
    splitter_.setChosen(kept);
    EXPECT_EQ(parts_[1]->width(), 420);
}

TEST_F(DockSplitterTest, RubbishCountsAsDesigned) {
    for (const char* text :
         {"1", "1:", "1:a,b", "x:300,300", "1:-5,-5", "9:300,300", "0:300,300", "1:300", "1:300,300,300", "1:99999999999,0", ";"}) {
        splitter_.setChosen(text);
        EXPECT_EQ(parts_[1]->width(), 312) << text;
    }
    splitter_.setChosen("1:5000,1");
    EXPECT_EQ(parts_[1]->width(), 420) << "bounds hold";
    splitter_.setNarrow(true);
    EXPECT_EQ(parts_[1]->width(), 200);
}

TEST_F(DockSplitterTest, ADockThatAppearsGetsItsSize) {
    parts_[1]->hide();
    parts_[2]->show();
    splitter_.arrange();
    EXPECT_EQ(parts_[2]->width(), 100);
    parts_[0]->hide();
    splitter_.arrange();
    EXPECT_GE(parts_[2]->width(), 999) << "alone it takes everything";
    parts_[0]->show();
    splitter_.arrange();
    EXPECT_EQ(parts_[2]->width(), 100);
    splitter_.setChosen("2:900,0");
    EXPECT_EQ(parts_[2]->width(), 500) << "half at the most";
}

}  // namespace
}  // namespace ui::widgets
