// A look at a host of the list: whether a run could use it, and what it has.
#pragma once

#include <optional>

#include "agent/client/clock_offset.h"
#include "agent/hosts/far_agent.h"
#include "agent/hosts/host_list.h"
#include "engine/run/host_info.h"
#include "engine/spec/error.h"

namespace agent::hosts {

struct HostReport {
    Host host;
    std::optional<engine::Error> problem;  // why it can't be used; what follows is empty then
    engine::run::HostInfo info;
    client::ClockOffset clock;
};

// Looks at one host. Never throws but for lack of memory: a failure is the report's problem. Takes no longer than options.deadline and some
// seconds. An agent that it started there ends by itself when nobody needs it.
HostReport checkHost(const Host& host, const FarOptions& options);

// Looks at several hosts at once; the reports are in their order. Nobody is asked for a password or an unknown key before the rest has
// answered: only then those that were not let in are tried again, one after the other, with options.prompts.
std::vector<HostReport> checkHosts(const std::vector<Host>& hosts, const FarOptions& options);

}  // namespace agent::hosts
