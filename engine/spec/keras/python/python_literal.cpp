#include "engine/spec/keras/python/python_literal.h"

namespace engine::spec {

std::string pythonText(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result.push_back('\\');
        if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            result += "\\x";
            result.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
            result.push_back(kDigits[static_cast<unsigned char>(c) & 15]);
        } else {
            result.push_back(c);
        }
    }
    return result + "'";
}

}  // namespace engine::spec
