// A run's backup: records under checksums (the framing of TensorBoard's event files too), and the objects in the first one. The first byte
// chooses whether the rest is a file or pieces that become records.
#include <array>

#include "engine/export/backup_file.h"
#include "engine/export/record_framing.h"
#include "tests/fuzz/fuzz_input.h"

namespace exporter = engine::exporter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    std::string bytes;
    if (input.byte() % 2 == 0) {
        bytes = input.rest();
    } else {
        while (!input.atEnd()) {
            exporter::appendRecord(bytes, input.piece());
        }
    }
    tests::fuzz::expectErrorAtMost([&] {
        std::string_view rest = bytes;
        while (const auto record = exporter::takeRecord(rest)) {
            tests::fuzz::expectErrorAtMost([&] { exporter::decodeObjects(*record); });
        }
    });
    const tests::fuzz::MemoryFile file(bytes);
    std::array<float, 2> values{};
    const std::array views{exporter::MutableVariableView{"w", {2}, values}};
    tests::fuzz::expectErrorAtMost([&] { exporter::readBackup(file.path(), views); });
    tests::fuzz::expectErrorAtMost([&] { exporter::readBackupObjects(file.path()); });
    return 0;
}
