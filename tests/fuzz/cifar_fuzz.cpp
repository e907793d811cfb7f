// CIFAR's binary files.
#include "engine/data/readers/cifar_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const tests::fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
    using Labels = data_sets::CifarLabels;
    for (const Labels labels : {Labels::kTen, Labels::kFine, Labels::kCoarse}) {
        tests::fuzz::expectErrorAtMost([&] { data_sets::readCifar({file.path(), file.path()}, labels); });
    }
    return 0;
}
