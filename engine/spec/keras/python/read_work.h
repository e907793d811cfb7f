// The work of reading code, counted: tests see by it that it grows as the text does, on a loaded machine too. engine/plan/index/looks.h and
// engine/export/index/compared.h do the same for plans and for checkpoints.
#pragma once

#include <cstdint>

namespace engine::spec::code {

// How many characters, tokens, lines and parts of trees this thread has read, copied or looked at in places that come to the same ones
// more than once. A reader that looks at the whole text for each of its lines makes it grow with the square of the text.
std::int64_t& readOfThisThread();

}  // namespace engine::spec::code
