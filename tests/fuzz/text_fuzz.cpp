// Labelled texts, as ids and as they are. The first two bytes choose the vocabulary and the length of a sequence.
#include "engine/data/readers/text_reader.h"
#include "tests/fuzz/fuzz_input.h"

namespace data_sets = engine::data;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    const engine::spec::TextFormat format{.vocabulary = 2 + input.byte(), .length = 1 + input.byte()};
    const tests::fuzz::MemoryFile file(input.rest());
    tests::fuzz::expectErrorAtMost([&] {
        const data_sets::Vocabulary vocabulary = data_sets::readVocabulary({file.path()}, format);
        data_sets::ReadReport report(engine::spec::BadRecord::kSkip);
        data_sets::readTexts({file.path()}, format, vocabulary, report);
    });
    tests::fuzz::expectErrorAtMost([&] {
        data_sets::ReadReport report(engine::spec::BadRecord::kSkip);
        data_sets::readTextLines({file.path()}, data_sets::readTextLabels({file.path()}), report);
    });
    return 0;
}
