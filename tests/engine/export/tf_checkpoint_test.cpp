#include "engine/export/tf_checkpoint.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "engine/export/atomic_file.h"
#include "engine/export/tensor_bundle.h"
#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

const std::filesystem::path kSamples = std::filesystem::path(TANDEM_TEST_DATA) / "tf_checkpoint";

// The model of the sample files: Conv2D, BatchNormalization, MaxPooling2D, Flatten, Dense, (Dropout,) Dense on 6x6x1, with Adam.
class SampleModel {
public:
    enum class Dropout { kWith, kWithout };

    explicit SampleModel(Dropout dropout) {
        model.input_shape = {6, 6, 1};
        const auto layer = [&](const char* class_name, const char* name) { model.layers.push_back({class_name, name, {}}); };
        layer("Conv2D", "conv2d");
        layer("BatchNormalization", "batch_normalization");
        layer("MaxPooling2D", "max_pooling2d");
        layer("Flatten", "flatten");
        layer("Dense", "dense");
        if (dropout == Dropout::kWith) {
            layer("Dropout", "dropout");
        }
        layer("Dense", "dense_1");
        const std::vector<std::pair<std::string, spec::Shape>> weights{{"conv2d/kernel", {3, 3, 1, 2}},
                                                                       {"conv2d/bias", {2}},
                                                                       {"batch_normalization/gamma", {2}},
                                                                       {"batch_normalization/beta", {2}},
                                                                       {"batch_normalization/moving_mean", {2}},
                                                                       {"batch_normalization/moving_variance", {2}},
                                                                       {"dense/kernel", {8, 3}},
                                                                       {"dense/bias", {3}},
                                                                       {"dense_1/kernel", {3, 2}},
                                                                       {"dense_1/bias", {2}}};
        for (const auto& [name, shape] : weights) {
            add(name, shape);
        }
        for (const char* slot : {":m", ":v"}) {
            for (const auto& [name, shape] : weights) {
                if (name.find("moving") == std::string::npos) {
                    add(name + slot, shape);
                }
            }
        }
    }

    std::vector<MutableVariableView> targets() {
        std::vector<MutableVariableView> views;
        for (auto& [name, shape, values] : variables) {
            views.push_back({name, shape, values});
        }
        return views;
    }
    std::vector<VariableView> sources() const {
        std::vector<VariableView> views;
        for (const auto& [name, shape, values] : variables) {
            views.push_back({name, shape, values});
        }
        return views;
    }
    const std::vector<float>& values(const std::string& name) const {
        for (const auto& variable : variables) {
            if (variable.name == name) {
                return variable.values;
            }
        }
        throw std::out_of_range(name);
    }

    struct Variable {
        std::string name;
        spec::Shape shape;
        std::vector<float> values;
    };
    spec::ModelSpec model;
    spec::ObjectSpec optimizer{"Adam", {{"learning_rate", 0.01}}};
    std::vector<Variable> variables;

private:
    void add(const std::string& name, const spec::Shape& shape) {
        const auto count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
        variables.push_back({name, shape, std::vector<float>(static_cast<std::size_t>(count), -77.0F)});
    }
};

TEST(TfCheckpoint, WritesWhatItReads) {
    SampleModel written(SampleModel::Dropout::kWith);
    float next = 0;
    for (auto& variable : written.variables) {
        for (float& value : variable.values) {
            value = next += 0.25F;
        }
    }
    const tests::support::TempDir folder;
    writeTfCheckpoint(folder.path() / "ckpt_3", {.model = &written.model,
                                                 .optimizer = written.optimizer,
                                                 .variables = written.sources(),
                                                 .iterations = 469,
                                                 .learning_rate = 1e-4F});
    writeCheckpointState(folder.path(), {.prefixes = {"ckpt_2", "ckpt_3"}});

    SampleModel read(SampleModel::Dropout::kWith);
    const auto latest = latestCheckpoint(folder.path());
    ASSERT_TRUE(latest.has_value());
    EXPECT_EQ(*latest, folder.path() / "ckpt_3");
    const RestoredState state = readTfCheckpoint(*latest, read.model, read.targets());
    EXPECT_EQ(state.iterations, 469);
    EXPECT_EQ(state.learning_rate, 1e-4F);
    EXPECT_TRUE(state.missing.empty());
    for (std::size_t k = 0; k < read.variables.size(); ++k) {
        EXPECT_EQ(read.variables[k].values, written.variables[k].values) << read.variables[k].name;
    }
}

