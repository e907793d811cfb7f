// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <fstream>
#include <iterator>

#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/model_summary.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/schedule.h"
#include "made_up_run.h"
#include "painted_texts.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/model_palette.h"
#include "ui/model/rate_curve.h"
#include "ui/parts/code_editor.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/languages.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme_controller.h"
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
        QApplication::setActiveWindow(page_.get());  // a display without a window manager activates none
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
    widgets::DockSplitter& splitter() { return *page_->findChild<widgets::DockSplitter*>("modelSplitter"); }
    // Texts have their height, and no two children lie on each other or outside.
    static void expectNothingCut(const QWidget& card, int dock_width) {
        QList<QWidget*> shown;
        for (auto* child : card.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (child->isVisibleTo(&card)) shown << child;
        }
        EXPECT_GE(shown.size(), 7) << "title, two facts with names, a fix, delete, link";
        for (int i = 0; i < shown.size(); ++i) {
            const QWidget* child = shown[i];
            const std::string name = child->objectName().toStdString() + " at " + std::to_string(dock_width);
            EXPECT_TRUE(card.rect().contains(child->geometry())) << name;
            const auto* label = qobject_cast<const QLabel*>(child);
            const int height = label == nullptr    ? child->minimumSizeHint().height()
                               : label->wordWrap() ? label->heightForWidth(child->width())
                                                   : label->sizeHint().height();
            EXPECT_GE(child->height(), height) << name;
            for (int j = i + 1; j < shown.size(); ++j)
                EXPECT_FALSE(child->geometry().intersects(shown[j]->geometry())) << name << " and " << shown[j]->objectName().toStdString();
        }
    }
    QLineEdit* text(const QString& field) { return find("field_" + field)->findChild<QLineEdit*>(); }
    const engine::spec::LayerSpec& layer(std::size_t index) { return studio_.session().project().spec().model.layers.at(index); }
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

// A number that is taken away is no number of the project's: one that has a default stays as it was, an optional one goes.
TEST_F(ModelPageTest, AnEmptiedFieldLeavesNoNullInTheProject) {
    studio_.session().project().change("SGD", [](engine::spec::RunSpec& run) {
        run.compile.optimizer = {"SGD", {{"momentum", 0.9}, {"clipnorm", 1.0}}};
    });
    ASSERT_TRUE(page_->reveal("compile.optimizer"));
    const auto& optimizer = [this]() -> const engine::spec::Fields& { return studio_.session().project().spec().compile.optimizer.config; };
    QLineEdit* momentum = text("momentum");
    ASSERT_EQ(momentum->text(), "0.9");
    momentum->setFocus();
    momentum->selectAll();
    QTest::keyClick(momentum, Qt::Key_Delete);
    EXPECT_EQ(optimizer().getDouble("momentum", -1), 0.9) << "while nothing is typed, too";
    EXPECT_TRUE(momentum->property("invalid").toBool());
    QLineEdit* clipnorm = text("clipnorm");
    clipnorm->setFocus();
    EXPECT_EQ(momentum->text(), "0.9") << "it is back";
    clipnorm->selectAll();
    QTest::keyClick(clipnorm, Qt::Key_Delete);
    EXPECT_EQ(optimizer().find("clipnorm"), nullptr);
    momentum->setFocus();
    EXPECT_EQ(clipnorm->text(), "");
    const std::string json = toProjectJson(studio_.session().project().spec());
    const auto at = json.find("\"optimizer\"");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(json.substr(at, json.find('}', json.find('}', at) + 1) - at).find("null"), std::string::npos) << json.substr(at, 300);
}

TEST_F(ModelPageTest, SetsHowLongToTrainInTheFormOfCompile) {
    ASSERT_TRUE(page_->reveal("fit.epochs"));
    QLineEdit* epochs = text("epochs");
    ASSERT_EQ(epochs->text(), "10");
    EXPECT_EQ(QApplication::focusWidget(), epochs);
    const auto* form = find<QScrollArea>("modelProperties");
    EXPECT_TRUE(tests::waitUntil([&] {
        return form->viewport()->rect().contains(epochs->mapTo(form->viewport(), epochs->rect().center()));
    })) << "scrolled to where it is seen";
    epochs->selectAll();
    QTest::keyClicks(epochs, "3");
    EXPECT_EQ(studio_.session().project().spec().fit.epochs, 3);
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(studio_.session().project().spec().fit.epochs, 10);
    EXPECT_EQ(text("epochs")->text(), "10");
    text("histogram_freq")->selectAll();
    QTest::keyClicks(text("histogram_freq"), "2");
    EXPECT_EQ(studio_.session().project().spec().fit.histogram_freq, 2);
    studio_.session().project().change("Break it", [](engine::spec::RunSpec& run) { run.fit.epochs = 0; });
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Compile!");
}

TEST_F(ModelPageTest, StepsOfAllWorkersAndEpochsExcludeEachOther) {
    const auto fit = [this]() -> const engine::spec::FitSpec& { return studio_.session().project().spec().fit; };
    ASSERT_TRUE(page_->reveal("fit.epochs"));
    EXPECT_EQ(page_->findChild<QWidget*>("field_steps"), nullptr) << "epochs count the steps";
    ASSERT_TRUE(studio_.session().project().openStarter(QStringLiteral("book_parameter_servers")));
    ASSERT_TRUE(page_->reveal("fit.steps"));
    QLineEdit* steps = text("steps");
    EXPECT_EQ(steps->text(), "5000");
    EXPECT_EQ(QApplication::focusWidget(), steps);
    text("epochs")->selectAll();
    QTest::keyClicks(text("epochs"), "3");
    EXPECT_EQ(fit().epochs, 3);
    EXPECT_EQ(fit().steps, 0);
    EXPECT_EQ(text("steps")->text(), "0");
    text("steps")->selectAll();
    QTest::keyClicks(text("steps"), "700");
    EXPECT_EQ(fit().steps, 700);
    EXPECT_EQ(fit().epochs, 1);
    EXPECT_EQ(text("epochs")->text(), "1");
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(fit().epochs, 3) << "one step back";
    EXPECT_EQ(fit().steps, 0);
    studio_.session().project().change("Break it", [](engine::spec::RunSpec& run) { run.fit.steps = 700; });
    EXPECT_TRUE(printed().ends_with("Compile!")) << printed();
}

// A Residual begins with a layer that fits everywhere; its chain is built, set, sorted and emptied in the form, each a step of undo.
TEST_F(ModelPageTest, EditsTheLayersOfAResidual) {
    auto& project = studio_.session().project();
    project.change("Add a block", [](engine::spec::RunSpec& run) {
        run.model.layers.insert(run.model.layers.begin() + 1, {"Residual", "residual", engine::spec::startingFields("Residual")});
    });
    EXPECT_EQ(printed(), "Input Conv2D Residual MaxPooling2D Flatten Dense Dense Compile");
    EXPECT_EQ(page_->canvas().content().nodes[2].settings.toStdString(), "BatchNormalization");
    ASSERT_TRUE(page_->reveal("model.layers[1]"));
    const auto classes = [this](const char* field) {
        std::string names;
        for (const auto& member : layer(1).config.getObjects(field)) names += (names.empty() ? "" : " ") + member.get().class_name;
        return names;
    };
    const auto add = [this](const char* field, const char* class_name) {
        auto* box = find<QComboBox>(QStringLiteral("chain_") + QLatin1String(field));
        const int index = box->findText(QLatin1String(class_name));
        ASSERT_GE(index, 0) << class_name;
        emit box->activated(index);
    };
    add("layers", "Conv2D");
    EXPECT_EQ(classes("layers"), "BatchNormalization Conv2D");
    EXPECT_EQ(printed(), "Input Conv2D Residual MaxPooling2D Flatten Dense Dense Compile") << "32 filters with padding";
    text("filters")->selectAll();
    QTest::keyClicks(text("filters"), "8");
    EXPECT_EQ(layer(1).config.getObjects("layers")[1].get().config.getInt("filters", 0), 8);
    EXPECT_EQ(page_->findChild<QComboBox*>("chain_layers")->findText("Residual"), -1);
    QTest::mouseClick(find<QToolButton>("memberUp_layers_1"), Qt::LeftButton);
    EXPECT_EQ(classes("layers"), "Conv2D BatchNormalization");
    EXPECT_EQ(text("filters")->text(), "8") << "its settings stay open";
    add("shortcut", "Conv2D");
    EXPECT_EQ(classes("shortcut"), "Conv2D");
    QTest::mouseClick(find<QToolButton>("memberRemove_shortcut_0"), Qt::LeftButton);
    EXPECT_EQ(layer(1).config.find("shortcut"), nullptr);
    for (int steps = 0; steps < 3; ++steps) project.undoStack().undo();
    EXPECT_EQ(classes("layers"), "BatchNormalization Conv2D");
    EXPECT_EQ(classes("shortcut"), "");
    shoot("model-residual");
}

