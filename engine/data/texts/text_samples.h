// Samples of a model that takes texts: what its first layer makes of each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/readers/text_reader.h"
#include "engine/data/texts/text_encoder.h"

namespace engine::data {

// The texts in the order of the samples, which may have been mixed (numberTexts).
std::vector<std::string> takeTexts(TextLines& lines);

// `samples` with labels and files becomes what the encoder makes of `texts`, one a sample: places of words at once, rows when they are
// asked for. Throws what TextEncoder::encode() does, with the file's name.
void setEncoded(Samples& samples, std::vector<std::string> texts, const std::shared_ptr<const TextEncoder>& encoder);

// The lines of a file as samples without labels. Throws as readPlainTexts() and TextEncoder::encode().
std::shared_ptr<const Samples> readEncodedTexts(const std::filesystem::path& file, const spec::LayerSpec& layer);

}  // namespace engine::data
