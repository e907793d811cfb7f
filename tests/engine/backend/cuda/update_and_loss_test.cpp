// Single ops of sizes that Keras' cases lack, each as a kernel and by the reference on the same values: rows as wide as a block, more rows
// than a launch has lanes, more tensors than travel with one, steps with fewer samples than the plan.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/reference/interpreter.h"
#include "engine/plan/loss_attributes.h"
#include "engine/plan/memory.h"
#include "engine/plan/optimizer.h"
#include "engine/tensor/random.h"
#include "tests/support/cuda_update_and_loss_ops.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using plan::LossKind;
using plan::MetricKind;
using plan::OpKind;
using plan::TensorId;
using plan::TensorRole;
using tests::support::CudaOpsExecutor;

// A plan of one op, made tensor by tensor.
class OneOp {
public:
    explicit OneOp(std::int64_t batch) { plan_.batch = batch; }

    plan::Op op{};
    plan::Plan& plan() { return plan_; }
    TensorId add(plan::TensorDesc tensor) {
        if (tensor.name.empty()) tensor.name = "tensor" + std::to_string(plan_.tensors.size());
        plan_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(plan_.tensors.size() - 1);
    }
    TensorId input(plan::TensorDesc tensor) {
        op.inputs.push_back(add(std::move(tensor)));
        return op.inputs.back();
    }
    TensorId output(plan::TensorDesc tensor) {
        op.outputs.push_back(add(std::move(tensor)));
        return op.outputs.back();
    }
    void header(std::int64_t size = plan::StepHeader::kSize) {
        plan_.header = output({.name = "header", .role = TensorRole::kStepHeader, .shape = {size}});
    }
    void setValues(TensorId id, std::vector<float> values) { given_.emplace_back(id, std::move(values)); }
    // An output that is scratch of the op's own.
    void leaveOut(TensorId id) { left_out_ = id; }
    // Classes of this number; masks are of 0 and 1.
    std::int64_t classes = 1;
    float low = -1, high = 1;  // of floats

    // The op by both, on the same values of all its tensors; every output of the samples present must agree.
    void expectSame(std::int64_t samples, double tolerance, StepControl control = {.learning_rate = 0.05F, .seed = 5}) {
        plan_.ops = {op};
        Variables of_reference(plan_), of_kernel(plan_);
        reference::Interpreter interpreter(plan_, of_reference, {});
        CudaOpsExecutor kernel(plan_, of_kernel, {}, cuda::bindUpdateAndLossOps);
        std::vector<bool> is_set(plan_.tensors.size(), false);
        for (const std::vector<TensorId>* ids : {&op.inputs, &op.outputs}) {
            for (TensorId id : *ids) {
                if (is_set[static_cast<std::size_t>(id)]) continue;
                is_set[static_cast<std::size_t>(id)] = true;
                fill(interpreter, id);
                const plan::TensorDesc& tensor = interpreter.plan().tensors[static_cast<std::size_t>(id)];
                std::memcpy(kernel.interpreter().bytes(id), interpreter.bytes(id), static_cast<std::size_t>(plan::byteCount(tensor)));
            }
        }
        const reference::Interpreter::Step step{.batch = nullptr, .control = control, .samples = samples};
        interpreter.run(interpreter.plan().ops.front(), step);
        kernel.runOps(step, true);
        ASSERT_EQ(kernel.kernels(), 1);
        for (TensorId id : op.outputs) {
            if (id != left_out_) expectSameTensor(interpreter, kernel.interpreter(), id, samples, tolerance);
        }
        if (op.kind == OpKind::kPrepareGradients) {  // they change in place
            for (TensorId id : op.inputs) expectSameTensor(interpreter, kernel.interpreter(), id, samples, tolerance);
        }
    }

private:
    void fill(reference::Interpreter& interpreter, TensorId id) {
        const plan::TensorDesc& tensor = interpreter.plan().tensors[static_cast<std::size_t>(id)];
        const tensor::RandomStream random(
            {.seed = 3, .purpose = tensor::RandomPurpose::kAugmentation, .stream = static_cast<std::uint64_t>(id)});
        const auto count = static_cast<std::size_t>(plan::elementCount(tensor));
        for (std::size_t i = 0; i < count; ++i) {
            if (tensor.dtype == tensor::DType::kFloat32) {
                const bool is_header = tensor.role == TensorRole::kStepHeader;
                // Slots are such that no root of RMSprop's is of a negative number: v is above the square of the mean.
                const bool is_slot = tensor.role == TensorRole::kSlot;
                const float from = is_slot ? 0.3F : low, to = is_slot ? 0.5F : high;
                const float value = is_header ? 1.5F : from + (to - from) * random.uniform(0, i);
                std::memcpy(interpreter.bytes(id) + i * sizeof value, &value, sizeof value);
            } else if (tensor.dtype == tensor::DType::kInt32) {
                const auto value = static_cast<std::int32_t>(random.below(0, i, static_cast<std::uint64_t>(classes)));
                std::memcpy(interpreter.bytes(id) + i * sizeof value, &value, sizeof value);
            } else {
                interpreter.bytes(id)[i] = static_cast<std::byte>(random.below(0, i, 3) != 0 ? 1 : 0);
            }
        }
        for (const auto& [of, values] : given_) {
            if (of != id) continue;
            ASSERT_EQ(values.size(), count);
            std::memcpy(interpreter.bytes(id), values.data(), values.size() * sizeof(float));
        }
    }

