// SPDX-License-Identifier: GPL-3.0-or-later
// Every mistake that validate finds about layers stands on its layer before anything is launched: the mark on the canvas, the sentence
// under the mouse, "expected / got" beside it, a row in Problems; and tandem-cli check says the same sentence of the same file.
#include <gtest/gtest.h>

#include <QApplication>
#include <QFile>
#include <QGraphicsItem>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QProcess>
#include <QPushButton>
#include <QToolButton>
#include <map>

#include "engine/errors/error_catalog.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"
#include "home.h"
#include "studio.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/model_problems.h"
#include "ui/models/check_list_model.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme.h"
#include "ui/window/output_panes.h"

namespace tests {
namespace {

using engine::spec::Diagnostic;
using engine::spec::Diagnostics;
using engine::spec::RunSpec;
using ui::views::Mode;

// One mistake: the model that has it, the path that validate names and a piece of its sentence. `layers` is the JSON of all layers; where
// it is empty, those of the starter project with one dense layer of 64 and one of 10.
struct Mistake {
    const char* name;
    const char* input;   // of input_shape
    const char* layers;  // JSON
    const char* path;
    const char* sentence;
    const char* setting = nullptr;  // one more value to set, as the command line's --set
};

#define CONV R"({"class_name":"Conv2D","config":{"filters":8,"kernel_size":[3,3]}})"
#define DENSE R"({"class_name":"Dense","config":{"units":4}})"
#define FLAT R"({"class_name":"Flatten"})"
#define LSTM(settings) R"({"class_name":"LSTM","config":{"units":4)" settings "}}"
#define ONE(class_name, config) R"([{"class_name":")" class_name R"(","config":)" config "}, " FLAT ", " DENSE "]"

constexpr const char* kImage = "[28,28,1]";
constexpr const char* kSequence = "[12,6]";
constexpr const char* kVector = "[8]";

const Mistake kMistakes[] = {
    // The input.
    {"InputOfZero", "[0,28,1]", "", "model.input_shape", "expected sizes of at least 1"},
    {"InputWithoutSizes", "[]", "[" DENSE "]", "model.input_shape", "expected sizes of at least 1"},
    {"InputTooLarge", "[1048576,1048576,3]", "", "model.input_shape", "expected at most 1e12 values"},
    {"InputType", kImage, "", "model.input_dtype", "expected float32, int32 or string, got float16", "model.input_dtype=float16"},
    {"DoublePrecision", kImage, "", "model.dtype_policy", "got float64", "model.dtype_policy=float64"},
    // Names, classes, settings.
    {"UnknownClass", kImage, "", "model.layers[1].class_name", "got MaxPoolling2D", "model.layers[1].class_name=MaxPoolling2D"},
    {"SameName", kImage, "", "model.layers[4].name", "got dense a second time", "model.layers[4].name=dense"},
    {"NameWithASlash", kImage, "", "model.layers[4].name", "got \"a/b\"", "model.layers[4].name=a/b"},
    {"PolicyOfALayer", kImage, "", "model.layers[0].dtype", "got float16", "model.layers[0].config.dtype=float16"},
    {"SettingBelow", kImage, "", "model.layers[3].units", "expected an integer of at least 1", "model.layers[3].units=-3"},
    {"SettingMissing", kImage, "", "model.layers[3].units", "got nothing", "model.layers[3].config={}"},
    {"SettingUnknown", kImage, "", "model.layers[3].unit", "expected one of the fields", "model.layers[3].unit=3"},
    {"SettingOfAnotherKind", kImage, "", "model.layers[3].use_bias", "expected true or false", "model.layers[3].use_bias=2"},
    {"ChoiceUnknown", kImage, "", "model.layers[0].padding", "expected valid or same", "model.layers[0].padding=full"},
    {"TrainableIsNoNumber", kImage, "", "model.layers[3].trainable", "expected true or false", "model.layers[3].trainable=1"},
    {"InitializerUnknown", kImage, "", "model.layers[3].kernel_initializer", "got Nonsense",
     R"(model.layers[3].kernel_initializer={"class_name":"Nonsense"})"},
    {"RegularizerSetting", kImage, "", "model.layers[3].kernel_regularizer.l2", "expected a number of at least 0",
     R"(model.layers[3].kernel_regularizer={"class_name":"L2","config":{"l2":-1}})"},
    {"ConstraintUnknown", kImage, "", "model.layers[3].bias_constraint", "got Orthogonal", "model.layers[3].bias_constraint=Orthogonal"},
    {"ConstraintAxis", kImage, "", "model.layers[3].kernel_constraint.axis", "expected axes of dense/kernel",
     R"(model.layers[3].kernel_constraint={"class_name":"MaxNorm","config":{"axis":5}})"},
    {"ConstraintAxisInside", kSequence,
     R"([{"class_name":"Bidirectional","config":{"layer":{"class_name":"LSTM","config":{"units":4,"kernel_constraint":{"class_name":"UnitNorm","config":{"axis":3}}}}}}, )" DENSE
     "]",
     "model.layers[0].forward_layer.kernel_constraint.axis", "expected axes of"},
    {"NothingToTrain", kImage, R"([{"class_name":"Flatten"},{"class_name":"Dense","config":{"units":10,"trainable":false}}])",
     "model.layers", "expected a layer with trainable weights, got none"},
    // What comes in.
    {"ImageExpected", kImage, "[" FLAT ", " CONV ", " FLAT ", " DENSE "]", "model.layers[1]", "expected input rank 4"},
    {"SequenceExpected", kImage, ONE("MaxPooling1D", "{}"), "model.layers[0]", "expected input rank 3 (batch, steps and channels)"},
    {"FeaturesExpected", "[1]", R"([{"class_name":"Reshape","config":{"target_shape":[]}}, )" DENSE "]", "model.layers[1]",
     "expected input rank 2 or more"},
    {"TimeExpected", kImage, "[" LSTM("") ", " DENSE "]", "model.layers[0]", "expected input rank 3 (batch, time and features)"},
    {"VectorExpected", kImage, ONE("RepeatVector", R"({"n":3})"), "model.layers[0]", "expected input rank 2 (batch and features)"},
    {"TimesExpected", kVector, R"([{"class_name":"TimeDistributed","config":{"layer":)" DENSE "}}, " DENSE "]", "model.layers[0]",
     "expected input rank 3 or more"},
    {"IdsExpected", kVector, "[" DENSE R"(, {"class_name":"Embedding","config":{"input_dim":9,"output_dim":4}}, )" FLAT ", " DENSE "]",
     "model.layers[1]", "expected ids from the model's input"},
    // Windows.
    {"KernelTooLarge", kImage, ONE("Conv2D", R"({"filters":8,"kernel_size":[29,3]})"), "model.layers[0].kernel_size",
     "expected a window of at most 28 rows"},
    {"PoolTooLarge", kImage, ONE("AveragePooling2D", R"({"pool_size":[2,40]})"), "model.layers[0].pool_size",
     "expected a window of at most 28 columns"},
    {"StepsTooFew", kSequence, ONE("Conv1D", R"({"filters":8,"kernel_size":13})"), "model.layers[0].kernel_size",
     "expected a window of at most 12 steps"},
    {"DilationWithStrides", kImage, ONE("Conv2D", R"({"filters":8,"kernel_size":[3,3],"strides":[2,2],"dilation_rate":[2,2]})"),
     "model.layers[0].dilation_rate", "expected 1 with strides above 1"},
    {"GroupsOfFilters", kImage, ONE("Conv2D", R"({"filters":8,"kernel_size":[3,3],"groups":3})"), "model.layers[0].groups",
     "expected a divisor of 8 filters"},
    {"OutputPadding", kImage, ONE("Conv2DTranspose", R"({"filters":8,"kernel_size":[3,3],"strides":[2,2],"output_padding":[2,2]})"),
     "model.layers[0].output_padding", "expected less than the strides"},
    {"OutputOfNothing", "[1,1,1]",
     ONE("Conv2DTranspose", R"({"filters":8,"kernel_size":[4,4],"strides":[2,2],"padding":"same","output_padding":[0,0]})"),
     "model.layers[0].output_padding", "expected an output of at least one row and column"},
    {"Border", kImage, ONE("ZeroPadding2D", R"({"padding":[1,2,3]})"), "model.layers[0].padding", "expected one, two or four numbers"},
    {"CropEverything", kImage, ONE("Cropping2D", R"({"cropping":[14,14]})"), "model.layers[0].cropping", "expected to leave a cell"},
    {"OutputTooLarge", kImage, ONE("UpSampling2D", R"({"size":[1048576,1048576]})"), "model.layers[0]", "expected at most 1e12 values"},
    // Shapes and axes.
    {"ReshapeProduct", kImage, R"([{"class_name":"Reshape","config":{"target_shape":[28,27]}}, )" FLAT ", " DENSE "]",
     "model.layers[0].target_shape", "expected sizes whose product is 784"},
    {"PermuteAxes", kImage, ONE("Permute", R"({"dims":[1,1,3]})"), "model.layers[0].dims", "expected each axis from 1 to 3 once"},
    {"NoiseShape", kImage, ONE("Dropout", R"({"rate":0.5,"noise_shape":[-1,27,1,1]})"), "model.layers[0].noise_shape",
     "expected the batch (-1)"},
    {"BatchAxis", kImage, ONE("BatchNormalization", R"({"axis":4})"), "model.layers[0].axis", "expected an axis from 1 to 3"},
    {"LayerAxes", kImage, ONE("LayerNormalization", R"({"axis":[1,1]})"), "model.layers[0].axis", "expected axes from 1 to 3"},
    {"RootMeanSquare", kImage, ONE("LayerNormalization", R"({"rms_scaling":true})"), "model.layers[0].rms_scaling", "not supported"},
    {"GroupAxis", kImage, ONE("GroupNormalization", R"({"groups":1,"axis":4})"), "model.layers[0].axis", "expected an axis from 1 to 3"},
    {"GroupsOfChannels", kImage, ONE("GroupNormalization", R"({"groups":2})"), "model.layers[0].groups",
     "expected a divisor of 1 channels"},
    {"SharedAxes", kImage, ONE("PReLU", R"({"shared_axes":[4]})"), "model.layers[0].shared_axes", "expected axes from 1 to 3"},
    {"FactorOfThree", kImage, ONE("RandomRotation", R"({"factor":[0.1,0.2,0.3]})"), "model.layers[0].factor",
     "expected one or two numbers"},
    {"ZoomToNothing", kImage, ONE("RandomZoom", R"({"height_factor":-1})"), "model.layers[0].height_factor", "above -1"},
    {"Masks", "[24]",
     R"([{"class_name":"Embedding","config":{"input_dim":9,"output_dim":4,"mask_zero":true}}, {"class_name":"Softmax","config":{}}, )" FLAT
     ", " DENSE "]",
     "model.layers[1]", "expected an input without a mask"},
    {"ReturnState", kSequence, "[" LSTM(R"(,"return_state":true)") ", " DENSE "]", "model.layers[0].return_state", "not supported"},
    // Layers inside layers.
    {"BidirectionalByName", kSequence, R"([{"class_name":"Bidirectional","config":{"layer":"LSTM"}}, )" DENSE "]", "model.layers[0].layer",
     "expected a layer with class_name and config"},
    {"BidirectionalOfDense", kSequence, R"([{"class_name":"Bidirectional","config":{"layer":)" DENSE "}}, " DENSE "]",
     "model.layers[0].layer", "LSTM"},
    {"BothForwards", kSequence,
     R"([{"class_name":"Bidirectional","config":{"layer":)" LSTM("") R"(,"backward_layer":)" LSTM("") "}}, " DENSE "]",
     "model.layers[0].backward_layer", "expected one of the two layers with go_backwards"},
    {"OtherUnits", kSequence,
     R"([{"class_name":"Bidirectional","config":{"merge_mode":"sum","layer":)" LSTM(
         "") R"(,"backward_layer":{"class_name":"LSTM","config":{"units":5,"go_backwards":true}}}}, )" DENSE "]",
     "model.layers[0].backward_layer", "expected the 4 units"},
    {"OtherSequences", kSequence,
     R"([{"class_name":"Bidirectional","config":{"layer":)" LSTM("") R"(,"backward_layer":)" LSTM(
         R"(,"go_backwards":true,"return_sequences":true)") "}}, " DENSE "]",
     "model.layers[0].backward_layer", "expected the return_sequences of the forward layer"},
    {"InnerSetting", kSequence,
     R"([{"class_name":"TimeDistributed","config":{"layer":{"class_name":"Dense","config":{"units":0}}}}, )" FLAT ", " DENSE "]",
     "model.layers[0].layer", "Dense.units: expected an integer of at least 1"},
    {"InnerClass", kImage,
     R"([{"class_name":"TimeDistributed","config":{"layer":{"class_name":"BatchNormalization","config":{}}}}, )" FLAT ", " DENSE "]",
     "model.layers[0].layer", "got BatchNormalization"},
    {"InnerNoiseShape", kSequence,
     R"([{"class_name":"TimeDistributed","config":{"layer":{"class_name":"Dropout","config":{"rate":0.5,"noise_shape":[-1,1,1]}}}}, )" FLAT
     ", " DENSE "]",
     "model.layers[0].layer", "Dropout.noise_shape: expected the batch (-1)"},
    {"InnerPenalty", kSequence,
     R"([{"class_name":"TimeDistributed","config":{"layer":{"class_name":"Dense","config":{"units":4,"activity_regularizer":{"class_name":"L2","config":{}}}}}}, )" FLAT
     ", " DENSE "]",
     "model.layers[0].layer", "activity_regularizer: expected none"},
};

constexpr const char* kUsualLayers =
    R"([{"class_name":"Conv2D","config":{"filters":32,"kernel_size":[3,3],"activation":"relu"}},{"class_name":"MaxPooling2D"},)"
    R"({"class_name":"Flatten"},{"class_name":"Dense","config":{"units":64,"activation":"relu"}},{"class_name":"Dense","config":{"units":10}}])";

// The project as its file holds it, readable or not.
std::string projectOf(const Mistake& mistake) {
    const std::string layers = *mistake.layers == 0 ? kUsualLayers : mistake.layers;
    const std::string text =
        R"({"version":1,"name":"a mistake","model":{"input_shape":)" + std::string(mistake.input) + R"(,"layers":)" + layers + "}}";
    engine::spec::ProjectReport report = engine::spec::parseProject(text);
    EXPECT_FALSE(hasErrors(report.diagnostics)) << mistake.name << ": " << toString(report.diagnostics.front());
    if (mistake.setting != nullptr) {
        const Diagnostics found = applySetting(report.run, mistake.setting);
        EXPECT_FALSE(hasErrors(found)) << mistake.name << ": " << toString(found.front());
    }
    return toProjectJson(report.run);
}

Diagnostics modelErrors(const RunSpec& run) {
    Diagnostics found = validate(run);
    std::erase_if(found, [](const Diagnostic& d) { return d.severity != engine::spec::Severity::kError || !d.path.starts_with("model"); });
    return found;
}

class Mistakes : public testing::Test {
protected:
    // As `tandem FILE` and a click in the list of recent projects do.
    void open(const QString& file) {
        ASSERT_TRUE(studio_.session().project().open(file));
        studio_.window().showMode(Mode::kModel);
        // Each page has its own pane.
        if (studio_.window().panes().openPane() != 1) studio_.key(Qt::Key_1, Qt::AltModifier);
        QCoreApplication::processEvents();
        ASSERT_EQ(studio_.window().panes().openPane(), 1);
    }
    QString write(const QString& name, const std::string& text) {
        const QString path = home_.path(name + ".tandem");
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
        return path;
    }
    // What the command line says of the file, line by line.
    static QStringList told(const QString& file) {
        QProcess check;
        check.start(QStringLiteral(TANDEM_BIN "/tandem-cli"), {"check", file});
        EXPECT_TRUE(check.waitForFinished(kDeadlineMs));
        EXPECT_EQ(check.exitCode(), 1) << "errors";
        return QString::fromUtf8(check.readAllStandardOutput()).split('\n');
    }
    QStringList problemRows() {
        const auto* model = studio_.find<QListView>("problemsList").model();
        QStringList rows;
        for (int row = 0; row < model->rowCount(); ++row) rows << model->index(row, 0).data().toString();
        return rows;
    }
    QString underTheMouse(int node) {
        const QPoint at = studio_.middleOf(node);
        const QGraphicsItem* item = studio_.canvas().itemAt(at);
        return item == nullptr ? QString() : item->toolTip();
    }
    // The red spot at the node's upper right corner, as it is painted.
    bool hasBadge(int node) {
        const QRectF box = studio_.canvas().nodeRect(node);
        const QPoint at = studio_.onCanvas(box.topRight() + QPointF(-8, 1));
        const QImage picture = studio_.canvas().viewport()->grab().toImage();
        return picture.pixelColor(at) == studio_.themes().theme().err;
    }
    // A click on the node shows its first mistake as "expected / got".
    void expectCard(int node, const Diagnostic& problem) {
        studio_.clickNode(node);
        QWidget& card = studio_.find("layerError");
        ASSERT_TRUE(card.isVisible());
        EXPECT_EQ(card.accessibleDescription().toStdString(), problem.message);
        const auto shown = [this](const char* name) {
            return studio_.find<QLabel>(name).text().remove(QChar(0x200B)).toStdString();  // where a long name may break
        };
        const std::string expected = shown("layerErrorExpected"), got = shown("layerErrorGot");
        EXPECT_NE(problem.message.find("expected " + expected + ", got " + got), std::string::npos) << expected << " / " << got;
        EXPECT_EQ(studio_.find<QLabel>("layerErrorAdvice").text().toStdString(), problem.fix);
    }
    // Everything that is wrong with the open project stands on its node, and nothing else does.
    void expectShown(const Diagnostics& errors, const QStringList& lines) {
        const auto& content = studio_.canvas().content();
        const int layers = static_cast<int>(studio_.session().project().spec().model.layers.size());
        std::map<int, std::vector<const Diagnostic*>> by_node;
        const QStringList rows = problemRows();
        for (const Diagnostic& error : errors) {
            const auto place = ui::views::modelPlaceOf(error.path, layers);
            ASSERT_TRUE(place) << error.path << " has no place";
            by_node[place->node].push_back(&error);
            EXPECT_TRUE(rows.contains(QString::fromStdString(error.message))) << "in Problems: " << error.message;
            EXPECT_TRUE(lines.contains(QString::fromStdString(engine::errors::withCode(toString(error)))))
                << "on the command line: " << toString(error);
        }
        for (int node = 0; node < static_cast<int>(content.nodes.size()) - 1; ++node) {
            EXPECT_EQ(content.nodes[static_cast<std::size_t>(node)].wrong, by_node.contains(node)) << "node " << node;
        }
        for (const auto& [node, problems] : by_node) {
            for (const Diagnostic* problem : problems)
                EXPECT_TRUE(underTheMouse(node).contains(QString::fromStdString(problem->message))) << problem->message;
            EXPECT_TRUE(hasBadge(node)) << "node " << node;
            expectCard(node, *problems.front());
        }
        EXPECT_FALSE(studio_.find<QToolButton>("railLaunchButton").isEnabled());
    }

