#include "engine/train/estimator/evaluation_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace engine::train::estimator {
namespace {

using testing::ElementsAre;

class EvaluationLinesTest : public testing::Test {
protected:
    EvaluationLines lines(std::int64_t steps, std::int64_t batch) {
        return {steps, batch, [this](const std::string& text) { said.push_back(text); }};
    }
    std::vector<std::string> said;
};

TEST_F(EvaluationLinesTest, SayEachOfFewSteps) {
    EvaluationLines few = lines(3, 10);
    few.looked(9);
    EXPECT_TRUE(said.empty());
    few.looked(10);
    few.looked(30);
    few.looked(40);
    EXPECT_THAT(said, ElementsAre("Evaluation [1/3]", "Evaluation [2/3]", "Evaluation [3/3]"));
}

TEST_F(EvaluationLinesTest, SayTenOfMany) {
    EvaluationLines many = lines(100, 64);
    for (std::int64_t samples = 64; samples <= 6400; samples += 64) many.looked(samples);
    ASSERT_EQ(said.size(), 10U);
    EXPECT_EQ(said.front(), "Evaluation [10/100]");
    EXPECT_EQ(said.back(), "Evaluation [100/100]");
}

TEST_F(EvaluationLinesTest, SayNothingOfAllSamples) {
    EvaluationLines all = lines(0, 64);
    all.looked(10000);
    EXPECT_TRUE(said.empty());
}

}  // namespace
}  // namespace engine::train::estimator
