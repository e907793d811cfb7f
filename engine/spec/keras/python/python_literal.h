// Values as literals of Python: what code and programs that are written have in common.
#pragma once

#include <string>
#include <string_view>

namespace engine::spec {

// A text in Python's single quotes: 'it\'s'. Line ends, tabs and other control characters stand as escapes, all else as its bytes of UTF-8.
std::string pythonText(std::string_view text);

}  // namespace engine::spec
