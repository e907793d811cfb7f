// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_card.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFontMetrics>
#include <QLocale>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "ui/charts/chart_group.h"
#include "ui/charts/chart_picture.h"
#include "ui/theme/theme_controller.h"

namespace ui::charts {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

class Application : public testing::Environment {
public:
    void SetUp() override {
        if (qEnvironmentVariableIsEmpty("DISPLAY")) qputenv("QT_QPA_PLATFORM", "offscreen");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        application_ = std::make_unique<QApplication>(argc_, argv_);
    }
    void TearDown() override { application_.reset(); }

private:
    int argc_ = 1;
    char name_[12] = "charts_test";
    char* argv_[2] = {name_, nullptr};
    std::unique_ptr<QApplication> application_;
};
const auto* const kApplication = testing::AddGlobalTestEnvironment(new Application);

class ChartCardTest : public testing::Test {
protected:
    ChartCardTest() { themes_.setChoice(theme::Choice::kLight); }

    // A loss that falls with noise, and its validation once an epoch of 100 steps.
    void fillLoss(ChartCard& card, int steps) {
        card.resize(520, 270);
        card.setTexts("Loss", "loss");
        const int train = card.addSeries("train", {.live = true});
        const int validation = card.addSeries("validation", {.color = 1, .dashed = true, .hollow_points = true, .exact = true});
        card.setSmoothing(0.6);
        for (int step = 1; step <= steps; ++step) {
            const double noise = 0.02 * std::sin(step * 12.9898) * std::cos(step * 78.233);
            card.series(train).append(step, step * kSecond / 50, static_cast<float>(2.3 * std::exp(-step / 15.0) + 0.05 + noise));
            if (step % 100 == 0)
                card.series(validation).append(step, step * kSecond / 50, static_cast<float>(0.06 + 0.1 * std::exp(-step / 200.0)));
        }
        card.setLive(true);
        card.dataChanged();
    }

    void show(QWidget& widget) {
        widget.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&widget, 180'000));
        QCoreApplication::processEvents();
    }

    theme::ThemeController themes_;
};

TEST_F(ChartCardTest, ShowsACurveOnceItHasPoints) {
    ChartCard card("chartLoss", themes_);
    card.setTexts("Loss", "loss");
    EXPECT_TRUE(card.isEmpty());
    EXPECT_EQ(card.summary(), "Loss: appears with the first step.");

    fillLoss(card, 1000);
    show(card);
    EXPECT_FALSE(card.isEmpty());
    const auto columns = card.drawnPoints(0).size();
    EXPECT_LE(columns, 438u + 3) << "one mean for each column of the plot";
    EXPECT_GT(columns, 400u);
    card.setSmoothing(0);
    EXPECT_LE(card.drawnPoints(0).size(), 2u * 438 + 2) << "at most two extremes for each column of the plot";
    EXPECT_GT(card.drawnPoints(0).size(), columns);
    EXPECT_EQ(card.drawnPoints(1).size(), 10u);
    EXPECT_LT(card.drawnYRange().upper, 1.0) << "the first high losses do not flatten the rest";
}

TEST_F(ChartCardTest, SaysFromWhichStepOnACurveIsNoNumber) {
    ChartCard card("chartLoss", themes_);
    card.setTexts("Loss", "loss");
    fillLoss(card, 1000);
    show(card);
    EXPECT_FALSE(card.summary().contains("not a number"));
    for (int step = 1001; step <= 1010; ++step) card.series(0).append(step, step * kSecond / 50, std::numeric_limits<float>::quiet_NaN());
    card.dataChanged();
    QCoreApplication::processEvents();
    EXPECT_TRUE(card.summary().contains("train is not a number from step 1,001 on")) << card.summary().toStdString();
}

TEST_F(ChartCardTest, PaintsTheSeriesInTheColourOfTheTheme) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    show(card);
    for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
        themes_.setChoice(choice);
        QCoreApplication::processEvents();
        const QImage image = card.grab().toImage();
        int train = 0;
        for (int y = 46; y < image.height() - 40; ++y) {
            for (int x = 66; x < image.width() - 16; ++x) train += image.pixelColor(x, y) == themes_.theme().seriesColor(0);
        }
        EXPECT_GT(train, 200);
    }
}

