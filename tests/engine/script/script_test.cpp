#include "engine/script/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/nested_layers.h"

namespace engine::script {
namespace {

using spec::Fields;
using spec::RunSpec;
using spec::Severity;
using testing::HasSubstr;
using testing::Not;

RunSpec digits() {
    RunSpec run;
    run.name = "digits";
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {
        {"Conv2D", "conv2d", {{"filters", std::int64_t{8}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}, {"activation", "relu"}}},
        {"MaxPooling2D", "max_pooling2d", {}},
        {"Flatten", "flatten", {}},
        {"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", "softmax"}}}};
    return run;
}

std::string textOf(const RunSpec& run, Api api) {
    const Script script = writeScript(run, api);
    EXPECT_FALSE(spec::hasErrors(script.findings)) << spec::toString(script.findings.front());
    return script.text;
}

std::vector<std::string> messagesOf(const RunSpec& run, Api api) {
    std::vector<std::string> messages;
    const Script script = writeScript(run, api);
    for (const spec::Diagnostic& finding : script.findings) messages.push_back(spec::toString(finding));
    EXPECT_EQ(script.isWritten(), !spec::hasErrors(script.findings));
    return messages;
}

TEST(Script, TurnsImagesRoundConvolutionsInPyTorch) {
    const std::string text = textOf(digits(), Api::kTorch);
    EXPECT_THAT(text, HasSubstr("        self.conv2d = nn.Conv2d(1, 8, 3)\n"));
    EXPECT_THAT(text, HasSubstr("        x = x.permute(0, 3, 1, 2)  # channels first, as PyTorch has them\n"
                                "        x = F.relu(self.conv2d(x))\n"
                                "        x = F.max_pool2d(x, 2)\n"
                                "        x = x.permute(0, 2, 3, 1)  # channels last, as Keras has them\n"
                                "        x = x.flatten(1)\n"
                                "        x = self.dense(x)\n"
                                "        return x\n"));
    EXPECT_THAT(text, HasSubstr("Variable('conv2d/kernel', 'conv2d.weight', (3, 3, 1, 8), (3, 2, 0, 1), "
                                "lambda shape: variance_scaling(shape, 1.0, 'fan_avg', 'uniform'), False)"));
}

TEST(Script, TakesTheLossFromLogitsAsKerasDoes) {
    const std::string text = textOf(digits(), Api::kTorch);
    EXPECT_THAT(text, HasSubstr("sparse_categorical_crossentropy(outputs, y, from_logits=True)"));
    EXPECT_THAT(text, HasSubstr("    return F.softmax(outputs, -1)\n"));
}

TEST(Script, SaysWhichKerasTrainsWithTheStrategy) {
    RunSpec run = digits();
    EXPECT_THAT(textOf(run, Api::kKeras), Not(HasSubstr("TF_USE_LEGACY_KERAS")));
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.cluster.spec.jobs = {{"worker", {{0, "a:1"}, {1, "b:1"}}}};
    const std::string text = textOf(run, Api::kKeras);
    EXPECT_THAT(text, HasSubstr("os.environ['TF_USE_LEGACY_KERAS'] = '1'"));
    EXPECT_THAT(
        text,
        HasSubstr(R"(TF_CONFIG='{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}' python train_keras.py)"));
    EXPECT_LT(text.find("Keras 2"), text.find("import"));
}

TEST(Script, NamesWhatPyTorchHasNoEqualFor) {
    RunSpec run = digits();
    run.model.layers.insert(run.model.layers.begin(), {"RandomRotation", "random_rotation", {{"factor", 0.1}}});
    EXPECT_THAT(
        messagesOf(run, Api::kTorch),
        testing::ElementsAre("error: model.layers[0]: RandomRotation \"random_rotation\": expected a layer that PyTorch has an equal for, "
                             "got RandomRotation"));
    run = digits();
    run.model.dtype_policy = "mixed_bfloat16";
    run.data.order = {spec::DataStep::kBatch, spec::DataStep::kShuffle};
    EXPECT_EQ(messagesOf(run, Api::kTorch).size(), 2U);
}

TEST(Script, NamesDataThatNoProgramReads) {
    RunSpec run = digits();
    run.data.dataset = "tfrecord";
    for (const Api api : {Api::kKeras, Api::kCustomLoop, Api::kTorch}) {
        EXPECT_THAT(messagesOf(run, api), testing::ElementsAre(HasSubstr("data.dataset: expected a set or a format that numpy reads")));
    }
}

TEST(Script, RefusesServersInALoopOfItsOwn) {
    RunSpec run = digits();
    run.strategy.name = "ParameterServerStrategy";
    EXPECT_THAT(messagesOf(run, Api::kCustomLoop),
                testing::Contains(HasSubstr("got ParameterServerStrategy (its program is --api keras)")));
}

TEST(Script, LeavesOutWithAWarning) {
    RunSpec run = digits();
    run.compile.metrics = {"AUC"};
    run.callbacks = {{"SwapEMAWeights", {}}};
    EXPECT_THAT(messagesOf(run, Api::kTorch),
                testing::UnorderedElementsAre(HasSubstr("warning: compile.metrics: AUC"), HasSubstr("SwapEMAWeights")));
}

TEST(Script, HasEveryApiByItsName) {
    for (const ApiRow& row : apis()) EXPECT_EQ(apiOf(row.name), row.api);
    EXPECT_EQ(apiOf("jax"), std::nullopt);
}

}  // namespace
}  // namespace engine::script