// Depthwise, separable and transposed convolutions, and layers inside layers: edges as Keras 2 and 3 name them, and the same values back.
TEST(TfCheckpoint, HoldsTheKernelsOfLayersWithEdgesOfTheirOwn) {
    spec::ModelSpec model;
    model.input_shape = {8, 8, 2};
    model.layers = {{"DepthwiseConv2D", "depthwise_conv2d", {}},
                    {"SeparableConv2D", "separable_conv2d", {}},
                    {"Conv2DTranspose", "conv2d_transpose", {}},
                    {"Bidirectional", "both", {{"layer", spec::ObjectSpec{"LSTM", {}}}}},
                    {"TimeDistributed", "each", {{"layer", spec::ObjectSpec{"Dense", {}}}}}};
    const std::vector<VariableView> shapes{{"depthwise_conv2d/depthwise_kernel", {3, 3, 2, 1}, {}},
                                           {"separable_conv2d/depthwise_kernel", {3, 3, 2, 2}, {}},
                                           {"separable_conv2d/pointwise_kernel", {1, 1, 4, 3}, {}},
                                           {"separable_conv2d/bias", {3}, {}},
                                           {"conv2d_transpose/kernel", {2, 2, 5, 3}, {}},
                                           {"both/forward_layer/kernel", {2, 8}, {}},
                                           {"both/backward_layer/kernel", {2, 8}, {}},
                                           {"each/layer/kernel", {4, 3}, {}}};
    std::vector<std::vector<float>> written, read;
    std::vector<VariableView> sources;
    std::vector<MutableVariableView> targets;
    written.reserve(shapes.size());
    read.reserve(shapes.size());
    for (const VariableView& view : shapes) {
        const auto count = std::accumulate(view.shape.begin(), view.shape.end(), std::int64_t{1}, std::multiplies<>());
        written.emplace_back(static_cast<std::size_t>(count));
        std::iota(written.back().begin(), written.back().end(), static_cast<float>(written.size()));
        read.emplace_back(written.back().size());
        sources.push_back({view.name, view.shape, written.back()});
        targets.push_back({view.name, view.shape, read.back()});
    }
    const tests::support::TempDir folder;
    writeTfCheckpoint(folder.path() / "ckpt", {.model = &model, .optimizer = {"SGD", {}}, .variables = sources});
    std::string keys;
    for (const BundleEntry& entry : listTfCheckpoint(folder.path() / "ckpt")) keys += entry.key + "\n";
    for (const char* edge : {"/depthwise_kernel/", "/pointwise_kernel/", "/kernel/", "/forward_layer/cell/kernel/",
                             "/backward_layer/cell/kernel/", "/layer/kernel/"}) {
        EXPECT_NE(keys.find(edge), std::string::npos) << keys;
    }
    readTfCheckpoint(folder.path() / "ckpt", model, targets);
    EXPECT_EQ(read, written);
}

TEST(TfCheckpoint, CountsSlotsOfTrainableWeightsAlone) {
    SampleModel sample(SampleModel::Dropout::kWith);
    sample.model.layers[4].config.set("trainable", false);
    std::erase_if(sample.variables,
                  [](const auto& variable) { return variable.name.starts_with("dense/") && variable.name.find(':') != std::string::npos; });
    const tests::support::TempDir folder;
    writeTfCheckpoint(folder.path() / "ckpt_1", {.model = &sample.model, .optimizer = sample.optimizer, .variables = sample.sources()});
    std::int64_t momentums = 0;
    for (const BundleEntry& entry : listTfCheckpoint(folder.path() / "ckpt_1")) {
        momentums += entry.key.starts_with("optimizer/_momentums/") ? 1 : 0;
    }
    EXPECT_EQ(momentums, 6) << "convolution, normalisation and the last layer have two trainable weights each";
    EXPECT_TRUE(readTfCheckpoint(folder.path() / "ckpt_1", sample.model, sample.targets()).missing.empty());
}

