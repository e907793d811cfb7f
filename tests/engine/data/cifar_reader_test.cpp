#include "engine/data/readers/cifar_reader.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

std::string record(const std::string& labels, char red, char green, char blue) {
    return labels + std::string(1024, red) + std::string(1024, green) + std::string(1024, blue);
}

TEST(CifarReader, TurnsPlanesIntoPixels) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "a.bin", std::ios::binary) << record({3}, 10, 20, 30) << record({4}, 1, 2, 3);
    std::ofstream(dir.path() / "b.bin", std::ios::binary) << record({5}, 7, 8, 9);
    const Samples samples = readCifar({dir.path() / "a.bin", dir.path() / "b.bin"}, CifarLabels::kTen);
    EXPECT_EQ(samples.count, 3);
    EXPECT_EQ(samples.sample_shape, (spec::Shape{32, 32, 3}));
    EXPECT_EQ(samples.files, (std::vector<Extent>{{0, 2}, {2, 3}}));
    EXPECT_EQ(samples.label(2), 5);
    const std::byte* last = std::as_const(samples).samples.data() + samples.samples.size() - 3;
    EXPECT_THAT(std::vector<std::byte>(last, last + 3), testing::ElementsAre(std::byte{7}, std::byte{8}, std::byte{9}));
}

TEST(CifarReader, ReadsFineAndCoarseLabels) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "train.bin", std::ios::binary) << record({11, 99}, 0, 0, 0);
    EXPECT_EQ(readCifar({dir.path() / "train.bin"}, CifarLabels::kFine).label(0), 99);
    EXPECT_EQ(readCifar({dir.path() / "train.bin"}, CifarLabels::kCoarse).label(0), 11);
}

TEST(CifarReader, NamesAFileThatIsCut) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "a.bin", std::ios::binary) << record({3}, 10, 20, 30) << "more";
    try {
        readCifar({dir.path() / "a.bin"}, CifarLabels::kTen);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("a.bin: expected whole records of 3073 bytes, got 3077"));
    }
}

TEST(CifarReader, SurvivesEveryDamage) {
    const tests::support::TempDir dir;
    const auto read = [&](const std::string& bytes) {
        std::ofstream(dir.path() / "damaged.bin", std::ios::binary) << bytes;
        readCifar({dir.path() / "damaged.bin"}, CifarLabels::kFine);
    };
    tests::support::forEachDamage(record({11, 99}, 0, 0, 0), read, {.rounds = 50, .named = "damaged.bin"});
}

}  // namespace
}  // namespace engine::data