    static void expectSameTensor(reference::Interpreter& wanted, reference::Interpreter& got, TensorId id, std::int64_t samples,
                                 double tolerance) {
        const plan::TensorDesc& tensor = wanted.plan().tensors[static_cast<std::size_t>(id)];
        if (tensor.dtype == tensor::DType::kFloat32) {
            const auto have = got.floats(id, samples), want = wanted.floats(id, samples);
            std::vector<float> numbers(have.begin(), have.end()), wanted_numbers(want.begin(), want.end());
            for (std::size_t i = 0; i < std::min(numbers.size(), wanted_numbers.size()); ++i) {
                if (std::isnan(numbers[i]) && std::isnan(wanted_numbers[i])) numbers[i] = wanted_numbers[i] = 0;
            }
            EXPECT_TRUE(tests::support::isNear(numbers, wanted_numbers, tolerance)) << tensor.name;
            return;
        }
        const auto bytes = static_cast<std::size_t>(plan::byteCount(tensor) / tensor.shape.front() * samples);
        EXPECT_EQ(std::memcmp(got.bytes(id), wanted.bytes(id), bytes), 0) << tensor.name;
    }

    plan::Plan plan_;
    TensorId left_out_ = plan::kNoTensor;
    std::vector<std::pair<TensorId, std::vector<float>>> given_;
};

struct Sizes {
    std::int64_t batch, samples, columns;
};
// One lane, some lanes, a warp, a block a row; one block and many; all samples, some, none.
const Sizes kSizes[] = {{6, 5, 1}, {6, 6, 3}, {64, 50, 10}, {40, 40, 130}, {5, 4, 1500}, {2500, 2400, 10}, {4, 0, 7}, {4, 0, 1100}};

TEST(CrossEntropyKernel, IsTheReferenceInEverySize) {
    for (const Sizes& sizes : kSizes) {
        for (const bool from_logits : {true, false}) {
            for (const bool training : {true, false}) {
                SCOPED_TRACE(std::to_string(sizes.samples) + " of " + std::to_string(sizes.batch) + " x " + std::to_string(sizes.columns) +
                             (from_logits ? ", logits" : ", probabilities") + (training ? "" : ", evaluated"));
                OneOp one(sizes.batch);
                one.plan().training = training;
                one.plan().replicas = 2;
                one.classes = sizes.columns;
                one.low = from_logits ? -4.0F : -0.1F;  // some beyond the clip
                one.high = from_logits ? 4.0F : 1.1F;
                one.op = {.kind = OpKind::kSoftmaxCrossEntropy, .name = "loss", .attributes = plan::CrossEntropyAttributes{from_logits}};
                one.input({.shape = {sizes.batch, sizes.columns}});
                one.plan().label = one.input({.role = TensorRole::kLabel, .dtype = tensor::DType::kInt32, .shape = {sizes.batch}});
                if (training) one.output({.name = "scores:grad", .shape = {sizes.batch, sizes.columns}});
                one.header();
                one.expectSame(sizes.samples, 1e-5);
            }
        }
    }
}

// Labels and scores within what a kind of loss is made for.
void setRange(OneOp& one, LossKind kind) {
    const bool is_share = kind == LossKind::kKLDivergence || kind == LossKind::kBinaryCrossentropy ||
                          kind == LossKind::kBinaryFocalCrossentropy || kind == LossKind::kCategoricalCrossentropy ||
                          kind == LossKind::kCategoricalFocalCrossentropy || kind == LossKind::kPoisson ||
                          kind == LossKind::kCategoricalGeneralizedCrossEntropy || kind == LossKind::kDice || kind == LossKind::kTversky;
    one.low = is_share ? 0.05F : -1.0F;
    one.high = is_share ? 0.95F : 1.0F;
}

