// A folder of pictures with one sub-folder a class, as Keras' image_dataset_from_directory reads it: class_folders.h with .png, .jpg and
// .jpeg files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/data/dataset.h"
#include "engine/data/read_report.h"
#include "engine/spec/project/data_spec.h"

namespace engine::data {

// Samples (rows, columns, channels) that are decoded on request; only names are read here. Pictures of other kinds (.bmp, .gif, .webp,
// .tif, .avif, .heic) and links to folders that they lie in go to `report`. Errors: kNotFound, kInvalidArgument (no folder, no class, no
// picture; a tree that is far too deep, or full of other files), kPermissionDenied.
Samples readImageFolder(const std::filesystem::path& folder, const spec::ImageFormat& format, const std::shared_ptr<ReadReport>& report);

// Samples::shape_field of decoded pictures.
std::string pictureShapeText(const spec::ImageFormat& format);

}  // namespace engine::data
