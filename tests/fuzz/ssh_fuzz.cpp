// What ssh and the shells of other computers say: facts of a host, errors, questions to a person; and the names in the user's own files.
// What is shown of a question can't move the cursor, and a name is single.
#include <algorithm>

#include "agent/hosts/host_list.h"
#include "agent/hosts/host_survey.h"
#include "agent/hosts/ssh_askpass.h"
#include "agent/hosts/ssh_config.h"
#include "agent/hosts/ssh_errors.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace agent::hosts;

// Whether a terminal shows `text` as it is.
bool isPlain(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](unsigned char one) { return (one < 0x20 && one != '\n') || one == 0x7f; });
}

void readDestination(std::string_view text) {
    if (const auto destination = parseSshDestination(std::string(text))) {
        ENGINE_CHECK(parseSshDestination(toString(*destination)) == destination);
        const Host host{.name = "node1", .ssh = *destination};
        findings(host, "hosts[0]");
    }
}

void readConfig(std::string_view text) {
    const tests::fuzz::MemoryFile file(text);
    const std::vector<std::string> names = sshConfigNames(file.path());
    ENGINE_CHECK(names.size() <= 1000);
    for (const std::string& name : names) {
        ENGINE_CHECK(!name.empty() && name.find_first_of("*?!") == std::string::npos);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::expectErrorAtMost([&] {
        tests::fuzz::Input input(data, size);
        const Host host{.name = "node1", .ssh = {.host = "node1"}};
        switch (input.byte() % 5) {
            case 0:
                hostSurveyIn(input.rest());
                break;
            case 1:
                throw sshError(host, farErrors(input.rest()));
            case 2: {
                const std::string_view kind = input.piece();
                ENGINE_CHECK(isPlain(sshQuestionIn(input.rest(), kind).text));
                break;
            }
            case 3:
                readConfig(input.rest());
                break;
            default:
                readDestination(input.rest());
        }
    });
    return 0;
}
