// A folder of texts with one sub-folder a class, as Keras' text_dataset_from_directory reads it: class_folders.h with .txt files, each of
// them one text, all of its bytes as they are.
#pragma once

#include <filesystem>

#include "engine/data/read_report.h"
#include "engine/data/readers/text_reader.h"

namespace engine::data {

// The texts are read at once and stay in memory, as long as their files. `report` is told of a file with bytes that are no UTF-8, by the
// first of them, and of links to folders that they lie in. Errors: those of listClassFiles(), of a file that can't be read, and
// kInvalidArgument when no text is left.
TextLines readTextFolder(const std::filesystem::path& folder, ReadReport& report);

}  // namespace engine::data
