// What other files hold, as an ONNX file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/files/place.h"
#include "engine/spec/model_spec.h"

namespace engine::exporter {

// Writes a checkpoint or a Keras file as ONNX. Returns the bytes written. Throws Error as readWeights(), onnxBytes() and
// writeFileAtomically().
std::int64_t convertToOnnx(const std::filesystem::path& checkpoint, const spec::ModelSpec& model, std::optional<std::int64_t> batch,
                           const files::Place& file);

}  // namespace engine::exporter
