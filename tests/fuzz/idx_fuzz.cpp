// IDX files, plain and packed.
#include "engine/data/readers/idx_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
    tests::fuzz::expectErrorAtMost([&] { data_sets::idxShape(file.path()); });
    tests::fuzz::expectErrorAtMost([&] { data_sets::readIdx(file.path()); });
    tests::fuzz::expectErrorAtMost([&] { data_sets::readIdxPair(file.path(), file.path()); });
    return 0;
}