TEST_F(ChartCardTest, LinksCursorRangeAndAxisOfAGroup) {
    ChartCard loss("chartLoss", themes_);
    ChartCard accuracy("chartAccuracy", themes_);
    ChartGroup group;
    group.add(loss);
    group.add(accuracy);
    fillLoss(loss, 300);
    fillLoss(accuracy, 300);
    show(loss);
    QSignalSpy follow(&group, &ChartGroup::followChanged);

    QTest::keyClick(&loss, Qt::Key_X);
    EXPECT_EQ(accuracy.axes().x(), models::XAxis::kRelative);
    QTest::keyClick(&loss, Qt::Key_X);
    QTest::keyClick(&loss, Qt::Key_X);
    EXPECT_EQ(accuracy.axes().x(), models::XAxis::kEpoch);
    QTest::keyClick(&loss, Qt::Key_X);
    EXPECT_EQ(accuracy.axes().x(), models::XAxis::kStep);

    auto* plot = loss.findChild<QWidget*>("chartLossPlot");
    QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(150, 60));
    QTest::mouseMove(plot, QPoint(300, 150));
    QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(300, 150));
    ASSERT_TRUE(loss.axes().xRange());
    EXPECT_EQ(loss.axes().xRange(), accuracy.axes().xRange());
    EXPECT_GT(loss.axes().xRange()->lower, 30);
    EXPECT_LT(loss.axes().xRange()->upper, 200);
    EXPECT_FALSE(group.follows());

    QTest::mouseDClick(plot, Qt::LeftButton, {}, QPoint(200, 100));
    EXPECT_FALSE(accuracy.axes().xRange());
    EXPECT_TRUE(group.follows());
    EXPECT_EQ(follow.count(), 2);
}

TEST_F(ChartCardTest, TurnsLogarithmicByKeyAndBack) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 300);
    show(card);
    QTest::keyClick(&card, Qt::Key_L);
    EXPECT_EQ(card.axes().yScale(), YScale::kLog);
    EXPECT_GT(card.drawnYRange().lower, 0);
    QTest::keyClick(&card, Qt::Key_L);
    EXPECT_EQ(card.axes().yScale(), YScale::kLinear);
}

TEST_F(ChartCardTest, NeverSmoothsExactSeries) {
    ChartCard card("chartRate", themes_);
    const int rate = card.addSeries("rate", {.steps = true, .exact = true, .format = NumberFormat::kRate});
    card.setSmoothing(0.9);
    card.series(rate).append(1, 0, 1e-3F);
    card.series(rate).append(2, 1, 1e-4F);
    EXPECT_EQ(card.drawnPoints(rate).back().y, static_cast<double>(1e-4F));
    EXPECT_EQ(card.series(rate).smoothing(), 0);
}

// How much of the plot is covered when raw values swing through all of it and the smoothed curves stay in its middle.
double shareCovered(ChartCard& card, const theme::Theme& colors) {
    const QImage image = card.grab().toImage();
    int covered = 0, all = 0;
    for (int y = 70; y < image.height() - 50; ++y) {
        for (int x = 80; x < image.width() - 30; ++x, ++all) covered += image.pixelColor(x, y) != colors.surface;
    }
    return static_cast<double>(covered) / all;
}

