// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas of the model, its palette, its findings.
#include "ui/model/model_page.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTextBlock>
#include <QTextCursor>
#include <QToolButton>
#include <tuple>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/project/model_summary.h"
#include "engine/spec/project/run_spec.h"
#include "made_up_run.h"
#include "model_page_fixture.h"
#include "ui/canvas/layer_look.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/model_palette.h"
#include "ui/parts/languages.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/status_pill.h"

namespace ui::views {
namespace {

TEST_F(ModelPageTest, ShowsTheChainWithItsShapesAndParameters) {
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Compile");
    const auto& content = page_->canvas().content();
    EXPECT_EQ(content.edges[1].shape, (engine::spec::Shape{26, 26, 32}));
    EXPECT_EQ(content.edges[3].shape, (engine::spec::Shape{5408}));
    EXPECT_EQ(content.nodes[1].parameters, 320);
    EXPECT_EQ(content.nodes[4].parameters, 346176);
    EXPECT_EQ(content.nodes[1].settings.toStdString(), "32 filters \u00b7 3\u2009\u00d7\u20093 \u00b7 relu");
    EXPECT_EQ(find<widgets::StatusPill>("modelState")->text(), "Fits the data");
    EXPECT_TRUE(page_->reveal("model.layers[0]"));
    shoot("model");
}

TEST_F(ModelPageTest, OffersTheWaysToAProjectAndBeginsOneWithALayer) {
    studio_.session().project().close();
    EXPECT_EQ(find<widgets::StatusPill>("modelState")->text(), "No project");
    EXPECT_TRUE(find("noProjectFirst")->isVisible());
    EXPECT_FALSE(find("modelSummaryButton")->isEnabled());
    shoot("model-no-project");
    emit page_->findChild<LayerPalette*>()->layerChosen("Dense");
    ASSERT_TRUE(studio_.session().project().isOpen());
    EXPECT_EQ(printed(), "Input Dense Compile!");  // its one unit is not the ten classes of mnist
    EXPECT_FALSE(find("noProjectFirst")->isVisible());
    EXPECT_TRUE(find("modelSummaryButton")->isEnabled());
}

TEST_F(ModelPageTest, AddsDeletesDuplicatesAndMovesByKeys) {
    canvas::ModelCanvas& canvas = page_->canvas();
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Down);  // Input
    QTest::keyClick(&canvas, Qt::Key_Down);  // Conv2D
    QTest::keyClick(&canvas, Qt::Key_A);
    QTest::keyClick(&canvas, Qt::Key_P);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D MaxPooling2D Flatten Dense Dense Compile");
    EXPECT_EQ(canvas.selected(), 2);
    EXPECT_EQ(layer(1).name, "max_pooling2d_1");
    QTest::keyClick(&canvas, Qt::Key_Delete);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Compile");
    page_->reveal("model.layers[3]");
    QTest::keyClick(&canvas, Qt::Key_D, Qt::ControlModifier);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Dense Compile");
    QTest::keyClick(&canvas, Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(canvas.selected(), 4);
    EXPECT_EQ(layer(3).name, "dense_2");
    for (int i = 0; i < 4; ++i) studio_.session().project().undoStack().undo();
    EXPECT_FALSE(studio_.session().project().isModified());
}

// The ends of "channels_last" and "channels_first" are what the dock has no room for.
TEST_F(ModelPageTest, ChoosesBetweenTwoWordsByWhatDiffers) {
    ASSERT_TRUE(page_->reveal("model.layers[0]"));
    auto* choice = find("field_data_format")->findChild<widgets::SegmentedControl*>();
    ASSERT_NE(choice, nullptr);
    EXPECT_EQ(choice->entry(0), "last");
    EXPECT_EQ(choice->entry(1), "first");
    QTest::mouseClick(choice, Qt::LeftButton, {}, choice->entryRect(1).center());
    EXPECT_EQ(layer(0).config.getString("data_format", ""), "channels_first");
    auto* padding = find("field_padding")->findChild<widgets::SegmentedControl*>();
    ASSERT_NE(padding, nullptr);
    EXPECT_EQ(padding->entry(0), "valid");
}

TEST_F(ModelPageTest, NamesTheFirstWrongLayerAndMendsIt) {
    canvas::ModelCanvas& canvas = page_->canvas();
    ASSERT_TRUE(page_->reveal("model.layers[2]"));
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_A);
    QTest::keyClick(&canvas, Qt::Key_C);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Conv2D! Dense? Dense? Compile?");
    EXPECT_EQ(find<widgets::StatusPill>("modelState")->text(), "Does not fit");
    EXPECT_TRUE(find("layerError")->isVisible());
    EXPECT_EQ(find<QLabel>("layerErrorGot")->text(), "(None, 5408)");
    shoot("model-error");
    auto* card = find<QWidget>("layerError");
    for (const int width : {200, 260, 312, 420}) {
        splitter().setChosen(QStringLiteral("1:%1,0").arg(width));
        ASSERT_TRUE(tests::waitUntil([&] { return find("modelProperties")->width() == width; }));
        QCoreApplication::processEvents();  // the card's own places
        expectNothingCut(*card, width);
    }
    splitter().reset();
    auto* fix = find<QPushButton>("layerFix");
    EXPECT_EQ(fix->text(), "Move above Flatten");
    fix->click();
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Conv2D Flatten Dense Dense Compile");
    EXPECT_EQ(canvas.selected(), 3);
}

// What was expected and what is there, or a sentence that says both.
TEST_F(ModelPageTest, TheCardOfAWrongLayerSpeaksTheLanguageOfTheWindow) {
    StudioTranslator translator;
    translator.setLanguage("ko");
    QEvent changed(QEvent::LanguageChange);
    QApplication::sendEvent(page_.get(), &changed);
    ASSERT_TRUE(page_->reveal("model.layers[2]"));
    page_->canvas().setFocus();
    QTest::keyClick(&page_->canvas(), Qt::Key_A);
    QTest::keyClick(&page_->canvas(), Qt::Key_C);
    EXPECT_EQ(find<QLabel>("layerErrorExpected")->text(), QString::fromUtf8("랭크 4의 입력(배치, 행, 열, 채널)"));
    EXPECT_EQ(find<QLabel>("layerErrorGot")->text(), "(None, 5408)");
    shoot("model-error-ko");
    for (const int width : {200, 312, 420}) {
        splitter().setChosen(QStringLiteral("1:%1,0").arg(width));
        ASSERT_TRUE(tests::waitUntil([&] { return find("modelProperties")->width() == width; }));
        QCoreApplication::processEvents();  // the card's own places
        ASSERT_TRUE(tests::waitUntil([&] { return find("layerError")->isVisible(); })) << "the form is made anew with its language";
        expectNothingCut(*find("layerError"), width);
    }
    studio_.session().project().undoStack().undo();
    studio_.session().project().change("Train for no epoch", [](engine::spec::RunSpec& run) { run.fit.epochs = 0; });
    ASSERT_TRUE(page_->reveal("fit.epochs"));
    EXPECT_EQ(find<QLabel>("layerErrorExpected")->text(), QString::fromUtf8("1 이상 1000000 이하여야 하는데 0입니다"));
    EXPECT_FALSE(find<QLabel>("layerErrorGot")->isVisible());
    EXPECT_TRUE(find<QLabel>("layerErrorExpected")->isVisible());
    shoot("model-setting-ko");
    splitter().reset();
    translator.setLanguage("en");
}

TEST_F(ModelPageTest, FindsAndAddsLayersFromThePalette) {
    auto* list = find<QListView>("paletteList");
    QAbstractItemModelTester tester(list->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    find<QLineEdit>("paletteSearch")->setText("drop");
    ASSERT_EQ(list->model()->rowCount(), 7) << "the group's head, Dropout, AlphaDropout, the three spatial forms and GaussianDropout";
    const QModelIndex dropout = list->model()->index(1, 0);
    EXPECT_EQ(dropout.data().toString(), "Dropout");
    emit list->activated(dropout);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Dropout Compile");
}

// Where a place of the canvas' scene stands in its viewport.
QPoint onCanvas(const canvas::ModelCanvas& canvas, const QPointF& scene) {
    return canvas.mapFromScene(scene);
}

QMenu* openMenu() {
    return qobject_cast<QMenu*>(QApplication::activePopupWidget());
}

void chooseFrom(QMenu* menu, const QString& text) {
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions()) {
        if (action->text() != text) continue;
        const QRect place = menu->actionGeometry(action);
        QTest::mouseMove(menu, place.center());
        QTest::mouseClick(menu, Qt::LeftButton, {}, place.center());
        return;
    }
    FAIL() << text.toStdString();
}

TEST_F(ModelPageTest, ABuiltModelNeedsTheMouseAlone) {
    studio_.session().project().create();
    canvas::ModelCanvas& canvas = page_->canvas();
    ASSERT_EQ(printed(), "Input Compile");
    shoot("model-empty");
    // The "+" between Input and Compile, then the palette, which adds behind the selection.
    QWidget* view = canvas.viewport();
    QTest::mouseClick(view, Qt::LeftButton, {}, onCanvas(canvas, {canvas.nodeRect(0).center().x() - 52, canvas.nodeRect(0).bottom() + 20}));
    chooseFrom(openMenu(), "Conv2D");
    EXPECT_EQ(printed(), "Input Conv2D Compile!");
    auto* list = find<QListView>("paletteList");
    const auto addFromPalette = [&](const QString& name) {
        for (int row = 0; row < list->model()->rowCount(); ++row) {
            const QModelIndex index = list->model()->index(row, 0);
            if (index.data().toString() != name || index.data(PaletteModel::kClassRole).toString().isEmpty()) continue;
            list->scrollTo(index);
            const QPoint at = list->visualRect(index).center();
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, at);
            QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, at);
            return;
        }
        FAIL() << name.toStdString();
    };
    addFromPalette("Dense");
    addFromPalette("Flatten");
    EXPECT_EQ(printed(), "Input Conv2D Dense Flatten Compile");
    // Flatten is dragged above Dense.
    const auto middle = [&](int node) { return onCanvas(canvas, canvas.nodeRect(node).center()); };
    QTest::mousePress(view, Qt::LeftButton, {}, middle(3));
    QTest::mouseMove(view, middle(3) - QPoint(0, 20));
    QTest::mouseMove(view, onCanvas(canvas, {canvas.nodeRect(1).center().x(), canvas.nodeRect(1).bottom() + 10}));
    QTest::mouseRelease(view, Qt::LeftButton, {}, onCanvas(canvas, {canvas.nodeRect(1).center().x(), canvas.nodeRect(1).bottom() + 10}));
    EXPECT_EQ(printed(), "Input Conv2D Flatten Dense Compile");
    EXPECT_EQ(canvas.selected(), 2);
    // 32 units become 30 by the wheel, in a field that was clicked.
    QTest::mouseClick(view, Qt::LeftButton, {}, middle(3));
    QLineEdit* units = text("units");
    QTest::mouseClick(units, Qt::LeftButton);
    units->setFocus();
    for (int i = 0; i < 2; ++i) {
        QWheelEvent wheel(QPointF(5, 5), units->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(units, &wheel);
    }
    EXPECT_EQ(layer(2).config.getInt("units", 0), 30);
    // Duplicate and delete from the layer's menu.
    QTest::mouseClick(find<QToolButton>("layerMore"), Qt::LeftButton);
    chooseFrom(openMenu(), "Duplicate");
    EXPECT_EQ(printed(), "Input Conv2D Flatten Dense Dense Compile");
    QTest::mouseClick(find<QToolButton>("layerMore"), Qt::LeftButton);
    chooseFrom(openMenu(), "Delete");
    EXPECT_EQ(printed(), "Input Conv2D Flatten Dense Compile");
    QTest::mouseClick(find<QToolButton>("modelUndo"), Qt::LeftButton);
    EXPECT_EQ(printed(), "Input Conv2D Flatten Dense Dense Compile");
    QTest::mouseClick(find<QToolButton>("modelRedo"), Qt::LeftButton);
    EXPECT_EQ(find<widgets::StatusPill>("modelState")->text(), "1 warning(s)");  // logits
}

