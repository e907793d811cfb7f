// Folders with one sub-folder a class, as Keras' functions *_dataset_from_directory read them: classes are the sub-folders' names in byte
// order (none that begins with a dot, whatever is in it), their files all below whose names end as the kind says, in small letters or
// capitals. They come folder by folder in byte order, those of a folder by their names. The label is the class' index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/read_report.h"

namespace engine::data {

// What is looked for, and what is said where it is not there.
struct ClassFileKind {
    std::vector<std::string_view> endings;  // ".png", in small letters
    std::vector<std::string_view> others;   // endings of what a user may take for one, but is not read
    std::string_view many;                  // "pictures"
    std::string_view nothing;               // "expected sub-folders with .png pictures, found "
    std::string_view foreign;               // "expected a folder with pictures, got "
    std::string_view circle;                // of a link to a folder that it lies in
    std::string_view other;                 // of a file of `others`: "expected a PNG picture, got "
};

struct ClassFiles {
    std::vector<std::string> class_names;
    std::vector<std::string> files;    // of all classes, the first one's first
    std::vector<std::int32_t> labels;  // one a file
};

// Only names are read. Files of other kinds and links to folders that they lie in go to `report`. Errors: kNotFound, kInvalidArgument (no
// folder, no class, no file; a tree that is far too deep, or full of other files), kPermissionDenied.
ClassFiles listClassFiles(const std::filesystem::path& folder, const ClassFileKind& kind, ReadReport& report);

// Source, count, labels and names of classes of `samples`, which are those files.
void setClasses(Samples& samples, const std::filesystem::path& folder, const ClassFiles& listed);

// The classes of such a folder, by index. Throws filesystem_error.
std::vector<std::string> classFolders(const std::filesystem::path& folder);

// Throws Error(kInvalidArgument) unless the folder of test samples has the classes of that of training samples.
void requireSameClasses(const Samples& train, const Samples& test);

}  // namespace engine::data
