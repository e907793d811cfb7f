#include "engine/data/dataset_catalog.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/spec/error.h"
#include "tests/support/file_server.h"
#include "tests/support/pictures.h"
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
    LoadHooks hooks;
    std::vector<std::string> told;
    hooks.download.log = [&told](const std::string& line) { told.push_back(line); };
    const Dataset set = loadDataset({}, folders, {}, hooks);
    EXPECT_EQ(set.train->samples.data()[0], std::byte{1});
    EXPECT_EQ(set.test, nullptr);
    EXPECT_THAT(told, testing::ElementsAre(testing::AllOf(HasSubstr("mnist: expected test files beside "), HasSubstr("found none"))));
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

TEST(DatasetCatalog, ReadsEveryFormatOfAProjectsOwnFiles) {
    const tests::support::TempDir dir;
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::filesystem::create_directories((dir.path() / name).parent_path());
        std::ofstream(dir.path() / name, std::ios::binary) << bytes;
    };
    write("table_a.csv", "a,b,y\n1,2,0\n");
    write("table_b.csv", "a,b,y\n3,4,1\n5,6,1\n");
    write("batch.bin", std::string(3073, 1));
    write("words.txt", "1\ta b\n");
    write("pictures/cat/1.png", tests::support::pngBytes(1, 1, 1, {7}));
    spec::DataSpec data;
    data.dataset = "csv";
    data.train_files = {"table_*.csv"};
    data.test_files = {"table_a.csv"};
    data.csv.label = "y";
    const Dataset table = loadDataset(data, {}, dir.path());
    EXPECT_EQ(table.train->count, 3);
    EXPECT_EQ(table.train->files.size(), 2U);
    EXPECT_EQ(table.test->count, 1);
    data.one_hot = 2;
    EXPECT_EQ(loadDataset(data, {}, dir.path()).train->label_shape, (spec::Shape{2}));
    data = {.dataset = "cifar10_files", .train_files = {"batch.bin"}};
    EXPECT_EQ(loadDataset(data, {"/nowhere", dir.path()}, "/elsewhere").train->sample_shape, (spec::Shape{32, 32, 3}));
    data = {.dataset = "text", .train_files = {"words.txt"}};
    EXPECT_EQ(loadDataset(data, {}, dir.path()).train->sample_shape, (spec::Shape{100}));
    write("texts/dull/1.txt", "a b");
    data = {.dataset = "text_folder", .train_files = {"texts"}};
    EXPECT_EQ(loadDataset(data, {}, dir.path()).train->sample_shape, (spec::Shape{100}));
    data = {.dataset = "image_folder", .train_files = {"pictures"}};
    EXPECT_NE(loadDataset(data, {}, dir.path()).train->cache, nullptr);
    data.cache = false;
    EXPECT_EQ(loadDataset(data, {}, dir.path()).train->cache, nullptr);
    data = {.dataset = "tfrecord", .train_files = {"none-*.tfrecord"}};
    EXPECT_THROW(loadDataset(data, {}, dir.path()), Error);
    data = {.dataset = "ones"};
    EXPECT_EQ(loadDataset(data, {}).train->label_shape, (spec::Shape{1}));
}

TEST(DatasetCatalog, FetchesWhatIsNowhereOnThisComputer) {
    setenv("no_proxy", "127.0.0.1", 1);
    const tests::support::TempDir dir;
    const tests::support::FileServer server(std::map<std::string, std::string>{});
    setenv("TANDEM_DATA_MIRROR", (server.address() + "mirror").c_str(), 1);
    setenv("https_proxy", "http://127.0.0.1:1", 1);  // nothing beyond this computer is asked
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    spec::DataSpec data;
    data.dataset = "fashion_mnist";
    try {
        loadDataset(data, {}, {}, {dir.path() / "cache", {}});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("is this computer offline?"), HasSubstr("TANDEM_DATA_DIR")));
    }
    EXPECT_THAT(server.requests(), testing::ElementsAre("GET /mirror/fashion_mnist/train-images-idx3-ubyte.gz from 0"));
    data.download = false;
    EXPECT_THROW(loadDataset(data, {}, {}, {dir.path() / "cache", {}}), Error);
    unsetenv("TANDEM_DATA_MIRROR");
    unsetenv("https_proxy");
    unsetenv("http_proxy");
}

TEST(DatasetCatalog, WaitsForNoPipeThatIsNamedAsAFile) {
    tests::support::TempDir dir;
    const std::filesystem::path pipe = dir.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const char* format : {"idx", "npy", "npz", "csv", "text", "tfrecord", "cifar10_files", "cifar100_files"}) {
        spec::DataSpec data;
        data.dataset = format;
        data.train_images = data.train_labels = "pipe";
        data.train_files = {"pipe"};
        data.csv.label = "0";
        try {
            loadDataset(data, {}, dir.path());
            ADD_FAILURE() << format << ": a pipe was read";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << format;
            EXPECT_EQ(std::string(error.what()), pipe.string() + ": expected a file, got a pipe") << format;
        }
    }
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
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("expected mnist, fashion_mnist"), HasSubstr("got \"imagenet\"")));
    }
}

}  // namespace
}  // namespace engine::data
