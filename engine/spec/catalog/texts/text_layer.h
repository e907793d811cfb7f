// The layer that takes texts: the first of a model whose input is of the type string. Its work is done where samples are read, so that a
// plan gets what it makes of them: places of words, or rows of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/model_spec.h"
#include "engine/spec/shape.h"

namespace engine::spec {

inline constexpr std::string_view kTextInput = "string";  // ModelSpec::input_dtype of texts

// True for a layer that takes texts, wherever it stands; a class that no one knows takes none.
bool takesTexts(const LayerSpec& layer);
// The model's, or nullptr where its input is no text or its first layer takes none. It lives as long as the model.
const LayerSpec* textLayer(const ModelSpec& model);
// What a sample is when a plan gets it: the output of the text layer, else the model's input. A text layer that does not fit leaves the
// input's shape.
Shape fedShape(const ModelSpec& model);
// True where a plan takes the numbers of a sample as they are, without scale and offset: ids, and what becomes of texts.
bool isFedAsItIs(const ModelSpec& model);
// The input as Keras' files and code have it. Behind an input of (1,) Keras takes the row of V counts of a text that is cut into words for
// (1, V) until it sees one: such texts stand there without an axis, as ().
Shape kerasInputShape(const ModelSpec& model);
// The way back: texts without an axis have one where the first layer, of that class, cuts them into words.
Shape inputShapeOfKeras(const Shape& shape, std::string_view dtype, std::string_view first_class);

// Which place each text has in the layer's output. In front of the tokens stand the mask, where places are given out, and the places of
// texts that the tokens lack.
struct TextTable {
    std::vector<std::string> tokens;            // without the special ones, in the order of their places
    std::optional<std::string> mask{};          // the text that stands for nothing: place 0, or left out of rows
    std::optional<std::string> unknown{};       // the token that adapt() does not count
    std::int64_t unknown_places = 1;            // for texts that the tokens lack, by their hash where there are several
    std::int64_t first_unknown = 0, first = 1;  // the first of these places, and of the tokens'
    std::int64_t size = 1;                      // places in all, those that max_tokens keeps free among them
    bool names_special = false;                 // the vocabulary began with the special tokens, as get_vocabulary() gives it
};
// Requires a layer that takes texts, with fields of the right types.
TextTable textTable(const LayerSpec& layer);
// What the counts of a layer's places are multiplied by, with tf_idf: as many numbers as it has places, (size). Where the weights of the
// vocabulary do not name the special tokens, texts that it lacks weigh as much as its own do on average. Empty without tf_idf.
std::vector<float> textWeights(const LayerSpec& layer);
// True where the vocabulary is given; else the training texts give it.
bool hasVocabulary(const LayerSpec& layer);
// What is wrong with the tokens, of which one comes twice or is the mask: "expected each value once, got …". Nothing: they hold.
std::optional<std::string> vocabularyFault(const TextTable& table);

}  // namespace engine::spec