TEST_F(ModelPageTest, ABuiltModelNeedsTheKeyboardAlone) {
    studio_.session().project().create();
    canvas::ModelCanvas& canvas = page_->canvas();
    canvas.setFocus();
    for (const Qt::Key key : {Qt::Key_C, Qt::Key_P, Qt::Key_F, Qt::Key_D, Qt::Key_O}) {
        QTest::keyClick(&canvas, Qt::Key_A);
        QTest::keyClick(&canvas, key);
    }
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dropout Compile");
    QTest::keyClick(&canvas, Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dropout Dense Compile");
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_Return, Qt::ControlModifier);
    auto* units = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    ASSERT_NE(units, nullptr);
    QTest::keyClicks(units, "10");
    EXPECT_EQ(layer(4).config.getInt("units", 0), 10);
    QTest::keyClick(units, Qt::Key_Up);
    EXPECT_EQ(layer(4).config.getInt("units", 0), 11);
    // The palette: search, arrows, Return.
    QTest::keyClick(page_.get(), Qt::Key_F, Qt::ControlModifier);
    auto* search = find<QLineEdit>("paletteSearch");
    ASSERT_EQ(QApplication::focusWidget(), search);
    QTest::keyClicks(search, "activation");
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dropout Dense Activation Compile");
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Delete);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dropout Dense Compile");
}

