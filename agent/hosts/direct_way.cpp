#include "agent/hosts/direct_way.h"

#include "agent/direct/direct_forward.h"
#include "agent/hosts/ssh_errors.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

direct::CallOptions callOptions(const Host& host, const FarOptions& options, WayDeadline until) {
    return {.name = nameOf(host), .peer = *host.direct, .version = options.version, .until = until, .is_cancelled = options.is_cancelled};
}

class DirectWay final : public Way {
public:
    DirectWay(const Host& host, const fs::path& socket, const FarOptions& options, WayDeadline until)
        : forward_(socket, callOptions(host, options, until), trust::ownIdentity()) {
        if (forward_.agent().arch != convert::thisArch()) {
            throw Error(ErrorCode::kFailedPrecondition, nameOf(host) + ": expected a processor of the kind " + convert::thisArch() +
                                                            " as on this computer, got " + forward_.agent().arch);
        }
        requireVersion(host, options.version, forward_.agent().address.version, "an agent that runs there");
    }

    const convert::LocatedAgent& agent() const override { return forward_.agent(); }
    const std::string& farAddress() const override { return forward_.farAddress(); }
    const std::string& ownAddress() const override { return forward_.ownAddress(); }
    std::optional<Error> lost() const override { return forward_.lost(); }

private:
    const direct::DirectForward forward_;
};

}  // namespace

std::unique_ptr<Way> openDirectWay(const Host& host, const fs::path& socket, const FarOptions& options, WayDeadline until) {
    return std::make_unique<DirectWay>(host, socket, options, until);
}

Host pairDirectly(const std::string& name, const std::string& line, const FarOptions& options) {
    const auto parsed = direct::pairingLineIn(line);
    if (!parsed) {
        throw Error(ErrorCode::kInvalidArgument, name +
                                                     ": expected the line that tandem-agent invite prints, "
                                                     "tandem://HOST:PORT/FINGERPRINT/SECRET, got another text");
    }
    Host host{.name = name, .folder = "", .direct = parsed->peer};
    direct::joinDirectly(callOptions(host, options, std::chrono::steady_clock::now() + options.deadline), trust::ownIdentity(),
                         parsed->secret);
    return host;
}

}  // namespace agent::hosts
