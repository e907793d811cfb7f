// IDX files, the format of the MNIST family.
//
//   bytes 0-1   00 00
//   byte  2     type: 08 uint8, 09 int8, 0B int16, 0C int32, 0D float32, 0E float64
//   byte  3     number of dimensions d
//   then        d sizes, uint32, big-endian
//   then        the values, C order, big-endian
//
// Plain, or packed with gzip (told by its first two bytes 1F 8B, not by the name).
#pragma once

#include <filesystem>

#include "engine/data/dataset.h"

namespace engine::data {

struct IdxArray {
    spec::Shape shape;
    tensor::DType dtype = tensor::DType::kUInt8;  // kUInt8 as stored; int8, int16 and int32 become kInt32; floats kFloat32
    ByteBuffer values;                            // little-endian
};

// Errors name the file: kNotFound, kPermissionDenied, kDataLoss (no IDX, unknown type, truncated, longer than its header says, broken
// gzip).
IdxArray readIdx(const std::filesystem::path& file);

// The sizes in its header, with its errors; the values are not read.
spec::Shape idxShape(const std::filesystem::path& file);

// Images (n, ...) with labels (n). Integer images other than uint8 become float32. Further errors, kInvalidArgument: labels with more than
// one dimension or no integers, images without a sample axis, different counts.
Samples readIdxPair(const std::filesystem::path& images, const std::filesystem::path& labels);

}  // namespace engine::data
