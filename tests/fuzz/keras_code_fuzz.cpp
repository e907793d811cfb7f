// Keras code: what it says about a project, written anew and brought up to date, and the layers that a clipboard holds.
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/validate/validate.h"
#include "tests/fuzz/fuzz_input.h"

namespace spec = engine::spec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    tests::fuzz::expectErrorAtMost([&] {
        const spec::RunSpec base;
        for (const spec::AbsentArguments absent : {spec::AbsentArguments::kStay, spec::AbsentArguments::kDefault}) {
            const spec::CodeReading reading = spec::readKerasCode(text, base, absent);
            spec::validate(reading.run);
            for (const spec::CodeNote& note : reading.notes) {
                spec::toString(note);
            }
            spec::updateKerasCode(text, reading, reading.run);
            spec::updateKerasCode(text, reading, base);
            spec::RunSpec kept = reading.run;
            spec::keepCode(kept, text);
            spec::projectCode(kept);
        }
        if (const auto layers = spec::readLayersCode(text)) {
            spec::writeLayersCode(*layers);
        }
    });
    return 0;
}
