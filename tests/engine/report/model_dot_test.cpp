#include "engine/report/model_dot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace engine::report {
namespace {

using testing::HasSubstr;
using testing::Not;

spec::ModelSpec smallModel() {
    spec::ModelSpec model;
    model.name = "small";
    model.input_shape = {8};
    model.layers = {{"Dense", "hidden", {{"units", std::int64_t{4}}, {"activation", std::string("relu")}}},
                    {"Dense", "logits", {{"units", std::int64_t{2}}}}};
    return model;
}

TEST(ModelDot, HasABoxForEachLayerAndAnArrowToTheNext) {
    EXPECT_EQ(modelDot(smallModel()),
              "digraph \"small\" {\n"
              "  rankdir=TB;\n"
              "  node [shape=record, fontname=\"Helvetica\", fontsize=10];\n"
              "  layer0 [label=\"{hidden (Dense)|activation: relu|input: (None, 8)|output: (None, 4)|params: 36}\"];\n"
              "  layer1 [label=\"{logits (Dense)|input: (None, 4)|output: (None, 2)|params: 10}\"];\n"
              "  layer0 -> layer1;\n"
              "}\n");
}

TEST(ModelDot, LeavesOutWhatIsNotAskedFor) {
    const std::string text =
        modelDot(smallModel(), {.show_shapes = false, .show_layer_activations = false, .show_params = false, .left_to_right = true});
    EXPECT_THAT(text, HasSubstr("rankdir=LR;"));
    EXPECT_THAT(text, HasSubstr("layer0 [label=\"hidden (Dense)\"];"));
}

TEST(ModelDot, KnowsTheDefaultActivationAndTheLayerInside) {
    spec::ModelSpec model = smallModel();
    model.input_shape = {5, 8};
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{3}}}};
    model.layers = {{"TimeDistributed", "steps", {{"layer", spec::ObjectBox(dense)}}}, {"LSTM", "memory", {{"units", std::int64_t{2}}}}};
    const std::string text = modelDot(model);
    EXPECT_THAT(text, HasSubstr("{steps (TimeDistributed(Dense))|input: (None, 5, 8)|output: (None, 5, 3)|params: 27}"));
    EXPECT_THAT(text, HasSubstr("{memory (LSTM)|activation: tanh|input: (None, 5, 3)|output: (None, 2)|params: 48}"));
}

TEST(ModelDot, NamesAllThatAChainHolds) {
    spec::ModelSpec model = smallModel();
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{8}}}}, norm{"BatchNormalization", {}};
    model.input_shape = {8};
    model.layers = {{"Residual", "block", {{"layers", std::vector<spec::ObjectBox>{dense, norm}}}}};
    EXPECT_THAT(modelDot(model), HasSubstr("{block (Residual(Dense, BatchNormalization))|input: (None, 8)|output: (None, 8)|params: 104}"));
}

TEST(ModelDot, QuotesWhatDividesARecord) {
    spec::ModelSpec model = smallModel();
    model.name = "a \"b\"";
    model.layers[0].name = "a|b {c}\n<d>";
    const std::string text = modelDot(model);
    EXPECT_THAT(text, HasSubstr("digraph \"a \\\"b\\\"\" {"));
    EXPECT_THAT(text, HasSubstr("a\\|b \\{c\\} \\<d\\> (Dense)"));
}

TEST(ModelDot, ALayerThatDoesNotFitHasNoShape) {
    spec::ModelSpec model = smallModel();
    model.layers[1] = {"Conv2D", "conv", {{"filters", std::int64_t{2}}, {"kernel_size", std::int64_t{3}}}};
    model.layers.push_back({"NoSuchLayer", "unknown", {}});
    const std::string text = modelDot(model);
    EXPECT_THAT(text, HasSubstr("{hidden (Dense)|activation: relu|input: (None, 8)|output: (None, 4)|params: 36}"));
    EXPECT_THAT(text, HasSubstr("{conv (Conv2D)|input: ?|output: ?|params: ?}"));
    EXPECT_THAT(text, HasSubstr("{unknown (NoSuchLayer)|input: ?|output: ?|params: ?}"));
    model.layers.clear();
    EXPECT_THAT(modelDot(model), Not(HasSubstr("layer0")));
}

}  // namespace
}  // namespace engine::report
