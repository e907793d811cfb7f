#include "engine/export/numpy/npz_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/export/atomic_file.h"
#include "engine/export/numpy/npy_file.h"
#include "engine/export/zip_archive.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string faultOf(const std::filesystem::path& file, const spec::Shape& shape, std::vector<float>& values) {
    const std::vector<MutableVariableView> views{{"dense/kernel", shape, values}};
    try {
        readNpzWeights(file, views);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(NpzWeights, ReadsWhatItWritesWithoutSlots) {
    const tests::support::TempDir folder;
    const std::vector<float> kernel{1, 2, 3, 4, 5, 6}, bias{7}, slot{0, 0, 0, 0, 0, 0};
    const CheckpointContents contents{
        .variables = {{"dense/kernel", {2, 3}, kernel}, {"dense/bias", {1}, bias}, {"dense/kernel:m", {2, 3}, slot}}};
    const std::string bytes = npzWeights(contents);
    EXPECT_EQ(readZip(bytes, "w").size(), 2U);
    writeFileAtomically(folder.path() / "w.npz", bytes);
    std::vector<float> first(6), second(1);
    const std::vector<MutableVariableView> views{{"dense/bias", {1}, second}, {"dense/kernel", {2, 3}, first}};
    readNpzWeights(folder.path() / "w.npz", views);
    EXPECT_EQ(first, kernel);
    EXPECT_EQ(second, bias);
}

TEST(NpzWeights, SaysWhatIsWrongAndChangesNothing) {
    const tests::support::TempDir folder;
    const std::filesystem::path file = folder.path() / "w.npz";
    const std::vector<float> kernel{1, 2, 3, 4, 5, 6};
    std::string member = npyBytes({2, 3}, kernel);
    std::vector<float> values(6, -1);
    const auto write = [&](const std::string& name, const std::string& bytes) { writeFileAtomically(file, writeZip({{name, bytes}})); };
    write("dense/bias.npy", member);
    EXPECT_THAT(faultOf(file, {2, 3}, values), HasSubstr("expected an array \"dense/kernel\", found none"));
    write("dense/kernel.npy", member);
    EXPECT_THAT(faultOf(file, {3, 2}, values), HasSubstr("expected float32 of the shape (3, 2) in C order, got (2,3,)"));
    write("dense/kernel.npy", member.substr(0, member.size() - 1));
    EXPECT_THAT(faultOf(file, {2, 3}, values), HasSubstr("expected 24 bytes of values, got 23"));
    write("dense/kernel.npy", member.substr(0, 20));
    EXPECT_THAT(faultOf(file, {2, 3}, values), HasSubstr("expected a header of"));
    write("dense/kernel.npy", "no array");
    EXPECT_THAT(faultOf(file, {2, 3}, values), HasSubstr("expected an array of NumPy"));
    std::string doubles = member;
    doubles.replace(doubles.find("<f4"), 3, "<f8");
    write("dense/kernel.npy", doubles);
    EXPECT_THAT(faultOf(file, {2, 3}, values), HasSubstr("got another type"));
    EXPECT_THAT(values, ElementsAre(-1, -1, -1, -1, -1, -1));
    write("dense/kernel.npy", member);
    EXPECT_EQ(faultOf(file, {2, 3}, values), "");
    EXPECT_EQ(values, kernel);
}

}  // namespace
}  // namespace engine::exporter
