// Keras' files (.keras, .h5, JSON): the model, and weights for a model of one layer.
#include <array>

#include "engine/export/keras_file.h"
#include "tests/fuzz/fuzz_input.h"

namespace exporter = engine::exporter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
    tests::fuzz::expectErrorAtMost([&] { exporter::readKerasModel(file.path()); });
    engine::spec::ModelSpec model;
    model.input_shape = {3};
    model.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}}}};
    std::array<float, 6> values{};
    const std::array views{exporter::MutableVariableView{"dense/kernel", {3, 2}, values},
                           exporter::MutableVariableView{"dense/bias", {2}, std::span(values).first(2)}};
    tests::fuzz::expectErrorAtMost([&] { exporter::readKerasWeights(file.path(), model, {"SGD", {}}, views); });
    return 0;
}
