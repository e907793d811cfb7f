// SPDX-License-Identifier: GPL-3.0-or-later
// Code in the forms that the tutorials, the guide and the book teach, pasted on the Model page: the project becomes what the code says, the
// rest of it stays, and it trains. A TF_CONFIG changes the cluster, on the Model page and on the Cluster page.
#include <gtest/gtest.h>

#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>

#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/keras/keras_code.h"
#include "home.h"
#include "studio.h"
#include "ui/canvas/model_canvas.h"
#include "ui/cluster/paste_cluster_dialog.h"
#include "ui/parts/code_editor.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/status_pill.h"

namespace tests {
namespace {

using engine::spec::Fields;
using engine::spec::ObjectSpec;
using engine::spec::RunSpec;
using engine::spec::Shape;
using ui::session::RunState;
using ui::views::Mode;

QString seed(const char* name) {
    QFile file(QStringLiteral(TANDEM_TEST_DATA "/code/") + name);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
    return QString::fromUtf8(file.readAll());
}

class Pasted : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(studio_.agentIsReady()) << studio_.session().host().agentProblem().toStdString();
        studio_.click("template_mnist_mlp");
        ASSERT_EQ(studio_.window().mode(), Mode::kModel);
        before_ = project();
    }
    const RunSpec& project() { return studio_.session().project().spec(); }

    // On the canvas, beside the chain.
    void paste(const QString& text) {
        QWidget& view = *studio_.canvas().viewport();
        studio_.clickAt(view, {8, view.height() / 2});
        QApplication::clipboard()->setText(text);
        studio_.key(Qt::Key_V, Qt::ControlModifier);
    }
    // A blank project, whatever was open.
    void beginAnew() {
        const auto press = [this] { studio_.key(Qt::Key_N, Qt::ControlModifier); };
        if (studio_.session().project().isModified())
            studio_.answer("Discard", press);
        else
            press();
        ASSERT_TRUE(project().model.layers.empty());
    }
    // Part by part, so that a failure says which.
    void expectProject(const RunSpec& wanted) {
        EXPECT_EQ(project().model, wanted.model);
        EXPECT_EQ(project().compile, wanted.compile);
        EXPECT_EQ(project().callbacks, wanted.callbacks);
        EXPECT_EQ(project().fit, wanted.fit);
        EXPECT_EQ(project().data, wanted.data);
        EXPECT_EQ(project().strategy, wanted.strategy);
        EXPECT_EQ(project().cluster, wanted.cluster);
    }
    QString shownCode() { return studio_.find<ui::views::CodeEditor>("codeEditor").toPlainText(); }
    // By the button above the code beside the canvas.
    QString copiedCode() {
        studio_.chooseSegment(studio_.find<ui::widgets::SegmentedControl>("modelViews"), 1);
        studio_.click("codeCopy");
        return QApplication::clipboard()->text();
    }
    std::string notice() { return studio_.find<QLabel>("modelNoticeText").text().toStdString(); }
    std::string chain() {
        QStringList parts;
        for (const auto& layer : project().model.layers) {
            std::int64_t size = -1;
            for (const char* field : {"filters", "units"})
                if (layer.config.find(field) != nullptr) size = layer.config.getInt(field, 0);
            parts << QString::fromStdString(layer.class_name) + (size < 0 ? QString() : QStringLiteral("(%1)").arg(size));
        }
        return parts.join(' ').toStdString();
    }
    // The chain on the canvas is the one of the project, and nothing of it is marked.
    void expectOnCanvas() {
        const auto& nodes = studio_.canvas().content().nodes;
        ASSERT_EQ(nodes.size(), project().model.layers.size() + 2);
        for (std::size_t i = 0; i < project().model.layers.size(); ++i) {
            EXPECT_EQ(nodes[i + 1].type.toStdString(), project().model.layers[i].class_name);
            EXPECT_FALSE(nodes[i + 1].wrong) << nodes[i + 1].problem.toStdString();
        }
    }

    Home home_;
    Studio studio_{home_.path("studio")};
    RunSpec before_;
};

