#include "engine/launch/shell_text.h"

namespace engine::launch {

std::string singleQuoted(std::string_view text, std::string_view escaped) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += escaped;
        } else {
            quoted.push_back(c);
        }
    }
    return quoted + "'";
}

}  // namespace engine::launch
