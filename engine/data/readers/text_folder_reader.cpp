#include "engine/data/readers/text_folder_reader.h"

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "engine/data/readers/class_folders.h"
#include "engine/data/texts/utf8.h"
#include "engine/files/regular_file.h"

namespace engine::data {
namespace {

const ClassFileKind& textKind() {
    static const ClassFileKind kind{.endings = {".txt"},
                                    .others = {},
                                    .many = "texts",
                                    .nothing = "expected sub-folders with .txt files, found ",
                                    .foreign = "expected a folder with texts, got ",
                                    .circle = "expected a folder of texts, got a link to a folder that it lies in",
                                    .other = {}};
    return kind;
}

std::string hexOf(char byte) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    return text.data();
}

}  // namespace

TextLines readTextFolder(const std::filesystem::path& folder, ReadReport& report) {
    const ClassFiles listed = listClassFiles(folder, textKind(), report);
    TextLines lines;
    ClassFiles kept{.class_names = listed.class_names, .files = {}, .labels = {}};
    lines.texts.reserve(listed.files.size());
    kept.labels.reserve(listed.files.size());
    for (std::size_t i = 0; i < listed.files.size(); ++i) {
        std::string text = files::readWhole(listed.files[i]);
        if (const std::optional<std::size_t> place = firstOutsideUtf8(text)) {
            report.bad(listed.files[i] + ": expected a text in UTF-8, got the byte " + hexOf(text[*place]) + " at position " +
                       std::to_string(*place));
            continue;
        }
        lines.texts.push_back(std::move(text));
        kept.labels.push_back(listed.labels[i]);
    }
    if (lines.texts.empty()) {
        report.nothingLeft(folder.string(), "text in UTF-8");
    }
    setClasses(lines.samples, folder, kept);
    numberTexts(lines);
    return lines;
}

}  // namespace engine::data