// An RNN begins with one cell, which becomes a stack by a second one, and again a cell without it.
TEST_F(ModelPageTest, EditsTheCellsOfAnRnn) {
    studio_.session().project().change("Add cells", [](engine::spec::RunSpec& run) {
        run.model.layers.insert(run.model.layers.begin() + 1, {"RNN", "rnn", engine::spec::startingFields("RNN")});
    });
    EXPECT_EQ(page_->canvas().content().nodes[2].settings.toStdString(), "LSTMCell");
    ASSERT_TRUE(page_->reveal("model.layers[1]"));
    auto* box = find<QComboBox>(QStringLiteral("chain_cell"));
    EXPECT_EQ(box->findText(QStringLiteral("LSTM")), -1);
    emit box->activated(box->findText(QStringLiteral("GRUCell")));
    ASSERT_EQ(layer(1).config.getObjects("cell").size(), 2U);
    text("units")->selectAll();
    QTest::keyClicks(text("units"), "8");
    EXPECT_EQ(layer(1).config.getObjects("cell")[1].get().config.getInt("units", 0), 8);
    QTest::mouseClick(find<QToolButton>("memberRemove_cell_0"), Qt::LeftButton);
    ASSERT_NE(layer(1).config.getObject("cell"), nullptr);
    EXPECT_EQ(layer(1).config.getObject("cell")->class_name, "GRUCell");
}

class CallbackForm : public ModelPageTest {
protected:
    void SetUp() override {
        ModelPageTest::SetUp();
        studio_.session().project().create();
        ASSERT_TRUE(page_->reveal("callbacks"));
    }
    const engine::spec::ObjectSpec* callback(const std::string& class_name) {
        for (const auto& one : studio_.session().project().spec().callbacks) {
            if (one.class_name == class_name) return &one;
        }
        return nullptr;
    }
    QAbstractButton& button(const QString& name) { return *find<QAbstractButton>("callback_" + name); }
    void press(const QString& name) {
        find<QScrollArea>("modelProperties")->ensureWidgetVisible(&button(name));
        QTest::mouseClick(&button(name), Qt::LeftButton);
    }
    void type(const QString& field, const QString& value) {
        text(field)->selectAll();
        QTest::keyClicks(text(field), value);
    }
};

TEST_F(CallbackForm, OfANewProjectHasCheckpointsAndABackup) {
    EXPECT_EQ(QApplication::focusWidget(), &button("model_checkpoint")) << "where one is taken";
    const QStringList names{"model_checkpoint",     "backup_and_restore", "early_stopping",
                            "reduce_lr_on_plateau", "csv_logger",         "tensor_board",
                            "terminate_on_nan",     "swap_ema_weights",   "print_lr"};
    for (const QString& name : names)
        EXPECT_EQ(button(name).isChecked(), name == "model_checkpoint" || name == "backup_and_restore") << name.toStdString();
    EXPECT_NE(callback("ModelCheckpoint"), nullptr);
    EXPECT_NE(callback("BackupAndRestore"), nullptr) << "a run that was lost goes on";
    EXPECT_EQ(page_->findChild<QWidget*>("field_model_checkpoint_filepath"), nullptr) << "settings are shown when they are asked for";
    shoot("callbacks");
}

TEST_F(CallbackForm, SwitchesEachOnAndOffAndTheProjectStaysOneThatIsUnderstood) {
    for (const auto& schema : engine::spec::callbackSchemas()) {
        if (schema.class_name == "LearningRateScheduler") continue;  // has its table beside the rate
        const QString name = schema.class_name == "ReduceLROnPlateau" ? "reduce_lr_on_plateau"
                             : schema.class_name == "CSVLogger"       ? "csv_logger"
                             : schema.class_name == "TensorBoard"     ? "tensor_board"
                             : schema.class_name == "TerminateOnNaN"  ? "terminate_on_nan"
                             : schema.class_name == "PrintLR"         ? "print_lr"
                             : schema.class_name == "SwapEMAWeights"  ? "swap_ema_weights"
                             : schema.class_name == "ModelCheckpoint" ? "model_checkpoint"
                             : schema.class_name == "EarlyStopping"   ? "early_stopping"
                                                                      : "backup_and_restore";
        if (button(name).isChecked()) press(name);
        ASSERT_EQ(callback(schema.class_name), nullptr) << schema.class_name;
        press(name);
        ASSERT_NE(callback(schema.class_name), nullptr) << schema.class_name;
        EXPECT_EQ(QApplication::focusWidget(), &button(name)) << "the focus stays";
        for (const auto& field : schema.fields) {
            const bool has_choice = !(field.minimum == 0 && field.maximum == 0);
            const QString editor = QStringLiteral("field_%1_%2").arg(name, QString::fromStdString(field.name));
            EXPECT_EQ(page_->findChild<QWidget*>(editor) != nullptr, has_choice) << editor.toStdString();
        }
        for (const auto& found : studio_.session().project().diagnostics())
            EXPECT_FALSE(QString::fromStdString(found.path).startsWith("callbacks")) << toString(found);
    }
    auto* form = find<QScrollArea>("modelProperties");
    EXPECT_TRUE(tests::waitUntil([&] {
        return form->viewport()->rect().contains(button("tensor_board").mapTo(form->viewport(), QPoint(8, 8)));
    })) << "what was pressed is still looked at";
    shoot("callbacks-all");
    EXPECT_EQ(studio_.session().project().spec().callbacks.size(), 9U);
    const std::string json = toProjectJson(studio_.session().project().spec());
    EXPECT_EQ(engine::spec::parseProject(json).run, studio_.session().project().spec());
    press("print_lr");
    EXPECT_EQ(callback("PrintLR"), nullptr);
    studio_.session().project().undoStack().undo();
    EXPECT_NE(callback("PrintLR"), nullptr);
    EXPECT_TRUE(button("print_lr").isChecked());
}

