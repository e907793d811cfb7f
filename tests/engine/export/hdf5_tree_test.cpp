#include "engine/export/hdf5_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/export/atomic_file.h"
#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"

namespace engine::exporter {
namespace {

const std::filesystem::path kFiles = std::filesystem::path(TANDEM_TEST_DATA) / "keras_files";

Hdf5Node sampleTree() {
    Hdf5Node root;
    root.attributes["title"] = {"three groups"};
    root.group("layers/dense/vars") = {.attributes = {{"name", {"dense"}}, {"weight_names", {"kernel", "bias"}}}};
    root.group("layers/dense/vars/0") = {.kind = Hdf5Node::Kind::kFloats, .shape = {2, 3}, .floats = {1, 2, 3, 4, 5, 6.5F}};
    root.group("layers/empty");
    root.group("count") = {.kind = Hdf5Node::Kind::kIntegers, .integers = {1LL << 40}};
    return root;
}

TEST(Hdf5Tree, ReadsWhatItWrites) {
    const std::string bytes = writeHdf5(sampleTree());
    const Hdf5Node read = readHdf5(bytes, "sample.h5");
    EXPECT_EQ(read.attributes.at("title"), std::vector<std::string>{"three groups"});
    const Hdf5Node* values = read.find("layers/dense/vars/0");
    ASSERT_NE(values, nullptr);
    EXPECT_EQ(values->shape, (spec::Shape{2, 3}));
    EXPECT_EQ(values->floats, (std::vector<float>{1, 2, 3, 4, 5, 6.5F}));
    EXPECT_EQ(read.find("layers/dense/vars")->attributes.at("weight_names"), (std::vector<std::string>{"kernel", "bias"}));
    EXPECT_NE(read.find("layers/empty"), nullptr);
    EXPECT_EQ(read.find("layers/absent"), nullptr);
    EXPECT_EQ(read.find("count")->integers, std::vector<std::int64_t>{1LL << 40});
    EXPECT_EQ(writeHdf5(sampleTree()), bytes) << "the same tree gives the same bytes";
}

TEST(Hdf5Tree, ReadsFilesOfKeras) {
    const Hdf5Node root = readHdf5(readFile(kFiles / "keras_3.16_cnn.weights.h5"), "keras_3.16_cnn.weights.h5");
    EXPECT_EQ(root.find("layers/conv2d/vars")->attributes.at("name"), std::vector<std::string>{"conv2d"});
    EXPECT_EQ(root.find("layers/conv2d/vars/0")->shape, (spec::Shape{3, 3, 1, 4}));
    EXPECT_EQ(root.find("optimizer/vars/0")->integers, std::vector<std::int64_t>{3});
    const Hdf5Node legacy = readHdf5(readFile(kFiles / "keras_3.16_cnn_legacy.h5"), "legacy.h5");
    EXPECT_EQ(legacy.find("model_weights")->attributes.at("layer_names").size(), 7U);
}

TEST(Hdf5Tree, RefusesWhatIsNoHdf5ByName) {
    for (const std::string& bytes : {std::string(), std::string("hello"), std::string(4096, '\0'), std::string("\x89HDF\r\n\x1a\n")}) {
        try {
            readHdf5(bytes, "broken.h5");
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
            EXPECT_THAT(error.what(), testing::HasSubstr("broken.h5: expected an HDF5 file"));
        }
    }
}

TEST(Hdf5Tree, RefusesEveryTruncation) {
    const std::string bytes = readFile(kFiles / "plain_cnn.weights.h5");
    for (std::size_t size = 0; size < bytes.size(); size += 997) {
        EXPECT_THROW(readHdf5(std::string_view(bytes).substr(0, size), "short.h5"), Error) << size;
    }
}

TEST(Hdf5Tree, SurvivesEveryDamage) {
    const auto read = [](const std::string& bytes) { readHdf5(bytes, "damaged.h5"); };
    tests::support::forEachDamage(writeHdf5(sampleTree()), read, {.rounds = 40, .named = "damaged.h5"});
    tests::support::forEachDamage(readFile(kFiles / "plain_cnn_legacy.h5"), read, {.rounds = 20, .named = "damaged.h5"});
}

TEST(Hdf5Tree, IsSafeFromSeveralThreads) {
    const std::string bytes = writeHdf5(sampleTree());
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 5; ++i) {
                EXPECT_EQ(writeHdf5(readHdf5(bytes, "sample.h5")), bytes);
            }
        });
    }
}

}  // namespace
}  // namespace engine::exporter
