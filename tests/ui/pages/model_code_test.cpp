// SPDX-License-Identifier: GPL-3.0-or-later
// The model as code beside the canvas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <fstream>
#include <iterator>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/run_spec.h"
#include "made_up_run.h"
#include "model_page_fixture.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/code_panel.h"
#include "ui/parts/code_editor.h"
#include "ui/session/project/project.h"
#include "ui/widgets/status_pill.h"

namespace ui::views {
namespace {

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

// Beside the editor or in it: a text that takes a while is read on a thread of its own.
class LongCodeTest : public ModelCodeTest {
protected:
    void SetUp() override {
        ModelCodeTest::SetUp();
        panel_ = find<CodePanel>("codePanel");
        ASSERT_NE(panel_, nullptr);
        before_ = project().spec();
        text_ = QStringLiteral("model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\nmodel.compile('sgd', 'mse')\n");
        while (text_.size() < 300'000) text_ += QStringLiteral("print(measure(1, 2, 'words', [3, 4]))\n");
        QApplication::clipboard()->setText(text_);
    }
    session::Project& project() { return studio_.session().project(); }
    bool waitUntilRead() {
        return tests::waitUntil([this] { return !panel_->isReading(); });
    }
    void pasteIntoTheEditor() {
        editor_->setFocus();
        editor_->selectAll();
        QTest::keyClick(editor_, Qt::Key_V, Qt::ControlModifier);
    }

    CodePanel* panel_ = nullptr;
    engine::spec::RunSpec before_;
    QString text_;
};

TEST_F(LongCodeTest, IsPastedWhileTheWindowGoesOn) {
    const std::string shown = code();
    page_->pasteCode();
    EXPECT_TRUE(panel_->isReading());
    EXPECT_EQ(state(), "Reading\xE2\x80\xA6");
    EXPECT_TRUE(find("modelNotice")->isVisible());
    EXPECT_EQ(project().spec(), before_);
    // What is changed by then is no less in the project.
    project().change("Epochs", [](engine::spec::RunSpec& run) { run.fit.epochs = 7; });
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(printed(), "Input! Dense Compile!");
    EXPECT_EQ(project().spec().fit.epochs, 7);
    EXPECT_TRUE(find<QLabel>("modelNoticeText")->text().startsWith("Read from the clipboard: 1 layer(s), compile"))
        << find<QLabel>("modelNoticeText")->text().toStdString();
    EXPECT_NE(code().find("print(measure(1, 2"), std::string::npos);
    EXPECT_NE(code().find("epochs=7"), std::string::npos) << "what the text lacks is added";
    EXPECT_EQ(project().undoStack().undoText(), "Paste code");
    for (int i = 0; i < 2; ++i) project().undoStack().undo();
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(project().spec(), before_);
    EXPECT_EQ(code(), shown);
}

TEST_F(LongCodeTest, IsNotPastedWhereThatIsStopped) {
    const std::string shown = code();
    page_->pasteCode();
    ASSERT_TRUE(panel_->isReading());
    find<QToolButton>("modelNoticeClose")->click();
    EXPECT_FALSE(panel_->isReading());
    EXPECT_FALSE(find("modelNotice")->isVisible());
    EXPECT_FALSE(editor_->isReadOnly());
    EXPECT_EQ(code(), shown);
    EXPECT_EQ(state(), "In step");
    // One that follows is read, and nothing is heard of the first.
    QApplication::clipboard()->setText(QString(text_).replace("Dense(3", "Dense(5"));
    page_->pasteCode();
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(layer(0).config.getInt("units", 0), 5);
    EXPECT_EQ(project().undoStack().count(), 1);
}

TEST_F(LongCodeTest, OfAnotherProjectIsDropped) {
    page_->pasteCode();
    ASSERT_TRUE(panel_->isReading());
    project().create();
    EXPECT_FALSE(panel_->isReading());
    EXPECT_FALSE(find("modelNotice")->isVisible());
    EXPECT_TRUE(project().spec().model.layers.empty());
}

TEST_F(LongCodeTest, ThatSaysNothingIsRefused) {
    QApplication::clipboard()->setText(QString(text_).remove(0, text_.indexOf("print")));
    page_->pasteCode();
    ASSERT_TRUE(panel_->isReading());
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(project().spec(), before_);
    EXPECT_TRUE(find<QLabel>("modelNoticeText")->text().contains("Nothing was changed"));
    EXPECT_EQ(state(), "In step") << "nothing is read any more";
}

// A paste takes the place of what is read; where it changes nothing, that is read again.
TEST_F(LongCodeTest, IsBroughtUpToDateBehindAPasteThatChangesNothing) {
    page_->pasteCode();
    ASSERT_TRUE(waitUntilRead());
    QApplication::clipboard()->setText(R"(export TF_CONFIG='{"cluster": {"worker": ["a:1", "b:2", "c:3"]}}')");
    page_->pasteCode();
    ASSERT_TRUE(waitUntilRead());
    project().change("Epochs", [](engine::spec::RunSpec& run) { run.fit.epochs = 9; });
    ASSERT_TRUE(panel_->isReading());
    const engine::spec::RunSpec before = project().spec();
    page_->pasteCode();
    ASSERT_EQ(project().spec(), before);
    ASSERT_TRUE(waitUntilRead());
    EXPECT_NE(code().find("epochs=9"), std::string::npos);
    EXPECT_NE(state(), "Reading\xE2\x80\xA6");
}

TEST_F(LongCodeTest, InTheEditorIsTakenWhenItIsRead) {
    pasteIntoTheEditor();
    EXPECT_TRUE(panel_->isReading());
    EXPECT_EQ(project().spec(), before_);
    EXPECT_FALSE(editor_->isReadOnly());
    // The project changes by then: both are kept.
    project().change("Threads", [](engine::spec::RunSpec& run) { run.cluster.threads_per_task = 3; });
    ASSERT_TRUE(tests::waitUntil([this] { return !panel_->isReading() && project().spec().model.layers.size() == 1; })) << state();
    EXPECT_EQ(printed(), "Input! Dense Compile!");
    EXPECT_EQ(project().spec().cluster.threads_per_task, 3);
    EXPECT_EQ(project().undoStack().undoText(), "Paste code");
}

TEST_F(LongCodeTest, InTheEditorIsInTheProjectThatIsSaved) {
    pasteIntoTheEditor();
    ASSERT_TRUE(panel_->isReading());
    find<QToolButton>("codeCancel")->click();
    EXPECT_FALSE(panel_->isReading());
    EXPECT_EQ(state(), "Not read");
    EXPECT_EQ(project().spec(), before_);
    emit project().typingWanted();
    EXPECT_EQ(printed(), "Input! Dense Compile!");
    EXPECT_NE(state(), "Not read");
}

TEST_F(LongCodeTest, InTheEditorIsWhatUndoTakesBack) {
    project().change("Epochs", [](engine::spec::RunSpec& run) { run.fit.epochs = 7; });
    pasteIntoTheEditor();
    ASSERT_TRUE(panel_->isReading());
    find<QToolButton>("modelUndo")->click();
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(project().spec().fit.epochs, 7) << "what was changed before stays";
    EXPECT_EQ(project().spec().model, before_.model);
    EXPECT_EQ(project().undoStack().redoText(), "Paste code");
    find<QToolButton>("modelRedo")->click();
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(printed(), "Input! Dense Compile!");
    EXPECT_NE(code().find("print(measure(1, 2"), std::string::npos);
}

// Both change the model: read over the canvas' change, the text would take that away.
TEST_F(LongCodeTest, InTheEditorIsInTheProjectThatIsEditedElsewhere) {
    pasteIntoTheEditor();
    ASSERT_TRUE(panel_->isReading());
    ASSERT_TRUE(editor_->hasFocus());
    page_->canvas().setFocus();
    EXPECT_FALSE(panel_->isReading());
    EXPECT_EQ(printed(), "Input! Dense Compile!");
    page_->reveal("model.layers[0]");
    QTest::keyClick(&page_->canvas(), Qt::Key_D, Qt::ControlModifier);
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(printed(), "Input! Dense Dense Compile!");
    EXPECT_EQ(project().undoStack().count(), 2);
}

TEST_F(LongCodeTest, InTheEditorIsNotLostByAPasteOfAnotherPart) {
    pasteIntoTheEditor();
    ASSERT_TRUE(panel_->isReading());
    QApplication::clipboard()->setText(R"(export TF_CONFIG='{"cluster": {"worker": ["a:1", "b:2", "c:3"]}}')");
    page_->pasteCode();
    ASSERT_TRUE(waitUntilRead());
    EXPECT_EQ(project().spec().cluster.spec.taskCount("worker"), 3);
    EXPECT_EQ(printed(), "Input! Dense Compile!");
    EXPECT_NE(code().find("print(measure(1, 2"), std::string::npos);
}

// The page goes while its text is read, as it does where the program is ended.
TEST_F(LongCodeTest, GoesWithItsPage) {
    pasteIntoTheEditor();
    ASSERT_TRUE(panel_->isReading());
    page_.reset();  // it waits for the reading, of which nothing comes
    QCoreApplication::processEvents();
    EXPECT_EQ(project().spec(), before_);
}

}  // namespace
}  // namespace ui::views
