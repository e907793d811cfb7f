// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of layers, of compile and of an estimator.
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/model_summary.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/schedule.h"
#include "made_up_run.h"
#include "model_page_fixture.h"
#include "painted_texts.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/rate_curve.h"
#include "ui/parts/languages.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {
namespace {

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

// The parts of a form that need the most room, with their least widths: who makes it too wide.
std::string widestOf(const QWidget& form) {
    std::vector<std::pair<int, std::string>> all;
    const auto add = [&](const auto& self, const QLayout& layout) -> void {
        for (int i = 0; i < layout.count(); ++i) {
            QLayoutItem* item = layout.itemAt(i);
            if (item->layout() != nullptr) self(self, *item->layout());
            const QWidget* widget = item->widget();
            const std::string name =
                widget == nullptr ? "a layout" : widget->metaObject()->className() + (" " + widget->objectName().toStdString());
            all.emplace_back(item->minimumSize().width(), name);
        }
    };
    add(add, *form.layout());
    std::sort(all.begin(), all.end(), std::greater<>());
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(8, all.size()); ++i)
        text += std::to_string(all[i].first) + " " + all[i].second + "; ";
    return text;
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
            EXPECT_TRUE(tests::waitUntil([&] { return form->widget()->width() <= form->viewport()->width(); }))
                << path << ' ' << width << ": " << widestOf(*form->widget());
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

// That a field is not set is told by the studio: no value of Keras' has that name.
TEST_F(ModelPageTest, NamesAnUnsetFieldInTheUsersLanguage) {
    ASSERT_TRUE(page_->reveal("model.layers[0]"));
    StudioTranslator translator;
    for (const auto& [language, word] : {std::pair{"ko", "없음"}, {"zh_CN", "无"}, {"en", "None"}}) {
        translator.setLanguage(language);
        QEvent changed(QEvent::LanguageChange);
        QApplication::sendEvent(page_.get(), &changed);
        EXPECT_EQ(find("field_kernel_regularizer")->findChild<QComboBox*>()->currentText().toStdString(), word);
        EXPECT_EQ(find("field_padding")->findChild<QComboBox*>(), nullptr) << "a field that has a value is not to be set to none";
    }
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

}  // namespace
}  // namespace ui::views
