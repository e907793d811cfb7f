// Which classes and functions came with Keras 3, beside what Keras 2 has: tests/data/keras/keras2_names.py.
#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/object_schema.h"
#include "tests/support/golden.h"

namespace engine::spec {
namespace {

class Keras2Names : public testing::Test {
protected:
    // Names that neither has are Tandem's own, which exported code defines.
    void expectAsKerasHas(const std::string& family, const std::string& name, bool since_keras_3) {
        const auto both = names_.at(family).at("both").get<std::set<std::string>>();
        const auto recent = names_.at(family).at("keras_3").get<std::set<std::string>>();
        EXPECT_EQ(since_keras_3, recent.contains(name)) << family << " " << name;
        known_ += both.contains(name) ? 1 : 0;
        recent_ += recent.contains(name) ? 1 : 0;
    }
    template <typename Schema>
    void expectAllAsKerasHas(const std::string& family, std::span<const Schema> schemas, int known, int recent) {
        known_ = recent_ = 0;
        for (const Schema& schema : schemas) expectAsKerasHas(family, schema.class_name, schema.since_keras_3);
        EXPECT_GE(known_, known) << family;
        EXPECT_GE(recent_, recent) << family;
    }

    const nlohmann::json names_ = tests::support::readGolden("keras2_names.json");
    int known_ = 0, recent_ = 0;
};

TEST_F(Keras2Names, AreThoseOfTheCatalogue) {
    expectAllAsKerasHas("layers", layerSchemas(), 60, 29);
    expectAllAsKerasHas("losses", lossSchemas(), 15, 5);
    expectAllAsKerasHas("metrics", metricSchemas(), 20, 2);
    expectAllAsKerasHas("optimizers", optimizerSchemas(), 10, 3);
    expectAllAsKerasHas("callbacks", callbackSchemas(), 5, 1);
    expectAllAsKerasHas("initializers", initializerSchemas(), 10, 0);
    expectAllAsKerasHas("regularizers", regularizerSchemas(), 3, 0);
    expectAllAsKerasHas("constraints", constraintSchemas(), 4, 0);
}

TEST_F(Keras2Names, AreThoseOfTheActivations) {
    const LayerSchema* dense = findLayerSchema("Dense");
    ASSERT_NE(dense, nullptr);
    const auto field =
        std::find_if(dense->fields.begin(), dense->fields.end(), [](const FieldSchema& one) { return one.name == "activation"; });
    ASSERT_NE(field, dense->fields.end());
    const std::vector<std::string>& recent = field->choices_since_keras_3;
    for (const std::string& name : field->choices)
        expectAsKerasHas("activations", name, std::find(recent.begin(), recent.end(), name) != recent.end());
    EXPECT_GE(known_, 15);
    EXPECT_EQ(recent_, static_cast<int>(recent.size())) << "each is among the choices";
}

}  // namespace
}  // namespace engine::spec
