// NPY and NPZ, NumPy's files of arrays.
//
//   bytes 0-5  93 "NUMPY"; then major and minor version: 1.0, 2.0 or 3.0
//   then       length of the header: uint16 (1.0) or uint32, little-endian
//   header     a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 28, 28), }, keys in any order
//   then       the values
//
// NPZ is a zip archive of <name>.npy, stored or deflated. Pickled objects, texts, complex numbers and records are refused.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "engine/data/array.h"

namespace engine::data {

// bool and u1 become kUInt8; the other integers kInt32, f2, f4 and f8 kFloat32, of either byte order. An array of a file that has one of
// these three types in C order already is mapped, not copied, and may be larger than memory.
// Errors name the file: those of MappedFile; kDataLoss (no NPY, damaged, truncated, longer than its header says), kUnimplemented (a type
// that is not read), kOutOfRange (an integer beyond int32).
Array readNpy(const std::filesystem::path& file);

// The shape in its header, with its errors; the values are not read.
spec::Shape npyShape(const std::filesystem::path& file);

// The same from memory; `source` names it in errors.
Array parseNpy(std::span<const std::byte> bytes, const std::string& source);

// One array of an archive, nullopt when it has none of that name. Errors as above, and kDataLoss for a damaged archive.
std::optional<Array> readNpz(const std::filesystem::path& file, const std::string& name);
// Names of the archive's arrays, in its order. Throws as readNpz() does.
std::vector<std::string> namesInNpz(const std::filesystem::path& file);

}  // namespace engine::data
