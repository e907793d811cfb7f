// The work of finding names in checkpoints and weights files, counted: tests see by it that it grows as the number of variables does, on a
// loaded machine too. engine/plan/index/looks.h does the same for plans.
#pragma once

#include <cstdint>
#include <string_view>

namespace engine::exporter {

// How many names this thread has compared with another one in searches of engine/export/index. A reader that looks at all variables for
// each of them makes it grow with their square.
std::int64_t& comparedOfThisThread();

// The order of names in a std::map or a sorted list; counts each comparison.
struct CountedLess {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const {
        ++comparedOfThisThread();
        return a < b;
    }
};

}  // namespace engine::exporter
