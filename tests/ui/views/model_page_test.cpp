// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/model_page.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "made_up_run.h"
#include "ui/canvas/model_canvas.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/field_editor.h"
#include "ui/views/model_palette.h"
#include "ui/widgets/status_pill.h"

namespace ui::views {
namespace {

class ModelPageTest : public testing::Test {
protected:
    void SetUp() override {
        themes_.setChoice(theme::Choice::kLight);
        ASSERT_TRUE(studio_.openTwoWorkers());
        page_ = std::make_unique<ModelPage>(studio_.session(), themes_);
        page_->resize(1364, 832);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get()));
    }

    template <typename Widget = QWidget>
    Widget* find(const QString& name) {
        // A form that was just replaced goes with the next event.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        auto* found = page_->findChild<Widget*>(name);
        EXPECT_NE(found, nullptr) << name.toStdString();
        return found;
    }
    // The model as text: "Conv2D 26×26×32 | …", a wrong layer with "!", later ones with "?".
    std::string printed() {
        QStringList parts;
        for (const auto& node : page_->canvas().content().nodes) parts << node.type + (node.wrong ? "!" : (node.dimmed ? "?" : ""));
        return parts.join(" ").toStdString();
    }
    QLineEdit* text(const QString& field) { return find("field_" + field)->findChild<QLineEdit*>(); }
    const engine::spec::LayerSpec& layer(std::size_t index) { return studio_.session().project().model.layers.at(index); }
    void shoot(const QString& name) {
        const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
        if (folder.isEmpty()) return;
        for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
            themes_.setChoice(choice);
            QCoreApplication::processEvents();
            page_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, choice == theme::Choice::kLight ? "light" : "dark"));
        }
        themes_.setChoice(theme::Choice::kLight);
    }

    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    std::unique_ptr<ModelPage> page_;
};

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

TEST_F(ModelPageTest, ChangesAFieldAndUndoesAndRedoesIt) {
    ASSERT_TRUE(page_->reveal("model.layers[0].config.filters"));
    QLineEdit* filters = text("filters");
    ASSERT_EQ(filters->text(), "32");
    filters->selectAll();
    QTest::keyClicks(filters, "16");
    EXPECT_EQ(layer(0).config.getInt("filters", 0), 16);
    EXPECT_EQ(page_->canvas().content().edges[1].shape, (engine::spec::Shape{26, 26, 16}));
    find<QToolButton>("modelUndo")->click();
    EXPECT_EQ(layer(0).config.getInt("filters", 0), 32) << "typing in one field is one step of undo";
    EXPECT_EQ(text("filters")->text(), "32");
    find<QToolButton>("modelRedo")->click();
    EXPECT_EQ(layer(0).config.getInt("filters", 0), 16);
}

TEST_F(ModelPageTest, KeepsTextThatIsNoValueOutOfTheProject) {
    ASSERT_TRUE(page_->reveal("model.layers[0].config.filters"));
    QLineEdit* filters = text("filters");
    filters->selectAll();
    QTest::keyClicks(filters, "0");
    EXPECT_TRUE(filters->property("invalid").toBool());
    EXPECT_EQ(filters->toolTip(), "Expected at least 1");
    EXPECT_EQ(layer(0).config.getInt("filters", 0), 32);
    filters->selectAll();
    QTest::keyClicks(filters, "many");
    EXPECT_EQ(filters->toolTip(), "Expected a whole number");
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
    for (int i = 0; i < 4; ++i) studio_.session().undoStack().undo();
    EXPECT_FALSE(studio_.session().isModified());
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
    EXPECT_NE(find<QLabel>("layerErrorText")->text().indexOf("5408"), -1) << find<QLabel>("layerErrorText")->text().toStdString();
    shoot("model-error");
    auto* fix = find<QPushButton>("layerFix");
    EXPECT_EQ(fix->text(), "Move above Flatten");
    fix->click();
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Conv2D Flatten Dense Dense Compile");
    EXPECT_EQ(canvas.selected(), 3);
}

TEST_F(ModelPageTest, EditsLossAndOptimizerInTheSamePanel) {
    ASSERT_TRUE(page_->reveal("compile"));
    EXPECT_NE(find("field_from_logits"), nullptr);
    QLineEdit* rate = text("learning_rate");
    rate->selectAll();
    QTest::keyClicks(rate, "0.05");
    EXPECT_DOUBLE_EQ(studio_.session().project().compile.optimizer.config.getDouble("learning_rate", 0), 0.05);
    shoot("model-compile");
}

TEST_F(ModelPageTest, FindsAndAddsLayersFromThePalette) {
    auto* list = find<QListView>("paletteList");
    QAbstractItemModelTester tester(list->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    find<QLineEdit>("paletteSearch")->setText("drop");
    ASSERT_EQ(list->model()->rowCount(), 4) << "the group's head, Dropout and its two spatial forms";
    const QModelIndex dropout = list->model()->index(1, 0);
    EXPECT_EQ(dropout.data().toString(), "Dropout");
    emit list->activated(dropout);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Dropout Compile");
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
