// NPZ archives.
#include "engine/data/readers/npy_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
    tests::fuzz::expectErrorAtMost([&] {
        for (const std::string& name : data_sets::namesInNpz(file.path())) {
            data_sets::readNpz(file.path(), name);
        }
    });
    tests::fuzz::expectErrorAtMost([&] { data_sets::readNpz(file.path(), "x"); });
    return 0;
}