TEST_F(ChartCardTest, KeepsRawCurvesOfAFewSeriesAndOfTheChosenOneAmongMany) {
    ChartCard card("chartLoss", themes_);
    card.resize(520, 270);
    card.setTexts("Loss", "loss");
    card.setSmoothing(0.99);
    const auto add = [&] {
        const int index = card.addSeries("worker", {});
        for (int step = 1; step <= 500; ++step) card.series(index).append(step, step, static_cast<float>(step % 2));
    };
    for (int i = 0; i < 32; ++i) add();
    card.dataChanged();
    show(card);
    const auto share = [&] { return shareCovered(card, themes_.theme()); };
    EXPECT_TRUE(QTest::qWaitFor([&] { return share() > 0.9; }, 180'000)) << share();
    add();
    card.dataChanged();
    EXPECT_TRUE(QTest::qWaitFor([&] { return share() < 0.75; }, 180'000)) << share();
    card.setHighlighted(7);
    EXPECT_TRUE(QTest::qWaitFor([&] { return share() > 0.9; }, 180'000)) << share();
}

TEST_F(ChartCardTest, WritesRawValuesWithDecimalPoints) {
    QLocale::setDefault(QLocale(QLocale::German));
    ChartCard card("chartLoss", themes_);
    const int train = card.addSeries("tr\"ain", {});
    card.setSmoothing(0.9);
    card.series(train).append(1, kSecond / 2, 0.5F);
    card.series(train).append(2, kSecond, 0.25F);
    EXPECT_EQ(card.toCsv(), "series,step,time_s,value\n\"tr\"\"ain\",1,0.500,0.5\n\"tr\"\"ain\",2,1.000,0.25\n");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

TEST_F(ChartCardTest, CountsEpochsAndTakesLogarithmsOfTheXAxis) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    card.axes().setStepsPerEpoch(100);
    card.axes().setX(models::XAxis::kEpoch);
    show(card);
    EXPECT_DOUBLE_EQ(card.drawnPoints(1).back().x, 10);
    card.axes().setStepsPerEpoch(100, 3);
    EXPECT_DOUBLE_EQ(card.drawnPoints(1).back().x, 13) << "the run began with its fourth epoch";
    card.axes().setX(models::XAxis::kStep);
    QTest::keyClick(&card, Qt::Key_L, Qt::ShiftModifier);
    EXPECT_EQ(card.axes().xScale(), XScale::kLog);
    const auto points = card.drawnPoints(0);
    const auto early = std::count_if(points.begin(), points.end(), [](const auto& point) { return point.x <= 30; });
    EXPECT_GE(early, 28) << "half of the axis is for the first thirty steps: each of them has columns of its own";
}

TEST_F(ChartCardTest, ZoomsAndPansByKeysAndOverAnAxisAlone) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    show(card);
    QTest::keyClick(&card, Qt::Key_Plus);
    ASSERT_TRUE(card.axes().xRange());
    const models::Range zoomed = *card.axes().xRange();
    EXPECT_LT(zoomed.size(), 900);
    QTest::keyClick(&card, Qt::Key_Right, Qt::ControlModifier);
    EXPECT_NEAR(card.axes().xRange()->lower, zoomed.lower + 0.1 * zoomed.size(), 1e-6);
    QTest::keyClick(&card, Qt::Key_0);
    EXPECT_FALSE(card.axes().xRange());
    const models::Range y = card.drawnYRange();
    auto* plot = card.findChild<QWidget*>("chartLossPlot");
    QWheelEvent wheel(QPointF(20, 100), plot->mapToGlobal(QPointF(20, 100)), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(plot, &wheel);
    EXPECT_FALSE(card.axes().xRange()) << "over the y axis the x axis stays";
    EXPECT_LT(card.drawnYRange().size(), 0.9 * y.size());
}

TEST_F(ChartCardTest, GoesFromMarkToMarkAndActivatesThemByClickAndKey) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    card.setMarkers({{Marker::Kind::kFailure, 900, 18 * kSecond, "worker 1 lost", "killed", "worker 1"},
                     {Marker::Kind::kBestCheckpoint, 400, 8 * kSecond, {}, "ckpt_4", "checkpoints/ckpt_4"}});
    show(card);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !card.drawnPoints(0).empty(); }, 180'000));
    std::vector<Marker> activated;
    QObject::connect(&card, &ChartCard::markerActivated, &card, [&](const Marker& marker, QPoint) { activated.push_back(marker); });
    QTest::keyClick(&card, Qt::Key_M);
    EXPECT_EQ(card.accessibleDescription(), "ckpt_4") << "the first by place on the axis";
    QTest::keyClick(&card, Qt::Key_M);
    EXPECT_EQ(card.accessibleDescription(), "worker 1 lost: killed");
    QTest::keyClick(&card, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_EQ(activated.size(), 1u);
    EXPECT_EQ(activated[0].subject, "worker 1");
    // The diamond stands on the x axis: 40 px above the plot's lower edge.
    auto* plot = card.findChild<QWidget*>("chartLossPlot");
    const int x = 66 + static_cast<int>(400.0 / 1030 * (plot->width() - 66 - 16));
    QTest::mouseClick(plot, Qt::LeftButton, {}, QPoint(x, plot->height() - 40));
    ASSERT_EQ(activated.size(), 2u);
    EXPECT_EQ(activated[1].subject, "checkpoints/ckpt_4");
}

// Marks at one place: each flag is hit where it stands, and one that stands for several tells all of them.
TEST_F(ChartCardTest, FlagsOfOnePlaceAreTwoRowsAndTellThemselves) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    std::vector<Marker> marks{{Marker::Kind::kRestart, 500, 10 * kSecond, "restarted", "began again", "first"}};
    for (int i = 0; i < 4; ++i)
        marks.push_back({Marker::Kind::kFlag, 500, 10 * kSecond, "pause", QStringLiteral("pause %1").arg(i), QString::number(i)});
    card.setMarkers(marks);
    show(card);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !card.drawnPoints(0).empty(); }, 180'000));
    if (const QString folder = qEnvironmentVariable("TANDEM_SHOTS"); !folder.isEmpty()) card.grab().save(folder + "/chart-flags.png");
    std::vector<Marker> activated;
    QObject::connect(&card, &ChartCard::markerActivated, &card, [&](const Marker& marker, QPoint) { activated.push_back(marker); });
    auto* plot = card.findChild<QWidget*>("chartLossPlot");
    const int x = 66 + static_cast<int>(500.0 / 1030 * (plot->width() - 66 - 16)) + 12, top = 12 - 11;
    for (const int row : {0, 1, 2}) QTest::mouseClick(plot, Qt::LeftButton, {}, QPoint(x, top + 8 + 17 * row));
    ASSERT_EQ(activated.size(), 3u);
    EXPECT_EQ(activated[0].subject, "first");
    EXPECT_EQ(activated[1].subject, "0");
    EXPECT_EQ(activated[2].subject, "1");
    const QPoint third(x, top + 8 + 17 * 2);
    QMouseEvent move(QEvent::MouseMove, third, plot->mapToGlobal(third), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(plot, &move);
    EXPECT_EQ(QToolTip::text(), "pause 1\npause 2\npause 3");
}

TEST_F(ChartCardTest, KeepsTheChosenMarkWhileOthersComeAndGo) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    const Marker rate{Marker::Kind::kFlag, 300, 6 * kSecond, "1e-4", "learning rate 1e-4"};
    const Marker best{Marker::Kind::kBestCheckpoint, 400, 8 * kSecond, {}, "ckpt_4, the best", "checkpoints/ckpt_4"};
    const Marker earlier{Marker::Kind::kBestCheckpoint, 100, 2 * kSecond, {}, "ckpt_1, the best", "checkpoints/ckpt_1"};
    Marker passed = best;  // told anew: another one is the best by now
    passed.kind = Marker::Kind::kCheckpoint;
    passed.tooltip = "ckpt_4";
    card.setMarkers({rate, best});
    show(card);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !card.drawnPoints(0).empty(); }, 180'000));
    std::vector<Marker> activated;
    QObject::connect(&card, &ChartCard::markerActivated, &card, [&](const Marker& marker, QPoint) { activated.push_back(marker); });
    for (int i = 0; i < 2; ++i) QTest::keyClick(&card, Qt::Key_M);
    ASSERT_EQ(card.accessibleDescription(), "ckpt_4, the best");
    card.setMarkers({earlier, rate, passed});
    QTest::keyClick(&card, Qt::Key_Return, Qt::ControlModifier);
    ASSERT_EQ(activated.size(), 1u);
    EXPECT_EQ(activated[0], passed);
    QTest::keyClick(&card, Qt::Key_M, Qt::ShiftModifier);
    EXPECT_EQ(card.accessibleDescription(), "1e-4: learning rate 1e-4") << "the one in front of it";
    // One that is gone: nothing to act on, and on from its place.
    card.setMarkers({earlier, passed});
    QTest::keyClick(&card, Qt::Key_Return, Qt::ControlModifier);
    EXPECT_EQ(activated.size(), 1u);
    QTest::keyClick(&card, Qt::Key_M);
    EXPECT_EQ(card.accessibleDescription(), "ckpt_4");
    card.setMarkers({earlier});
    QTest::keyClick(&card, Qt::Key_M, Qt::ShiftModifier);
    EXPECT_EQ(card.accessibleDescription(), "ckpt_1, the best");
}

TEST_F(ChartCardTest, GivesTheYAxisTheRoomOfItsWidestLabel) {
    const auto leftOf = [this](double scale, std::unique_ptr<ChartCard>& card) {
        card = std::make_unique<ChartCard>("chartLoss", themes_);
        card->setTexts("Throughput", "images a second");
        const int series = card->addSeries("all", {.exact = true, .format = NumberFormat::kCount});
        for (int i = 1; i <= 10; ++i) card->series(series).append(i, i * 20'000'000, static_cast<float>(scale * i));
        card->resize(340, 200);
        card->dataChanged();
        show(*card);
        EXPECT_TRUE(QTest::qWaitFor([&] { return !card->drawnPoints(0).empty(); }, 180'000));
        QCoreApplication::processEvents();
        bool inside = false;  // the cursor begins with the plot
        QObject::connect(card.get(), &ChartCard::cursorMoved, card.get(), [&](std::optional<double> x) { inside = x.has_value(); });
        auto* plot = card->findChild<QWidget*>("chartLossPlot");
        int left = 0;
        while (!inside && ++left < plot->width()) {
            const QPointF at(left, plot->height() / 2.0);
            QMouseEvent move(QEvent::MouseMove, at, plot->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(plot, &move);
        }
        card->disconnect();
        return left;
    };
    std::unique_ptr<ChartCard> small, large;
    EXPECT_EQ(leftOf(0.01, small), 66) << "as designed";
    const int left = leftOf(12345, large);
    const QFontMetrics metrics(themes_.font(theme::TextRole::kMonoTick));
    const int widest = metrics.horizontalAdvance(QLocale().toString(100'000));
    const int title_ends = 22;
    EXPECT_GE(left - widest - 6, title_ends + 4) << "between the axis' name and the widest label";
    EXPECT_LE(left, 66 + 24) << "and no more than that";
}

TEST_F(ChartCardTest, IsATableWithASummaryForWhoDoesNotSeeIt) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 300);
    show(card);
    QTest::keyClick(&card, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(card.isTableShown());
    auto* table = card.findChild<QTableView*>("chartTable");
    ASSERT_NE(table, nullptr);
    EXPECT_TRUE(table->isVisible());
    EXPECT_EQ(table->model()->rowCount(), 300);
    EXPECT_EQ(table->model()->columnCount(), 4);
    EXPECT_EQ(table->model()->index(0, 0).data().toString(), "300");
    EXPECT_EQ(table->model()->headerData(3, Qt::Horizontal).toString(), "validation");
    EXPECT_NE(table->model()->index(0, 3).data().toString(), table->model()->index(1, 3).data().toString()) << "a dash between two epochs";
    EXPECT_TRUE(table->accessibleName().startsWith("Loss: train ")) << table->accessibleName().toStdString();
    QTest::keyClick(table, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_FALSE(card.isTableShown());
}

TEST_F(ChartCardTest, OnlyAnAddedCardGoesWithDelete) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 300);
    show(card);
    QSignalSpy remove(&card, &ChartCard::removeWanted);
    QTest::keyClick(&card, Qt::Key_Delete);
    EXPECT_EQ(remove.count(), 0);
    card.setRemovable(true);
    QTest::keyClick(&card, Qt::Key_Delete);
    EXPECT_EQ(remove.count(), 1);
}

TEST_F(ChartCardTest, BecomesAPictureThatOtherProgramsRead) {
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    const QImage png = QImage::fromData(chartPicture({&card}, themes_, {.format = PictureFormat::kPng, .size = {480, 300}, .scale = 2}));
    EXPECT_EQ(png.size(), QSize(960, 600));
    int train = 0;
    for (int y = 100; y < 500; ++y) {
        for (int x = 140; x < 920; ++x) train += png.pixelColor(x, y) == themes_.theme().seriesColor(0);
    }
    EXPECT_GT(train, 400);
    const QTemporaryDir folder;
    const auto write = [&](const QString& name, PictureFormat format) {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(chartPicture({&card, &card}, themes_, {.format = format, .size = {480, 300}, .columns = 2}));
        return folder.filePath(name).toStdString();
    };
    const std::string svg = write("loss.svg", PictureFormat::kSvg), pdf = write("loss.pdf", PictureFormat::kPdf);
    if (std::system("command -v xmllint > /dev/null 2>&1") == 0) {
        EXPECT_EQ(std::system(("xmllint --noout '" + svg + "'").c_str()), 0);
    }
    if (std::system("command -v pdftoppm > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdftoppm (poppler-utils) is not installed";
    ASSERT_EQ(std::system(("pdftoppm -r 96 -png '" + pdf + "' '" + folder.filePath("page").toStdString() + "'").c_str()), 0);
    const QImage page(folder.filePath("page-1.png"));
    EXPECT_NEAR(page.width(), 2 * 480 + 10, 2);
    EXPECT_NEAR(page.height(), 300, 2);
}

TEST_F(ChartCardTest, SavesItsPicturesWhenAskedTo) {
    const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
    if (folder.isEmpty()) GTEST_SKIP() << "TANDEM_SHOTS names no folder";
    ChartCard card("chartLoss", themes_);
    fillLoss(card, 1000);
    card.setMarkers({{Marker::Kind::kFlag, 300, 6 * kSecond, "1e-4", "learning rate 1e-4"},
                     {Marker::Kind::kCheckpoint, 400, 8 * kSecond, {}, "ckpt_4", {}},
                     {Marker::Kind::kBestCheckpoint, 700, 14 * kSecond, {}, "ckpt_7", {}},
                     {Marker::Kind::kFailure, 900, 18 * kSecond, "worker 1 lost", "killed"}});
    show(card);
    QTest::mouseMove(card.findChild<QWidget*>("chartLossPlot"), QPoint(200, 100));
    QCoreApplication::processEvents();
    card.grab().save(folder + "/chart-light.png");
    themes_.setChoice(theme::Choice::kDark);
    QCoreApplication::processEvents();
    card.grab().save(folder + "/chart-dark.png");
    themes_.setChoice(theme::Choice::kLight);
    card.setMarkers({{Marker::Kind::kRestart, 880, 18 * kSecond, "restarted", "restarted"},
                     {Marker::Kind::kFlag, 900, 18 * kSecond, "1e30", "learning rate 1e30"}});
    for (int step = 1001; step <= 1200; ++step) card.series(0).append(step, step * kSecond / 50, std::numeric_limits<float>::quiet_NaN());
    card.dataChanged();
    QCoreApplication::processEvents();
    card.grab().save(folder + "/chart-no-number.png");
}

}  // namespace
}  // namespace ui::charts
