// --set PATH=VALUE of the command line, one setting a line, on one project.
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"
#include "tests/fuzz/fuzz_input.h"

namespace spec = engine::spec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    tests::fuzz::expectErrorAtMost([&] {
        spec::RunSpec run;
        run.model.input_shape = {4};
        run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}}}, {"Softmax", "softmax", {}}};
        while (!text.empty()) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), line.size() + 1));
            spec::applySetting(run, line);
        }
        spec::validate(run);
    });
    return 0;
}
