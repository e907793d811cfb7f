#include "engine/backend/whole/orthogonal_update.h"

#include <algorithm>
#include <utility>

#include "engine/backend/update_formulas.h"
#include "engine/spec/error.h"

namespace engine::backend {
namespace {

constexpr std::int64_t kOrthogonalBlock = 4096;  // floats: small enough for every thread to get some, large enough to be worth a call
constexpr std::int64_t kRowBlock = 32;
constexpr std::size_t kMomentum = 0, kSecondMoment = 1;  // places of the slots

}  // namespace

OrthogonalUpdate::OrthogonalUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs, Multiplier multiply)
    : rule_(rule), multiply_(multiply) {
    for (const FlatRun& run : runs) {
        Matrix matrix{.run = run, .is_adams = run.slots[kSecondMoment] != nullptr};
        matrix.first_block = blocks_.size();
        for (std::int64_t begin = 0; begin < run.count; begin += kOrthogonalBlock) {
            blocks_.push_back({.matrix = matrices_.size(), .begin = begin, .size = std::min(kOrthogonalBlock, run.count - begin)});
        }
        matrix.end_block = blocks_.size();
        if (!matrix.is_adams) {
            ENGINE_CHECK(run.rows * run.columns == run.count);
            matrix.is_turned = run.rows > run.columns;
            matrix.rows = std::min(run.rows, run.columns);
            matrix.columns = std::max(run.rows, run.columns);
            const auto all = static_cast<std::size_t>(run.count), square = static_cast<std::size_t>(matrix.rows * matrix.rows);
            for (std::vector<float>* values : {&matrix.x, &matrix.turned, &matrix.next}) values->resize(all);
            for (std::vector<float>* values : {&matrix.a, &matrix.b}) values->resize(square);
            for (std::int64_t begin = 0; begin < matrix.rows; begin += kRowBlock) {
                row_blocks_.push_back({.matrix = matrices_.size(), .begin = begin, .size = std::min(kRowBlock, matrix.rows - begin)});
            }
        }
        matrices_.push_back(std::move(matrix));
    }
}

std::int64_t OrthogonalUpdate::blocks(int pass) const {
    return static_cast<std::int64_t>(pass == 0 || pass == passes() - 1 ? blocks_.size() : row_blocks_.size());
}

std::string OrthogonalUpdate::kernel() const {
    const auto orthogonal = std::count_if(matrices_.begin(), matrices_.end(), [](const Matrix& matrix) { return !matrix.is_adams; });
    return std::to_string(blocks_.size()) + (blocks_.size() == 1 ? " block, " : " blocks, ") + std::to_string(orthogonal) + " orthogonal";
}

std::int64_t OrthogonalUpdate::placeOf(const Matrix& matrix, std::int64_t element) {
    if (!matrix.is_turned) return element;
    return element % matrix.run.columns * matrix.columns + element / matrix.run.columns;
}

void OrthogonalUpdate::run(int pass, std::int64_t block, const plan::StepFactors& factors) {
    const auto index = static_cast<std::size_t>(block);
    if (pass == passes() - 1) return apply(blocks_[index], factors);
    if (!factors.applies) return;
    if (pass == 0) return advance(blocks_[index], factors);
    if (pass == 1) return normalize(row_blocks_[index]);
    polynomial((pass - 2) % 3, (pass - 2) / 3 % 2 == 0, row_blocks_[index]);
}

void OrthogonalUpdate::advance(Block& block, const plan::StepFactors& factors) {
    Matrix& matrix = matrices_[block.matrix];
    const FlatRun& run = matrix.run;
    if (matrix.is_adams) return updateWeights(rule_, factors, partOf(run, block.begin, block.size));
    block.squares = 0;
    for (std::int64_t i = block.begin; i < block.begin + block.size; ++i) {
        if (factors.decay != 1) run.parameter[i] *= factors.decay;
        const float value = advanceMomentum(rule_, run.gradient[i], run.slots[kMomentum][i]);
        matrix.x[static_cast<std::size_t>(placeOf(matrix, i))] = value;
        block.squares += static_cast<double>(value) * static_cast<double>(value);
    }
}

void OrthogonalUpdate::normalize(const RowBlock& block) {
    Matrix& matrix = matrices_[block.matrix];
    double squares = 0;
    for (std::size_t i = matrix.first_block; i < matrix.end_block; ++i) squares += blocks_[i].squares;
    const float scale = overNorm(squares);
    for (std::int64_t row = block.begin; row < block.begin + block.size; ++row) {
        for (std::int64_t column = 0; column < matrix.columns; ++column) {
            float& value = matrix.x[static_cast<std::size_t>(row * matrix.columns + column)];
            value *= scale;
            matrix.turned[static_cast<std::size_t>(column * matrix.rows + row)] = value;
        }
    }
}

void OrthogonalUpdate::polynomial(int part, bool is_even, const RowBlock& block) {
    Matrix& matrix = matrices_[block.matrix];
    const plan::MuonNumbers& numbers = rule_.muon;
    // x and the next x change places each time.
    std::vector<float>&x = is_even ? matrix.x : matrix.next, &next = is_even ? matrix.next : matrix.x;
    const std::int64_t rows = matrix.rows, columns = matrix.columns, first = block.begin * columns, first_square = block.begin * rows;
    float *a = matrix.a.data() + first_square, *b = matrix.b.data() + first_square;
    if (part == 0) {
        multiply_({.a = x.data() + first, .b = matrix.turned.data(), .c = a, .rows = block.size, .columns = rows, .depth = columns});
    } else if (part == 1) {
        multiply_({.a = a, .b = matrix.a.data(), .c = b, .rows = block.size, .columns = rows, .depth = rows});
        for (std::int64_t i = 0; i < block.size * rows; ++i) b[i] = numbers.b * a[i] + numbers.c * b[i];
    } else {
        float* to = next.data() + first;
        for (std::int64_t i = 0; i < block.size * columns; ++i) to[i] = numbers.a * x[static_cast<std::size_t>(first + i)];
        multiply_({.a = b, .b = x.data(), .c = to, .rows = block.size, .columns = columns, .depth = rows, .adds = true});
        for (std::int64_t row = 0; row < block.size; ++row) {
            float* turned = matrix.turned.data() + block.begin + row;
            for (std::int64_t column = 0; column < columns; ++column) turned[column * rows] = to[row * columns + column];
        }
    }
}

void OrthogonalUpdate::apply(const Block& block, const plan::StepFactors& factors) const {
    const Matrix& matrix = matrices_[block.matrix];
    const FlatRun& run = matrix.run;
    if (factors.applies && !matrix.is_adams) {
        const std::vector<float>& x = rule_.muon.steps % 2 == 0 ? matrix.x : matrix.next;
        const float scale = orthogonalScale(rule_, factors, run.rows, run.columns);
        for (std::int64_t i = block.begin; i < block.begin + block.size; ++i) {
            run.parameter[i] -= scale * x[static_cast<std::size_t>(placeOf(matrix, i))];
        }
    }
    updateAverage(rule_, factors, partOf(run, block.begin, block.size));
}

}  // namespace engine::backend
