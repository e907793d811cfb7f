#include "engine/launch/yaml_text.h"

namespace engine::launch {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

// Characters that YAML takes for the end of a line, or does not print: DEL, C1 with NEL, the separators of lines and paragraphs, the byte
// order mark. The bytes that `text` has of one at its beginning; 0 for another.
std::size_t unprintableBytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    if (byte(0) == 0x7f) return 1;
    if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return 2;
    if (byte(0) == 0xe2 && byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9)) return 3;
    if (byte(0) == 0xef && byte(1) == 0xbb && byte(2) == 0xbf) return 3;
    return 0;
}

std::string escaped(unsigned code) {
    std::string text = "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) text += kDigits[code >> shift & 15U];
    return text;
}

unsigned codeOf(std::string_view bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
    if (bytes.size() == 1) return byte(0);
    if (bytes.size() == 2) return (byte(0) & 0x1fU) << 6U | (byte(1) & 0x3fU);
    return (byte(0) & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
}

// Every line as it stands, the first without a blank before it, which would be taken for an indent; one newline at the end.
bool canStandInLines(std::string_view text) {
    if (text.size() < 2 || text.front() == ' ' || text.front() == '\n' || text.back() != '\n' || text[text.size() - 2] == '\n')
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if ((c < 0x20 && c != '\n') || unprintableBytes(text.substr(i)) > 0) return false;
    }
    return true;
}

}  // namespace

std::string yamlQuoted(std::string_view text) {
    std::string quoted = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (const std::size_t bytes = unprintableBytes(text.substr(i)); bytes > 0) {
            quoted += escaped(codeOf(text.substr(i, bytes)));
            i += bytes - 1;
        } else if (c == '"' || c == '\\') {
            quoted += std::string("\\") + c;
        } else if (c == '\n') {
            quoted += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            quoted += escaped(static_cast<unsigned char>(c));
        } else {
            quoted += c;
        }
    }
    return quoted + "\"";
}

std::string yamlLines(std::string_view text, std::size_t indent) {
    if (!canStandInLines(text)) return yamlQuoted(text);
    std::string lines = "|";
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = text.find('\n', from);
        lines += "\n";
        if (end > from) lines += std::string(indent, ' ') + std::string(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

}  // namespace engine::launch
