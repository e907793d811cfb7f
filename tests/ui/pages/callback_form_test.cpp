// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the form of compile that has the callbacks.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/schedule.h"
#include "made_up_run.h"
#include "model_page_fixture.h"
#include "ui/session/project/project.h"

namespace ui::views {
namespace {

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

}  // namespace
}  // namespace ui::views
