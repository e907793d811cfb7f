// SPDX-License-Identifier: GPL-3.0-or-later
// A model made from a blank project: once with the mouse alone, once with the keyboard alone. Afterwards the project is the one that was
// meant, and it trains.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include "engine/spec/cluster/task_plan.h"
#include "home.h"
#include "studio.h"
#include "ui/canvas/model_canvas.h"
#include "ui/charts/chart_card.h"
#include "ui/model/model_palette.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/switch_button.h"
#include "ui/window/output_panes.h"

namespace tests {
namespace {

using engine::spec::Fields;
using engine::spec::RunSpec;
using ui::session::RunState;
using ui::views::Mode;

std::vector<std::int64_t> square(std::int64_t side) {
    return {side, side};
}

// What "New blank project" begins with.
RunSpec blank() {
    RunSpec run;
    run.name = "untitled";
    run.model.input_shape = {28, 28, 1};
    run.callbacks = {{"ModelCheckpoint", {}}, {"BackupAndRestore", {}}};
    return run;
}

class BuiltModel : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(studio_.agentIsReady()) << studio_.session().host().agentProblem().toStdString(); }

    // The chain as text: "Input Conv2D Compile".
    std::string printed() {
        QStringList parts;
        for (const auto& node : studio_.canvas().content().nodes)
            parts << node.type + (node.wrong && node.kind != ui::canvas::CanvasNode::Kind::kCompile ? "!" : "");
        return parts.join(' ').toStdString();
    }
    const RunSpec& project() { return studio_.session().project().spec(); }
    std::string projectText() { return engine::spec::toProjectJson(project()); }
    QComboBox& choices(const QString& field) {
        auto* box = studio_.find("field_" + field).findChild<QComboBox*>();
        if (box == nullptr) throw std::runtime_error("no list in " + field.toStdString());
        return *box;
    }
    QLineEdit& text(const QString& field) {
        auto* edit = studio_.find("field_" + field).findChild<QLineEdit*>();
        if (edit == nullptr) throw std::runtime_error("no text in " + field.toStdString());
        return *edit;
    }
    void expectDone(std::int64_t steps) {
        ASSERT_TRUE(waitFor([&] { return studio_.session().runs().current() != nullptr; })) << "the run begins";
        EXPECT_EQ(studio_.window().mode(), Mode::kMonitor);
        ui::session::RunRecord& run = studio_.run();
        ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }));
        ASSERT_EQ(run.state(), RunState::kDone) << run.summary().detail.toStdString();
        ASSERT_TRUE(waitFor([&] { return static_cast<std::int64_t>(run.global().size()) == steps; })) << run.global().size();
        const auto& losses = *run.global().find("loss");
        EXPECT_LT(losses.back(), losses.front()) << "it learns";
        EXPECT_FALSE(ui::session::Evaluation::checkpoints(run.summary().run_dir).empty()) << "a new project keeps checkpoints";
        EXPECT_TRUE(waitFor([&] { return studio_.find<ui::widgets::StatusPill>("monitorState").text() == "Done"; }));
        EXPECT_TRUE(waitFor([&] { return !studio_.find<ui::charts::ChartCard>("chartLoss").isEmpty(); }));
    }

    Home home_;
    Studio studio_{home_.path("studio")};
};

class ByMouse : public BuiltModel {
protected:
    void addFromPalette(const QString& class_name) {
        auto& list = studio_.find<QListView>("paletteList");
        for (int row = 0; row < list.model()->rowCount(); ++row) {
            const QModelIndex index = list.model()->index(row, 0);
            if (index.data(ui::views::PaletteModel::kClassRole) == class_name) return studio_.doubleClickRow(list, index);
        }
        FAIL() << class_name.toStdString();
    }
    // The wheel over a field that was clicked counts.
    void count(const QString& field, int by) {
        QLineEdit& edit = text(field);
        studio_.click(edit);
        studio_.wheel(edit, edit.rect().center(), by);
    }
};

