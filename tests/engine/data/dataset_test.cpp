#include "engine/data/dataset.h"

#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

using testing::HasSubstr;

template <typename Number>
Samples withLabels(const std::vector<Number>& labels, tensor::DType dtype, const spec::Shape& shape) {
    Samples samples;
    samples.source = "pictures";
    samples.label_source = "their labels";
    samples.count = static_cast<std::int64_t>(labels.size()) / elementsOf(shape);
    samples.sample_shape = {2};
    samples.samples = ByteBuffer(static_cast<std::size_t>(samples.count) * 2);
    samples.label_shape = shape;
    samples.label_dtype = dtype;
    samples.labels = ByteBuffer(labels.size() * sizeof(Number));
    std::memcpy(samples.labels.data(), labels.data(), samples.labels.size());
    return samples;
}

template <typename Function>
std::string refusal(Function&& function) {
    try {
        function();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
    return "no error";
}

TEST(Dataset, HasLabelsOfEveryShape) {
    const Samples regression = withLabels<float>({1, 2, 3, 4}, tensor::DType::kFloat32, {2});
    EXPECT_EQ(regression.view().label_elements, 2);
    EXPECT_EQ(regression.label(1), 3);
    EXPECT_NO_THROW(checkAgainstModel(regression, {2}, {.classes = 0, .shape = {2, 1}}));
    const Samples plain = withLabels<float>({1, 2}, tensor::DType::kFloat32, {});
    EXPECT_EQ(plain.view().label_elements, 1);
    EXPECT_NO_THROW(checkAgainstModel(plain, {2}, {.classes = 0, .shape = {1}}));
}

TEST(Dataset, MakesClassesOneHot) {
    Samples samples = withLabels<std::int32_t>({2, 0}, tensor::DType::kInt32, {});
    oneHotLabels(samples, 3);
    EXPECT_EQ(samples.label_shape, (spec::Shape{3}));
    const auto* rows = reinterpret_cast<const std::uint8_t*>(samples.labels.data());
    EXPECT_THAT(std::vector<int>(rows, rows + 6), testing::ElementsAre(0, 0, 1, 1, 0, 0));
    EXPECT_THAT(refusal([&] { oneHotLabels(samples, 3); }), HasSubstr("uint8 of shape (3,)"));
    Samples large = withLabels<std::uint8_t>({3}, tensor::DType::kUInt8, {});
    EXPECT_THAT(refusal([&] { oneHotLabels(large, 3); }), HasSubstr("their labels: label 3 of sample 0 is out of range, expected 0 to 2"));
}

TEST(Dataset, RefusesLabelsThatTheLossCannotTake) {
    const Samples floats = withLabels<float>({1, 2}, tensor::DType::kFloat32, {});
    EXPECT_THAT(refusal([&] { checkAgainstModel(floats, {2}, {.classes = 3}); }),
                HasSubstr("their labels: its labels are float32 of shape (), the loss expects class indices (uint8 or int32)"));
    const Samples classes = withLabels<std::uint8_t>({1, 2}, tensor::DType::kUInt8, {});
    EXPECT_THAT(refusal([&] { checkAgainstModel(classes, {2}, {.classes = 0, .shape = {10}}); }),
                testing::AllOf(HasSubstr("the loss expects the shape (10,)"), HasSubstr("data.one_hot=10")));
    const Samples sequence = withLabels<std::int32_t>({1, 2, 3, 5}, tensor::DType::kInt32, {2});
    EXPECT_NO_THROW(checkAgainstModel(sequence, {2}, {.classes = 6, .shape = {2}}));
    EXPECT_THAT(refusal([&] { checkAgainstModel(sequence, {2}, {.classes = 4, .shape = {2}}); }), HasSubstr("label 5 of sample 1"));
}

TEST(Dataset, TakesSequencesWithZerosBehindThem) {
    const LabelNeed need{.classes = 4, .shape = {9}, .sequences = true};
    EXPECT_NO_THROW(checkAgainstModel(withLabels<std::int32_t>({1, 3, 0, 0, 2, 2}, tensor::DType::kInt32, {2}), {2}, need));
    EXPECT_NO_THROW(checkAgainstModel(withLabels<std::uint8_t>({0, 3}, tensor::DType::kUInt8, {1}), {2}, need)) << "of one class at most";
    EXPECT_EQ(refusal([&] {
                  checkAgainstModel(withLabels<std::int32_t>({1, 2, 0, 3}, tensor::DType::kInt32, {2}), {2}, need);
              }),
              "their labels: label 3 of sample 1 stands behind a zero, which ends a sequence of classes");
    EXPECT_EQ(refusal([&] {
                  checkAgainstModel(withLabels<std::int32_t>({1, 2, 4, 0}, tensor::DType::kInt32, {2}), {2}, need);
              }),
              "their labels: label 4 of sample 1 is out of range, expected 0 to 3 (the model has 4 outputs)");
    EXPECT_EQ(refusal([&] {
                  checkAgainstModel(withLabels<std::uint8_t>({1, 2}, tensor::DType::kUInt8, {}), {2}, need);
              }),
              "their labels: its labels are uint8 of shape (), the loss expects sequences of class indices, of the shape (length,)");
    EXPECT_THAT(refusal([&] {
                    checkAgainstModel(withLabels<std::uint8_t>({1, 2}, tensor::DType::kUInt8, {}), {2}, need, 5);
                }),
                HasSubstr("data.one_hot makes its labels rows of 5, the loss expects class indices"));
}

TEST(Dataset, NamesTheLabelThatIsNoClass) {
    const Samples fractions = withLabels<float>({1, 2, 0.5F}, tensor::DType::kFloat32, {});
    EXPECT_EQ(refusal([&] { checkAgainstModel(fractions, {2}, {.classes = 3}); }),
              "their labels: label 0.5 of sample 2 is no class index, the loss expects whole numbers from 0 (uint8 or int32)");
}

TEST(Dataset, RefusesProbabilitiesBeyondOne) {
    const LabelNeed binary{.shape = {1}, .from_0_to_1 = true};
    EXPECT_NO_THROW(checkAgainstModel(withLabels<std::uint8_t>({0, 1, 1}, tensor::DType::kUInt8, {}), {2}, binary));
    EXPECT_NO_THROW(checkAgainstModel(withLabels<float>({0, 0.5F, 1}, tensor::DType::kFloat32, {}), {2}, binary));
    EXPECT_EQ(refusal([&] {
                  checkAgainstModel(withLabels<std::int32_t>({0, 1, -1}, tensor::DType::kInt32, {}), {2}, binary);
              }),
              "their labels: label -1 of sample 2 is out of range, the loss expects 0 to 1");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(refusal([&] {
                    checkAgainstModel(withLabels<float>({0, nan}, tensor::DType::kFloat32, {}), {2}, binary);
                }),
                HasSubstr("label nan of sample 1"));
}

// As `data --check` has them, which shows classes rather than rows.
TEST(Dataset, LooksAtClassesThatBecomeOneHot) {
    const Samples classes = withLabels<std::uint8_t>({0, 4}, tensor::DType::kUInt8, {});
    EXPECT_NO_THROW(checkAgainstModel(classes, {2}, {.shape = {5}}, 5));
    EXPECT_THAT(refusal([&] { checkAgainstModel(classes, {2}, {.shape = {4}}, 4); }),
                HasSubstr("label 4 of sample 1 is out of range, expected 0 to 3 (data.one_hot is 4)"));
    EXPECT_THAT(refusal([&] { checkAgainstModel(classes, {2}, {.shape = {10}}, 5); }),
                HasSubstr("data.one_hot makes its labels rows of 5, the loss expects the shape (10,)"));
}

TEST(Dataset, NamesTheSettingThatMakesTheShape) {
    Samples samples = withLabels<std::uint8_t>({1}, tensor::DType::kUInt8, {});
    samples.shape_field = "data.images.size=[1, 2] makes them so";
    EXPECT_EQ(refusal([&] {
                  checkAgainstModel(samples, {3, 3, 1}, {.classes = 3});
              }),
              "pictures: its samples have the shape (2,), the model's input expects (3, 3, 1) (data.images.size=[1, 2] makes them so)");
}

}  // namespace
}  // namespace engine::data
