#include "engine/data/dataset_catalog.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::HasSubstr;

void writeSet(const std::filesystem::path& folder, char pixel) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "train-images-idx3-ubyte", std::ios::binary) << std::string("\0\0\x08\x03\0\0\0\1\0\0\0\1\0\0\0\1", 16) << pixel;
    std::ofstream(folder / "train-labels-idx1-ubyte", std::ios::binary) << std::string("\0\0\x08\x01\0\0\0\1\0", 9);
}

TEST(DatasetCatalog, FindsShippedMnist) {
    const std::vector<std::filesystem::path> folders{std::filesystem::path(TANDEM_RESOURCES) / "datasets"};
    EXPECT_THAT(availableDatasets(folders), testing::Contains("mnist"));
    const Dataset mnist = loadDataset({}, folders);
    EXPECT_EQ(mnist.train->count, 60000);
    ASSERT_NE(mnist.test, nullptr);
    EXPECT_EQ(mnist.test->count, 10000);
    EXPECT_EQ(mnist.train->label(0), 5);
}

TEST(DatasetCatalog, TakesTheFirstFolderThatHasIt) {
    tests::support::TempDir dir;
    writeSet(dir.path() / "second/mnist", 2);
    const std::vector<std::filesystem::path> folders{dir.path() / "first", dir.path() / "second"};
    EXPECT_EQ(loadDataset({}, folders).train->samples.data()[0], std::byte{2});
    writeSet(dir.path() / "first/MNIST/raw", 1);
    const Dataset set = loadDataset({}, folders);
    EXPECT_EQ(set.train->samples.data()[0], std::byte{1});
    EXPECT_EQ(set.test, nullptr);
}

TEST(DatasetCatalog, ReadsAProjectsOwnFiles) {
    tests::support::TempDir dir;
    writeSet(dir.path(), 9);
    spec::DataSpec data;
    data.dataset = "idx";
    data.train_images = "train-images-idx3-ubyte";
    data.train_labels = (dir.path() / "train-labels-idx1-ubyte").string();
    EXPECT_EQ(loadDataset(data, {}, dir.path()).train->count, 1);
    data.test_images = "only one of the two";
    EXPECT_THROW(loadDataset(data, {}, dir.path()), Error);
}

TEST(DatasetCatalog, SaysWhereItLooked) {
    try {
        loadDataset({}, {"/nowhere/a", "/nowhere/b"});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kNotFound);
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("\"mnist\" was not found"), HasSubstr("/nowhere/a, /nowhere/b"),
                                                 HasSubstr("TANDEM_DATA_DIR")));
    }
    spec::DataSpec unknown;
    unknown.dataset = "imagenet";
    try {
        loadDataset(unknown, {});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("expected one of idx, mnist, fashion_mnist, got \"imagenet\""));
    }
}

}  // namespace
}  // namespace engine::data