    Home home_;
    Studio studio_{home_.path("studio")};
};

TEST_F(Mistakes, StandOnTheirLayersAndOnTheCommandLine) {
    for (const Mistake& mistake : kMistakes) {
        SCOPED_TRACE(mistake.name);
        const QString file = write(QString::fromLatin1(mistake.name), projectOf(mistake));
        open(file);
        const Diagnostics errors = modelErrors(studio_.session().project().spec());
        const auto meant = std::find_if(errors.begin(), errors.end(), [&](const Diagnostic& error) {
            return error.path == mistake.path && error.message.find(mistake.sentence) != std::string::npos;
        });
        std::string all;
        for (const Diagnostic& error : errors) all += toString(error) + "\n";
        ASSERT_NE(meant, errors.end()) << mistake.path << ": " << mistake.sentence << ", found:\n" << all;
        expectShown(errors, told(file));
        if (std::string_view(mistake.name) == "SameName" || std::string_view(mistake.name) == "ImageExpected")
            studio_.shoot(QString::fromLatin1(mistake.name));
    }
}

// A field that no layer has, in each of them at once: as many marks as classes.
TEST_F(Mistakes, StandOnLayersOfEveryClass) {
    RunSpec run;
    run.name = "every class";
    run.model.input_shape = {28, 28, 1};
    for (const engine::spec::LayerSchema& schema : engine::spec::layerSchemas()) {
        engine::spec::LayerSpec layer{schema.class_name, "layer_" + std::to_string(run.model.layers.size()), {}};
        for (const engine::spec::FieldSchema& field : schema.fields)
            layer.config.set(field.name, engine::spec::ObjectBox({"Nonsense", {}}));  // of no kind that any field takes
        layer.config.set("no_such_field", std::int64_t{1});
        run.model.layers.push_back(std::move(layer));
    }
    const QString file = write("every class", toProjectJson(run));
    open(file);
    const Diagnostics errors = modelErrors(studio_.session().project().spec());
    const auto& layers = studio_.session().project().spec().model.layers;
    EXPECT_GT(errors.size(), 3 * layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::string path = "model.layers[" + std::to_string(i) + "].";
        for (const engine::spec::FieldSchema& field : engine::spec::findLayerSchema(layers[i].class_name)->fields) {
            const bool found =
                std::any_of(errors.begin(), errors.end(), [&](const Diagnostic& e) { return e.path.starts_with(path + field.name); });
            EXPECT_TRUE(found) << path << field.name;
        }
    }
    expectShown(errors, told(file));
    studio_.shoot("every-class");
}

TEST_F(Mistakes, OfTheEditorStandOnTheirLayersUntilTheyAreMended) {
    const QString file = write("good", projectOf({"good", kImage, "", "", ""}));
    open(file);
    ASSERT_EQ(modelErrors(studio_.session().project().spec()), Diagnostics());
    const auto text = [&](const QString& field, int index) { return studio_.find("field_" + field).findChildren<QLineEdit*>().at(index); };
    const auto put = [&](QLineEdit* edit, const QString& value) {
        studio_.click(*edit);
        studio_.key(Qt::Key_A, Qt::ControlModifier);
        studio_.type(value);
    };
    const auto expectSavedAndTold = [&](const char* path) {
        const Diagnostics errors = modelErrors(studio_.session().project().spec());
        ASSERT_EQ(errors.size(), 1u);
        EXPECT_EQ(errors.front().path, path);
        studio_.key(Qt::Key_S, Qt::ControlModifier);
        ASSERT_FALSE(studio_.session().project().isModified());
        expectShown(errors, told(file));
    };
    // A name that another layer has.
    studio_.clickNode(5);
    put(text("name", 0), "dense");
    expectSavedAndTold("model.layers[4].name");
    studio_.clickNode(5);
    put(text("name", 0), "scores");
    // A window larger than the image; a click on the remedy.
    studio_.clickNode(1);
    put(text("kernel_size", 0), "29");
    expectSavedAndTold("model.layers[0].kernel_size");
    studio_.click("layerFix");
    EXPECT_EQ(modelErrors(studio_.session().project().spec()), Diagnostics());
    EXPECT_FALSE(hasBadge(1));
    EXPECT_FALSE(studio_.find("layerError").isVisible());
    // A layer in the wrong place: below Flatten it gets no image. The remedy moves it.
    studio_.clickNode(3);
    studio_.key(Qt::Key_A);
    studio_.key(Qt::Key_C);
    expectSavedAndTold("model.layers[3]");
    EXPECT_TRUE(studio_.canvas().content().nodes[5].dimmed) << "what follows is worked out later";
    studio_.click("layerFix");
    EXPECT_EQ(modelErrors(studio_.session().project().spec()), Diagnostics());
    // No layer at all: the chain asks for the first.
    while (!studio_.session().project().spec().model.layers.empty()) {
        studio_.clickNode(1);
        studio_.key(Qt::Key_Delete);
    }
    EXPECT_TRUE(studio_.canvas().content().edges.front().invites);
    EXPECT_TRUE(problemRows().contains("expected at least one layer, got none"));
    // A click on the row goes to the layer.
    for (int i = 0; i < 40 && studio_.session().project().spec().model.layers.empty(); ++i) studio_.click("modelUndo");
    studio_.clickNode(1);
    put(text("name", 0), "a/b");
    studio_.clickNode(0);
    auto& list = studio_.find<QListView>("problemsList");
    for (int row = 0; row < list.model()->rowCount(); ++row) {
        if (list.model()->index(row, 0).data(ui::models::CheckListModel::kPathRole) == "model.layers[0].name")
            studio_.clickRow(list, list.model()->index(row, 0));
    }
    EXPECT_EQ(studio_.canvas().selected(), 1);
}

}  // namespace
}  // namespace tests
