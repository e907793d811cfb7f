// Texts in YAML, for readers of its versions 1.1 and 1.2 alike.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace engine::launch {

// The text in double quotes, on one line. `text` is UTF-8.
std::string yamlQuoted(std::string_view text);

// A text of lines as the value of a key: "|" and the lines, each behind so many blanks, where every character can stand so; else as above.
// It has no newline at the end.
std::string yamlLines(std::string_view text, std::size_t indent);

}  // namespace engine::launch
