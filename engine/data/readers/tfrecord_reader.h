// TFRecord files of tf.train.Example.
//
//   uint64  length, little-endian
//   uint32  masked CRC-32C of these 8 bytes
//   length  bytes, a serialised Example
//   uint32  masked CRC-32C of them
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/read_report.h"
#include "engine/spec/project/data_spec.h"

namespace engine::data {

// Reads every record once, for its checksum and its label; samples are decoded on request, but for those that `feature_columns` (of
// data.feature_columns) make of features of these names, which are in memory at once: numbers, or a place for each bucket, text or value;
// of several values of a feature all have their places. Each file is one of Samples::files. `report` is told of a record with a wrong
// checksum of its bytes, without the features, or with a label of another size. What hides where the next record begins (a wrong checksum
// of a length, a file that is cut short) ends the file there, likewise. Errors: those of MappedFile; kInvalidArgument when no record is
// left.
Samples readTfRecords(const std::vector<std::filesystem::path>& files, const spec::TfRecordFormat& format, const spec::ImageFormat& images,
                      const std::shared_ptr<ReadReport>& report, const std::vector<spec::ObjectSpec>& feature_columns = {});

}  // namespace engine::data