TEST(LossKernel, IsTheReferenceInEverySize) {
    for (int kind = 0; kind <= static_cast<int>(LossKind::kPoisson); ++kind) {
        for (const Sizes& sizes : kSizes) {
            const auto loss = static_cast<LossKind>(kind);
            if (loss == LossKind::kCircle || loss == LossKind::kCtc) continue;  // of other shapes: below
            SCOPED_TRACE(std::string(plan::toString(loss)) + " " + std::to_string(sizes.samples) + " of " + std::to_string(sizes.batch) +
                         " x " + std::to_string(sizes.columns));
            const bool has_extras = sizes.columns < 100 && sizes.batch < 1000;
            OneOp one(sizes.batch);
            one.classes = sizes.columns;
            setRange(one, loss);
            plan::LossAttributes attributes{.kind = loss, .label_smoothing = loss == LossKind::kCategoricalCrossentropy ? 0.1 : 0};
            attributes.from_logits = kind % 2 == 0;
            if (has_extras) attributes.reduction = plan::LossReduction::kWeightedMean;
            if (has_extras && plan::hasClassLabels(loss)) attributes.ignored_class = 0;
            one.op = {.kind = OpKind::kLoss, .name = "loss", .attributes = attributes};
            const std::int64_t rows = 2;  // a sample
            one.input({.shape = {sizes.batch, rows, sizes.columns}});
            const plan::TensorDesc classes{.role = TensorRole::kLabel, .dtype = tensor::DType::kInt32, .shape = {sizes.batch, rows}};
            const plan::TensorDesc values{.role = TensorRole::kLabel, .shape = {sizes.batch, rows, sizes.columns}};
            one.plan().label = one.input(plan::hasClassLabels(loss) ? classes : values);
            if (has_extras) {
                one.input({.role = TensorRole::kLabel, .shape = {sizes.batch}});
                one.input({.role = TensorRole::kScratch, .dtype = tensor::DType::kUInt8, .shape = {sizes.batch, rows}});
            }
            one.output({.name = "scores:grad", .shape = {sizes.batch, rows, sizes.columns}});
            one.header();
            one.expectSame(sizes.samples, 3e-5);
        }
    }
}