TEST_F(Pasted, TutorialOfOneProcessBecomesTheProjectAndTrains) {
    paste(seed("keras_mirrored.py"));
    EXPECT_TRUE(notice().starts_with("Read from the clipboard: 5 layers, compile, rates by epoch, fit, MirroredStrategy.")) << notice();
    EXPECT_EQ(chain(), "Conv2D(32) MaxPooling2D Flatten Dense(64) Dense(10)");
    expectOnCanvas();
    EXPECT_EQ(project().model.input_shape, (Shape{28, 28, 1}));
    EXPECT_EQ(project().compile.optimizer.class_name, "Adam");
    EXPECT_EQ(project().fit.epochs, 12);
    ASSERT_EQ(project().callbacks.size(), 4u);
    EXPECT_EQ(project().callbacks[2].config.getDoubles("rates", {}), (std::vector<double>{1e-3, 1e-4, 1e-5}));
    EXPECT_EQ(project().data, before_.data) << "what the code does not speak of stays";
    // Trains as the code says: epochs 1 to 3 at 1e-3, from 4 on at 1e-4.
    studio_.session().project().change("Train a moment", [](RunSpec& run) {
        run.data.take = 256;
        run.fit.epochs = 4;
        run.fit.validation_steps = 1;
    });
    studio_.click("railLaunchButton");
    ASSERT_TRUE(waitFor([this] { return studio_.session().runs().current() != nullptr; }));
    ui::session::RunRecord& run = studio_.run();
    ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }));
    ASSERT_EQ(run.state(), RunState::kDone) << run.summary().detail.toStdString();
    ASSERT_TRUE(waitFor([&] { return run.global().size() == 8; })) << run.global().size();
    const auto& rates = *run.global().find("learning_rate");
    for (std::size_t step = 0; step < rates.size(); ++step)
        EXPECT_FLOAT_EQ(static_cast<float>(rates[step]), step < 6 ? 1e-3F : 1e-4F) << step;
    EXPECT_TRUE(waitFor([&] { return run.checkpoints().size() == 4; }));
    EXPECT_TRUE(QFile::exists(run.summary().run_dir + "/training_checkpoints/checkpoint") ||
                QFile::exists(run.summary().run_dir + "/checkpoints/checkpoint"));
}

TEST_F(Pasted, TutorialOfTwoWorkersInBothLanguages) {
    for (const char* name : {"estimator_two_workers_ko.py", "estimator_two_workers_zh.py"}) {
        SCOPED_TRACE(name);
        paste(seed(name));
        EXPECT_EQ(chain(), "Conv2D(32) MaxPooling2D Flatten Dense(64) Dense(10)");
        expectOnCanvas();
        EXPECT_EQ(project().compile.optimizer, (ObjectSpec{"SGD", {{"learning_rate", 1e-4}}}));
        EXPECT_TRUE(project().compile.loss.config.getBool("from_logits", false));
        EXPECT_EQ(project().strategy.name, "MultiWorkerMirroredStrategy");
        EXPECT_EQ(toTfConfigJson(project().cluster.spec, {"worker", 0}),
                  R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}})");
        // One step back brings all of it back.
        studio_.click("modelUndo");
        EXPECT_EQ(project(), before_);
    }
    // Trains on the two workers of the code.
    paste(seed("estimator_two_workers_ko.py"));
    studio_.session().project().change("Train a moment", [](RunSpec& run) {
        run.data.take = 640;
        run.fit.epochs = 1;
        run.fit.validation_steps = 1;
    });
    studio_.chooseFreePorts();
    studio_.click("railLaunchButton");
    ASSERT_TRUE(waitFor([this] { return studio_.session().runs().current() != nullptr; }));
    ui::session::RunRecord& run = studio_.run();
    EXPECT_EQ(run.tasks().size(), 2u);
    ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }));
    EXPECT_EQ(run.state(), RunState::kDone) << run.summary().detail.toStdString();
}