TEST_F(CallbackForm, SetsWhatItShows) {
    find<QToolButton>("callbackSettings_model_checkpoint")->click();
    EXPECT_EQ(text("model_checkpoint_save_freq")->text(), "epoch");
    type("model_checkpoint_save_freq", "50");
    EXPECT_EQ(callback("ModelCheckpoint")->config.getInt("save_freq", 0), 50);
    type("model_checkpoint_save_freq", "epo");
    EXPECT_EQ(text("model_checkpoint_save_freq")->toolTip(), "Expected epoch or a whole number");
    type("model_checkpoint_save_freq", "epoch");
    EXPECT_EQ(callback("ModelCheckpoint")->config.find("save_freq"), nullptr) << "what a field is anyway is not written";
    press("early_stopping");
    press("reduce_lr_on_plateau");
    type("early_stopping_patience", "3");
    EXPECT_EQ(callback("EarlyStopping")->config.getInt("patience", 0), 3);
    EXPECT_EQ(callback("ReduceLROnPlateau")->config.getInt("patience", 10), 10) << "each has a patience of its own";
    auto* monitor = find("field_early_stopping_monitor")->findChild<QComboBox*>();
    ASSERT_NE(monitor, nullptr) << "chosen among what the run logs";
    EXPECT_EQ(monitor->currentText(), "val_loss");
    ASSERT_GE(monitor->findText("val_accuracy"), 0);
    emit monitor->activated(monitor->findText("val_accuracy"));
    EXPECT_EQ(callback("EarlyStopping")->config.getString("monitor", ""), "val_accuracy");
    find<QToolButton>("callbackSettings_early_stopping")->click();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_EQ(page_->findChild<QWidget*>("field_early_stopping_patience"), nullptr);
    EXPECT_EQ(callback("EarlyStopping")->config.getInt("patience", 0), 3) << "hidden, not lost";
}

TEST_F(CallbackForm, MonitorsWhatARunWithoutValidationLogs) {
    studio_.session().project().change("No validation", [](engine::spec::RunSpec& run) {
        run.data.validate_on_test = false;
        run.data.validation_split = 0;
    });
    press("early_stopping");
    EXPECT_EQ(callback("EarlyStopping")->config.getString("monitor", "val_loss"), "loss");
    for (const auto& found : studio_.session().project().diagnostics())
        EXPECT_FALSE(QString::fromStdString(found.path).startsWith("callbacks")) << toString(found);
}

