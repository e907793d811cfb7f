// Keras' JSON of a model and of its compile settings, in two pieces.
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/validate/validate.h"
#include "tests/fuzz/fuzz_input.h"

namespace spec = engine::spec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view model = text.substr(0, text.find('\0'));
    const std::string_view training = text.substr(std::min(text.size(), model.size() + 1));
    tests::fuzz::expectErrorAtMost([&] {
        const spec::KerasConfig config = spec::parseKerasConfig(model, training);
        spec::RunSpec run;
        run.model = config.model;
        run.compile = config.compile.value_or(run.compile);
        spec::validate(run);
        spec::toKerasConfig(run.model, &run.compile);
        spec::toKerasTrainingConfig(run.compile);
    });
    return 0;
}
