// Texts in the quotes of shells.
#pragma once

#include <string>
#include <string_view>

namespace engine::launch {

// Single-quoted; `escaped` stands for a single quote inside: "'\\''" in bash, "''" in PowerShell.
std::string singleQuoted(std::string_view text, std::string_view escaped = "'\\''");

}  // namespace engine::launch
