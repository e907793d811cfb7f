// A function of the epoch that returns learning rates, as LearningRateScheduler takes it:
//   def decay(epoch):
//       if epoch < 3: return 1e-3
//       elif epoch >= 3 and epoch < 7: return 1e-4
//       else: return 1e-5
// and the table of epochs and rates that says the same. Only files of this folder include it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/spec/fields.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

struct RateFunction {
    std::string name;
    Fields table;  // {"epochs", "rates"} of LearningRateScheduler
    CodeLines lines;
};

// `lines[at]` is the head of a function, its body follows. nullopt when it is not of this kind; `fault` then says why.
std::optional<RateFunction> readRateFunction(const std::vector<LogicalLine>& lines, std::size_t at, const Bindings& bindings, Fault& fault);

// The index behind the last line of the block that `lines[at]` heads.
std::size_t endOfBlock(const std::vector<LogicalLine>& lines, std::size_t at);

}  // namespace engine::spec::code
