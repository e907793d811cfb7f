// ONNX files: the model, and weights for a model of one layer.
#include <array>

#include "engine/export/onnx/onnx_file.h"
#include "tests/fuzz/fuzz_input.h"

namespace exporter = engine::exporter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
    tests::fuzz::expectErrorAtMost([&] { exporter::readOnnxModel(file.path()); });
    engine::spec::ModelSpec model;
    model.input_shape = {3};
    model.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}}}};
    std::array<float, 6> values{};
    const std::array views{exporter::MutableVariableView{"dense/kernel", {3, 2}, values},
                           exporter::MutableVariableView{"dense/bias", {2}, std::span(values).first(2)}};
    tests::fuzz::expectErrorAtMost([&] { exporter::readOnnxWeights(file.path(), model, views); });
    return 0;
}