TEST_F(CallbackForm, IsOpenedAtWhatIsWrong) {
    studio_.session().project().change("Break it", [](engine::spec::RunSpec& run) {
        run.callbacks.push_back({"ReduceLROnPlateau", {}});
        run.callbacks.push_back({"EarlyStopping", {{"monitor", "val_los"}, {"patience", std::int64_t{2}}}});
    });
    EXPECT_EQ(printed(), "Input Compile!");
    EXPECT_TRUE(page_->reveal("callbacks.early_stopping.monitor"));
    auto* monitor = find("field_early_stopping_monitor")->findChild<QComboBox*>();
    ASSERT_NE(monitor, nullptr);
    EXPECT_EQ(QApplication::focusWidget(), monitor);
    EXPECT_EQ(monitor->currentText(), "val_los") << "what the project says, though the run logs no such thing";
    EXPECT_TRUE(find("layerError")->isVisible());
    EXPECT_TRUE(page_->reveal("callbacks.reduce_lr_on_plateau.patience"));
    EXPECT_EQ(QApplication::focusWidget(), text("reduce_lr_on_plateau_patience"));
    EXPECT_TRUE(page_->reveal("fit.epochs"));
    EXPECT_EQ(QApplication::focusWidget(), text("epochs"));
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

TEST_F(ModelPageTest, AFieldLeavesUndoToTheWindowUnlessItHoldsWhatIsNoValue) {
    page_->reveal("model.layers[3]");
    QLineEdit* units = text("units");
    units->setFocus();
    const auto keeps = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
        QKeyEvent override(QEvent::ShortcutOverride, key, modifiers);
        override.ignore();
        QApplication::sendEvent(units, &override);
        return override.isAccepted();
    };
    EXPECT_FALSE(keeps(Qt::Key_Z, Qt::ControlModifier));
    EXPECT_FALSE(keeps(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier));
    EXPECT_TRUE(keeps(Qt::Key_C, Qt::ControlModifier)) << "the others are the field's";
    units->selectAll();
    QTest::keyClicks(units, "12");
    EXPECT_FALSE(keeps(Qt::Key_Z, Qt::ControlModifier)) << "it is in the project";
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(units->text(), "64");
    QTest::keyClicks(units, "x");
    EXPECT_TRUE(keeps(Qt::Key_Z, Qt::ControlModifier)) << "typed and no value";
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
    // Its beginning is a number within the limits, the whole is none.
    filters->selectAll();
    QTest::keyClicks(filters, "9999");
    EXPECT_EQ(layer(0).config.getInt("filters", 0), 9999);
    QTest::keyClicks(filters, "99999999");
    EXPECT_EQ(layer(0).config.getInt("filters", 0), 32);
    QFocusEvent leave(QEvent::FocusOut, Qt::TabFocusReason);
    QCoreApplication::sendEvent(filters, &leave);
    EXPECT_EQ(filters->text(), "32");
    EXPECT_FALSE(filters->property("invalid").toBool());
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

TEST_F(ModelPageTest, ScalesTheLossByASwitch) {
    ASSERT_TRUE(page_->reveal("compile.optimizer"));
    const auto scale = [this] { return studio_.session().project().spec().compile.loss_scale; };
    ASSERT_FALSE(scale().has_value());
    QTest::mouseClick(find("field_loss_scale")->findChild<QAbstractButton*>(), Qt::LeftButton);
    ASSERT_TRUE(scale().has_value());
    EXPECT_TRUE(page_->canvas().content().nodes.back().settings.startsWith("LossScaleOptimizer(SGD)"));
    text("initial_scale")->selectAll();
    QTest::keyClicks(text("initial_scale"), "1024");
    text("dynamic_growth_steps")->selectAll();
    QTest::keyClicks(text("dynamic_growth_steps"), "50");
    EXPECT_EQ(scale()->initial_scale, 1024);
    EXPECT_EQ(scale()->dynamic_growth_steps, 50);
    QTest::mouseClick(find("field_loss_scale")->findChild<QAbstractButton*>(), Qt::LeftButton);
    EXPECT_FALSE(scale().has_value());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_EQ(page_->findChild<QWidget*>("field_initial_scale"), nullptr) << "its fields go with it";
}

TEST_F(ModelPageTest, AnEstimatorsFormSetsExportersAndDelays) {
    ASSERT_TRUE(page_->reveal("compile.optimizer"));
    const auto estimator = [this] { return studio_.session().project().spec().estimator; };
    auto* api = find("field_estimator")->findChild<QComboBox*>();
    ASSERT_NE(api, nullptr);
    emit api->activated(api->findText("Estimator"));
    ASSERT_TRUE(estimator());
    QTest::mouseClick(find("field_best_exporter")->findChild<QAbstractButton*>(), Qt::LeftButton);
    QTest::mouseClick(find("field_final_exporter")->findChild<QAbstractButton*>(), Qt::LeftButton);
    EXPECT_EQ(estimator()->eval_spec.exporters, (std::vector<engine::spec::ObjectSpec>{{"BestExporter", {}}, {"FinalExporter", {}}}));
    QTest::mouseClick(find("field_best_exporter")->findChild<QAbstractButton*>(), Qt::LeftButton);
    EXPECT_EQ(estimator()->eval_spec.exporters, (std::vector<engine::spec::ObjectSpec>{{"FinalExporter", {}}}));
    text("experimental_max_worker_delay_secs")->selectAll();
    QTest::keyClicks(text("experimental_max_worker_delay_secs"), "20");
    EXPECT_EQ(estimator()->run_config.experimental_max_worker_delay_secs, 20);
}

TEST_F(ModelPageTest, AnEstimatorsFormShowsItsLabelsWholeInEveryLanguage) {
    StudioTranslator translator;
    ASSERT_TRUE(page_->reveal("compile.optimizer"));
    auto* api = find("field_estimator")->findChild<QComboBox*>();
    emit api->activated(api->findText("Estimator"));
    for (const char* language : {"ko", "zh_CN", "en"}) {
        translator.setLanguage(language);
        themes_.setLanguage(language);
        QEvent changed(QEvent::LanguageChange);
        QApplication::sendEvent(page_.get(), &changed);
        for (const int width : {260, 312, 420}) {
            splitter().setChosen(QStringLiteral("1:%1,0").arg(width));
            ASSERT_TRUE(tests::waitUntil([&] { return find("modelProperties")->width() == width; }));
            QCoreApplication::processEvents();  // the form's own places
            const auto* form = find<QScrollArea>("modelProperties");
            EXPECT_LE(form->widget()->width(), form->viewport()->width()) << language << width;
            for (const char* field :
                 {"name", "max_steps", "input_repeats", "final_exporter", "latest_exporter", "best_exporter", "steps", "start_delay_secs",
                  "throttle_secs", "save_checkpoints_steps", "save_checkpoints_secs", "keep_checkpoint_max", "log_step_count_steps",
                  "save_summary_steps", "experimental_max_worker_delay_secs"}) {
                auto* label = find<QLabel>(QStringLiteral("label_") + QLatin1String(field));
                const std::string where =
                    std::string(field) + " in " + language + " at " + std::to_string(width) + ": " + label->text().toStdString();
                const QRect room = label->contentsRect();
                const QRect ink =
                    label->fontMetrics().boundingRect(QRect(0, 0, room.width(), QWIDGETSIZE_MAX), Qt::TextWordWrap, label->text());
                EXPECT_LE(ink.width(), room.width()) << where;
                EXPECT_LE(ink.height(), room.height()) << where;
                label->grab();  // the tooltip follows when it is painted
                EXPECT_NE(label->toolTip().section(QLatin1Char('\n'), 0, 0), label->text()) << where;
            }
        }
        shoot(QStringLiteral("model-estimator-") + QLatin1String(language));
    }
    splitter().reset();
}

// The longest names that forms have: of metrics, of layers that a chain offers, and the lines of the rates by epoch.
TEST_F(ModelPageTest, NoFormIsWiderThanItsDock) {
    session::Project& project = studio_.session().project();
    project.change("Add a block and a table", [](engine::spec::RunSpec& run) {
        run.model.layers.insert(run.model.layers.begin() + 1, {"Residual", "residual", engine::spec::startingFields("Residual")});
        engine::spec::setRateKind(run, std::string(engine::spec::kRateTable), 1000, 10);
    });
    for (const char* path : {"model.layers[0]", "model.layers[1]", "compile.optimizer"}) {
        ASSERT_TRUE(page_->reveal(QLatin1String(path)));
        for (const int width : {260, 312, 420}) {
            splitter().setChosen(QStringLiteral("1:%1,0").arg(width));
            ASSERT_TRUE(tests::waitUntil([&] { return find("modelProperties")->width() == width; }));
            QCoreApplication::processEvents();  // the form's own places
            const auto* form = find<QScrollArea>("modelProperties");
            EXPECT_LE(form->widget()->width(), form->viewport()->width()) << path << ' ' << width;
        }
    }
    splitter().reset();
    const auto* remove = find<QToolButton>("removeEpoch_0");
    EXPECT_LE(remove->geometry().right(), find<QScrollArea>("modelProperties")->viewport()->width());
}

// A form is made anew all the time: Tab goes through it where it stands, not behind all else.
TEST_F(ModelPageTest, TabGoesFromThePanelIntoItsForm) {
    for (const char* path : {"model.layers[0]", "compile.optimizer", "model.layers[3]"}) {
        ASSERT_TRUE(page_->reveal(QLatin1String(path)));
        auto* form = find<QScrollArea>("modelProperties");
        const QWidget* next = form->nextInFocusChain();
        while (next != form && ((next->focusPolicy() & Qt::TabFocus) == 0 || !next->isVisible())) next = next->nextInFocusChain();
        EXPECT_TRUE(form->widget()->isAncestorOf(next)) << path << ": " << next->objectName().toStdString();
    }
}

TEST_F(ModelPageTest, ALongClassNameStaysInItsNode) {
    studio_.session().project().change("Add a layer", [](engine::spec::RunSpec& run) {
        run.model.layers.insert(run.model.layers.begin(), {"ContrastLimitedAdaptiveHistogramEqualization", "clahe", {}});
    });
    ASSERT_TRUE(page_->reveal("model.layers[0]"));
    QCoreApplication::processEvents();
    const auto texts = tests::paintedTexts(page_->canvas());
    const auto type = std::find_if(texts.begin(), texts.end(), [](const auto& one) { return one.text.startsWith("ContrastLimited"); });
    ASSERT_NE(type, texts.end());
    EXPECT_TRUE(type->elided) << "its node is 340 wide";
    EXPECT_TRUE(std::none_of(texts.begin(), texts.end(), [](const auto& one) { return one.text == "clahe"; })) << "no room is left";
}

// Columns come, change and go; each value is one that the project's rules take, and undo takes back a step.
TEST_F(ModelPageTest, TheFormOfFeatureColumnsSaysWhatASampleIsMadeOf) {
    session::Project& project = studio_.session().project();
    const auto column = [&](std::size_t index) { return project.spec().data.feature_columns.at(index); };
    const auto count = [&] { return project.spec().data.feature_columns.size(); };
    const auto isRefused = [&](const std::string& path) {
        const auto& found = project.diagnostics();
        return std::any_of(found.begin(), found.end(), [&](const auto& one) { return one.path.starts_with(path); });
    };
    const auto choose = [&](std::size_t index, const char* kind) {
        auto* box = find(QStringLiteral("field_kind_%1").arg(index))->findChild<QComboBox*>();
        emit box->activated(box->findText(kind));
    };
    const auto type = [&](const char* field, const char* value) {
        text(field)->setFocus();
        text(field)->selectAll();
        QTest::keyClicks(text(field), value);
    };
    ASSERT_TRUE(page_->reveal("model.input_shape"));
    EXPECT_EQ(page_->findChild<QWidget*>("addColumn"), nullptr) << "pictures have none";
    project.change("Use a table", [](engine::spec::RunSpec& run) {
        run.data = {};
        run.data.dataset = "csv";
        run.data.train_files = {"people.csv"};
        run.data.csv.label = "x";
        run.data.csv.features = {"age"};
        run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{1}}}}};
    });
    ASSERT_TRUE(page_->reveal("model.input_shape"));
    // By keyboard: the button adds, and the first field of the new column has the focus.
    find("addColumn")->setFocus();
    QTest::keyClick(find("addColumn"), Qt::Key_Space);
    ASSERT_EQ(count(), 1U);
    EXPECT_EQ(column(0), (engine::spec::ObjectSpec{"NumericColumn", {{"key", "x_1"}}})) << "x is the label";
    EXPECT_TRUE(project.spec().data.csv.features.empty()) << "columns take their place";
    EXPECT_TRUE(text("key_0")->hasFocus());
    QTest::keyClicks(text("key_0"), "age");
    EXPECT_EQ(column(0).config.getString("key", {}), "age");
    EXPECT_EQ(project.spec().model.input_shape, (engine::spec::Shape{1}));
    EXPECT_FALSE(isRefused("data.feature_columns"));
    choose(0, "BucketizedColumn");
    EXPECT_EQ(column(0).config.getString("key", {}), "age") << "the key stays";
    type("boundaries_0", "18, 65");
    EXPECT_EQ(column(0).config.getDoubles("boundaries", {}), (std::vector<double>{18, 65}));
    EXPECT_EQ(project.spec().model.input_shape, (engine::spec::Shape{3})) << "the input is as long as the columns make it";
    EXPECT_FALSE(isRefused("data.feature_columns") || isRefused("model.input_shape"));
    type("boundaries_0", "65, 18");
    EXPECT_TRUE(isRefused("data.feature_columns[0].boundaries"));
    EXPECT_NE(printed().find("Input!"), std::string::npos) << "the node has what is wrong with its columns";
    project.undoStack().undo();
    EXPECT_EQ(column(0).config.getDoubles("boundaries", {}), std::vector<double>{0}) << "typing in one field is one step of undo";

    find<QPushButton>("addColumn")->click();
    ASSERT_EQ(count(), 2U);
    choose(1, "CategoricalColumnWithVocabularyList");
    type("vocabulary_list_1", "red, \"dark, blue\", it's");
    const auto vocabulary = [&] { return std::get<std::vector<std::string>>(*column(1).config.find("vocabulary_list")); };
    EXPECT_EQ(vocabulary(), (std::vector<std::string>{"red", "dark, blue", "it's"}));
    EXPECT_EQ(project.spec().model.input_shape, (engine::spec::Shape{5}));
    type("key_1", "colour");
    type("vocabulary_list_1", "red, ");
    EXPECT_TRUE(text("vocabulary_list_1")->property("invalid").toBool());
    EXPECT_EQ(vocabulary().size(), 3U) << "what is no list stays in the field";
    text("num_oov_buckets_1")->setFocus();
    EXPECT_FALSE(text("vocabulary_list_1")->property("invalid").toBool()) << "and goes with the focus";
    type("num_oov_buckets_1", "1");
    EXPECT_EQ(project.spec().model.input_shape, (engine::spec::Shape{6}));
    EXPECT_EQ(text("vocabulary_list_1")->text().toStdString(), "red, \"dark, blue\", it's");
    shoot("model-columns");
    for (const char* kind : {"CategoricalColumnWithIdentity", "CategoricalColumnWithHashBucket", "NumericColumn"}) {
        choose(1, kind);
        EXPECT_EQ(column(1).class_name, kind);
        EXPECT_FALSE(isRefused("data.feature_columns") || isRefused("model.input_shape")) << kind << " fits from the start";
    }
    QTest::keyClick(find("removeColumn_0"), Qt::Key_Space);
    ASSERT_EQ(count(), 1U);
    EXPECT_EQ(column(0).class_name, "NumericColumn");
    project.undoStack().undo();
    EXPECT_EQ(count(), 2U);
    EXPECT_EQ(column(0).class_name, "BucketizedColumn");
    // A finding leads to its field.
    ASSERT_TRUE(page_->reveal("model.layers[0]"));
    ASSERT_TRUE(page_->reveal("data.feature_columns[1].key"));
    EXPECT_TRUE(text("key_1")->hasFocus());
}