TEST_F(ByMouse, BecomesTheProjectThatWasMeantAndTrains) {
    studio_.click("newProjectButton");
    ASSERT_EQ(studio_.window().mode(), Mode::kModel);
    ASSERT_EQ(printed(), "Input Compile");
    // The "+" between Input and Compile, a double click in the palette, a drag from it.
    ui::canvas::ModelCanvas& canvas = studio_.canvas();
    const QRectF input = canvas.nodeRect(0);
    studio_.clickAt(*canvas.viewport(), studio_.onCanvas({input.center().x() - 52, input.bottom() + 20}));
    studio_.chooseFromMenu({"Conv2D"});
    ASSERT_EQ(printed(), "Input Conv2D Compile");
    addFromPalette("Dense");
    addFromPalette("Dense");
    ASSERT_EQ(printed(), "Input Conv2D Dense Dense Compile");
    studio_.dragLayer("Flatten", canvas.nodeRect(1).center() + QPointF(0, 40));
    ASSERT_EQ(printed(), "Input Conv2D Flatten Dense Dense Compile");
    // One that is not needed, by the insert menu's groups; moved by a drag, then taken away by its menu.
    const QRectF conv = canvas.nodeRect(1);
    studio_.moveTo(*canvas.viewport(), studio_.onCanvas({conv.center().x(), conv.bottom() + 12}));
    studio_.clickAt(*canvas.viewport(), studio_.onCanvas({conv.center().x() - 60, (conv.bottom() + canvas.nodeRect(2).top()) / 2}));
    studio_.chooseFromMenu({"MaxPooling2D"});
    ASSERT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Compile");
    addFromPalette("SpatialDropout2D");
    ASSERT_EQ(printed(), "Input Conv2D MaxPooling2D SpatialDropout2D Flatten Dense Dense Compile");
    const QRectF above = canvas.nodeRect(1);
    studio_.drag(*canvas.viewport(), studio_.middleOf(3), studio_.onCanvas({above.center().x(), above.bottom() + 8}));
    EXPECT_EQ(printed(), "Input Conv2D SpatialDropout2D MaxPooling2D Flatten Dense Dense Compile");
    studio_.click("layerMore");
    studio_.chooseFromMenu({"Delete"});
    ASSERT_EQ(printed(), "Input Conv2D MaxPooling2D Flatten Dense Dense Compile");
    studio_.click("modelUndo");
    EXPECT_EQ(printed(), "Input Conv2D SpatialDropout2D MaxPooling2D Flatten Dense Dense Compile");
    studio_.click("modelRedo");
    // Settings: lists, the wheel, a switch.
    studio_.clickNode(1);
    studio_.chooseFromList(choices("activation"), "relu");
    count("filters", -24);
    studio_.clickNode(4);
    studio_.chooseFromList(choices("activation"), "relu");
    count("units", 16);
    studio_.clickNode(5);
    count("units", -22);
    studio_.clickNode(6);
    studio_.chooseFromList(choices("optimizer"), "RMSprop");
    studio_.click(*studio_.find("field_from_logits").findChild<ui::widgets::SwitchButton*>());
    studio_.shoot("built-by-mouse");

    RunSpec expected = blank();
    expected.model.layers = {
        {"Conv2D", "conv2d", {{"filters", std::int64_t{8}}, {"kernel_size", square(3)}, {"activation", "relu"}}},
        {"MaxPooling2D", "max_pooling2d", {}},
        {"Flatten", "flatten", {}},
        {"Dense", "dense", {{"units", std::int64_t{48}}, {"activation", "relu"}}},
        {"Dense", "dense_1", {{"units", std::int64_t{10}}}},
    };
    expected.compile.optimizer = {"RMSprop", {}};
    expected.compile.loss.config.set("from_logits", true);
    EXPECT_EQ(projectText(), engine::spec::toProjectJson(expected));
    EXPECT_EQ(project(), expected);
    EXPECT_EQ(studio_.find<ui::widgets::StatusPill>("modelState").text(), "Fits the data");

    // Fewer samples and two workers, by the mouse as well.
    studio_.clickMode(Mode::kData);
    studio_.chooseFromMenu({"take"}, [this] { studio_.click("addStep"); });
    expected.data.take = 1000;
    studio_.chooseFromMenu({"2 workers on this computer"}, [this] { studio_.click("runTarget"); });
    engine::spec::useLocalWorkers(expected, {12345, 23456});
    EXPECT_EQ(projectText(), engine::spec::toProjectJson(expected));
    studio_.chooseFreePorts();
    studio_.click("railLaunchButton");
    expectDone(8);
}

class ByKeyboard : public BuiltModel {
protected:
    void toCanvas() { studio_.tabTo(studio_.canvas(), Qt::ShiftModifier); }
    void add(Qt::Key letter) {
        studio_.key(Qt::Key_A);
        studio_.key(letter);
    }
    // From the canvas to a node and into its settings.
    void edit(int node) {
        toCanvas();
        for (int i = 0; studio_.canvas().selected() != node && i < 20; ++i)
            studio_.key(studio_.canvas().selected() < node ? Qt::Key_Down : Qt::Key_Up);
        ASSERT_EQ(studio_.canvas().selected(), node);
        studio_.key(Qt::Key_Return, Qt::ControlModifier);
    }
    void put(const QString& field, const QString& value) {
        studio_.tabTo(text(field));
        studio_.key(Qt::Key_A, Qt::ControlModifier);
        studio_.type(value);
    }
    void choose(const QString& field, const QString& value) {
        studio_.tabTo(choices(field));
        for (int i = 0; choices(field).currentText() != value && i < 40; ++i) studio_.key(Qt::Key_Down);
        ASSERT_EQ(choices(field).currentText(), value);
    }
};

