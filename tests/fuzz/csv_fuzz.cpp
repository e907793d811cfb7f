// CSV tables. The first byte chooses the format.
#include "engine/data/readers/csv_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    const std::uint8_t choice = input.byte();
    constexpr const char* kMissing[] = {"refuse", "skip", "zero", "mean"};
    constexpr const char* kLabels[] = {"-1", "0"};
    engine::spec::CsvFormat format;
    format.header = (choice & 1) != 0;
    format.quotes = (choice & 2) != 0;
    format.delimiter = (choice & 4) != 0 ? ";" : ",";
    format.label = kLabels[choice >> 3 & 1];
    format.missing = kMissing[choice >> 4 & 3];
    format.missing_value = (choice & 64) != 0 ? "NA" : "";
    const tests::fuzz::MemoryFile file(input.rest());
    tests::fuzz::expectErrorAtMost([&] {
        const data_sets::CsvTable table = data_sets::inspectCsv({file.path()}, format);
        data_sets::ReadReport report((choice & 128) != 0 ? engine::spec::BadRecord::kSkip : engine::spec::BadRecord::kRefuse);
        data_sets::readCsv({file.path()}, format, table, report);
    });
    return 0;
}
