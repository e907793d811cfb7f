// A Keras file taken apart, whichever of its forms it has, and the model in it. Used here and by keras_file.cpp alone.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/export/hdf5_tree.h"
#include "engine/spec/keras/keras_config.h"

namespace engine::exporter {

inline constexpr const char* kKerasWeightsMember = "model.weights.h5";  // of a .keras
inline constexpr const char* kKerasTextWeights = "idf_weights";         // of a text layer with tf_idf

// What a file holds, taken apart.
struct OpenedKerasFile {
    std::string name;                            // for messages
    std::map<std::string, std::string> members;  // of a .keras
    std::optional<Hdf5Node> tree;                // of an .h5, or of the .keras' weights
    std::string json;                            // of a JSON file
};

// What the caller is going to ask for: a .keras without weights can't give them, and those of a model alone are not read.
enum class KerasPart { kModel, kWeights };

// Errors: those of reading the file, kDataLoss (damaged, none of the formats), kInvalidArgument (a .keras without the weights that are
// wanted).
OpenedKerasFile openKerasFile(const std::filesystem::path& file, KerasPart want);

// False for weights alone.
bool hasModel(const OpenedKerasFile& opened);

// The model of a file, with the vocabularies that a .keras has beside it. Errors: kInvalidArgument (weights without a model), kDataLoss.
spec::KerasConfig modelIn(const OpenedKerasFile& opened);

}  // namespace engine::exporter
