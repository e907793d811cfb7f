// The files that a project names itself, by their format.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/readers/text_reader.h"
#include "engine/spec/project/data_spec.h"

namespace engine::data {

struct LoadedParts {
    Samples train;
    std::optional<Samples> test;
};

// The folders in which a relative file is looked for; the first that has it counts.
using SearchFolders = std::vector<std::filesystem::path>;

// Each pattern (* for any run of characters in the last part of the path) by the files that it means, sorted. Throws Error(kNotFound) for a
// pattern without files.
std::vector<std::filesystem::path> expandFiles(const std::vector<std::string>& patterns, const SearchFolders& folders);

// data.dataset is a format; `log` hears of records that are skipped. Throws what the readers throw, and Error(kInvalidArgument) for what
// validate() refuses.
LoadedParts readOwnFiles(const spec::DataSpec& data, const SearchFolders& folders, const std::function<void(const std::string&)>& log);

struct TextParts {
    TextLines train;
    std::optional<TextLines> test;
};
// The texts of a project whose data.dataset is text or text_folder, as they are, for a model that takes them. Throws as readOwnFiles().
TextParts readOwnTexts(const spec::DataSpec& data, const SearchFolders& folders, const std::function<void(const std::string&)>& log);

}  // namespace engine::data
