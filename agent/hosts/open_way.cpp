#include "agent/hosts/open_way.h"

#include "agent/hosts/direct_way.h"
#include "agent/hosts/ssh_way.h"

namespace agent::hosts {

std::unique_ptr<Way> openWay(const Host& host, const std::filesystem::path& socket, const FarOptions& options, WayDeadline until) {
    return host.direct ? openDirectWay(host, socket, options, until) : openSshWay(host, socket, options, until);
}

}  // namespace agent::hosts
