// Room in a project for the vocabulary that its texts gave. A run keeps it in its project, which is handed on to whoever predicts with it,
// evaluates it or trains on.
#pragma once

#include <optional>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// What is wrong with the size of a project whose text layer took its vocabulary from the training texts: with it the project has more than
// kMostProjectBytes, less what stays free for paths and settings of who goes on with it. The error is of the layer's max_tokens and says
// how many places fit. Nothing where it fits, or where the model takes no texts. Pure.
std::optional<Diagnostic> vocabularyRoomFault(const RunSpec& run);

}  // namespace engine::spec
