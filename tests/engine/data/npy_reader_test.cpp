#include "engine/data/readers/npy_reader.h"

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::HasSubstr;

std::string npy(const std::string& descr, bool fortran_order, const std::string& shape, const std::string& values, char version = 1) {
    std::string header =
        "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + shape + ", }";
    const std::size_t begin = version == 1 ? 10 : 12;
    header.append(63 - (begin + header.size()) % 64, ' ');
    header += '\n';
    std::string file = "\x93NUMPY";
    file += {version, 0, static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
    if (version > 1) {
        file.append(2, '\0');
    }
    return file + header + values;
}

template <typename Number>
std::string stored(std::initializer_list<Number> numbers) {
    std::string bytes(numbers.size() * sizeof(Number), 0);
    std::memcpy(bytes.data(), std::data(numbers), bytes.size());
    return bytes;
}

Array parsed(const std::string& file) {
    return parseNpy(std::as_bytes(std::span(file)), "array.npy");
}

template <typename Number>
std::vector<double> numbers(const Array& array) {
    std::vector<Number> values(array.values.size() / sizeof(Number));
    std::memcpy(values.data(), array.values.data(), array.values.size());
    return {values.begin(), values.end()};
}

TEST(NpyReader, ReadsAnArrayAndMapsItFromItsFile) {
    const tests::support::TempDir dir;
    std::ofstream(dir.path() / "x.npy", std::ios::binary) << npy("<f4", false, "(2, 2)", stored<float>({1, 2, 3, 4}));
    const Array array = readNpy(dir.path() / "x.npy");
    EXPECT_EQ(array.shape, (spec::Shape{2, 2}));
    EXPECT_EQ(array.dtype, tensor::DType::kFloat32);
    EXPECT_THAT(numbers<float>(array), testing::ElementsAre(1, 2, 3, 4));
}

TEST(NpyReader, ReadsEveryTypeInBothByteOrders) {
    EXPECT_THAT(numbers<std::uint8_t>(parsed(npy("|b1", false, "(2,)", {1, 0}))), testing::ElementsAre(1, 0));
    EXPECT_THAT(numbers<std::uint8_t>(parsed(npy("|u1", false, "(2,)", "\x01\xFF"))), testing::ElementsAre(1, 255));
    EXPECT_THAT(numbers<std::int32_t>(parsed(npy("|i1", false, "(2,)", "\x01\xFF"))), testing::ElementsAre(1, -1));
    EXPECT_THAT(numbers<std::int32_t>(parsed(npy("<i2", false, "(1,)", stored<std::int16_t>({-3})))), testing::ElementsAre(-3));
    EXPECT_THAT(numbers<std::int32_t>(parsed(npy(">u2", false, "(1,)", "\xFF\xFE"))), testing::ElementsAre(65534));
    EXPECT_THAT(numbers<std::int32_t>(parsed(npy(">i4", false, "(1,)", {0, 1, 0, 2}))), testing::ElementsAre(65538));
    EXPECT_THAT(numbers<std::int32_t>(parsed(npy("<u4", false, "(1,)", stored<std::uint32_t>({7})))), testing::ElementsAre(7));
    EXPECT_THAT(numbers<std::int32_t>(parsed(npy("<i8", false, "(2,)", stored<std::int64_t>({-9, 9})))), testing::ElementsAre(-9, 9));
    EXPECT_THAT(numbers<std::int32_t>(parsed(npy("<u8", false, "(1,)", stored<std::uint64_t>({8})))), testing::ElementsAre(8));
    EXPECT_THAT(numbers<float>(parsed(npy("<f2", false, "(4,)", stored<std::uint16_t>({0x3C00, 0xC100, 0x0001, 0x7BFF})))),
                testing::ElementsAre(1, -2.5, 0x1p-24, 65504));
    EXPECT_THAT(numbers<float>(parsed(npy(">f4", false, "(1,)", {0x3F, static_cast<char>(0xC0), 0, 0}))), testing::ElementsAre(1.5));
    EXPECT_THAT(numbers<float>(parsed(npy("<f8", false, "(1,)", stored<double>({-2.5}), 2))), testing::ElementsAre(-2.5));
    EXPECT_TRUE(parsed(npy("<f4", false, "()", stored<float>({1}), 3)).shape.empty());
}

