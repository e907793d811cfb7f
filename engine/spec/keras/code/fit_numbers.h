// The whole numbers among fit()'s arguments, for reading and writing code. Only files of this folder include it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/spec/project/run_spec.h"

namespace engine::spec::code {

inline constexpr std::array<std::pair<std::string_view, std::int64_t FitSpec::*>, 6> kFitNumbers{
    {{"epochs", &FitSpec::epochs},
     {"initial_epoch", &FitSpec::initial_epoch},
     {"steps_per_epoch", &FitSpec::steps_per_epoch},
     {"validation_freq", &FitSpec::validation_freq},
     {"validation_steps", &FitSpec::validation_steps},
     {"validation_batch_size", &FitSpec::validation_batch_size}}};

}  // namespace engine::spec::code
