// What a callback's print() says: f-strings, .format() and plain arguments of the epoch and the learning rate. For .cpp files of this
// folder only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/spec/code/python_tokens.h"

namespace engine::spec::code {

// Of the first print() in these lines, which are a class's: "{epoch}" stands for epoch + 1, "{index}" for epoch, "{rate}" for the
// optimizer's rate, with its format behind a colon. nullopt where it prints something else.
std::optional<std::string> readPrinted(const std::vector<LogicalLine>& lines, std::size_t begin, std::size_t end);

}  // namespace engine::spec::code
