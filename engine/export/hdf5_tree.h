// An HDF5 file as a plain tree of groups, data sets and text attributes: as much of the format as model files use. The only place that
// includes HDF5, whose library is not thread-safe: both functions hold one lock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::exporter {

// A group, or a data set with its values in C order.
struct Hdf5Node {
    enum class Kind {
        kGroup,
        kFloats,    // any floating type, as float32
        kIntegers,  // any integer type, as int64
        kOther,     // what is not read; `other` says what it is
    };
    Kind kind = Kind::kGroup;
    std::map<std::string, Hdf5Node> children;  // of a group
    spec::Shape shape;                         // of a data set; empty = scalar
    std::vector<float> floats;
    std::vector<std::int64_t> integers;
    std::string other;
    std::map<std::string, std::vector<std::string>> attributes;  // texts: one or a list; attributes of other types are left out

    // The node at a path ("layers/conv2d/vars"), nullptr when there is none. Valid as long as this node is unchanged.
    const Hdf5Node* find(std::string_view path) const;
    // The group at a path, made with those above it when missing.
    Hdf5Node& group(std::string_view path);
};

// Reads the file in a process of its own, so that no file can crash this one. `name` is for messages. Nothing outside `bytes` is opened:
// links to other files, external storage and filter plugins are refused. Errors: kDataLoss (no HDF5, truncated, damaged; data sets that
// claim far more than the file can hold; too many or too deep objects).
Hdf5Node readHdf5(std::string_view bytes, std::string_view name);

// Contiguous little-endian data sets, attributes as variable-length UTF-8; the same tree gives the same bytes.
std::string writeHdf5(const Hdf5Node& root);

}  // namespace engine::exporter
