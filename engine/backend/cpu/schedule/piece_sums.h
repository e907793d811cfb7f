// The sums of gradients and of the step header over the pieces of a step (plan::pieceOf()).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/plan/plan.h"
#include "engine/tensor/tensor_memory.h"

namespace engine::backend::cpu {

class PieceSums {
public:
    PieceSums() = default;  // of a step that stays whole: nothing is added up
    // `plan` is that of a piece and lies, as `memory` has it, where the pieces' own gradients come to stand. Both are looked at here alone.
    PieceSums(const plan::Plan& plan, const Memory& memory);

    bool isEmpty() const { return sums_.empty(); }
    // Asks the op to add up by itself (BoundOp::addUpIn()) what it alone touches of a piece's gradients. Before stagesBehind().
    void offerTo(BoundOp& bound, int op);
    // The stages of adding up what the op has made; none where that is no gradient that a later op takes, and, behind pieces before the
    // last, none where the op adds up by itself.
    std::vector<Stage> stagesBehind(int op, bool is_last) const;
    // Takes a thread's part of the gradients that the op has made. The last piece's gradients become those of the whole step.
    void add(int op, std::int64_t piece, bool is_last, int thread, int threads) const;
    // Keeps the header, which is zero then, or makes it that of the whole step. Of one thread.
    void addHeader(bool is_last);
    void clearHeader();

private:
    struct Sum {
        plan::TensorId tensor = plan::kNoTensor;
        float* gradient = nullptr;
        float* sum = nullptr;
        std::int64_t count = 0;
        bool is_of_one_op = false;  // no other op of a piece writes or reads the gradient
        bool is_left_to_op = false;
    };
    std::vector<std::vector<Sum>> sums_;  // by the op behind which they are added
    std::span<float> header_;
    std::vector<float> header_sum_;
    tensor::TensorMemory memory_;
};

}  // namespace engine::backend::cpu
