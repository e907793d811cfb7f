// Labelled texts as sequences of word indices: lines "label<TAB>text".
//
// A word is a run of letters, digits and bytes beyond ASCII, in small letters. Index 0 pads, 1 is any word that the vocabulary lacks, then
// come the training file's words, the most frequent first, equals in byte order. Labels are integers, or texts that become codes in byte
// order. For a model that takes texts they stay as they are.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/read_report.h"
#include "engine/spec/project/data_spec.h"

namespace engine::data {

struct Vocabulary {
    std::map<std::string, std::int32_t, std::less<>> words;
    std::vector<std::string> labels;  // codes by position; empty when labels are integers
};

// Returns the words of the training files, at most format.vocabulary indices. Errors: those of MappedFile.
Vocabulary readVocabulary(const std::vector<std::filesystem::path>& files, const spec::TextFormat& format);

// The same of texts that were read already, without labels.
Vocabulary vocabularyOf(std::span<const std::string> texts, const spec::TextFormat& format);

// int32 samples of (format.length). `report` is told of a line without a tab and of an unknown label. kInvalidArgument when no line is
// left.
Samples readTexts(const std::vector<std::filesystem::path>& files, const spec::TextFormat& format, const Vocabulary& vocabulary,
                  ReadReport& report);

// The samples become those of `texts`, one a sample; labels and names stay.
void setSequences(Samples& samples, std::span<const std::string> texts, const spec::TextFormat& format, const Vocabulary& vocabulary);

// The labels of the training files, sorted, by which readTextLines() makes codes; empty when they are integers. Errors: those of
// MappedFile.
std::vector<std::string> readTextLabels(const std::vector<std::filesystem::path>& files);

// The same lines with their texts as they are. The samples are int32 of (1,), each the number of its text: who mixes the samples finds the
// text by it.
struct TextLines {
    Samples samples;
    std::vector<std::string> texts;
};
// The samples become the numbers of the texts as these stand; labels and names stay.
void numberTexts(TextLines& lines);

// `report` is told of a line without a tab, of an unknown label and of bytes that are no UTF-8. kInvalidArgument when no line is left.
TextLines readTextLines(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& class_names, ReadReport& report);

// The lines of a file, each a text without a label, also one with nothing in it: what is predicted stands in their order. Throws what
// MappedFile does, and Error(kInvalidArgument) for bytes that are no UTF-8 and for a file without lines.
std::vector<std::string> readPlainTexts(const std::filesystem::path& file);

}  // namespace engine::data