// Returns where the cells of the summary's second table end but for the first, row by row.
std::vector<std::vector<int>> endsOfCells(const QPlainTextEdit& edit) {
    std::vector<std::vector<int>> rows;
    for (QTextBlock block = edit.document()->begin(); block.isValid(); block = block.next()) {
        const QString line = block.text();
        qsizetype at = line.indexOf(QLatin1Char('\t'));
        if (at < 0) continue;
        std::vector<int>& ends = rows.emplace_back();
        QTextCursor cursor(block);
        while (at >= 0) {
            at = line.indexOf(QLatin1Char('\t'), at + 1);
            cursor.setPosition(block.position() + static_cast<int>(at < 0 ? line.size() : at));
            ends.push_back(edit.cursorRect(cursor).x());
        }
    }
    return rows;
}

TEST_F(ModelPageTest, ShowsKerasSummaryToCopy) {
    QTest::mouseClick(find<QPushButton>("modelSummaryButton"), Qt::LeftButton);
    auto* dialog = find<QDialog>("summaryDialog");
    ASSERT_NE(dialog, nullptr);
    shoot("model-summary");
    const auto* summary = dialog->findChild<QPlainTextEdit*>("summaryText");
    const std::string shown = summary->toPlainText().toStdString();
    const std::string keras = engine::spec::modelSummary(studio_.session().project().spec().model);
    EXPECT_EQ(shown.substr(0, shown.find("\n\n") + 1), keras);
    {
        StudioTranslator translator;
        QEvent changed(QEvent::LanguageChange);
        for (const auto& [language, word, head] : {std::tuple{"ko", "복사", "레이어\t샘플당 곱셈-덧셈\t"},
                                                   {"zh_CN", "复制", "层\t每样本乘加次数\t"},
                                                   {"en", "Copy", "layer\tmultiply-adds a sample\t"}}) {
            translator.setLanguage(language);
            QApplication::sendEvent(dialog, &changed);
            EXPECT_EQ(dialog->findChild<QPushButton*>("summaryCopy")->text().toStdString(), word) << "the dialog that is shown, too";
            const std::string text = summary->toPlainText().toStdString();
            EXPECT_TRUE(text.starts_with(keras)) << "Keras' words are Keras'";
            EXPECT_NE(text.find(std::string("\n\n") + head), std::string::npos) << text;
            const auto rows = endsOfCells(*summary);
            ASSERT_EQ(rows.size(), studio_.session().project().spec().model.layers.size() + 2) << "a head, the layers, their sums";
            for (const std::vector<int>& ends : rows) {
                ASSERT_EQ(ends.size(), 3U);
                for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_NEAR(ends[i], rows.front()[i], 1) << language << ", column " << i + 1;
            }
        }
    }
    dialog->findChild<QPushButton*>("summaryCopy")->click();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), shown);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_EQ(page_->findChild<QDialog*>("summaryDialog"), nullptr);
}