TEST(LossKernel, TakesRowsAlongAnyAxes) {
    for (const LossKind loss : {LossKind::kDice, LossKind::kTversky}) {
        for (const auto& [first, axes] : {std::pair{0, 1}, {0, 2}, {0, 4}, {1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {3, 1}}) {
            for (const auto& [batch, samples, width] : {std::array{6, 5, 3}, std::array{4, 0, 7}, std::array{9, 9, 130}}) {
                SCOPED_TRACE(std::to_string(static_cast<int>(loss)) + " over " + std::to_string(axes) + " from " + std::to_string(first) +
                             ", " + std::to_string(samples) + " of " + std::to_string(batch));
                OneOp one(batch);
                setRange(one, loss);
                one.op = {.kind = OpKind::kLoss,
                          .name = "loss",
                          .attributes = plan::LossAttributes{.kind = loss, .alpha = 0.25, .beta = 0.75, .first_axis = first, .axes = axes}};
                const spec::Shape shape{batch, 5, width, 2};
                one.input({.shape = shape});
                one.plan().label = one.input({.role = TensorRole::kLabel, .shape = shape});
                if (axes == 4) one.input({.role = TensorRole::kLabel, .shape = {batch}});
                one.output({.name = "scores:grad", .shape = shape});
                one.header();
                one.expectSame(samples, 3e-5);
            }
        }
    }
}

TEST(LossKernel, ComparesSamplesWithEachOther) {
    for (const Sizes& sizes : {Sizes{1, 1, 1}, {6, 5, 1}, {6, 6, 40}, {64, 50, 10}, {150, 140, 3}, {4, 0, 7}}) {
        for (const bool is_weighted : {false, true}) {
            SCOPED_TRACE(std::to_string(sizes.samples) + " of " + std::to_string(sizes.batch) + " x " + std::to_string(sizes.columns) +
                         (is_weighted ? ", weighted" : ""));
            OneOp one(sizes.batch);
            one.classes = 3;
            one.low = -0.5F;
            one.high = 0.5F;
            const auto reduction = is_weighted ? plan::LossReduction::kWeightedMean : plan::LossReduction::kMean;
            one.op = {.kind = OpKind::kLoss,
                      .name = "loss",
                      .attributes = plan::LossAttributes{.kind = LossKind::kCircle, .reduction = reduction, .gamma = 8}};
            one.input({.shape = {sizes.batch, sizes.columns}});
            one.plan().label = one.input({.role = TensorRole::kLabel, .dtype = tensor::DType::kInt32, .shape = {sizes.batch}});
            if (is_weighted) one.input({.role = TensorRole::kLabel, .shape = {sizes.batch}});
            one.output({.name = "scores:grad", .shape = {sizes.batch, sizes.columns}});
            one.header();
            one.expectSame(sizes.samples, 3e-5);
        }
    }
}

// Labels of each length that there is room for, as the bits of whole numbers: classes, zeros, and columns that the data lack.
std::vector<float> sequences(std::int64_t batch, std::int64_t times, std::int64_t classes, std::int64_t columns) {
    std::vector<float> labels;
    for (std::int64_t i = 0; i < batch; ++i) {
        const std::int64_t length = i % 4 == 3 ? 0 : std::min(times, columns) / (1 + i % 4);
        for (std::int64_t k = 0; k < columns; ++k) {
            const bool is_lacking = i % 2 == 1 && k > length;
            const std::int64_t label = k < length ? 1 + (i * 7 + k * 5) / 2 % (classes - 1) : is_lacking ? -1 : 0;
            labels.push_back(std::bit_cast<float>(static_cast<std::int32_t>(label)));
        }
    }
    return labels;
}

// One time and many, so that few and many rows of the recursions are kept; lanes, a warp and several elements of it a frame; more states
// than a block has threads.
TEST(LossKernel, ReadsSequences) {
    struct Case {
        std::int64_t batch, samples, times, classes, columns;
    };
    for (const Case& sizes :
         {Case{3, 3, 1, 2, 2}, Case{5, 4, 6, 4, 7}, Case{4, 4, 25, 40, 9}, Case{2, 2, 100, 6, 101}, Case{4, 0, 5, 3, 6}}) {
        for (const bool is_weighted : {false, true}) {
            for (const bool training : {true, false}) {
                SCOPED_TRACE(std::to_string(sizes.samples) + " of " + std::to_string(sizes.batch) + " x " + std::to_string(sizes.times) +
                             " x " + std::to_string(sizes.classes) + (is_weighted ? ", weighted" : "") + (training ? "" : ", evaluated"));
                OneOp one(sizes.batch);
                one.plan().training = training;
                one.plan().replicas = 2;
                one.low = -3.0F;
                one.high = 3.0F;
                const auto reduction = is_weighted ? plan::LossReduction::kWeightedMean : plan::LossReduction::kMean;
                one.op = {.kind = OpKind::kLoss,
                          .name = "loss",
                          .attributes = plan::LossAttributes{.kind = LossKind::kCtc, .reduction = reduction, .first_axis = 1, .axes = 2}};
                const spec::Shape scores{sizes.batch, sizes.times, sizes.classes};
                one.input({.shape = scores});
                one.plan().label =
                    one.input({.role = TensorRole::kLabel, .dtype = tensor::DType::kInt32, .shape = {sizes.batch, sizes.columns}});
                one.setValues(one.plan().label, sequences(sizes.batch, sizes.times, sizes.classes, sizes.columns));
                if (is_weighted) one.input({.role = TensorRole::kLabel, .shape = {sizes.batch}});
                if (training) one.output({.name = "scores:grad", .shape = scores});
                one.header();
                one.expectSame(sizes.samples, 3e-5);
            }
        }
    }
}

TEST(MetricKernel, IsTheReferenceInEverySize) {
    for (int number = 0; number <= static_cast<int>(MetricKind::kSpecificityAtSensitivity); ++number) {
        const auto kind = static_cast<MetricKind>(number);
        for (const Sizes& sizes : kSizes) {
            for (const bool is_weighted : {false, true}) {
                SCOPED_TRACE("kind " + std::to_string(number) + ", " + std::to_string(sizes.samples) + " of " +
                             std::to_string(sizes.batch) + " x " + std::to_string(sizes.columns) + (is_weighted ? ", weighted" : ""));
                const bool has_classes =
                    kind == MetricKind::kSparseCategoricalAccuracy || kind == MetricKind::kSparseTopKCategoricalAccuracy;
                OneOp one(sizes.batch);
                one.classes = sizes.columns;
                one.low = 0;
                plan::MetricAttributes metric{.kind = kind, .loss = {.kind = LossKind::kMeanAbsoluteError}, .k = 3};
                metric.offset = plan::StepHeader::kSize;
                if (kind >= MetricKind::kTruePositives) {
                    const int thresholds = kind == MetricKind::kAuc ? 700 : 1 + number % 4;
                    for (int i = 1; i <= thresholds; ++i)
                        metric.thresholds.push_back(static_cast<float>(i) / static_cast<float>(thresholds + 1));
                    metric.width = 2 * (thresholds + 1);
                    if (kind == MetricKind::kPrecisionAtRecall) metric.column = sizes.columns - 1;
                }
                if (plan::countsOverlap(kind)) {
                    one.high = 4;
                    metric.classes = kind == MetricKind::kIoU ? 3 : 2;
                    metric.ignored_class = 1;
                    metric.width = 3 * static_cast<int>(metric.classes);
                }
                if (plan::countsByColumn(kind)) metric.width = 3 * static_cast<int>(sizes.columns) + 2;
                if (plan::countsByClass(kind)) {
                    metric.largest_counts = kind == MetricKind::kFBetaScore;
                    metric.width = 3 * static_cast<int>(sizes.columns);
                }
                one.op.kind = OpKind::kMetric;
                one.op.name = "metric";
                one.op.attributes = metric;
                one.input({.shape = {sizes.batch, sizes.columns}});
                const plan::TensorDesc classes{.role = TensorRole::kLabel, .dtype = tensor::DType::kInt32, .shape = {sizes.batch}};
                const plan::TensorDesc values{.role = TensorRole::kLabel, .shape = {sizes.batch, sizes.columns}};
                one.plan().label = one.input(has_classes ? classes : values);
                if (!has_classes && kind >= MetricKind::kTruePositives) {
                    std::vector<float> labels(static_cast<std::size_t>(sizes.batch * sizes.columns));
                    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = i % 3 == 0 ? 1.0F : 0.0F;
                    one.setValues(one.plan().label, labels);
                }
                if (is_weighted) {
                    one.input({.role = TensorRole::kLabel, .shape = {sizes.batch}});
                    one.input({.role = TensorRole::kScratch, .dtype = tensor::DType::kUInt8, .shape = {sizes.batch}});
                }
                one.header(plan::StepHeader::kSize + metric.width);
                one.expectSame(sizes.samples, 1e-6);
            }
        }
    }
}

TEST(MetricKernel, CountsClassesOfRows) {
    for (const Sizes& sizes : kSizes) {
        for (const bool has_classes : {false, true}) {
            SCOPED_TRACE(std::to_string(sizes.samples) + " of " + std::to_string(sizes.batch) + " x " + std::to_string(sizes.columns) +
                         (has_classes ? ", classes" : ", rows"));
            OneOp one(sizes.batch);
            one.classes = sizes.columns;
            plan::MetricAttributes metric{.kind = MetricKind::kIoU};
            metric.classes = std::min<std::int64_t>(sizes.columns, 100);
            metric.sparse_predictions = false;
            metric.offset = plan::StepHeader::kSize;
            metric.width = 3 * static_cast<int>(metric.classes);
            one.op = {.kind = OpKind::kMetric, .name = "metric", .attributes = metric};
            one.input({.shape = {sizes.batch, 2, sizes.columns}});
            const plan::TensorDesc classes{.role = TensorRole::kLabel, .dtype = tensor::DType::kInt32, .shape = {sizes.batch, 2}};
            const plan::TensorDesc values{.role = TensorRole::kLabel, .shape = {sizes.batch, 2, sizes.columns}};
            one.plan().label = one.input(has_classes ? classes : values);
            one.header(plan::StepHeader::kSize + metric.width);
            one.expectSame(sizes.samples, 1e-6);
        }
    }
}

TEST(PenaltyKernel, AddsUpManyTensors) {
    OneOp one(5);
    plan::PenaltyAttributes attributes;
    for (int i = 0; i < 70; ++i) {
        const bool of_activity = i % 3 == 0;
        attributes.penalties.push_back({.l1 = 0.001F * static_cast<float>(i), .l2 = 0.002F, .of_activity = of_activity});
        const std::int64_t size = i == 7 || i == 60 ? 9000 : 11 + i;
        one.input({.role = of_activity ? TensorRole::kActivation : TensorRole::kParameter,
                   .shape = of_activity ? spec::Shape{5, size} : spec::Shape{size}});
    }
    one.op.kind = OpKind::kPenalty;
    one.op.name = "penalty";
    one.op.attributes = attributes;
    one.header();
    for (const std::int64_t samples : {5, 2, 0}) one.expectSame(samples, 1e-5);
}

TEST(PenaltyKernel, OfVectorsBesideOthers) {
    for (const plan::PenalisedVectors vectors : {plan::PenalisedVectors::kRows, plan::PenalisedVectors::kColumns}) {
        const plan::Penalty orthogonal{.vectors = vectors, .orthogonal = 0.5F};
        OneOp value(2);
        value.op.kind = OpKind::kPenalty;
        value.op.attributes = plan::PenaltyAttributes{{orthogonal, {.l1 = 0.1F}, orthogonal}};
        for (const spec::Shape& shape : {spec::Shape{7, 150}, {30}, {130, 3}})
            value.input({.role = TensorRole::kParameter, .shape = shape});
        value.header();
        value.expectSame(2, 1e-5);
        for (const spec::Shape& shape : {spec::Shape{7, 150}, {130, 3}, {1, 5}}) {
            OneOp one(2);
            one.plan().replicas = 2;
            one.op.kind = OpKind::kPenaltyBack;
            one.op.phase = plan::Phase::kBackward;
            one.op.attributes = plan::PenaltyAttributes{{orthogonal}};
            one.input({.name = "x", .role = TensorRole::kParameter, .shape = shape});
            one.op.outputs = {one.input({.name = "x:grad", .role = TensorRole::kGradient, .shape = shape, .of = 0})};
            one.expectSame(2, 1e-5);
        }
    }
}

TEST(PenaltyKernel, SlopesOfVariablesAndActivities) {
    for (const bool of_activity : {false, true}) {
        OneOp one(4);
        one.plan().replicas = 2;
        one.op.kind = OpKind::kPenaltyBack;
        one.op.phase = plan::Phase::kBackward;
        one.op.attributes = plan::PenaltyAttributes{{{.l1 = 0.1F, .l2 = 0.2F, .of_activity = of_activity}}};
        one.input({.name = "x", .role = of_activity ? TensorRole::kActivation : TensorRole::kParameter, .shape = {4, 300}});
        const TensorId gradient = one.input({.name = "x:grad",
                                             .role = of_activity ? TensorRole::kActivation : TensorRole::kGradient,
                                             .shape = {4, 300},
                                             .of = of_activity ? plan::kNoTensor : 0});
        one.op.outputs = {gradient};
        for (const std::int64_t samples : {4, 3}) one.expectSame(samples, 1e-6);
    }
}

// Parameters with their gradients and slots, as a fused update has them.
// Some have two axes or more where the optimizer takes whole variables.
OneOp updateOf(const spec::ObjectSpec& optimizer, int tensors) {
    OneOp one(1);
    one.op = {
        .kind = OpKind::kFusedUpdate, .phase = plan::Phase::kUpdate, .name = "update", .attributes = plan::OptimizerAttributes{optimizer}};
    for (int i = 0; i < tensors; ++i) {
        const std::int64_t size = i == 3 ? 5000 : 1 + 13 * i;
        spec::Shape shape{size};
        if (spec::takesWholeVariables(plan::updateRule(optimizer).kind)) {
            const spec::Shape shapes[] = {shape, {1 + i, 3}, {5, 140}, {3, 2, 1 + i, 7}, {200, 2}};
            shape = shapes[static_cast<std::size_t>(i) % std::size(shapes)];
        }
        const std::string name = "w" + std::to_string(i);
        const TensorId w = one.input({.name = name, .role = TensorRole::kParameter, .shape = shape});
        one.op.outputs.push_back(w);
        one.input({.name = name + ":grad", .role = TensorRole::kStatistic, .shape = shape});
        for (const plan::Slot& slot : plan::slotsOf(optimizer)) {
            const auto slot_shape = spec::slotShape(optimizer, slot.form, {name, shape});
            if (!slot_shape) continue;
            const TensorId id = one.input(
                {.name = name + ":" + slot.name, .role = TensorRole::kSlot, .shape = *slot_shape, .of = w, .slot_name = slot.name});
            one.op.outputs.push_back(id);
        }
    }
    return one;
}

TEST(UpdateKernel, TakesMoreTensorsThanALaunchCarries) {
    for (const char* name : {"SGD", "Adam", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl", "Lion", "Lamb", "Adafactor",
                             "Muon", "ScheduleFreeAdamW"}) {
        SCOPED_TRACE(name);
        updateOf({name, {{"use_ema", true}, {"weight_decay", 0.01}}}, 90).expectSame(1, 1e-5, {.learning_rate = 0.05F, .iteration = 3});
    }
    updateOf({"RMSprop", {{"centered", true}}}, 4).expectSame(1, 1e-5);
    updateOf({"RMSprop", {{"centered", true}, {"momentum", 0.5}}}, 4).expectSame(1, 1e-5);
    updateOf({"SGD", {{"momentum", 0.5}, {"nesterov", true}, {"ema_overwrite_frequency", std::int64_t{2}}, {"use_ema", true}}}, 4)
        .expectSame(1, 1e-5, {.learning_rate = 0.05F, .iteration = 1});
    updateOf({"Adam", {{"amsgrad", true}}}, 4).expectSame(1, 1e-5);
    updateOf({"Muon", {{"nesterov", false}, {"ns_steps", std::int64_t{2}}, {"rms_rate", std::monostate{}}}}, 10).expectSame(1, 1e-5);
    for (const char* name : {"Adafactor", "Muon"}) {  // in a step that accumulates nothing moves but the average
        updateOf({name, {{"use_ema", true}, {"gradient_accumulation_steps", std::int64_t{2}}}}, 5)
            .expectSame(1, 1e-6, {.learning_rate = 0.05F, .iteration = 2});
    }
}

TEST(PrepareGradientsKernel, TakesMoreTensorsThanALaunchCarries) {
    const spec::Fields ways[] = {{{"clipnorm", 2.0}},
                                 {{"global_clipnorm", 3.0}},
                                 {{"clipvalue", 0.5}},
                                 {{"gradient_accumulation_steps", std::int64_t{2}}},
                                 {{"gradient_accumulation_steps", std::int64_t{2}}, {"clipnorm", 1.0}},
                                 {{"clipnorm", 1e6}}};
    for (const spec::Fields& way : ways) {
        for (const std::int64_t iteration : {0, 1}) {
            OneOp one(1);
            const spec::ObjectSpec optimizer{"SGD", way};
            const plan::UpdateRule rule = plan::updateRule(optimizer);
            one.op = {.kind = OpKind::kPrepareGradients,
                      .phase = plan::Phase::kUpdate,
                      .name = "prepare",
                      .attributes = plan::OptimizerAttributes{optimizer}};
            std::vector<TensorId> parameters, gradients, accumulators;
            for (int i = 0; i < 230; ++i) {
                const std::int64_t size = i == 3 ? 9000 : i == 150 ? 4096 : 1 + i;
                const std::string name = "w" + std::to_string(i);
                parameters.push_back(one.add({.name = name, .role = TensorRole::kParameter, .shape = {size}}));
                gradients.push_back(one.add({.name = name + ":grad", .role = TensorRole::kStatistic, .shape = {size}}));
                if (rule.accumulation_steps == 1) continue;
                accumulators.push_back(one.add({.name = name + ":sum",
                                                .role = TensorRole::kSlot,
                                                .shape = {size},
                                                .of = parameters.back(),
                                                .slot_name = std::string(plan::kAccumulatorSlot)}));
            }
            one.op.inputs = gradients;
            one.op.inputs.insert(one.op.inputs.end(), accumulators.begin(), accumulators.end());
            one.op.outputs = accumulators;
            one.expectSame(1, 1e-5, {.learning_rate = 0.05F, .iteration = iteration});
        }
    }
}

TEST(ConstraintKernel, TakesNormsAlongAnyAxes) {
    using plan::ConstraintKind;
    for (const ConstraintKind kind :
         {ConstraintKind::kMaxNorm, ConstraintKind::kNonNeg, ConstraintKind::kUnitNorm, ConstraintKind::kMinMaxNorm}) {
        for (const std::vector<int>& axes : {std::vector<int>{0}, {1}, {0, 1, 2}, {0, 2}, {3}, {}}) {
            SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + ", axes " + ::testing::PrintToString(axes));
            OneOp one(1);
            one.op = {.kind = OpKind::kConstrain, .phase = plan::Phase::kUpdate, .name = "constrain"};
            one.op.attributes = plan::ConstraintAttributes{.kind = kind, .minimum = 0.4, .maximum = 0.9, .rate = 0.7, .axes = axes};
            one.op.inputs = one.op.outputs = {one.add({.name = "w", .role = TensorRole::kParameter, .shape = {3, 5, 4, 37}})};
            one.expectSame(1, 1e-6);
        }
    }
}

