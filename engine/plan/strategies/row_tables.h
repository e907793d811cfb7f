// Tables of which a step looks up some rows and touches no others: the embeddings of a model. A worker of ParameterServerStrategy pulls and
// pushes the rows of its batch alone, as TensorFlow does with IndexedSlices. What the servers make of them is what they make of the whole
// gradient: its other rows are zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/plan/plan.h"

namespace engine::plan {

struct RowTable {
    TensorId table = kNoTensor;
    TensorId gradient = kNoTensor;  // none of a frozen table
    std::vector<TensorId> ids{};    // whole numbers as float32, which the step has before anything reads a variable
    std::int64_t rows = 0, width = 0;
    std::int64_t most_rows = 0;  // that a batch can name
    std::int64_t rowBytes() const { return width * static_cast<std::int64_t>(sizeof(float)); }
};

// The tables in the order in which the step looks them up, the same for the whole step (withBuckets()) and for a worker's half of it. A
// table that anything else reads (a regularizer, a copy in another type), or whose gradient anything else changes (clipping), is left out.
std::vector<RowTable> rowTables(const Plan& plan);

// Updates of variables and what belongs to them: servers do that, workers do not.
bool isServersWork(const Op& op);

// Index of the first op of a worker's that reads a parameter or a state; the number of ops where none does.
std::size_t firstReader(const Plan& plan);

}  // namespace engine::plan