TEST(TfCheckpoint, WritesTheBytesOfTheRecommendedFile) {
    SampleModel sample(SampleModel::Dropout::kWith);
    const auto original = kSamples / "ckpt_recommended" / "ckpt-1";
    const RestoredState state = readTfCheckpoint(original, sample.model, sample.targets());
    EXPECT_EQ(state.iterations, 3);
    const tests::support::TempDir folder;
    writeTfCheckpoint(folder.path() / "ckpt-1", {.model = &sample.model,
                                                 .optimizer = sample.optimizer,
                                                 .variables = sample.sources(),
                                                 .iterations = state.iterations,
                                                 .learning_rate = state.learning_rate.value()});
    writeCheckpointState(folder.path(), {.prefixes = {"ckpt-1"}});
    for (const char* file : {"ckpt-1.index", "ckpt-1.data-00000-of-00001", "checkpoint"}) {
        EXPECT_EQ(readFile(folder.path() / file), readFile(kSamples / "ckpt_recommended" / file)) << file;
    }
}

TEST(TfCheckpoint, ReadsKeras3WithItsOptimizer) {
    SampleModel sample(SampleModel::Dropout::kWithout);
    const RestoredState state = readTfCheckpoint(kSamples / "ckpt_keras3" / "ckpt-1", sample.model, sample.targets());
    EXPECT_EQ(state.iterations, 4);
    EXPECT_NEAR(state.learning_rate.value(), 0.01F, 1e-9);
    EXPECT_TRUE(state.missing.empty());
    const BundleReader bundle(kSamples / "ckpt_keras3" / "ckpt-1");
    const std::string suffix = "/.ATTRIBUTES/VARIABLE_VALUE";
    EXPECT_EQ(sample.values("conv2d/kernel"), bundle.readFloats("optimizer/_trainable_variables/0" + suffix));
    EXPECT_EQ(sample.values("dense_1/bias"), bundle.readFloats("optimizer/_trainable_variables/7" + suffix));
    EXPECT_EQ(sample.values("dense/kernel:m"), bundle.readFloats("optimizer/_variables/10" + suffix));
    EXPECT_EQ(sample.values("dense/kernel:v"), bundle.readFloats("optimizer/_variables/11" + suffix));
    EXPECT_EQ(sample.values("batch_normalization/moving_mean"), bundle.readFloats("model/_functional/_operations/2/moving_mean" + suffix));
}

TEST(TfCheckpoint, ReadsWhatKeras2SavedAsWeights) {
    SampleModel sample(SampleModel::Dropout::kWithout);
    const RestoredState state = readTfCheckpoint(kSamples / "ckpt_keras2_save_weights" / "ckpt_1", sample.model, sample.targets());
    EXPECT_EQ(state.iterations, 4);
    EXPECT_TRUE(state.missing.empty());
    const BundleReader bundle(kSamples / "ckpt_keras2_save_weights" / "ckpt_1");
    const std::string suffix = "/.ATTRIBUTES/VARIABLE_VALUE";
    EXPECT_EQ(sample.values("dense/kernel"), bundle.readFloats("layer_with_weights-2/kernel" + suffix));
    EXPECT_EQ(sample.values("conv2d/kernel:v"), bundle.readFloats("optimizer/_variables/2" + suffix));
}