TEST(NpyReader, TurnsFortranOrderIntoRows) {
    const Array array = parsed(npy("<i4", true, "(2, 3)", stored<std::int32_t>({0, 3, 1, 4, 2, 5})));
    EXPECT_THAT(numbers<std::int32_t>(array), testing::ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(NpyReader, RefusesWhatItDoesNotRead) {
    const std::vector<std::pair<std::string, const char*>> cases{
        {npy("|O", false, "(1,)", ""), "pickled Python objects"},
        {npy("<c8", false, "(1,)", ""), "the type \"<c8\""},
        {npy("<U4", false, "(1,)", ""), "the type \"<U4\""},
        {npy("<f4", false, "(3,)", stored<float>({1, 2})), "truncated: expected 12 bytes of values, got 8"},
        {npy("<f4", false, "(1,)", stored<float>({1, 2})), "longer than its header says"},
        {npy("<f4", false, "(99999999, 99999999, 99)", ""), "asks for more than 1024 GiB"},
        {npy("<f4", false, "(-1,)", ""), "is no NPY header"},
        {npy("<i8", false, "(1,)", stored<std::int64_t>({std::int64_t{1} << 40})), "got 1099511627776"},
        {"PK", "is no NPY file"},
        {npy("<f4", false, "(1,)", "").substr(0, 40), "truncated: its header has"}};
    for (const auto& [file, words] : cases) {
        try {
            parsed(file);
            ADD_FAILURE() << "expected an error: " << words;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("array.npy"), HasSubstr(words)));
        }
    }
}

TEST(NpyReader, SurvivesEveryDamage) {
    tests::support::forEachDamage(npy("<i2", true, "(2, 3)", stored<std::int16_t>({0, 3, 1, 4, 2, 5})),
                                  [](const std::string& file) { parsed(file); }, {.named = "array.npy"});
}

std::string zipped(const std::filesystem::path& file, const std::string& member, const std::string& content, zip_int32_t method) {
    zip_t* archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    const zip_int64_t index =
        zip_file_add(archive, member.c_str(), zip_source_buffer(archive, content.data(), content.size(), 0), ZIP_FL_OVERWRITE);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0);
    EXPECT_EQ(zip_close(archive), 0);
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(NpzReader, ReadsStoredAndDeflatedArrays) {
    const tests::support::TempDir dir;
    const std::string content = npy("<f4", false, "(2,)", stored<float>({1, 2}));
    for (const zip_int32_t method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
        zipped(dir.path() / "data.npz", "x_train.npy", content, method);
        const auto array = readNpz(dir.path() / "data.npz", "x_train");
        ASSERT_TRUE(array.has_value());
        EXPECT_THAT(numbers<float>(*array), testing::ElementsAre(1, 2));
        EXPECT_FALSE(readNpz(dir.path() / "data.npz", "y_train").has_value());
        EXPECT_EQ(namesInNpz(dir.path() / "data.npz"), std::vector<std::string>{"x_train"});
    }
    EXPECT_THROW(readNpz(dir.path() / "none.npz", "x"), Error);
}

TEST(NpzReader, SurvivesEveryDamage) {
    const tests::support::TempDir dir;
    const std::string whole = zipped(dir.path() / "data.npz", "x.npy", npy("<f4", false, "(40,)", std::string(160, 'a')), ZIP_CM_DEFLATE);
    tests::support::forEachDamage(whole,
                                  [&](const std::string& file) {
                                      std::ofstream(dir.path() / "bad.npz", std::ios::binary) << file;
                                      readNpz(dir.path() / "bad.npz", "x");
                                  },
                                  {.named = "bad.npz"});
}

TEST(PairArrays, CountsAlongTheFirstAxis) {
    Samples samples = pairArrays(parsed(npy("<f4", false, "(2, 3)", std::string(24, 0))), parsed(npy("|u1", false, "(2, 1)", {1, 2})));
    EXPECT_EQ(samples.count, 2);
    EXPECT_EQ(samples.sample_shape, (spec::Shape{3}));
    EXPECT_EQ(samples.label_shape, (spec::Shape{1}));
    EXPECT_EQ(samples.label(1), 2);
    EXPECT_THROW(pairArrays(parsed(npy("<f4", false, "(2, 3)", std::string(24, 0))), parsed(npy("|u1", false, "(1,)", {1}))), Error);
}

}  // namespace
}  // namespace engine::data
