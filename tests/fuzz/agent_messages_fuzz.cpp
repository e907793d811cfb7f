// Messages between clients and agent, and between tasks: parsed and translated. The first byte chooses which.
#include "agent/proto/agent.pb.h"
#include "agent/proto/collective.pb.h"
#include "agent/trust/tls_session.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/gpu_convert.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/task_event_convert.h"
#include "engine/distribute/shared_segment.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"
#include "tests/fuzz/message_input.h"

namespace convert = agent::convert;
namespace proto = agent::proto;
using tests::fuzz::parse;

namespace {

void openSegment(std::string_view bytes) {
    if (const auto address = engine::distribute::decodeSegmentAddress(std::as_bytes(std::span(bytes)))) {
        if (engine::distribute::decodeSegmentAddress(engine::distribute::encode(*address)) != address) {
            tests::fuzz::fail("a segment's address changes when it is written");
        }
        engine::distribute::SharedSegment::open(*address);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    switch (input.byte() % 6) {
        case 0:
            parse<proto::SubmitRequest>(input.rest(), [](const proto::SubmitRequest& request) {
                engine::spec::validate(engine::spec::parseProject(request.project_json()).run);
                convert::fromProto(request.only_task());
                convert::sharesOf(request);
            });
            break;
        case 1:
            parse<proto::ControlRequest>(input.rest(), [](const proto::ControlRequest& request) { convert::fromProto(request.control()); });
            break;
        case 2:
            parse<proto::HostInfo>(input.rest(), [](const proto::HostInfo& host) {
                proto::GpuInventory back;
                convert::toProto(convert::fromProto(host.gpus()), back);
            });
            break;
        case 3:
            parse<proto::LinkMessage>(input.rest(), [](const proto::LinkMessage& message) {
                if (message.has_hello()) {
                    convert::fromProto(message.hello().task());
                    openSegment(message.hello().segment());
                }
            });
            break;
        case 4:
            parse<proto::StartPartRequest>(input.rest(), [](const proto::StartPartRequest& request) {
                for (const proto::PartTask& task : request.tasks()) {
                    convert::fromProto(task.task());
                    const agent::trust::RunCredentials credentials = convert::fromProto(task.credentials());
                    agent::trust::TlsContext{credentials.tls};
                }
            });
            break;
        default:
            tests::fuzz::expectErrorAtMost([&] { openSegment(input.rest()); });
    }
    return 0;
}