TEST(TfCheckpoint, ReadsTensorFlow22WithItsSlotRecords) {
    // Sequential with one Dense(2), SGD with momentum inside a loss-scaling optimizer, two shards.
    const auto prefix = kSamples / "tf22_ckpt" / "ckpt";
    spec::Shape kernel_shape;
    for (const BundleEntry& entry : listTfCheckpoint(prefix)) {
        if (entry.key.ends_with("kernel/.ATTRIBUTES/VARIABLE_VALUE")) {
            kernel_shape = entry.shape;
        }
    }
    ASSERT_EQ(kernel_shape.size(), 2U);
    spec::ModelSpec model;
    model.layers.push_back({"Dense", "dense", {}});
    std::vector<float> kernel(static_cast<std::size_t>(kernel_shape[0] * kernel_shape[1])), bias(2), momentum(kernel.size(), -77.0F);
    const std::vector<MutableVariableView> targets{
        {"dense/kernel", kernel_shape, kernel}, {"dense/bias", {2}, bias}, {"dense/kernel:momentum", kernel_shape, momentum}};
    const RestoredState state = readTfCheckpoint(prefix, model, targets);
    EXPECT_TRUE(state.missing.empty());
    EXPECT_NE(momentum[0], -77.0F);
    EXPECT_GT(state.iterations, 0);
}

TEST(TfCheckpoint, LeavesEverythingUnchangedWhenAShapeDiffers) {
    SampleModel sample(SampleModel::Dropout::kWithout);
    for (auto& variable : sample.variables) {
        if (variable.name == "dense_1/kernel") {
            variable.shape = {3, 3};
            variable.values.assign(9, -77.0F);
        }
    }
    try {
        readTfCheckpoint(kSamples / "ckpt_keras3" / "ckpt-1", sample.model, sample.targets());
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_NE(std::string(error.what()).find("dense_1/kernel: expected shape (3, 3), got (3, 2)"), std::string::npos) << error.what();
    }
    EXPECT_EQ(sample.values("conv2d/bias"), (std::vector<float>{-77.0F, -77.0F}));
}

TEST(TfCheckpoint, NamesALayerThatTheFileLacks) {
    SampleModel sample(SampleModel::Dropout::kWithout);
    sample.model.layers.push_back({"Dense", "dense_2", {}});
    sample.variables.push_back({"dense_2/kernel", {2, 2}, std::vector<float>(4)});
    try {
        readTfCheckpoint(kSamples / "ckpt_keras3" / "ckpt-1", sample.model, sample.targets());
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kNotFound);
        EXPECT_NE(std::string(error.what()).find("dense_2"), std::string::npos) << error.what();
    }
}

TEST(TfCheckpoint, IsNotUsedWhenItIsDamagedWhereNobodyLooks) {
    const tests::support::TempDir folder;
    std::filesystem::copy(kSamples / "ckpt_recommended", folder.path(), std::filesystem::copy_options::recursive);
    const std::filesystem::path data = folder.path() / "ckpt-1.data-00000-of-00001";
    const std::string whole = readFile(data);
    SampleModel model(SampleModel::Dropout::kWith);
    std::vector<MutableVariableView> weights = model.targets();
    std::erase_if(weights, [](const MutableVariableView& view) { return view.name.find(':') != std::string::npos; });
    EXPECT_NO_THROW(readTfCheckpoint(folder.path() / "ckpt-1", model.model, weights));
    // One bit in every 40th byte: of weights, of the optimizer's slots that nobody asks for, of counters and of the graph.
    for (std::size_t at = 3; at < whole.size(); at += 40) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        writeFileAtomically(data, damaged);
        const std::vector<float> before(weights[0].values.begin(), weights[0].values.end());
        try {
            readTfCheckpoint(folder.path() / "ckpt-1", model.model, weights);
            ADD_FAILURE() << "a flipped bit in byte " << at << " of " << whole.size() << " went unnoticed";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss) << error.what();
            EXPECT_NE(std::string(error.what()).find("checkpoint " + (folder.path() / "ckpt-1").string() + ": "), std::string::npos);
        }
        EXPECT_TRUE(std::equal(before.begin(), before.end(), weights[0].values.begin())) << "nothing is filled on an error";
    }
}

