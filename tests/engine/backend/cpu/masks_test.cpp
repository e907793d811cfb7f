// Masks on both executors against Keras' numbers: tests/data/keras/masks.json. What each layer does with a mask that it meets, and what a
// mask does to the loss and the metrics.
#include <cstring>
#include <span>
#include <vector>

#include "engine/backend/cpu/cpu_features.h"
#include "tests/support/forced_isa.h"
#include "tests/support/mask_cases.h"

namespace engine::backend {
namespace {

using cpu::Isa;

Back backOf(const char* name, Isa isa, int threads) {
    const auto make = [isa](const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) {
        const tests::support::ForcedIsa forced(tests::support::wordOf(isa));
        return makeCpuExecutor(plan, variables, options);
    };
    const bool is_there = isa <= cpu::supportedIsa();
    return {name, make, threads, is_there ? "" : "this processor has no " + std::string(toString(isa))};
}

// Output, gradients and states of one step on the CPU.
std::vector<float> stepValues(const nlohmann::json& golden, int threads) {
    const Array input = toArray(golden.at("input"));
    const spec::ModelSpec model = modelOf(golden);
    const std::vector<spec::VariableInfo> infos = variablesOf(model);
    const bool trains = golden.at("training").get<bool>();
    ExecutorRig rig(model, &makeCpuExecutor, {.batch = input.shape.front(), .training = trains, .threads = threads});
    setWeights(rig.variables(), infos, toArrays(golden.at("weights")));
    rig.run(input.values, toArray(golden.at("r")).values);
    std::vector<float> values;
    const auto add = [&](std::span<const float> more) { values.insert(values.end(), more.begin(), more.end()); };
    add(rig.tensor("output"));
    if (trains && rig.has("input:grad")) add(rig.tensor("input:grad"));
    for (const spec::VariableInfo& info : infos) {
        add(rig.variables().values(info.name));
        if (trains && info.trainable) add(rig.tensor(info.name + ":grad"));
    }
    return values;
}

TEST(CpuMasks, GiveTheSameBytesForAnyNumberOfThreads) {
    const nlohmann::json masks = readGolden("masks.json");
    for (const nlohmann::json& golden : masks.at("layers")) {
        const std::vector<float> one = stepValues(golden, 1);
        for (int threads : {2, 3, 5}) {
            const std::vector<float> several = stepValues(golden, threads);
            ASSERT_EQ(several.size(), one.size());
            EXPECT_EQ(std::memcmp(several.data(), one.data(), one.size() * sizeof(float)), 0)
                << golden.at("name").get<std::string>() << ", " << threads << " threads";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Executors, KerasMasks,
                         ::testing::Values(Back{"Reference", &makeReferenceExecutor}, backOf("Portable", Isa::kPortable, 1),
                                           backOf("Avx2TwoThreads", Isa::kAvx2, 2), backOf("Avx512", Isa::kAvx512, 1),
                                           backOf("Avx512ThreeThreads", Isa::kAvx512, 3)),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
