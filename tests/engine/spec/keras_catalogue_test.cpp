// Every class and every activation of Keras is one of Tandem's or stands in the manual's table of those that are not, with the reason; none
// is in both. tests/data/keras/catalogue.py writes Keras' names.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/object_schema.h"

namespace engine::spec {
namespace {

using Names = std::set<std::string>;

template <typename Schema>
Names namesOf(std::span<const Schema> schemas) {
    Names names;
    for (const Schema& schema : schemas) names.insert(schema.class_name);
    return names;
}

// The names in the first cells of the table behind that heading, without their backticks.
Names namesInManual(const std::string& chapter, const std::string& heading) {
    std::ifstream file(chapter);
    std::string line;
    Names names;
    bool is_there = false;
    while (std::getline(file, line)) {
        if (line.starts_with("## ")) is_there = line == "## " + heading;
        if (!is_there || !line.starts_with("| `")) continue;
        const std::string cell = line.substr(1, line.find('|', 1) - 1);
        static const std::regex kName("`([A-Za-z0-9]+)`");
        for (std::sregex_iterator name(cell.begin(), cell.end(), kName), end; name != end; ++name) {
            EXPECT_TRUE(names.insert((*name)[1]).second) << chapter << " names " << (*name)[1] << " twice";
        }
    }
    return names;
}

std::string textOf(const Names& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

TEST(KerasCatalogue, IsHereOrInTheManualsTableOfWhatIsNot) {
    std::ifstream file(std::string(TANDEM_TEST_DATA) + "/keras/catalogue.json");
    const nlohmann::json keras = nlohmann::json::parse(file);
    Names losses = namesOf(lossSchemas()), metrics = namesOf(metricSchemas());
    // A loss may stand among the metrics: its mean.
    for (const std::string& loss : losses) metrics.insert(loss);
    // Cells stand within an RNN; a list of them is a stack.
    Names layers = namesOf(layerSchemas());
    layers.merge(namesOf(mixSchemas()));  // of data.mix
    layers.insert({"GRUCell", "LSTMCell", "SimpleRNNCell", "StackedRNNCells"});
    // It is the policy's: mixed_float16 has it around any optimizer.
    Names optimizers = namesOf(optimizerSchemas());
    optimizers.insert("LossScaleOptimizer");
    const std::vector<std::string>& by_name = findLayerSchema("Activation")->fields.front().choices;
    const Names activations(by_name.begin(), by_name.end());
    const std::pair<const char*, Names> families[] = {{"layers", layers},
                                                      {"optimizers", optimizers},
                                                      {"losses", losses},
                                                      {"metrics", metrics},
                                                      {"callbacks", namesOf(callbackSchemas())},
                                                      {"regularizers", namesOf(regularizerSchemas())},
                                                      {"constraints", namesOf(constraintSchemas())},
                                                      {"initializers", namesOf(initializerSchemas())},
                                                      {"schedules", namesOf(scheduleSchemas())},
                                                      {"activations", activations}};
    Names missing;
    for (const auto& [family, here] : families) {
        for (const auto& name : keras.at(family).get<Names>()) {
            if (!here.contains(name)) missing.insert(name);
        }
    }
    const std::pair<const char*, const char*> chapters[] = {
        {"en", "What of Keras is not here"}, {"ko", "여기에 없는 Keras의 것"}, {"zh_CN", "这里没有的 Keras 内容"}};
    for (const auto& [language, heading] : chapters) {
        const Names told = namesInManual(std::string(TANDEM_TEST_DATA) + "/../../docs/manual/" + language + "/model.md", heading);
        Names untold, wrongly_told;
        std::set_difference(missing.begin(), missing.end(), told.begin(), told.end(), std::inserter(untold, untold.end()));
        std::set_difference(told.begin(), told.end(), missing.begin(), missing.end(), std::inserter(wrongly_told, wrongly_told.end()));
        EXPECT_TRUE(untold.empty()) << language << " does not tell of " << textOf(untold);
        EXPECT_TRUE(wrongly_told.empty()) << language << " tells of " << textOf(wrongly_told) << ", which are here or not Keras'";
    }
}

}  // namespace
}  // namespace engine::spec
