#include "engine/spec/names.h"

#include <cctype>

namespace engine::spec {
namespace {

bool isUpper(char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0;
}
bool isLower(char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

// An underscore goes before a capital that begins a word (a small letter follows) and before one that ends a word in small letters, but
// for the last letter of all ("NaN").
std::string snakeCase(std::string_view class_name) {
    std::string text;
    for (std::size_t i = 0; i < class_name.size(); ++i) {
        const char c = class_name[i];
        if (i > 0 && isUpper(c)) {
            const bool begins_word = i + 1 < class_name.size() && isLower(class_name[i + 1]);
            if (begins_word || (i + 1 < class_name.size() && isLower(class_name[i - 1]))) {
                text.push_back('_');
            }
        }
        text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
    return text;
}

std::string foldedName(std::string_view name) {
    std::string text;
    for (char c : name) {
        if (c != '_') {
            text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        }
    }
    return text;
}

std::string oneOf(std::span<const std::string> names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    }
    return text;
}

std::string counted(std::size_t number, std::string_view of) {
    return std::to_string(number) + " " + std::string(of) + (number == 1 ? "" : "s");
}

}  // namespace engine::spec
