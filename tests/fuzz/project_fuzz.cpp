// Project files: parseProject(), validate(), and writing what was read.
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"
#include "tests/fuzz/fuzz_input.h"

namespace spec = engine::spec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    tests::fuzz::expectErrorAtMost([&] {
        const spec::ProjectReport report = spec::parseProject(text);
        spec::validate(report.run);
        const std::string written = spec::toProjectJson(report.run);
        if (spec::toProjectJson(spec::parseProject(written).run) != written) {
            tests::fuzz::fail("a project that was read is written twice in different ways");
        }
    });
    return 0;
}
