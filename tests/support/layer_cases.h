// Activations, normalisation, embedding and recurrent layers on any executor against Keras' numbers: tests/data/keras.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/plan/activation.h"
#include "engine/spec/error.h"
#include "tests/support/executor_rig.h"
#include "tests/support/golden.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::ExecutorFactory;
using tests::support::ExecutorRig;
using tests::support::isNear;
using tests::support::readGolden;
using tests::support::toArray;
using tests::support::toArrays;

struct Back {
    const char* name;
    ExecutorFactory make;
    int threads;
};
void PrintTo(const Back& back, std::ostream* out) {
    *out << back.name;
}

class KerasLayers : public ::testing::TestWithParam<Back> {
protected:
    static spec::ModelSpec modelOf(const nlohmann::json& golden, const Array& input) {
        return tests::support::model(
            {input.shape.begin() + 1, input.shape.end()},
            {tests::support::layer(golden.at("class_name"), "layer", tests::support::toFields(golden.at("config")))});
    }

    static void setWeights(ExecutorRig& rig, const std::vector<Array>& weights) {
        ASSERT_EQ(rig.variables().entries().size(), weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const Variables::Entry& entry = rig.variables().entries()[i];
            ASSERT_EQ(entry.shape, weights[i].shape) << entry.name;
            std::copy(weights[i].values.begin(), weights[i].values.end(), entry.values.begin());
        }
    }

    // The output, and the gradients where the file has them. A layer that is not training is a plan that evaluates; its gradient of the
    // input is that of a frozen layer.
    static void check(const nlohmann::json& golden) {
        const Array input = toArray(golden.at("input"));
        spec::ModelSpec model = modelOf(golden, input);
        const std::vector<float> output = toArray(golden.at("output")).values;
        const bool has_gradients = golden.contains("r"), trains = golden.at("training").get<bool>();
        const bool is_step = has_gradients || golden.contains("weights_after");
        if (!trains && has_gradients) model.layers[0].config.set("trainable", false);
        ExecutorRig rig(model, GetParam().make, {.batch = input.shape.front(), .training = is_step, .threads = GetParam().threads});
        setWeights(rig, toArrays(golden.at("weights")));
        rig.run(input.values, has_gradients ? toArray(golden.at("r")).values : std::vector<float>(output.size()));
        EXPECT_TRUE(isNear(rig.tensor("output"), output, 1e-5));
        if (has_gradients) checkGradients(golden, rig);
        if (!golden.contains("weights_after")) return;
        const std::vector<Array> after = toArrays(golden.at("weights_after"));
        for (std::size_t i = 0; i < after.size(); ++i) {
            EXPECT_TRUE(isNear(rig.variables().entries()[i].values, after[i].values, 1e-6)) << rig.variables().entries()[i].name;
        }
    }

    static void checkGradients(const nlohmann::json& golden, ExecutorRig& rig) {
        if (golden.contains("grad_input")) {
            EXPECT_TRUE(isNear(rig.tensor("input:grad"), toArray(golden.at("grad_input")).values, 1e-4));
        }
        std::vector<Array> gradients = toArrays(golden.at("grad_weights"));
        std::size_t next = 0;
        for (const Variables::Entry& entry : rig.variables().entries()) {
            if (entry.is_state) continue;
            ASSERT_LT(next, gradients.size());
            EXPECT_TRUE(isNear(rig.tensor(entry.name + ":grad"), gradients[next++].values, 1e-4)) << entry.name;
        }
    }

    static void checkAll(const std::string& file) {
        const nlohmann::json cases = readGolden(file);
        ASSERT_FALSE(cases.empty());
        for (const nlohmann::json& golden : cases) {
            SCOPED_TRACE(golden.at("name").get<std::string>() + (golden.at("training").get<bool>() ? "" : ", not training"));
            check(golden);
        }
    }
};

TEST_P(KerasLayers, NormaliseActivateAndEmbedTheSame) {
    checkAll("normalization.json");
}

TEST_P(KerasLayers, RememberTheSame) {
    checkAll("recurrent.json");
    checkAll("wrappers.json");
}

TEST_P(KerasLayers, RememberImagesTheSame) {
    checkAll("conv_lstm.json");
}

TEST_P(KerasLayers, WorkOnEveryTimeTheSame) {
    checkAll("time_distributed.json");
}

TEST_P(KerasLayers, ResizeTheSame) {
    checkAll("resizing.json");
}

TEST_P(KerasLayers, TellCategoriesTheSame) {
    checkAll("categories.json");
    checkAll("hashing.json");
}

// By tables that lie in variables, as adapt() leaves them, by weights of tf_idf, and with values that have no place but by a hash, or none.
TEST_P(KerasLayers, TellCategoriesOfWhatIsTakenTheSame) {
    checkAll("taken.json");
}

TEST_P(KerasLayers, RefuseValuesBeyondTheVocabulary) {
    ExecutorRig rig(tests::support::model({2}, {tests::support::layer("IntegerLookup", "layer",
                                                                      {{"vocabulary", std::vector<std::int64_t>{7, -2}},
                                                                       {"mask_token", std::int64_t{4}},
                                                                       {"num_oov_indices", std::int64_t{0}}})}),
                    GetParam().make, {.batch = 2, .training = false, .threads = GetParam().threads});
    rig.run(std::vector<float>{7, 4, -2.75F, 7}, {});
    EXPECT_TRUE(isNear(rig.tensor("output"), std::vector<float>{1, 0, 2, 1}, 0));
    try {
        rig.run(std::vector<float>{7, 4, -2, 5}, {});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kOutOfRange);
        EXPECT_NE(std::string(error.what()).find("layer: expected values of the vocabulary, got 5 in sample 1 of the batch"),
                  std::string::npos)
            << error.what();
    }
}

TEST_P(KerasLayers, StandardizeTheSame) {
    checkAll("standardize.json");
}

TEST_P(KerasLayers, HaveTheSameActivations) {
    const nlohmann::json golden = readGolden("activations.json");
    const auto x = golden.at("x").get<std::vector<float>>();
    for (const auto& [name, values] : golden.items()) {
        if (name == "x") continue;
        SCOPED_TRACE(name);
        ASSERT_NE(plan::findActivation(name), nullptr);
        if (name == "linear") continue;
        const auto count = static_cast<std::int64_t>(x.size());
        ExecutorRig rig(tests::support::model({count}, {tests::support::layer("Activation", "layer", {{"activation", name}})}),
                        GetParam().make, {.batch = 1, .threads = GetParam().threads});
        rig.run(x, std::vector<float>(x.size()));
        EXPECT_TRUE(isNear(rig.tensor("output"), values.get<std::vector<float>>(), 1e-5));
    }
}

// Where a function bends: what Keras' derivative is at 0, at thresholds and at limits, which differs from one function to the next.
TEST_P(KerasLayers, HaveTheSameDerivativesAtCorners) {
    checkAll("activation_corners.json");
}

TEST_P(KerasLayers, RefuseIdsBeyondTheTable) {
    ExecutorRig rig(tests::support::model({2}, {tests::support::layer("Embedding", "layer",
                                                                      {{"input_dim", std::int64_t{6}}, {"output_dim", std::int64_t{3}}})}),
                    GetParam().make, {.batch = 2, .threads = GetParam().threads});
    for (const float id : {6.0F, -1.0F}) {
        try {
            rig.run(std::vector<float>{0, 5, 1, id}, std::vector<float>(12));
            FAIL() << "expected an error";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kOutOfRange);
            EXPECT_NE(std::string(error.what()).find("layer: expected ids from 0 to 5, got "), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("in sample 1 of the batch"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace engine::backend