// By what it does, also where nothing was chosen; then by what was.
TEST(ModelPage, DescribesALayerInOneLine) {
    using engine::spec::Fields;
    const auto line = [](const char* class_name, Fields config = {}) {
        return canvas::layerSettings({class_name, "layer", std::move(config)}).toStdString();
    };
    EXPECT_EQ(line("RandAugment"), "num ops 2 · factor 0.5");
    EXPECT_EQ(line("RandAugment", {{"interpolation", "nearest"}, {"factor", 0.9}}), "num ops 2 · factor 0.9 · nearest");
    EXPECT_EQ(line("AugMix"), "num chains 3 · factor 0.3");
    EXPECT_EQ(line("TextVectorization"), "int");
    EXPECT_EQ(line("TextVectorization", {{"standardize", "lower"}, {"max_tokens", std::int64_t{20000}}, {"output_mode", "tf_idf"}}),
              "max tokens 20000 · tf_idf · lower");
    EXPECT_EQ(line("Discretization", {{"num_bins", std::int64_t{8}}}), "num bins 8 · int");
    EXPECT_EQ(line("ContrastLimitedAdaptiveHistogramEqualization"), "clip limit 4 · tile grid size 8\u2009×\u20098");
    EXPECT_EQ(line("Conv2D", {{"filters", std::int64_t{32}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}, {"activation", "relu"}}),
              "32 filters · 3\u2009×\u20093 · relu");
    EXPECT_EQ(line("Dense"), "units missing");
    EXPECT_EQ(line("MaxPooling2D"), "2\u2009×\u20092 · valid");
    EXPECT_EQ(line("Flatten"), "no settings");
    EXPECT_EQ(line("Flatten", {{"data_format", "channels_first"}}), "channels_first");
    for (const engine::spec::LayerSchema& schema : engine::spec::layerSchemas()) {
        const std::string text = line(schema.class_name.c_str());
        EXPECT_TRUE(text != "bilinear" && text != "nearest") << schema.class_name << " says how it interpolates, not what it does";
    }
}

TEST(ModelPage, IsEmptyWithoutAProject) {
    theme::ThemeController themes;
    tests::MadeUpStudio studio;
    ModelPage page(studio.session(), themes);
    EXPECT_TRUE(page.canvas().content().nodes.empty());
    EXPECT_FALSE(page.reveal("model.layers[0]"));
}

}  // namespace
}  // namespace ui::views
