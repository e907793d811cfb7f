// TensorBoard's event files. The first byte says whether the rest is a file, or events that are put into records with right checksums:
// mutations would hardly ever find these. It also says in what pieces the file is read, and whether it grows meanwhile.
#include <filesystem>
#include <fstream>

#include "engine/event_files/run_events.h"
#include "tests/engine/event_files/event_bytes.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/temp_dir.h"

namespace event_files = engine::event_files;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tests::support::TempDir folder;
    tests::fuzz::Input input(data, size);
    const std::uint8_t choice = input.byte();
    std::string bytes;
    if ((choice & 1) != 0) {
        bytes = input.rest();
    } else {
        while (!input.rest().empty()) bytes += tests::event_files::record(input.piece());
    }
    const std::filesystem::path file = folder.path() / "events.out.tfevents.1";
    const std::size_t first = (choice & 2) != 0 ? bytes.size() / 2 : bytes.size();
    std::ofstream(file, std::ios::binary) << bytes.substr(0, first);
    event_files::RunEvents run({{folder.path(), (choice & 4) != 0}});
    const std::uint64_t piece = (choice & 8) != 0 ? 7 : 1u << 20;
    for (int round = 0; round < 2; ++round) {
        run.findFiles();
        while (run.read(piece)) run.takeEvents();
        run.settle();
        run.takeEvents();
        std::ofstream(file, std::ios::binary | std::ios::app) << bytes.substr(first);
    }
    run.lastValues();
    return 0;
}
