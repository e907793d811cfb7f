#include "engine/backend/cpu/schedule/piece_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/bound_op.h"
#include "engine/plan/compile.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"
#include "engine/tensor/tensor_memory.h"
#include "tests/support/model_cases.h"
#include "tests/support/words.h"

namespace engine::backend::cpu {
namespace {

// Takes each sum that it is offered, or none.
class FakeOp final : public BoundOp {
public:
    explicit FakeOp(bool adds_up) : adds_up_(adds_up) {}

    std::string kernel() const override { return "none"; }
    bool addUpIn(plan::TensorId gradient, float* sum) override {
        offered_ = gradient;
        if (adds_up_) taken_ = sum;
        return adds_up_;
    }
    std::vector<Stage> stages(std::byte*) override { return {}; }
    void run(int, const StepState&, int) override {}

    plan::TensorId offered() const { return offered_; }
    float* taken() const { return taken_; }

private:
    const bool adds_up_;
    plan::TensorId offered_ = plan::kNoTensor;
    float* taken_ = nullptr;
};

// The plan of a piece of words, which looks rows up in a table.
plan::Plan pieceOfWords() {
    const tests::support::ModelCase c = tests::support::wordsCase();
    return plan::pieceOf(plan::compile(tests::support::runOf(c), {.batch = c.batch, .fuse = false}), 6);
}

int opOfTable(const plan::Plan& plan) {
    const auto found =
        std::find_if(plan.ops.begin(), plan.ops.end(), [](const plan::Op& op) { return op.kind == plan::OpKind::kEmbeddingBack; });
    ENGINE_CHECK(found != plan.ops.end());
    return static_cast<int>(found - plan.ops.begin());
}

// The sums of a piece's gradients, which lie in memory of their own.
class SumsRig {
public:
    explicit SumsRig(plan::Plan plan)
        : plan_(std::move(plan)),
          op_(opOfTable(plan_)),
          table_(plan_.ops[static_cast<std::size_t>(op_)].outputs.front()),
          arena_(plan_.private_bytes),
          memory_(plan_, addresses(), 1),
          sums_(plan_, memory_) {}

    PieceSums& sums() { return sums_; }
    // The first op that makes the table's gradient.
    int op() const { return op_; }
    plan::TensorId table() const { return table_; }
    std::span<float> gradient() const { return {memory_.floats(table_), static_cast<std::size_t>(memory_.elements(table_))}; }
    // Two threads, one after the other.
    void add(std::int64_t piece, bool is_last) const {
        for (int thread = 0; thread < 2; ++thread) sums_.add(op_, piece, is_last, thread, 2);
    }

private:
    std::vector<std::byte*> addresses() const {
        std::vector<std::byte*> all;
        for (const plan::TensorDesc& tensor : plan_.tensors) {
            const bool is_here = tensor.region == plan::Region::kPrivate && tensor.offset_bytes >= 0;
            all.push_back(is_here ? arena_.data() + tensor.offset_bytes : nullptr);
        }
        return all;
    }

    const plan::Plan plan_;
    const int op_;
    const plan::TensorId table_;
    const tensor::TensorMemory arena_;
    const Memory memory_;
    PieceSums sums_;
};

bool isAll(std::span<const float> values, float value) {
    return !values.empty() && std::all_of(values.begin(), values.end(), [value](float one) { return one == value; });
}

TEST(PieceSums, AddUpWhatAnOpMakesAnewInEachPiece) {
    SumsRig rig(pieceOfWords());
    FakeOp op(false);
    rig.sums().offerTo(op, rig.op());
    EXPECT_EQ(op.offered(), rig.table());
    EXPECT_EQ(rig.sums().stagesBehind(rig.op(), false).size(), 1U);
    EXPECT_EQ(rig.sums().stagesBehind(rig.op(), true).size(), 1U);
    for (const int piece : {0, 1, 2}) {
        std::ranges::fill(rig.gradient(), static_cast<float>(piece + 1));
        rig.add(piece, piece == 2);
    }
    EXPECT_TRUE(isAll(rig.gradient(), 6));
}

TEST(PieceSums, CopyWhatAnOpAddsUpByItselfBehindTheLastPieceAlone) {
    SumsRig rig(pieceOfWords());
    FakeOp op(true);
    rig.sums().offerTo(op, rig.op());
    ASSERT_NE(op.taken(), nullptr);
    EXPECT_NE(op.taken(), rig.gradient().data()) << "whose memory may be another tensor's in between";
    EXPECT_TRUE(rig.sums().stagesBehind(rig.op(), false).empty());
    const std::vector<Stage> stages = rig.sums().stagesBehind(rig.op(), true);
    ASSERT_EQ(stages.size(), 1U);
    ASSERT_EQ(stages[0].accesses.size(), 2U);
    EXPECT_EQ(stages[0].accesses[0].begin, op.taken());
    EXPECT_FALSE(stages[0].accesses[0].writes);
    EXPECT_EQ(stages[0].accesses[1].begin, rig.gradient().data());
    EXPECT_TRUE(stages[0].accesses[1].writes);

    const std::span<float> sum(op.taken(), rig.gradient().size());
    std::ranges::fill(rig.gradient(), -1.0F);
    std::ranges::fill(sum, 5.0F);
    rig.add(0, false);
    EXPECT_TRUE(isAll(rig.gradient(), -1));
    rig.add(1, true);
    EXPECT_TRUE(isAll(rig.gradient(), 5));
    std::ranges::fill(sum, 7.0F);
    rig.add(0, true);
    EXPECT_TRUE(isAll(rig.gradient(), 7)) << "a step of one piece";
}

TEST(PieceSums, AreNotLeftToOneOfTwoWriters) {
    plan::Plan plan = pieceOfWords();
    const int first = opOfTable(plan);
    const plan::Op again = plan.ops[static_cast<std::size_t>(first)];
    plan.ops.insert(plan.ops.begin() + first, again);
    SumsRig rig(std::move(plan));
    FakeOp one(true), other(true);
    rig.sums().offerTo(one, rig.op());
    rig.sums().offerTo(other, rig.op() + 1);
    EXPECT_EQ(one.offered(), plan::kNoTensor);
    EXPECT_EQ(other.offered(), plan::kNoTensor);
    EXPECT_TRUE(rig.sums().stagesBehind(rig.op(), true).empty());
    EXPECT_EQ(rig.sums().stagesBehind(rig.op() + 1, false).size(), 1U) << "behind the last of them";
}

}  // namespace
}  // namespace engine::backend::cpu
