// HDF5 files, read in a process of its own: a crash or a loop of the library is its end alone and answered by an error. What must not
// happen is that this process crashes, waits beyond the deadline or keeps memory.
#include "engine/export/hdf5_tree.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    tests::fuzz::expectErrorAtMost([&] { engine::exporter::readHdf5(bytes, "memory"); });
    return 0;
}
