#include "engine/spec/project/model_summary.h"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/project/model_fixes.h"

namespace engine::spec {
namespace {

LayerSpec layer(const char* class_name, const char* name, Fields config = {}) {
    return {class_name, name, std::move(config)};
}

TEST(ModelSummary, PrintsWhatKerasPrints) {
    ModelSpec model;
    model.name = "cnn";
    model.input_shape = {8, 8, 1};
    model.layers = {layer("Conv2D", "conv2d", {{"filters", std::int64_t{4}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}}),
                    layer("BatchNormalization", "batch_normalization"),
                    layer("MaxPooling2D", "max_pooling2d"),
                    layer("Flatten", "flatten"),
                    layer("Dense", "dense", {{"units", std::int64_t{5}}}),
                    layer("Dropout", "dropout", {{"rate", 0.5}}),
                    layer("Dense", "dense_1", {{"units", std::int64_t{3}}})};
    std::ifstream file(std::string(TANDEM_TEST_DATA) + "/keras/summary_3.16.txt");
    const std::string keras{std::istreambuf_iterator<char>(file), {}};
    const ObjectSpec adam{"Adam", {}};
    EXPECT_EQ(modelSummary(model, &adam) + "\n", keras);
    EXPECT_THAT(modelSummary(model), testing::EndsWith(" Total params: 259 (1.01 KB)\n Trainable params: 251 (1004.00 B)\n"
                                                       " Non-trainable params: 8 (32.00 B)\n"));
}

TEST(ModelSummary, CountsWorkAndMemoryByLayer) {
    RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {layer("Flatten", "flatten"), layer("Dense", "dense", {{"units", std::int64_t{10}}})};
    EXPECT_EQ(workSummary(run),
              "layer    multiply-adds a sample   weights  outputs, batch 64\n"
              "flatten                       0    0.00 B          196.00 KB\n"
              "dense                     7,840  30.66 KB            2.50 KB\n"
              "total                     7,840  30.66 KB          198.50 KB\n"
              "Adam slots  61.33 KB\n");
    const WorkTable work = workOf(run);
    ASSERT_EQ(work.layers.size(), 2U);
    EXPECT_EQ(work.layers[1].layer, "dense");
    EXPECT_EQ(work.layers[1].weight_bytes, 4 * 7850);
    EXPECT_EQ(work.total.output_bytes, work.layers[0].output_bytes + work.layers[1].output_bytes);
    EXPECT_EQ(work.batch, 64);
    EXPECT_EQ(slotNumbers(run.model, {"SGD", {}}), 0);
    EXPECT_EQ(slotNumbers(run.model, {"SGD", {{"momentum", 0.9}}}), 7850);
    // Rows and columns of the kernel, two numbers in their place for the bias, and one for each weight.
    EXPECT_EQ(slotNumbers(run.model, {"Adafactor", {}}), 784 + 10 + 2 + 7850);
    // Adam has two for each of the bias alone.
    EXPECT_EQ(slotNumbers(run.model, {"Muon", {}}), 7850 + 10);
    EXPECT_EQ(slotNumbers(run.model, {"Muon", {{"exclude_layers", std::vector<std::string>{"dense"}}}}), 2 * 7850);
    EXPECT_EQ(countText(1234567), "1,234,567");
}

TEST(ModelFixes, OfferTheSmallEditsAfterWhichTheModelFits) {
    ModelSpec model;
    model.input_shape = {28, 28, 1};
    model.layers = {layer("Flatten", "flatten"),
                    layer("Conv2D", "conv2d", {{"filters", std::int64_t{4}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}}),
                    layer("Dense", "dense", {{"units", std::int64_t{10}}})};
    const auto texts = [](const std::vector<ModelFix>& fixes) {
        std::vector<std::string> list;
        for (const ModelFix& fix : fixes) list.push_back(toString(fix));
        return list;
    };
    const std::vector<ModelFix> fixes = findModelFixes(model, 1);
    EXPECT_THAT(texts(fixes), testing::ElementsAre("Move above Flatten", "Delete layer"));
    EXPECT_EQ(fixes[0].model.layers[0].class_name, "Conv2D");
    EXPECT_EQ(fixes[0].layer, 0);
    EXPECT_TRUE(findModelFixes(fixes[0].model, 0).empty());
    // A window that is larger than its input.
    model.layers = {layer("Conv2D", "conv2d", {{"filters", std::int64_t{4}}, {"kernel_size", std::vector<std::int64_t>{30, 30}}}),
                    layer("Flatten", "flatten")};
    EXPECT_THAT(texts(findModelFixes(model, 0)), testing::Contains("Set kernel_size to [3, 3]"));
    model.layers = {layer("Conv2D", "conv2d",
                          {{"filters", std::int64_t{4}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}, {"groups", std::int64_t{2}}})};
    EXPECT_THAT(texts(findModelFixes(model, 0)), testing::Contains("Set groups to 1"));
}

TEST(ModelFixes, SplitWhatIsWrongIntoExpectedAndGot) {
    const LayerMismatch mismatch = mismatchOf("expected input rank 4 (rows, columns, channels and batch), got (None, 64)", "");
    EXPECT_EQ(mismatch.expected, "input rank 4 (rows, columns, channels and batch)");
    EXPECT_EQ(mismatch.got, "(None, 64)");
}

}  // namespace
}  // namespace engine::spec
