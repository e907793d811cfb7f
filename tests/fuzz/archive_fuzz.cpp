// .tar.gz archives of data sets, as they are downloaded.
#include "engine/data/unpack.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/temp_dir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tests::support::TempDir folder;
    const tests::fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
    tests::fuzz::expectErrorAtMost([&] { engine::data::unpackMembers(file.path(), {"a.bin", "b.bin"}, folder.path()); });
    return 0;
}
