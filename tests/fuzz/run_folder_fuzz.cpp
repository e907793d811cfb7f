// What lies in the folder of a run without an agent: the events of a task, and the file that controls it. First byte: which of them.
#include "agent/local/control_file.h"
#include "agent/local/event_files.h"
#include "agent/server/followed/event_tail.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/temp_dir.h"

namespace {

void followEvents(std::string_view bytes) {
    static const tests::support::TempDir folder;
    const engine::spec::TaskId task{"worker", 0};
    tests::fuzz::writeFile(folder.path() / agent::convert::eventFileName(task), bytes);
    agent::server::EventTail tail(engine::files::SafeFolder::open(folder.path()), task);
    std::uint64_t end = 0;
    while (const agent::server::FollowedMessage* message = tail.peek()) {
        if (message->end <= end || message->end > bytes.size()) tests::fuzz::fail("a message ends where none does");
        if (!message->start && agent::server::partSequenceOf(message->told.bytes) != message->end) {
            tests::fuzz::fail("an event lost its place in the file");
        }
        end = message->end;
        tail.pop();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    const bool is_control = input.byte() == 0;
    tests::fuzz::expectErrorAtMost([&] {
        if (is_control) {
            agent::convert::parseControls(input.rest(), agent::convert::kControlFile);
        } else {
            followEvents(input.rest());
        }
    });
    return 0;
}