TEST_F(Pasted, GuideAndBook) {
    paste(seed("guide_dense.py"));
    EXPECT_EQ(chain(), "Dense(1)");
    EXPECT_EQ(project().model.input_shape, (Shape{1}));
    EXPECT_EQ(project().compile.loss, (ObjectSpec{"MeanSquaredError", {}}));
    EXPECT_EQ(project().fit.epochs, 2);
    EXPECT_EQ(project().data.batch_size_per_replica, 10);
    expectOnCanvas();
    paste(seed("guide_custom_loop.py"));
    EXPECT_EQ(project().compile.loss, (ObjectSpec{"CategoricalCrossentropy", {{"from_logits", true}}}));
    paste(seed("book_parameter_servers.py"));
    EXPECT_EQ(chain(), "Conv2D(32) MaxPooling2D Conv2D(64) MaxPooling2D Flatten Dense(500) Dense(10)");
    expectOnCanvas();
    EXPECT_EQ(project().compile.optimizer, (ObjectSpec{"Adam", {{"learning_rate", 1e-4}}}));
    EXPECT_EQ(project().data.one_hot, 10);
    EXPECT_EQ(project().cluster.spec.taskCount("ps"), 1);
    EXPECT_EQ(project().cluster.spec.taskCount("worker"), 3);
    studio_.shoot("pasted-book");
}