TEST_F(ModelPageTest, SetsAChoiceBackToNone) {
    ASSERT_TRUE(page_->reveal("model.layers[0]"));
    auto* box = find("field_kernel_regularizer")->findChild<QComboBox*>();
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->currentText(), "None");
    ASSERT_GT(box->findText("L2"), 0);
    emit box->activated(box->findText("L2"));
    const auto* set = layer(0).config.getObject("kernel_regularizer");
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->class_name, "L2");
    EXPECT_EQ(box->currentText(), "L2");
    emit box->activated(0);
    EXPECT_EQ(layer(0).config.find("kernel_regularizer"), nullptr);
    EXPECT_EQ(box->currentText(), "None");
    const auto left = [this](const char* field) { return text(field)->mapTo(page_.get(), QPoint(0, 0)).x(); };
    EXPECT_TRUE(tests::waitUntil([&] { return left("kernel_size") == left("filters"); })) << "a pair begins where the others begin";
    EXPECT_EQ(text("filters")->width(), 150);
    splitter().setChosen(QStringLiteral("1:260,0"));
    EXPECT_TRUE(tests::waitUntil([&] { return text("filters")->width() < 130; })) << "labels have room in a narrow panel";
    splitter().reset();
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

// A long name in a finding breaks; it does not push the fields of the form out of the dock.
TEST_F(ModelPageTest, ALongNameInAFindingLeavesTheFormItsWidth) {
    studio_.session().project().change("Add a metric of values", [](engine::spec::RunSpec& run) {
        run.compile.metrics = {engine::spec::MetricSpec("F1Score", {{"average", "macro"}})};
    });
    ASSERT_TRUE(page_->reveal("compile"));
    ASSERT_TRUE(find("layerError")->isVisible());
    EXPECT_TRUE(find<QLabel>("layerErrorExpected")->text().remove(QChar(0x200B)).contains("SparseCategoricalCrossentropy"));
    const auto* form = find<QScrollArea>("modelProperties");
    for (const int width : {420, 312}) {
        splitter().setChosen(QStringLiteral("1:%1,0").arg(width));
        ASSERT_TRUE(tests::waitUntil([&] { return form->width() == width; }));
        EXPECT_TRUE(tests::waitUntil([&] { return form->widget()->width() <= form->viewport()->width(); })) << width;
    }
    shoot("model-long-name");
    splitter().reset();
}

TEST_F(ModelPageTest, EditsLossAndOptimizerInTheSamePanel) {
    ASSERT_TRUE(page_->reveal("compile"));
    EXPECT_NE(find("field_from_logits"), nullptr);
    QLineEdit* rate = text("learning_rate");
    rate->selectAll();
    QTest::keyClicks(rate, "0.05");
    EXPECT_DOUBLE_EQ(studio_.session().project().spec().compile.optimizer.config.getDouble("learning_rate", 0), 0.05);
    shoot("model-compile");
}

