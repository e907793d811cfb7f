#include "engine/data/texts/text_splitter.h"

#include <cstdint>

#include "engine/spec/catalog/settings.h"

namespace engine::data {
namespace {

bool isPunctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

bool isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && !isSpace(text[end])) ++end;
        if (end > at) words.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

std::vector<std::string> charactersOf(std::string_view text) {
    std::vector<std::string> characters;
    for (const char c : text) {
        const bool goes_on = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (!goes_on || characters.empty()) characters.emplace_back();
        characters.back() += c;
    }
    return characters;
}

std::string joined(const std::vector<std::string>& words, std::size_t first, std::size_t count) {
    std::string text = words[first];
    for (std::size_t i = first + 1; i < first + count; ++i) text += ' ' + words[i];
    return text;
}

}  // namespace

TextSplitter::TextSplitter(const spec::LayerSpec& layer) {
    const spec::Settings settings = spec::settingsOf(layer);
    if (!settings.has("split")) return;
    const std::string standardize = settings.getString("standardize"), split = settings.getString("split");
    lowers_ = standardize.starts_with("lower");
    strips_ = standardize.ends_with("strip_punctuation");
    split_ = split == "whitespace" ? Split::kWords : split == "character" ? Split::kCharacters : Split::kNone;
    const spec::FieldValue* ngrams = settings.find("ngrams");
    if (ngrams == nullptr) return;
    if (const auto* most = std::get_if<std::int64_t>(ngrams)) {  // one number stands for all up to it
        for (std::int64_t width = 1; width <= *most; ++width) widths_.push_back(static_cast<std::size_t>(width));
    } else {
        for (const std::int64_t width : settings.getInts("ngrams")) widths_.push_back(static_cast<std::size_t>(width));
    }
}

std::vector<std::string> TextSplitter::tokens(std::string_view text) const {
    std::string plain(text);
    if (lowers_) {
        for (char& c : plain) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    }
    if (strips_) std::erase_if(plain, isPunctuation);
    std::vector<std::string> words = split_ == Split::kWords        ? wordsOf(plain)
                                     : split_ == Split::kCharacters ? charactersOf(plain)
                                                                    : std::vector<std::string>{plain};
    if (widths_.empty()) return words;
    std::vector<std::string> together;
    for (const std::size_t width : widths_) {
        for (std::size_t first = 0; first + width <= words.size(); ++first) together.push_back(joined(words, first, width));
    }
    return together;
}

}  // namespace engine::data
