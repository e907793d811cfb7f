// What a callback's print() says: f-strings, .format() and plain arguments of the epoch and the learning rate. Only files of this folder
// include it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

// The text of the first print() in these lines, which are a class's: "{epoch}" stands for epoch + 1, "{index}" for epoch, "{rate}" for the
// optimizer's rate, with its format behind a colon. nullopt where it prints something else.
std::optional<std::string> readPrinted(const std::vector<LogicalLine>& lines, std::size_t begin, std::size_t end);

// What a print() statement says where all that it prints is known: `value` gives the text of an expression, nullopt where it is not.
// nullopt for every other statement.
using TextOf = std::function<std::optional<std::string>(const Node&)>;
std::optional<std::string> readKnownPrint(const LogicalLine& line, const TextOf& value);

}  // namespace engine::spec::code
