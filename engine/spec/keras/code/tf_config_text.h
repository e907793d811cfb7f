// TF_CONFIG as it stands in shells, env files and JSON. Only files of this folder include it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/keras/keras_code.h"

namespace engine::spec::code {

struct TfConfigText {
    std::string json;
    CodeLines lines;
};

// What `export TF_CONFIG='…'`, `TF_CONFIG='…' python …`, `$env:TF_CONFIG = '…'`, `set TF_CONFIG=…`, `%env TF_CONFIG=…` and a bare JSON
// object hold. They become blank in `text`, line by line, so that the rest can be read as Python.
std::vector<TfConfigText> takeTfConfigs(std::string& text);

}  // namespace engine::spec::code
