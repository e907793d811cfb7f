// Muon (engine/spec/catalog/update_kind.h): the momentum of a matrix is made orthogonal by products of matrices, and Adam changes the
// variables that are left to it. Matrices are worked on with the shorter side as rows: x (rows, columns).
//   pass 0         weight decay, momentum and its squares; Adam
//   pass 1         x over its norm
//   then, each time that the polynomial is applied:
//   pass 2, 5, ..  A = x x', by blocks of its rows
//   pass 3, 6, ..  B = b A + c A A
//   pass 4, 7, ..  the next x = a x + B x
//   the last pass  the steps, and the moving average
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/whole/whole_update.h"

namespace engine::backend {

class OrthogonalUpdate final : public WholeUpdate {
public:
    OrthogonalUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs, Multiplier multiply);

    int passes() const override { return 3 + 3 * static_cast<int>(rule_.muon.steps); }
    std::int64_t blocks(int pass) const override;
    void run(int pass, std::int64_t block, const plan::StepFactors& factors) override;
    std::string kernel() const override;

private:
    // Of a run that Adam changes nothing but the run is used.
    struct Matrix {
        FlatRun run{};
        bool is_adams = false;
        bool is_turned = false;              // x is the variable's transpose
        std::int64_t rows = 0, columns = 0;  // of x
        std::size_t first_block = 0, end_block = 0;
        std::vector<float> x{}, turned{}, next{};  // `turned`: the transpose of x
        std::vector<float> a{}, b{};               // (rows, rows)
    };
    // Elements of the variable.
    struct Block {
        std::size_t matrix = 0;
        std::int64_t begin = 0, size = 0;
        double squares = 0;
    };
    // Rows of x.
    struct RowBlock {
        std::size_t matrix = 0;
        std::int64_t begin = 0, size = 0;
    };

    void advance(Block& block, const plan::StepFactors& factors);
    void normalize(const RowBlock& block);
    void polynomial(int part, bool is_even, const RowBlock& block);
    void apply(const Block& block, const plan::StepFactors& factors) const;
    // Where the element of the variable lies in x.
    static std::int64_t placeOf(const Matrix& matrix, std::int64_t element);

    plan::UpdateRule rule_;
    Multiplier multiply_;
    std::vector<Matrix> matrices_;
    std::vector<Block> blocks_;
    std::vector<RowBlock> row_blocks_;
};

}  // namespace engine::backend