TEST_F(ByKeyboard, BecomesTheProjectThatWasMeantAndTrains) {
    studio_.key(Qt::Key_N, Qt::ControlModifier);
    ASSERT_EQ(studio_.window().mode(), Mode::kModel);
    studio_.tabTo(studio_.canvas());
    for (const Qt::Key letter : {Qt::Key_C, Qt::Key_P, Qt::Key_B, Qt::Key_F, Qt::Key_D, Qt::Key_D, Qt::Key_O}) add(letter);
    ASSERT_EQ(printed(), "Input Conv2D MaxPooling2D BatchNormalization Flatten Dense Dense Dropout Compile");
    // Dropout two places up and one down again; BatchNormalization before the pooling.
    studio_.key(Qt::Key_Up, Qt::AltModifier);
    studio_.key(Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D BatchNormalization Flatten Dropout Dense Dense Compile");
    studio_.key(Qt::Key_Down, Qt::AltModifier);
    EXPECT_EQ(printed(), "Input Conv2D MaxPooling2D BatchNormalization Flatten Dense Dropout Dense Compile");
    for (int i = 0; i < 3; ++i) studio_.key(Qt::Key_Up);
    studio_.key(Qt::Key_Up, Qt::AltModifier);
    ASSERT_EQ(printed(), "Input Conv2D BatchNormalization MaxPooling2D Flatten Dense Dropout Dense Compile");
    // Twice and away again, undone and redone.
    studio_.key(Qt::Key_D, Qt::ControlModifier);
    EXPECT_EQ(printed(), "Input Conv2D BatchNormalization BatchNormalization MaxPooling2D Flatten Dense Dropout Dense Compile");
    studio_.key(Qt::Key_Delete);
    studio_.key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(printed(), "Input Conv2D BatchNormalization BatchNormalization MaxPooling2D Flatten Dense Dropout Dense Compile");
    studio_.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_EQ(printed(), "Input Conv2D BatchNormalization MaxPooling2D Flatten Dense Dropout Dense Compile");
    edit(1);
    EXPECT_EQ(QApplication::focusWidget(), &text("filters"));
    studio_.type("8");
    choose("activation", "relu");
    edit(5);
    studio_.type("48");
    choose("activation", "relu");
    edit(6);
    studio_.type("0.25");
    edit(7);
    studio_.type("10");
    choose("activation", "softmax");
    // One more layer from the palette: search, Return; then away.
    studio_.key(Qt::Key_F, Qt::ControlModifier);
    studio_.type("globalmax");
    studio_.key(Qt::Key_Return);
    EXPECT_EQ(printed(), "Input Conv2D BatchNormalization MaxPooling2D Flatten Dense Dropout Dense GlobalMaxPooling2D! Compile")
        << "what does not fit says so at once";
    studio_.tabTo(studio_.canvas());
    studio_.key(Qt::Key_Delete);
    edit(8);
    put("learning_rate", "0.002");
    studio_.shoot("built-by-keyboard");

    RunSpec expected = blank();
    expected.model.layers = {
        {"Conv2D", "conv2d", {{"filters", std::int64_t{8}}, {"kernel_size", square(3)}, {"activation", "relu"}}},
        {"BatchNormalization", "batch_normalization", {}},
        {"MaxPooling2D", "max_pooling2d", {}},
        {"Flatten", "flatten", {}},
        {"Dense", "dense", {{"units", std::int64_t{48}}, {"activation", "relu"}}},
        {"Dropout", "dropout", {{"rate", 0.25}}},
        {"Dense", "dense_1", {{"units", std::int64_t{10}}, {"activation", "softmax"}}},
    };
    expected.compile.optimizer.config.set("learning_rate", 0.002);
    EXPECT_EQ(projectText(), engine::spec::toProjectJson(expected));

    studio_.key(Qt::Key_2, Qt::ControlModifier);
    ASSERT_EQ(studio_.window().mode(), Mode::kData);
    studio_.pressInMenu({Qt::Key_Down, Qt::Key_Return}, [this] {
        studio_.tabTo(studio_.find("addStep"));
        studio_.key(Qt::Key_Space);
    });
    ASSERT_EQ(project().data.take, 1000);
    studio_.tabTo(studio_.find<QSpinBox>("takeField"));
    studio_.key(Qt::Key_A, Qt::ControlModifier);
    studio_.type("640");
    studio_.key(Qt::Key_Return);
    expected.data.take = 640;
    const QString file = home_.path("by keyboard.tandem");
    studio_.inFileDialog(file, [this] { studio_.key(Qt::Key_S, Qt::ControlModifier); });
    QFile saved(file);
    ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
    expected.name = "by keyboard";  // an untitled project goes by its first file's name
    EXPECT_EQ(saved.readAll().toStdString(), engine::spec::toProjectJson(expected));
    EXPECT_FALSE(studio_.session().project().isModified());
    studio_.key(Qt::Key_R, Qt::ControlModifier);
    expectDone(10);
}

}  // namespace
}  // namespace tests
