// agent.json, by which a client finds its agent.
#include "agent/local/address_file.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/temp_dir.h"

namespace convert = agent::convert;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tests::support::TempDir folder;
    tests::fuzz::writeFile(convert::addressFile(folder.path()), {reinterpret_cast<const char*>(data), size});
    tests::fuzz::expectErrorAtMost([&] { convert::readAgentAddress(folder.path()); });
    return 0;
}
