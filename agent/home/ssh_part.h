// Parts on the computers of the user's list, each reached through the agent there: over ssh, or directly (hosts/way.h).
//
//   partsOverSsh()   every host at once: reach it, look, hold ports     what fails: nothing is held anywhere
//   plan(), launch() the tasks are known; their processes exist
//   credentials      handed to every task: the part starts there
//   events           the far agent's journal of the part, followed as a studio follows a run; times are corrected to this computer's clock
//
// When the connection is lost, what runs there goes on. It is made again until the part is over or the supervisor has killed its tasks;
// what the journal got meanwhile comes then. A host that is out of reach is named after some seconds, and given up only when it is to be
// killed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/files/file_digests.h"
#include "agent/server/runs/far_part.h"
#include "agent/server/runs/run_book.h"

namespace agent::home {

struct HomeOptions {
    std::string version;  // of this Tandem
    server::LogSink log;
    std::shared_ptr<files::FileDigests> digests = std::make_shared<files::FileDigests>();  // of this computer's files
    std::function<bool()> is_ending{};  // true once this agent has been asked to end, from any thread; empty: it never is
};

server::PartMaker partsOverSsh(HomeOptions options);

}  // namespace agent::home
