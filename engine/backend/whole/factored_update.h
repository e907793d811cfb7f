// Adafactor (engine/spec/catalog/update_kind.h): second moments by row and by column of matrices, and steps by the root mean squares of
// the whole variable.
//   pass 0   weight decay; r of each row; the columns' sums of a block of rows
//   pass 1   c of each column; the mean of r of each matrix
//   pass 2   v; the squares of the steps
//   pass 3   the steps, and the moving average
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/whole/whole_update.h"

namespace engine::backend {

class FactoredUpdate final : public WholeUpdate {
public:
    FactoredUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs);

    int passes() const override { return 4; }
    std::int64_t blocks(int pass) const override;
    void run(int pass, std::int64_t block, const plan::StepFactors& factors) override;
    std::string kernel() const override;

private:
    // Rows of a matrix, or elements of a variable that is none.
    struct Block {
        std::size_t run = 0;
        std::int64_t matrix = 0, begin = 0, size = 0;
        std::int64_t column_sums = 0;  // where its own begin
        double weight_squares = 0, step_squares = 0;
    };
    // Columns of a matrix.
    struct ColumnBlock {
        std::size_t run = 0;
        std::int64_t matrix = 0, begin = 0, size = 0;
        std::size_t first_block = 0, end_block = 0;  // those with rows of the matrix
    };
    // Its elements, as offsets into the variable.
    struct Span {
        std::int64_t begin = 0, end = 0;
    };

    Span spanOf(const Block& block) const;
    void measureRows(Block& block, const plan::StepFactors& factors);
    void advanceColumns(const ColumnBlock& block, const plan::StepFactors& factors);
    void advanceMoments(Block& block, const plan::StepFactors& factors);
    void apply(const Block& block, const plan::StepFactors& factors) const;

    plan::UpdateRule rule_;
    std::vector<FlatRun> runs_;
    std::vector<Block> blocks_;
    std::vector<ColumnBlock> column_blocks_;
    std::vector<std::size_t> first_block_;   // of each run, and the end
    std::vector<std::size_t> first_matrix_;  // of each run, in row_means_
    std::vector<double> column_sums_;
    std::vector<float> row_means_;  // of r, of each matrix
};

}  // namespace engine::backend