// A metric that is ticked is complete, and its box speaks of its class with any settings.
TEST_F(ModelPageTest, TicksMetricsAsTheProjectHasThem) {
    ASSERT_TRUE(page_->reveal("compile"));
    const auto metrics = [this]() -> const auto& {
        return studio_.session().project().spec().compile.metrics;
    };
    auto* box = find<QCheckBox>("metric_f1_score");
    ASSERT_NE(box, nullptr);
    EXPECT_FALSE(box->isChecked());
    box->click();
    EXPECT_EQ(metrics().back(), engine::spec::MetricSpec("F1Score", {{"average", "macro"}}));
    studio_.session().project().change("Weigh the classes",
                                       [](engine::spec::RunSpec& run) { run.compile.metrics.back().config.set("average", "weighted"); });
    ASSERT_TRUE(page_->reveal("model.layers[0]"));
    ASSERT_TRUE(page_->reveal("compile"));
    box = find<QCheckBox>("metric_f1_score");
    EXPECT_TRUE(box->isChecked());
    box->click();
    EXPECT_EQ(metrics(), (std::vector<engine::spec::MetricSpec>{"accuracy"}));
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

class ModelCodeTest : public ModelPageTest {
protected:
    void SetUp() override {
        ModelPageTest::SetUp();
        page_->setView(ModelPage::View::kSplit);
        editor_ = find<CodeEditor>("codeEditor");
        ASSERT_NE(editor_, nullptr);
        editor_->setFocus();
    }
    std::string code() { return editor_->toPlainText().toStdString(); }
    std::string state() { return find<widgets::StatusPill>("codeState")->text().toStdString(); }
    // As a user would: selects the text and types another in its place.
    void retype(const QString& from, const QString& to) {
        const int at = static_cast<int>(editor_->toPlainText().indexOf(from));
        ASSERT_GE(at, 0) << from.toStdString();
        QTextCursor cursor = editor_->textCursor();
        cursor.setPosition(at);
        cursor.setPosition(at + static_cast<int>(from.size()), QTextCursor::KeepAnchor);
        editor_->setTextCursor(cursor);
        if (to.isEmpty()) QTest::keyClick(editor_, Qt::Key_Delete);
        const QStringList lines = to.split('\n');
        for (int line = 0; line < lines.size(); ++line) {
            if (line > 0) QTest::keyClick(editor_, Qt::Key_Return);
            QTest::keyClicks(editor_, lines[line]);
        }
    }
    bool waitForState(const std::string& wanted) {
        return tests::waitUntil([&] { return state() == wanted; });
    }
    static QString seed(const char* name) {
        std::ifstream file(std::string(TANDEM_TEST_DATA) + "/code/" + name);
        return QString::fromStdString({std::istreambuf_iterator<char>(file), {}});
    }

    CodeEditor* editor_ = nullptr;
};

TEST_F(ModelCodeTest, FollowsTheCanvasAndChangesIt) {
    EXPECT_EQ(code().substr(0, 26), "model = keras.Sequential([");
    EXPECT_EQ(state(), "In step");
    page_->reveal("model.layers[0]");
    ASSERT_FALSE(editor_->marks().empty());
    EXPECT_EQ(editor_->marks()[0], (CodeMark{CodeMark::Kind::kSelected, 2, 3, {}}));
    shoot("model-split");
    // What is typed changes the canvas, as one step of undo.
    retype("Dense(64", "Dense(128");
    ASSERT_TRUE(tests::waitUntil([&] { return layer(3).config.getInt("units", 0) == 128; })) << state() << '\n' << code();
    EXPECT_EQ(page_->canvas().content().edges[4].shape, (engine::spec::Shape{128}));
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(layer(3).config.getInt("units", 0), 64);
    EXPECT_NE(code().find("Dense(64"), std::string::npos);
    // What is done on the canvas stands in the code.
    page_->canvas().setFocus();
    page_->reveal("model.layers[3]");
    QTest::keyClick(&page_->canvas(), Qt::Key_D, Qt::ControlModifier);
    EXPECT_NE(code().find("layers.Dense(64, activation='relu',\n               name='dense_2'),\n"), std::string::npos) << code();
    EXPECT_EQ(state(), "In step");
}

TEST_F(ModelCodeTest, WhatWasTypedStaysWhenTheProjectChangesBeforeItIsRead) {
    retype("Dense(64", "Dense(128");
    session::Project& project = studio_.session().project();
    project.change("Epochs", [](engine::spec::RunSpec& run) { run.fit.epochs = 7; });
    EXPECT_NE(code().find("Dense(128"), std::string::npos) << code();
    retype("from_logits=True", "from_logits=False");
    project.change("Threads", [](engine::spec::RunSpec& run) { run.cluster.threads_per_task = 3; });
    ASSERT_TRUE(tests::waitUntil([&] { return layer(3).config.getInt("units", 0) == 128; })) << state() << '\n' << code();
    ASSERT_TRUE(tests::waitUntil([&] { return !project.spec().compile.loss.config.getBool("from_logits", false); })) << code();
    EXPECT_EQ(project.spec().fit.epochs, 7);
    EXPECT_EQ(project.spec().cluster.threads_per_task, 3);
    EXPECT_EQ(state(), "In step") << code();
}

TEST_F(ModelCodeTest, KeepsTheLastGoodStateAndMarksTheLine) {
    const engine::spec::ModelSpec before = studio_.session().project().spec().model;
    retype("Flatten()", "Flatten(");
    ASSERT_TRUE(tests::waitUntil([&] { return state().starts_with("Line "); })) << state();
    EXPECT_EQ(studio_.session().project().spec().model, before);
    const auto& marks = editor_->marks();
    EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [](const CodeMark& mark) { return mark.kind == CodeMark::Kind::kError; }));
    shoot("model-code-error");
    retype("Flatten(", "Flatten()");
    ASSERT_TRUE(waitForState("In step"));
    // A class that is not known here: nothing of the text applies until it is another one.
    retype("layers.Flatten", "layers.Attention");
    retype("epochs=10", "epochs=5");
    ASSERT_TRUE(waitForState("Line 5 not read")) << state();
    EXPECT_EQ(studio_.session().project().spec().model, before);
    EXPECT_EQ(studio_.session().project().spec().fit.epochs, 10);
    retype("layers.Attention", "layers.Flatten");
    ASSERT_TRUE(tests::waitUntil([&] { return studio_.session().project().spec().fit.epochs == 5; }));
    EXPECT_EQ(state(), "In step");
}

TEST_F(ModelCodeTest, TakesTheCodeOfADocument) {
    const QString model = QStringLiteral("model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\nmodel.compile('sgd', 'mse')\n");
    struct Row {
        const char* name;
        QString text;
    };
    const Row rows[] = {{"a fence at the end", model + "```\n"},
                        {"Markdown", "# A model\n\nIt has one layer.\n\n```python\n" + model + "```\n"},
                        {"prompts", ">>> " + QString(model).trimmed().replace("\n", "\n>>> ")},
                        {"indentation", "    " + QString(model).trimmed().replace("\n", "\n    ")}};
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        ASSERT_TRUE(studio_.session().project().openStarter("mnist_mirrored"));
        QApplication::clipboard()->setText(row.text);
        editor_->setFocus();
        editor_->selectAll();
        QTest::keyClick(editor_, Qt::Key_V, Qt::ControlModifier);
        EXPECT_EQ(printed(), "Input! Dense Compile!");
        EXPECT_EQ(state(), "In step");
        EXPECT_EQ(code().find("```"), std::string::npos) << code();
        // Beside the editor, too: the text is the code, with what it lacks behind it.
        ASSERT_TRUE(studio_.session().project().openStarter("mnist_mirrored"));
        page_->canvas().setFocus();
        QTest::keyClick(&page_->canvas(), Qt::Key_V, Qt::ControlModifier);
        EXPECT_EQ(printed(), "Input! Dense Compile!");
        EXPECT_THAT(code(), testing::HasSubstr("\n" + model.toStdString()));
    }
    // A part that can't be read: nothing is changed, and said so at once.
    ASSERT_TRUE(studio_.session().project().openStarter("mnist_mirrored"));
    const auto before = studio_.session().project().spec();
    for (const char* broken : {"model = keras.Sequential([layers.Attention(3)])\nmodel.compile('sgd', 'mse')\n",
                               "model = keras.Sequential([layers.Dense(3\nmodel.compile('sgd', 'mse')\n"}) {
        QApplication::clipboard()->setText(broken);
        page_->canvas().setFocus();
        QTest::keyClick(&page_->canvas(), Qt::Key_V, Qt::ControlModifier);
        EXPECT_EQ(studio_.session().project().spec(), before) << broken;
    }
}

