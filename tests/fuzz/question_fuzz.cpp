// Questions to the engine, its answers, and the functions of a coordinator, as they come over the wire. The first byte chooses which.
#include "agent/proto/functions.pb.h"
#include "agent/proto/question.pb.h"
#include "agent/transport/function_wire.h"
#include "agent/wire/question_convert.h"
#include "engine/spec/events/engine_question.h"
#include "tests/fuzz/message_input.h"

namespace convert = agent::convert;
namespace proto = agent::proto;
using tests::fuzz::parse;

namespace {

// A question that was read is written and read again as the same.
void readQuestion(const proto::Question& message) {
    const engine::spec::EngineQuestion question = convert::fromProto(message);
    const std::string written = convert::toProto(question).SerializeAsString();
    if (convert::toProto(convert::fromProto(convert::toProto(question))).SerializeAsString() != written) {
        tests::fuzz::fail("a question that was read is written twice in different ways");
    }
}

// The same answer to every question: most are of another kind than was asked for.
void readAnswer(tests::fuzz::Input& input) {
    const std::string question(input.piece());
    parse<proto::Question>(question, [&](const proto::Question& asked) {
        const engine::spec::EngineQuestion known = convert::fromProto(asked);
        parse<proto::Answer>(input.rest(), [&](const proto::Answer& answer) { convert::fromProto(answer, known); });
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    switch (input.byte() % 4) {
        case 0:
            parse<proto::Question>(input.rest(), &readQuestion);
            break;
        case 1:
            readAnswer(input);
            break;
        case 2:
            parse<proto::Progress>(input.rest(), [](const proto::Progress& progress) { convert::fromProto(progress); });
            break;
        default:
            parse<proto::FunctionValues>(input.rest(), [](const proto::FunctionValues& values) {
                const agent::worker::FunctionValues read = agent::worker::fromProto(values);
                agent::worker::toProto(read);
                agent::worker::errorCodeOf(static_cast<int>(read.bytes.size()));
            });
    }
    return 0;
}
