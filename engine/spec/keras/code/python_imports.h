// The names of written code and the import statements that it needs. Only files of this folder include it.
#pragma once

#include <string>
#include <string_view>

namespace engine::spec::code {

// True when `layers` is something else in the text than Keras' module: a variable, a parameter. Written code then needs layersInFull().
bool hasOtherLayers(std::string_view text);
// The code with "keras.layers." in the place of "layers.".
std::string layersInFull(const std::string& code);
// The code with `to` wherever it names `from`.
std::string withName(const std::string& code, std::string_view from, std::string_view to);

// `text` holds `written` somewhere, which calls Keras as "keras." and its layers as "layers.". Where the text does not bind one of these
// names before its first use, the import is put behind the last import in front of that, else in front of the first statement; from
// tensorflow where the text takes Keras from there.
std::string withImports(const std::string& text, std::string_view written);

}  // namespace engine::spec::code
