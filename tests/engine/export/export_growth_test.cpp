// What reading and writing weights costs grows as the model does: it is counted, not timed, by the names that searches compare
// (engine/export/index/compared.h).
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/export/index/compared.h"
#include "engine/export/index/name_index.h"
#include "engine/export/keras_file.h"
#include "engine/export/keras_layout.h"
#include "engine/export/tf_checkpoint.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

constexpr std::int64_t kFew = 30, kTimes = 10;
// A search in a tree of ten times the names compares a few more of them each time. Squares would be a hundred times as many.
constexpr std::int64_t kMost = 2 * kTimes;

// So many Dense layers, with a value of its own for every weight and slot of Adam.
struct Chain {
    explicit Chain(std::int64_t layers) {
        model.input_shape = {1};
        for (std::int64_t i = 0; i < layers; ++i) {
            model.layers.push_back({"Dense", "layer_" + std::to_string(i), {{"units", std::int64_t{1}}}});
        }
        for (const KerasLayer& layer : kerasLayers(model)) {
            for (const KerasVariable& variable : layer.variables) add(variable.name, variable.shape);
        }
        for (const KerasSlot& slot : kerasSlots(model, optimizer)) add(slot.name, slot.shape);
    }
    void add(const std::string& name, const spec::Shape& shape) {
        values.push_back(static_cast<float>(names.size()));
        names.push_back(name);
        shapes.push_back(shape);
    }
    std::vector<MutableVariableView> targets(std::vector<float>& into) const {
        into.assign(values.size(), -1);
        std::vector<MutableVariableView> views;
        for (std::size_t i = 0; i < names.size(); ++i) views.push_back({names[i], shapes[i], std::span(into).subspan(i, 1)});
        return views;
    }
    CheckpointContents contents() const {
        CheckpointContents all{.model = &model, .optimizer = optimizer, .variables = {}, .iterations = 5, .learning_rate = 0.5F};
        for (std::size_t i = 0; i < names.size(); ++i) {
            all.variables.push_back({names[i], shapes[i], std::span(values).subspan(i, 1)});
        }
        return all;
    }

    spec::ModelSpec model;
    spec::ObjectSpec optimizer{"Adam", {{"learning_rate", 0.5}}};
    std::vector<std::string> names;
    std::vector<spec::Shape> shapes;
    std::vector<float> values;  // each variable has one
};

// The names that were compared to write a file of that form and to read it again, all values of which come back.
std::int64_t comparedFor(const std::string& form, std::int64_t layers) {
    const Chain chain(layers);
    const CheckpointContents contents = chain.contents();
    std::vector<float> read;
    const std::vector<MutableVariableView> targets = chain.targets(read);
    spec::CompileSpec compile;
    compile.optimizer = chain.optimizer;
    const tests::support::TempDir folder;
    const std::filesystem::path file = folder.path() / ("weights" + form);
    const std::int64_t before = comparedOfThisThread();
    if (form.empty()) {
        writeTfCheckpoint(file, contents);
        EXPECT_TRUE(readTfCheckpoint(file, chain.model, targets).missing.empty());
    } else {
        writeKerasFile(file, contents, compile);
        EXPECT_TRUE(readKerasWeights(file, chain.model, chain.optimizer, targets).missing.empty());
    }
    const std::int64_t compared = comparedOfThisThread() - before;
    EXPECT_EQ(read, chain.values) << form;
    return compared;
}

struct Form {
    const char* name;
    const char* ending;  // of the file's name; empty: a checkpoint of TensorFlow
};

std::ostream& operator<<(std::ostream& out, const Form& form) {
    return out << form.name;
}

class ExportGrowth : public testing::TestWithParam<Form> {};

TEST_P(ExportGrowth, TenTimesTheLayersAreTenTimesTheSearches) {
    const std::int64_t few = comparedFor(GetParam().ending, kFew);
    ASSERT_GT(few, kFew) << "each variable is looked for";
    EXPECT_LE(comparedFor(GetParam().ending, kTimes * kFew), kMost * few);
}

INSTANTIATE_TEST_SUITE_P(Forms, ExportGrowth,
                         testing::Values(Form{"TensorFlow", ""}, Form{"Keras3", ".weights.h5"}, Form{"Archive", ".keras"},
                                         Form{"Keras2", ".h5"}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(NameIndex, FindsWhatASearchFinds) {
    const std::vector<std::string> names{"b/kernel", "a/kernel", "a/b/kernel", "ab/kernel", "a/kernel", "a"};
    const NameIndex<std::string> index(names);
    for (const std::string& name : names) {
        EXPECT_EQ(index.find(name), &*std::find(names.begin(), names.end(), name)) << name << ": the first of them";
    }
    EXPECT_EQ(index.find("a/"), nullptr);
    EXPECT_EQ(index.find(""), nullptr);
    EXPECT_EQ(index.below("a"), (std::vector<const std::string*>{&names[1], &names[2], &names[4]})) << "in the list's order";
    EXPECT_EQ(index.below("a/b"), std::vector<const std::string*>{&names[2]});
    EXPECT_TRUE(index.below("c").empty());
}

TEST(NameIndex, LooksAtAFewNamesAmongMany) {
    std::vector<MutableVariableView> views;
    for (int i = 0; i < 4096; ++i) views.push_back({"layer_" + std::to_string(i) + "/kernel", {}, {}});
    const NameIndex<MutableVariableView> index(views);
    const std::int64_t before = comparedOfThisThread();
    EXPECT_EQ(index.find("layer_4000/kernel"), &views[4000]);
    EXPECT_EQ(index.below("layer_17").size(), 1U);
    EXPECT_LE(comparedOfThisThread() - before, 2 * 13);
}

}  // namespace
}  // namespace engine::exporter
