// The text file `checkpoint` of a folder.
#include "engine/export/tf_checkpoint.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/temp_dir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tests::support::TempDir folder;
    tests::fuzz::expectErrorAtMost([&] {
        tests::fuzz::writeFile(folder.path() / "checkpoint", {reinterpret_cast<const char*>(data), size});
        engine::exporter::latestCheckpoint(folder.path());
        engine::exporter::readCheckpointState(folder.path());
    });
    return 0;
}