struct Sequence {
    std::int64_t batch, samples, time, units;
};

// Both directions: what the way forward keeps is what the way back is given.
void expectSameRecurrent(plan::RecurrentAttributes a, const Sequence& size, double rate) {
    a.recurrent_dropout = rate;
    a.seed = 7;
    OneOp one(size.batch);
    const std::int64_t columns = plan::gatesOf(a.cell) * a.units;
    const spec::Shape products{size.batch, size.time, columns}, states{size.batch, size.time, a.units};
    const plan::TensorDesc times{
        .name = "times", .role = TensorRole::kScratch, .dtype = tensor::DType::kUInt8, .shape = {size.batch, size.time}};
    one.op = {.kind = OpKind::kRecurrent, .name = "rnn", .attributes = a};
    // Larger weights of many units would make every error grow from time to time.
    one.high = a.units > 30 ? 0.2F : 0.8F;
    one.low = -one.high;
    one.input({.name = "z", .shape = products});
    one.input({.name = "u", .role = TensorRole::kParameter, .shape = {a.units, columns}});
    if (a.two_biases) one.input({.name = "b", .role = TensorRole::kParameter, .shape = {2, columns}});
    if (a.masked) one.input(times);
    one.output({.name = "y", .shape = a.return_sequences ? states : spec::Shape{size.batch, a.units}});
    // Of times that do not count nobody looks at the gates.
    const std::vector<float> zeros(static_cast<std::size_t>(size.batch * size.time * columns));
    one.setValues(one.output({.name = "gates", .role = TensorRole::kScratch, .shape = products}), zeros);
    one.output({.name = "previous", .role = TensorRole::kScratch, .shape = states});
    if (a.cell != plan::RecurrentCell::kSimple)
        one.setValues(one.output({.name = "inner", .role = TensorRole::kScratch, .shape = states}),
                      std::vector<float>(static_cast<std::size_t>(size.batch * size.time * a.units)));
    if (rate > 0)
        one.output({.name = "mask",
                    .role = TensorRole::kScratch,
                    .dtype = tensor::DType::kUInt8,
                    .shape = {size.batch, plan::gatesOf(a.cell), a.units}});
    one.expectSame(size.samples, 2e-5);

    OneOp back(size.batch);
    back.low = 0.05F;  // gates are shares
    back.high = 0.9F;
    back.op = {.kind = OpKind::kRecurrentBack, .phase = plan::Phase::kBackward, .name = "rnn back", .attributes = a};
    const TensorId u = back.input({.name = "u", .role = TensorRole::kParameter, .shape = {a.units, columns}});
    std::vector<float> small(static_cast<std::size_t>(a.units * columns));
    for (std::size_t i = 0; i < small.size(); ++i) small[i] = 0.02F * static_cast<float>(static_cast<int>(i * 7 % 11) - 5);
    back.setValues(u, small);
    back.input({.name = "gates", .role = TensorRole::kScratch, .shape = products});
    back.input({.name = "previous", .role = TensorRole::kScratch, .shape = states});
    if (a.cell != plan::RecurrentCell::kSimple) back.input({.name = "inner", .role = TensorRole::kScratch, .shape = states});
    if (rate > 0)
        back.input({.name = "mask",
                    .role = TensorRole::kScratch,
                    .dtype = tensor::DType::kUInt8,
                    .shape = {size.batch, plan::gatesOf(a.cell), a.units}});
    back.input({.name = "y:grad", .shape = a.return_sequences ? states : spec::Shape{size.batch, a.units}});
    if (a.masked) back.input(times);
    back.output({.name = "z:grad", .shape = products});
    if (a.cell == plan::RecurrentCell::kGru) back.leaveOut(back.output({.name = "hidden", .role = TensorRole::kScratch, .shape = states}));
    back.output({.name = "u:grad", .role = TensorRole::kGradient, .shape = {a.units, columns}, .of = u});
    if (a.two_biases) back.output({.name = "b:grad", .role = TensorRole::kGradient, .shape = {2, columns}, .of = u});
    back.expectSame(size.samples, 1e-4);
}

