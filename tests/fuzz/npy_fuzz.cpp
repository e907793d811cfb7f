// NPY files, from memory and mapped.
#include "engine/data/readers/npy_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const tests::fuzz::MemoryFile file(bytes);
    tests::fuzz::expectErrorAtMost([&] { data_sets::parseNpy(std::as_bytes(std::span(bytes)), "memory"); });
    tests::fuzz::expectErrorAtMost([&] { data_sets::npyShape(file.path()); });
    tests::fuzz::expectErrorAtMost([&] { data_sets::pairArrays(data_sets::readNpy(file.path()), data_sets::readNpy(file.path())); });
    return 0;
}
