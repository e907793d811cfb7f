// Zip archives, as .keras files are.
#include "engine/export/zip_archive.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    tests::fuzz::expectErrorAtMost([&] { engine::exporter::readZip(bytes, "memory"); });
    return 0;
}
