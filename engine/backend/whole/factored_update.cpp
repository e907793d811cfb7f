#include "engine/backend/whole/factored_update.h"

#include <algorithm>
#include <utility>

#include "engine/backend/update_formulas.h"
#include "engine/spec/error.h"

namespace engine::backend {
namespace {

constexpr std::int64_t kFactoredBlock = 4096;  // floats: small enough for every thread to get some, large enough to be worth a call
constexpr std::int64_t kLeastRows = 16, kColumnBlock = 256;
constexpr std::size_t kR = 0, kC = 1, kV = 2;  // places of the slots

}  // namespace

FactoredUpdate::FactoredUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs) : rule_(rule), runs_(std::move(runs)) {
    std::int64_t sums = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const FlatRun& run = runs_[i];
        first_block_.push_back(blocks_.size());
        first_matrix_.push_back(row_means_.size());
        const bool is_factored = run.rows > 0;
        const std::int64_t rows = is_factored ? run.rows : run.count, of_matrix = is_factored ? run.rows * run.columns : run.count;
        const std::int64_t step =
            is_factored ? std::max(kLeastRows, kFactoredBlock / std::max<std::int64_t>(run.columns, 1)) : kFactoredBlock;
        const std::int64_t matrices = of_matrix == 0 ? 0 : run.count / of_matrix;
        for (std::int64_t matrix = 0; matrix < matrices; ++matrix) {
            const std::size_t first = blocks_.size();
            for (std::int64_t begin = 0; begin < rows; begin += step) {
                blocks_.push_back({.run = i, .matrix = matrix, .begin = begin, .size = std::min(step, rows - begin), .column_sums = sums});
                sums += run.columns;
            }
            if (!is_factored) continue;
            row_means_.push_back(0);
            for (std::int64_t begin = 0; begin < run.columns; begin += kColumnBlock) {
                column_blocks_.push_back({.run = i,
                                          .matrix = matrix,
                                          .begin = begin,
                                          .size = std::min(kColumnBlock, run.columns - begin),
                                          .first_block = first,
                                          .end_block = blocks_.size()});
            }
        }
    }
    first_block_.push_back(blocks_.size());
    column_sums_.resize(static_cast<std::size_t>(sums));
}

std::int64_t FactoredUpdate::blocks(int pass) const {
    return static_cast<std::int64_t>(pass == 1 ? column_blocks_.size() : blocks_.size());
}

std::string FactoredUpdate::kernel() const {
    return std::to_string(blocks_.size()) + (blocks_.size() == 1 ? " block, by rows and columns" : " blocks, by rows and columns");
}

FactoredUpdate::Span FactoredUpdate::spanOf(const Block& block) const {
    const FlatRun& run = runs_[block.run];
    if (run.rows == 0) return {block.begin, block.begin + block.size};
    const std::int64_t first = (block.matrix * run.rows + block.begin) * run.columns;
    return {first, first + block.size * run.columns};
}

void FactoredUpdate::run(int pass, std::int64_t block, const plan::StepFactors& factors) {
    const auto index = static_cast<std::size_t>(block);
    if (pass == 3) return apply(blocks_[index], factors);
    if (!factors.applies) return;
    if (pass == 0) measureRows(blocks_[index], factors);
    if (pass == 1) advanceColumns(column_blocks_[index], factors);
    if (pass == 2) advanceMoments(blocks_[index], factors);
}

void FactoredUpdate::measureRows(Block& block, const plan::StepFactors& factors) {
    const FlatRun& run = runs_[block.run];
    const Span span = spanOf(block);
    block.weight_squares = 0;
    for (std::int64_t i = span.begin; i < span.end; ++i) {
        float& w = run.parameter[i];
        if (factors.decay != 1) w *= factors.decay;
        block.weight_squares += static_cast<double>(w) * static_cast<double>(w);
    }
    if (run.rows == 0) return;
    double* columns = column_sums_.data() + block.column_sums;
    std::fill(columns, columns + run.columns, 0.0);
    for (std::int64_t row = 0; row < block.size; ++row) {
        const float* g = run.gradient + span.begin + row * run.columns;
        double sum = 0;
        for (std::int64_t column = 0; column < run.columns; ++column) {
            const auto square = static_cast<double>(regulatedSquare(rule_, g[column]));
            sum += square;
            columns[column] += square;
        }
        float& r = run.slots[kR][block.matrix * run.rows + block.begin + row];
        r = blendedMean(factors, r, static_cast<float>(sum / static_cast<double>(run.columns)));
    }
}

void FactoredUpdate::advanceColumns(const ColumnBlock& block, const plan::StepFactors& factors) {
    const FlatRun& run = runs_[block.run];
    for (std::int64_t column = block.begin; column < block.begin + block.size; ++column) {
        double sum = 0;
        for (std::size_t i = block.first_block; i < block.end_block; ++i) {
            sum += column_sums_[static_cast<std::size_t>(blocks_[i].column_sums + column)];
        }
        float& c = run.slots[kC][block.matrix * run.columns + column];
        c = blendedMean(factors, c, static_cast<float>(sum / static_cast<double>(run.rows)));
    }
    if (block.begin > 0) return;
    double sum = 0;
    for (std::int64_t row = 0; row < run.rows; ++row) sum += static_cast<double>(run.slots[kR][block.matrix * run.rows + row]);
    row_means_[first_matrix_[block.run] + static_cast<std::size_t>(block.matrix)] = static_cast<float>(sum / static_cast<double>(run.rows));
}

void FactoredUpdate::advanceMoments(Block& block, const plan::StepFactors& factors) {
    const FlatRun& run = runs_[block.run];
    const Span span = spanOf(block);
    block.step_squares = 0;
    const auto take = [&](std::int64_t i, float v) {
        run.slots[kV][i] = v;
        const auto step = static_cast<double>(factoredStep(run.gradient[i], v));
        block.step_squares += step * step;
    };
    if (run.rows == 0) {
        for (std::int64_t i = span.begin; i < span.end; ++i) {
            take(i, blendedMean(factors, run.slots[kV][i], regulatedSquare(rule_, run.gradient[i])));
        }
        return;
    }
    const float mean = row_means_[first_matrix_[block.run] + static_cast<std::size_t>(block.matrix)];
    const float* c = run.slots[kC] + block.matrix * run.columns;
    for (std::int64_t row = 0; row < block.size; ++row) {
        const float share = run.slots[kR][block.matrix * run.rows + block.begin + row] / mean;
        for (std::int64_t column = 0; column < run.columns; ++column) take(span.begin + row * run.columns + column, share * c[column]);
    }
}

void FactoredUpdate::apply(const Block& block, const plan::StepFactors& factors) const {
    const FlatRun& run = runs_[block.run];
    const Span span = spanOf(block);
    if (factors.applies) {
        double weights = 0, steps = 0;
        for (std::size_t i = first_block_[block.run]; i < first_block_[block.run + 1]; ++i) {
            weights += blocks_[i].weight_squares;
            steps += blocks_[i].step_squares;
        }
        const float scale = factoredScale(rule_, factors, weights, steps, run.count);
        for (std::int64_t i = span.begin; i < span.end; ++i) {
            run.parameter[i] -= scale * factoredStep(run.gradient[i], run.slots[kV][i]);
        }
    }
    updateAverage(rule_, factors, partOf(run, span.begin, span.end - span.begin));
}

}  // namespace engine::backend