TEST(RecurrentKernel, IsTheReferenceInEverySize) {
    using plan::RecurrentCell;
    // One unit; odd ones; sums in parts; two and four samples a block; tiles and splits of dU.
    const Sequence sequences[] = {{3, 2, 4, 1}, {5, 5, 3, 7}, {4, 3, 5, 33}, {170, 168, 2, 6}, {330, 329, 2, 5}, {40, 40, 9, 70}};
    for (const RecurrentCell cell : {RecurrentCell::kSimple, RecurrentCell::kLstm, RecurrentCell::kGru}) {
        for (const Sequence& size : sequences) {
            for (int way = 0; way < 4; ++way) {
                plan::RecurrentAttributes a{.cell = cell, .units = size.units};
                a.return_sequences = way % 2 == 0;
                a.go_backwards = way == 1 || way == 2;
                a.reset_after = cell == RecurrentCell::kGru && way < 3;
                a.two_biases = a.reset_after && way != 1;
                a.masked = way >= 2;
                a.zero_output_for_mask = way == 2;
                const double rate = way == 1 || way == 3 ? 0.4 : 0;
                SCOPED_TRACE("cell " + std::to_string(static_cast<int>(cell)) + ", way " + std::to_string(way) + ", " +
                             std::to_string(size.batch) + " samples of " + std::to_string(size.units) + " units");
                expectSameRecurrent(a, size, rate);
            }
        }
    }
}

}  // namespace
}  // namespace engine::backend