// Text whose words can't follow a change is not called in step.
TEST_F(ModelCodeTest, SaysWhereTextAndProjectDiffer) {
    QApplication::clipboard()->setText(
        "model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\nsets = tfds.load('mnist')\n"
        "for batch in sets['train'].batch(4):\n    opt = keras.optimizers.SGD()\n"
        "    opt.minimize(keras.losses.MeanSquaredError()(x, y), w)\n");
    editor_->setFocus();
    editor_->selectAll();
    QTest::keyClick(editor_, Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(state(), "In step");
    studio_.session().project().change(QStringLiteral("x"), [](engine::spec::RunSpec& run) { run.data.dataset = "cifar10"; });
    EXPECT_EQ(state(), "Differs: data");
}

TEST_F(ModelCodeTest, LayersAreCopiedAndPastedAsKerasCode) {
    page_->setView(ModelPage::View::kCanvas);
    ASSERT_TRUE(studio_.session().project().openStarter("mnist_mirrored"));
    auto& canvas = page_->canvas();
    canvas.setFocus();
    const auto press = [&](Qt::Key key) { QTest::keyClick(&canvas, key, Qt::ControlModifier); };
    page_->reveal("model.layers[0]");
    press(Qt::Key_C);
    EXPECT_EQ(QApplication::clipboard()->text(), "layers.Conv2D(32, 3, activation='relu'),\n");
    page_->reveal("model.layers[1]");
    press(Qt::Key_V);
    ASSERT_EQ(printed(), "Input Conv2D MaxPooling2D Conv2D Flatten Dense Dense Compile");
    EXPECT_EQ(studio_.session().project().spec().model.layers[2].name, "conv2d_1");
    EXPECT_TRUE(studio_.session().project().undoStack().undoText().startsWith("Paste 1 layer"));
    press(Qt::Key_X);  // what was pasted is chosen
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Compile");
    studio_.session().project().create();
    press(Qt::Key_V);
    press(Qt::Key_V);
    ASSERT_EQ(printed(), "Input Conv2D Conv2D Compile!");
    EXPECT_EQ(studio_.session().project().spec().model.layers[1].name, "conv2d_1");
    QApplication::clipboard()->setText("  keras.layers.Flatten(),\n  tf.keras.layers.Dense(\n    10, name='last')\n");
    press(Qt::Key_V);
    ASSERT_EQ(printed(), "Input Conv2D Conv2D Flatten Dense Compile");
    EXPECT_EQ(studio_.session().project().spec().model.layers[3].name, "last");
    press(Qt::Key_V);
    ASSERT_EQ(studio_.session().project().spec().model.layers.size(), 6U);
    EXPECT_EQ(studio_.session().project().spec().model.layers[5].name, "dense") << "\"last\" is taken";
    for (int i = 0; i < 2; ++i) studio_.session().project().undoStack().undo();
    EXPECT_EQ(printed(), "Input Conv2D Conv2D Compile!");
    QApplication::clipboard()->setText("keras.Sequential([\n  layers.Flatten(input_shape=(28, 28, 1)),\n  layers.Dense(10)\n])");
    press(Qt::Key_V);
    EXPECT_EQ(printed(), "Input Flatten Dense Compile") << "a whole model is not put into the one that is there";
}

TEST_F(ModelCodeTest, TakesPastedTutorialsAndTfConfigs) {
    page_->setView(ModelPage::View::kCanvas);
    studio_.session().project().create();
    page_->canvas().setFocus();
    QApplication::clipboard()->setText(seed("keras_mirrored.py"));
    QTest::keyClick(&page_->canvas(), Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Compile");
    EXPECT_EQ(studio_.session().project().spec().callbacks.size(), 4U);
    EXPECT_TRUE(find("modelNotice")->isVisible());
    EXPECT_TRUE(find<QLabel>("modelNoticeText")
                    ->text()
                    .startsWith("Read from the clipboard: 5 layer(s), compile, rates by epoch, fit, MirroredStrategy."))
        << find<QLabel>("modelNoticeText")->text().toStdString();
    EXPECT_NE(code().find("os.path.join(folder"), std::string::npos) << "the text stays as it was pasted";
    page_->setView(ModelPage::View::kCode);
    shoot("model-code");
    // A change on the canvas rewrites the model's statement alone.
    page_->setView(ModelPage::View::kSplit);
    page_->reveal("model.layers[3]");
    page_->canvas().setFocus();
    QTest::keyClick(&page_->canvas(), Qt::Key_Delete);
    EXPECT_NE(code().find("os.path.join(folder"), std::string::npos);
    EXPECT_EQ(code().find("Dense(64"), std::string::npos);
    QApplication::clipboard()->setText(seed("estimator_two_workers_ko.py"));
    QTest::keyClick(&page_->canvas(), Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(studio_.session().project().spec().cluster.spec.taskCount("worker"), 2);
    EXPECT_EQ(studio_.session().project().spec().strategy.name, "MultiWorkerMirroredStrategy");
    QApplication::clipboard()->setText(R"(export TF_CONFIG='{"cluster": {"worker": ["a:1", "b:2", "c:3"]}}')");
    QTest::keyClick(&page_->canvas(), Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(studio_.session().project().spec().cluster.spec.taskCount("worker"), 3);
    const auto project = studio_.session().project().spec();
    QApplication::clipboard()->setText("dear diary");
    QTest::keyClick(&page_->canvas(), Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(studio_.session().project().spec(), project);
    EXPECT_TRUE(find<QLabel>("modelNoticeText")->text().contains("Nothing was changed"));
}

TEST_F(ModelCodeTest, CopiesCodeThatRuns) {
    find<QToolButton>("codeCopy")->click();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(),
              engine::spec::writeKerasCode(studio_.session().project().spec(), {.width = 48, .indent = 2, .imports = true}))
        << "with imports, strategy and data";
    retype("model = keras", "# my first\nmodel = keras");
    ASSERT_TRUE(tests::waitUntil([&] { return !studio_.session().project().spec().code.empty(); }));
    find<QToolButton>("codeCopy")->click();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), code()) << "a text of one's own as it stands";
}

TEST_F(ModelCodeTest, SavesTheTextThatSaysMoreThanTheProject) {
    const QTemporaryDir folder;
    retype("model = keras", "# my first\nmodel = keras");
    ASSERT_TRUE(tests::waitUntil([&] { return !studio_.session().project().spec().code.empty(); }));
    const std::string text = code();
    EXPECT_THAT(text, testing::StartsWith("# my first\nmodel = keras.Sequential(["));
    ASSERT_TRUE(studio_.session().project().saveAs(folder.filePath("mine.tandem")));
    studio_.session().project().create();
    EXPECT_EQ(code().find("# my first"), std::string::npos);
    ASSERT_TRUE(studio_.session().project().open(folder.filePath("mine.tandem")));
    EXPECT_EQ(code(), text);
    EXPECT_FALSE(studio_.session().project().isModified());
    // A change on the canvas keeps the comment; undoing goes back over both.
    page_->reveal("model.layers[3]");
    page_->canvas().setFocus();
    QTest::keyClick(&page_->canvas(), Qt::Key_Delete);
    EXPECT_EQ(code().find("Dense(64"), std::string::npos);
    EXPECT_THAT(code(), testing::StartsWith("# my first\nimport keras\nfrom keras import layers\n\nmodel = keras.Sequential(["))
        << "what is written into a text of one's own can run there";
    retype("# my first\n", "");
    ASSERT_TRUE(tests::waitUntil([&] { return studio_.session().project().spec().code.empty(); }));
    studio_.session().project().undoStack().undo();
    EXPECT_THAT(code(), testing::StartsWith("# my first\n"));
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(code(), text);
}

// Model, compile, strategy and cluster of a text that was pasted come and go together; what can't be read stays in it, marked.
TEST_F(ModelCodeTest, UndoesAPasteIntoTheTextAsAWhole) {
    const auto before = studio_.session().project().spec();
    const std::string text = code();
    QApplication::clipboard()->setText(
        "strategy = tf.distribute.MultiWorkerMirroredStrategy()\n"
        "os.environ['TF_CONFIG'] = json.dumps({'cluster': {'worker': ['a:1', 'b:2', 'c:3']}})\n"
        "model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\n"
        "model.compile(optimizer='sgd', loss='mse')\n"
        "model.fit(data, epochs=)\n");
    editor_->setFocus();
    editor_->selectAll();
    QTest::keyClick(editor_, Qt::Key_V, Qt::ControlModifier);
    const auto& project = studio_.session().project().spec();
    EXPECT_EQ(project.model, before.model) << "all or nothing";
    EXPECT_EQ(project.compile, before.compile);
    EXPECT_EQ(project.cluster, before.cluster);
    EXPECT_EQ(project.fit, before.fit);
    EXPECT_EQ(state(), "Line 5 not read");
    EXPECT_NE(code().find("epochs=)"), std::string::npos);
    EXPECT_NE(project.code.find("epochs=)"), std::string::npos) << "kept with the project";
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(studio_.session().project().spec(), before);
    EXPECT_EQ(code(), text);
    // With its last line whole.
    QApplication::clipboard()->setText(QApplication::clipboard()->text().replace("epochs=)", "epochs=7)"));
    editor_->setFocus();
    editor_->selectAll();
    QTest::keyClick(editor_, Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(printed(), "Input! Dense Compile!");
    EXPECT_EQ(project.compile.optimizer.class_name, "SGD");
    EXPECT_EQ(project.cluster.spec.taskCount("worker"), 3);
    EXPECT_EQ(project.fit.epochs, 7);
    EXPECT_EQ(state(), "1 place(s) kept as text") << "the TF_CONFIG names no task";
    // The editor leaves the key to the window.
    QKeyEvent override(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    override.ignore();
    QApplication::sendEvent(editor_, &override);
    EXPECT_FALSE(override.isAccepted());
    EXPECT_EQ(studio_.session().project().undoStack().undoText(), "Paste code");
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(studio_.session().project().spec(), before);
    EXPECT_EQ(code(), text);
    EXPECT_FALSE(studio_.session().project().undoStack().canUndo());
    studio_.session().project().undoStack().redo();
    EXPECT_EQ(project.cluster.spec.taskCount("worker"), 3);
}

// Typing that was not read yet is a step of its own before the window undoes it.
TEST_F(ModelCodeTest, UndoesWhatWasJustTyped) {
    const auto before = studio_.session().project().spec();
    retype("Dense(64", "Dense(128");
    QKeyEvent override(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    QApplication::sendEvent(editor_, &override);
    EXPECT_EQ(layer(3).config.getInt("units", 0), 128);
    const int cursor = editor_->textCursor().blockNumber();
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(studio_.session().project().spec(), before);
    EXPECT_EQ(editor_->textCursor().blockNumber(), cursor) << "the cursor stays where the change is";
}

TEST_F(ModelCodeTest, KeepsWhatIsTypedWhileTheProjectChangesElsewhere) {
    retype("model = keras", "# mine\nmodel = keras");
    page_->reveal("model.layers[3]");
    page_->canvas().setFocus();
    QTest::keyClick(&page_->canvas(), Qt::Key_Delete);
    EXPECT_EQ(studio_.session().project().spec().code, "") << "nothing was read between";
    EXPECT_THAT(code(), testing::StartsWith("# mine\n"));
    ASSERT_TRUE(tests::waitUntil([&] { return !studio_.session().project().spec().code.empty(); }));
    EXPECT_EQ(studio_.session().project().spec().code, code());
    EXPECT_EQ(code().find("Dense(64"), std::string::npos);
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(code().find("# mine"), std::string::npos);
}

TEST_F(ModelPageTest, KeepsTheFocusInTheFormThatIsMadeAnew) {
    ASSERT_TRUE(page_->reveal("compile"));
    auto* optimizers = find("field_optimizer")->findChild<QComboBox*>();
    optimizers->setFocus();
    emit optimizers->activated(optimizers->findText("RMSprop"));
    auto* anew = find("field_optimizer")->findChild<QComboBox*>();
    ASSERT_NE(anew, optimizers);
    EXPECT_EQ(QApplication::focusWidget(), anew);
    // A node without that field, then a view without the form.
    page_->reveal("model.layers[0]");
    EXPECT_EQ(QApplication::focusWidget(), find("modelProperties"));
    page_->setView(ModelPage::View::kSplit);
    EXPECT_EQ(QApplication::focusWidget(), &page_->canvas());
}

TEST_F(ModelPageTest, ShowsKerasSummaryToCopy) {
    QTest::mouseClick(find<QPushButton>("modelSummaryButton"), Qt::LeftButton);
    auto* dialog = find<QDialog>("summaryDialog");
    ASSERT_NE(dialog, nullptr);
    shoot("model-summary");
    const std::string shown = dialog->findChild<QPlainTextEdit*>("summaryText")->toPlainText().toStdString();
    EXPECT_EQ(shown.substr(0, shown.find("\n\n") + 1), engine::spec::modelSummary(studio_.session().project().spec().model));
    {
        StudioTranslator translator;
        QEvent changed(QEvent::LanguageChange);
        for (const auto& [language, word] : {std::pair{"ko", "복사"}, {"zh_CN", "复制"}, {"en", "Copy"}}) {
            translator.setLanguage(language);
            QApplication::sendEvent(dialog, &changed);
            EXPECT_EQ(dialog->findChild<QPushButton*>("summaryCopy")->text().toStdString(), word) << "the dialog that is shown, too";
        }
    }
    dialog->findChild<QPushButton*>("summaryCopy")->click();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), shown);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_EQ(page_->findChild<QDialog*>("summaryDialog"), nullptr);
}

TEST_F(ModelPageTest, DrawsEveryCourseOfTheRateAsTheRunWillUseIt) {
    ASSERT_TRUE(page_->reveal("compile"));
    session::Session& session = studio_.session();
    auto* courses = find("field_rate_kind")->findChild<QComboBox*>();
    ASSERT_NE(courses, nullptr);
    ASSERT_EQ(courses->count(), 2 + static_cast<int>(engine::spec::scheduleSchemas().size()));
    const int count = courses->count();
    for (int i = 0; i < count; ++i) {
        courses = find("field_rate_kind")->findChild<QComboBox*>();
        const QString course = courses->itemText(i);
        SCOPED_TRACE(course.toStdString());
        courses->setFocus();
        emit courses->activated(i);
        EXPECT_EQ(engine::spec::rateKind(session.project().spec()), course.toStdString());
        const auto* curve = find<RateCurve>("rateCurve");
        ASSERT_EQ(curve->rates().size(), static_cast<std::size_t>(RateCurve::kPoints));
        const std::int64_t epochs = session.project().spec().fit.epochs;
        const std::int64_t per_epoch = session.project().stepsPerEpoch() > 0 ? session.project().stepsPerEpoch() : 100;
        EXPECT_EQ(curve->rates().back(), engine::spec::learningRateAt(session.project().spec(), per_epoch * epochs - 1, epochs - 1));
        if (course == "CosineDecay" || course == "table") shoot("model-rate-" + course);
    }
    // Editing a field moves the curve.
    const double before = find<RateCurve>("rateCurve")->rates().front();
    QLineEdit* first = text("initial_learning_rate");
    first->selectAll();
    QTest::keyClicks(first, "0.25");
    EXPECT_NE(before, 0.25);
    EXPECT_DOUBLE_EQ(find<RateCurve>("rateCurve")->rates().front(), 0.25);
    // Lists of numbers.
    courses = find("field_rate_kind")->findChild<QComboBox*>();
    emit courses->activated(courses->findText("PiecewiseConstantDecay"));
    QLineEdit* values = text("values");
    values->selectAll();
    QTest::keyClicks(values, "0.5, 0.05, 5e-3");
    EXPECT_EQ(session.project().spec().compile.optimizer.config.getObject("learning_rate")->config.getDoubles("values", {}),
              (std::vector<double>{0.5, 0.05, 5e-3}));
    // The table by epoch: a line more, another rate.
    emit find("field_rate_kind")->findChild<QComboBox*>()->activated(1);
    find<QPushButton>("addEpoch")->click();
    auto* rate = find("rate_2")->findChild<QLineEdit*>();
    rate->selectAll();
    QTest::keyClicks(rate, "1e-5");
    const auto& table = session.project().spec().callbacks.back();
    EXPECT_EQ(table.config.getDoubles("rates", {}).back(), 1e-5);
    find<QToolButton>("removeEpoch_1")->click();
    EXPECT_EQ(session.project().spec().callbacks.back().config.getInts("epochs", {}).size(), 2U);
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
