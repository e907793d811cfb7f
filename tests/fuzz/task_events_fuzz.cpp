// What a task writes to its agent: messages with their lengths in front, translated to plain values, written back and told as log lines.
#include "agent/proto/task_event.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/events/event_line.h"
#include "tests/fuzz/fuzz_input.h"

namespace convert = agent::convert;

namespace {

template <typename Message, typename Use>
void readAll(std::string_view bytes, Use&& use) {
    const tests::fuzz::MemoryFile file(bytes);
    tests::fuzz::expectErrorAtMost([&] {
        convert::DelimitedReader reader(file.descriptor());
        Message message;
        while (reader.read(message) == convert::ReadResult::kMessage) {
            tests::fuzz::expectErrorAtMost([&] { use(message); });
            reader.hasBuffered();
        }
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    readAll<agent::proto::TaskEvent>(bytes, [](const agent::proto::TaskEvent& message) {
        const engine::spec::TaskEvent event = convert::fromProto(message);
        engine::spec::eventLine(event.body);
        const std::string encoded = convert::encodeEvent(event);
        if (convert::encodeEvent(convert::decodeEvent(encoded)) != encoded) {
            tests::fuzz::fail("an event that was read is written twice in different ways");
        }
    });
    readAll<agent::proto::TaskControl>(bytes, [](const agent::proto::TaskControl& message) { convert::fromProto(message); });
    tests::fuzz::expectErrorAtMost([&] { convert::decodeEvent(bytes); });
    return 0;
}