TEST(TfCheckpoint, FindsNoLatestInAFolderWithoutOne) {
    const tests::support::TempDir folder;
    EXPECT_EQ(latestCheckpoint(folder.path()), std::nullopt);
    writeCheckpointState(folder.path(), {.prefixes = {"ckpt_1"}});
    EXPECT_EQ(latestCheckpoint(folder.path()), std::nullopt) << "its files are missing";
    EXPECT_EQ(readFile(folder.path() / "checkpoint"), "model_checkpoint_path: \"ckpt_1\"\nall_model_checkpoint_paths: \"ckpt_1\"\n");
}

TEST(TfCheckpoint, SurvivesEveryDamageOfItsState) {
    const tests::support::TempDir folder;
    writeCheckpointState(folder.path(), {.prefixes = {(folder.path() / "ckpt_1").string(), (folder.path() / "ckpt_2").string()}});
    tests::support::forEachDamage(readFile(folder.path() / "checkpoint"), [&](const std::string& text) {
        writeFileAtomically(folder.path() / "checkpoint", text);
        EXPECT_FALSE(latestCheckpoint(folder.path()).has_value());
        readCheckpointState(folder.path());
    });
}

// As TensorFlow's CheckpointManager writes it.
TEST(TfCheckpoint, KeepsTheTimesOfItsState) {
    const tests::support::TempDir folder;
    const CheckpointState state{.prefixes = {(folder.path() / "ckpt-2").string(), (folder.path() / "ckpt-3").string()},
                                .timestamps = {1717524460.4379776, 1717524520},
                                .last_preserved = 1717524223.9680724};
    writeCheckpointState(folder.path(), state);
    EXPECT_EQ(readFile(folder.path() / "checkpoint"),
              "model_checkpoint_path: \"ckpt-3\"\n"
              "all_model_checkpoint_paths: \"ckpt-2\"\n"
              "all_model_checkpoint_paths: \"ckpt-3\"\n"
              "all_model_checkpoint_timestamps: 1717524460.4379776\n"
              "all_model_checkpoint_timestamps: 1717524520.0\n"
              "last_preserved_timestamp: 1717524223.9680724\n");
    EXPECT_EQ(readCheckpointState(folder.path()), state);
}

TEST(TfCheckpoint, TakesNoTimesThatItCannotRead) {
    const tests::support::TempDir folder;
    EXPECT_EQ(readCheckpointState(folder.path()), std::nullopt);
    const auto read = [&](const std::string& text) {
        writeFileAtomically(folder.path() / "checkpoint", text);
        return readCheckpointState(folder.path());
    };
    const std::string latest = "model_checkpoint_path: \"ckpt-2\"\n", paths = "all_model_checkpoint_paths: \"ckpt-2\"\n";
    const CheckpointState alone{.prefixes = {(folder.path() / "ckpt-2").string()}};
    EXPECT_EQ(read(paths), std::nullopt) << "none is the latest";
    EXPECT_EQ(read(latest), alone);
    EXPECT_EQ(read(latest + paths), alone);
    EXPECT_EQ(read(latest + paths + "all_model_checkpoint_timestamps: 1\nall_model_checkpoint_timestamps: 2\n"), alone);
    for (const char* time : {"soon", "-1", "inf", "nan", "1e300", "1 2", ""}) {
        EXPECT_EQ(read(latest + paths + "all_model_checkpoint_timestamps: " + time + "\nlast_preserved_timestamp: " + time + "\n"), alone)
            << time;
    }
    EXPECT_EQ(read("all_model_checkpoint_paths: \"ckpt-1\"\nall_model_checkpoint_timestamps: 7\n" + latest), alone)
        << "a list without the latest is of another time";
}

TEST(TfCheckpoint, NamesCheckpointsBelowTheFolderRelativeToIt) {
    const tests::support::TempDir folder;
    writeCheckpointState(folder.path(), {.prefixes = {"/elsewhere/ckpt_1", (folder.path() / "ckpt_2").string()}});
    EXPECT_EQ(
        readFile(folder.path() / "checkpoint"),
        "model_checkpoint_path: \"ckpt_2\"\nall_model_checkpoint_paths: \"/elsewhere/ckpt_1\"\nall_model_checkpoint_paths: \"ckpt_2\"\n");
}

}  // namespace
}  // namespace engine::exporter
