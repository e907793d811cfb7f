// CIFAR-10 and CIFAR-100 in their binary form: records of one label byte (CIFAR-100: coarse, then fine), then 1024 red, 1024 green and 1024
// blue bytes of 32 × 32 pixels, row by row.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/data/dataset.h"

namespace engine::data {

enum class CifarLabels { kTen, kFine, kCoarse };

// Samples (32, 32, 3), channels last, of all files in turn; each file is one of Samples::files. Errors name the file: those of MappedFile,
// kDataLoss for a size that is no whole number of records.
Samples readCifar(const std::vector<std::filesystem::path>& files, CifarLabels labels);

}  // namespace engine::data
