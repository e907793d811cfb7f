#include "engine/sweep/usual_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::sweep {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct Row {
    const char *path, *value, *text;
};

TEST(UsualField, IsMadeOfTheProjectsValue) {
    for (const Row& row : {
             Row{"compile.optimizer.config.learning_rate", "0.001", "log:0.0001..0.01:3"},
             Row{"compile.optimizer.config.weight_decay", "0", "log:1e-05..0.01:3"},
             Row{"model.layers[1].config.units", "128", "64,128,256"},
             Row{"model.layers[1].config.strides", "1", "1,2,3"},
             Row{"model.layers[2].config.rate", "0.2", "linear:0..0.6:3"},
             Row{"model.layers[2].config.rate", "0", "linear:0..0.5:3"},
             Row{"compile.optimizer.config.momentum", "0.9", "linear:0..0.95:3"},
             Row{"model.layers[1].config.use_bias", "true", "true,false"},
             Row{"model.layers[1].config.activation", "relu", "relu,tanh,gelu"},
             Row{"model.layers[1].config.padding", "same", "same"},
             Row{"data.offset", "-2.5", "linear:-5..-1.25:3"},
             Row{"data.augment", "", "\"\""},
         }) {
        const SweepField field = usualField(row.path, row.value);
        EXPECT_EQ(valuesText(field), row.text) << row.path;
        EXPECT_EQ(fieldProblem(field), "") << row.path;
        EXPECT_FALSE(gridValues(field).empty());
    }
}

TEST(UsualField, TheLikeliestComeFirst) {
    EXPECT_THAT(
        sweptFields({{"version", "1"},
                     {"name", "digits"},
                     {"model.layers[0].class_name", "Dense"},
                     {"model.layers[0].config.units", "64"},
                     {"data.dataset", "mnist"},
                     {"data.batch_size_per_replica", "64"},
                     {"compile.optimizer.config.beta_1", "0.9"},
                     {"compile.optimizer.config.learning_rate", "0.001"},
                     {"fit.epochs", "3"},
                     {"fit.log_every", "100"},
                     {"cluster.transport", "auto"}}),
        ElementsAre(Pair("compile.optimizer.config.learning_rate", "0.001"), Pair("compile.optimizer.config.beta_1", "0.9"),
                    Pair("model.layers[0].config.units", "64"), Pair("data.batch_size_per_replica", "64"), Pair("fit.epochs", "3")));
}

}  // namespace
}  // namespace engine::sweep