// Ctrl+Z, with the cursor still in the text or in a field, takes back what changed the project last.
TEST_F(Pasted, IsUndoneByTheKeyWhereverItIsPressed) {
    studio_.chooseSegment(studio_.find<ui::widgets::SegmentedControl>("modelViews"), 1);
    auto& editor = studio_.find<ui::views::CodeEditor>("codeEditor");
    studio_.clickAt(*editor.viewport(), {40, 10});
    studio_.key(Qt::Key_A, Qt::ControlModifier);
    QApplication::clipboard()->setText(seed("keras_mirrored.py") + "print(7)\n");
    studio_.key(Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(project().strategy.name, "MirroredStrategy");
    EXPECT_NE(project().model, before_.model);
    studio_.key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(project(), before_);
    studio_.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(project().strategy.name, "MirroredStrategy");
    studio_.key(Qt::Key_Z, Qt::ControlModifier);
    studio_.chooseSegment(studio_.find<ui::widgets::SegmentedControl>("modelViews"), 0);
    studio_.clickNode(2);
    studio_.click(*studio_.find("field_units").findChild<QLineEdit*>());
    studio_.key(Qt::Key_A, Qt::ControlModifier);
    studio_.type("77");
    EXPECT_EQ(project().model.layers[1].config.getInt("units", 0), 77);
    studio_.key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(project(), before_);
}

// What is pasted comes out of the code beside the canvas as it went in, also after a change on the canvas.
TEST_F(Pasted, RoundTripsThroughTheCodePanel) {
    beginAnew();
    paste(seed("keras_mirrored.py"));
    studio_.chooseSegment(studio_.find<ui::widgets::SegmentedControl>("modelViews"), 1);
    auto& editor = studio_.find<ui::views::CodeEditor>("codeEditor");
    EXPECT_TRUE(editor.toPlainText().contains("os.path.join(folder")) << "the text stays as it was pasted";
    EXPECT_EQ(studio_.find<ui::widgets::StatusPill>("codeState").text(), "In step");
    studio_.clickNode(4);
    studio_.key(Qt::Key_D, Qt::ControlModifier);
    EXPECT_TRUE(editor.toPlainText().contains("name='dense_2'")) << editor.toPlainText().toStdString();
    const QString code = copiedCode();
    EXPECT_EQ(code, editor.toPlainText());
    const RunSpec changed = project();
    beginAnew();
    paste(code);
    expectProject(changed);
    EXPECT_EQ(shownCode(), code);
}

TEST_F(Pasted, TutorialsGuideAndBookRoundTrip) {
    for (const char* name : {"keras_mirrored.py", "estimator_two_workers_ko.py", "estimator_two_workers_zh.py", "guide_dense.py",
                             "guide_custom_loop.py", "book_parameter_servers.py"}) {
        SCOPED_TRACE(name);
        beginAnew();
        paste(seed(name));
        const RunSpec pasted = project();
        EXPECT_FALSE(pasted.compile == RunSpec().compile && pasted.model.layers.empty()) << "it said something";
        const QString code = copiedCode();
        beginAnew();
        paste(code);
        expectProject(pasted);
        EXPECT_EQ(shownCode(), code);
    }
}

TEST_F(Pasted, TfConfigChangesTheClusterAlone) {
    paste(
        R"(export TF_CONFIG='{"cluster": {"worker": ["localhost:12345", "localhost:23456", "localhost:34567"]}, "task": {"type": "worker", "index": 1}}')");
    EXPECT_NE(notice().find("TF_CONFIG"), std::string::npos) << notice();
    EXPECT_EQ(project().cluster.spec.taskCount("worker"), 3);
    EXPECT_EQ(project().strategy.name, "MultiWorkerMirroredStrategy");
    EXPECT_EQ(project().model, before_.model);
    EXPECT_EQ(project().data, before_.data);
    paste(seed("guide_tf_config.py"));
    EXPECT_EQ(project().cluster.spec.taskCount("worker"), 3);
    EXPECT_EQ(project().cluster.spec.taskCount("ps"), 2);
    EXPECT_EQ(project().strategy.name, "ParameterServerStrategy");
    // Words that say nothing change nothing.
    const RunSpec now = project();
    paste("dear diary");
    EXPECT_EQ(project(), now);
    EXPECT_NE(notice().find("Nothing was changed"), std::string::npos) << notice();
    // On the Cluster page: the dialog takes it, one click uses it.
    studio_.clickMode(Mode::kCluster);
    QApplication::clipboard()->setText(R"({"cluster": {"worker": ["localhost:4001", "localhost:4002"]}})");
    studio_.click("pasteButton");
    ASSERT_TRUE(waitFor([this] { return studio_.window().findChild<ui::views::PasteClusterDialog*>() != nullptr; }));
    studio_.shoot("pasted-cluster");
    studio_.click("pasteUse");
    EXPECT_EQ(project().cluster.spec.taskCount("worker"), 2);
    EXPECT_EQ(project().cluster.spec.taskCount("ps"), 0);
    EXPECT_EQ(project().strategy.name, "MultiWorkerMirroredStrategy");
    EXPECT_EQ(*project().cluster.spec.address({"worker", 1}), "localhost:4002");
    EXPECT_EQ(project().model, before_.model);
}

TEST_F(Pasted, OnTheClusterPageWhereverTheFocusIs) {
    studio_.clickMode(Mode::kCluster);
    studio_.click("strategyOptions");
    int workers = 1;
    const auto pasteAnother = [&] {
        workers = workers == 2 ? 3 : 2;
        QStringList addresses;
        for (int i = 0; i < workers; ++i) addresses << QStringLiteral("\"localhost:%1\"").arg(4001 + i);
        QApplication::clipboard()->setText(
            QStringLiteral("{\"cluster\": {\"worker\": [%1]}, \"task\": {\"type\": \"worker\", \"index\": 0}}").arg(addresses.join(", ")));
        studio_.key(Qt::Key_V, Qt::ControlModifier);
        return project().cluster.spec.taskCount("worker") == workers;
    };
    EXPECT_TRUE(pasteAnother()) << "with the focus where the page puts it";
    const auto editsText = [](QWidget* widget) {
        const auto* box = qobject_cast<QComboBox*>(widget);
        return qobject_cast<QLineEdit*>(widget) != nullptr || qobject_cast<QAbstractSpinBox*>(widget) != nullptr ||
               (box != nullptr && box->isEditable());
    };
    QList<QPointer<QWidget>> places;
    for (QWidget* widget : studio_.window().page(Mode::kCluster).findChildren<QWidget*>()) {
        const bool takes_keys = widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0;
        if (takes_keys && !editsText(widget)) places << widget;
    }
    QStringList tried;
    for (const QPointer<QWidget>& place : places) {
        if (!place || !place->isVisible()) continue;  // went with what was pasted
        place->setFocus(Qt::TabFocusReason);
        if (QApplication::focusWidget() != place) continue;
        const QString what = place->metaObject()->className() + QStringLiteral(" ") + place->objectName();
        tried << QString::fromLatin1(place->metaObject()->className());
        EXPECT_TRUE(pasteAnother()) << what.toStdString();
    }
    for (const char* kind : {"QComboBox", "QPushButton", "ui::views::TfConfigText", "ui::views::StrategyList", "ui::views::FindingList"})
        EXPECT_TRUE(tried.contains(QLatin1String(kind))) << kind << " of " << tried.join(' ').toStdString();
    // A field keeps its own.
    studio_.click("addHost");
    QApplication::clipboard()->setText("node7");
    studio_.key(Qt::Key_V, Qt::ControlModifier);
    EXPECT_EQ(studio_.find<QLineEdit>("hostName").text(), "node7");
    EXPECT_EQ(project().cluster.spec.taskCount("worker"), workers);
}

}  // namespace
}  // namespace tests
