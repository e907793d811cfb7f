// What estimators can be told of TensorFlow's sessions, which a run here does not have: a note says what happens instead. Only files of
// this folder and the one above it include it.
#pragma once

#include <string>
#include <string_view>

#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

// session_config, device_fn, protocol, session_creation_timeout_secs, hooks of any kind and listeners.
bool isOfSession(std::string_view argument);
// What is said of the argument with this value; empty for one that isOfSession() does not know, and for a value that says what is the case
// without it.
std::string wordsOfSession(std::string_view argument, const Node& value);

}  // namespace engine::spec::code
