// The secret by which the tasks of a run know each other, with its name for messages, and what encrypts their ways to other computers.
#pragma once

#include <memory>
#include <string>

#include "agent/local/secret.h"
#include "agent/transport/task_address.h"

namespace agent::trust {
class TlsRelay;
}

namespace agent::worker {

// What the tasks of a run prove to each other that they have, and what to call it: "the secret of this run".
struct LinkSecret {
    convert::Secret key{};
    std::string name;
    std::shared_ptr<trust::TlsRelay> relay{};  // null: all tasks are on this computer

    Reach reach() const { return relay ? Reach::kNetwork : Reach::kThisComputer; }
};

}  // namespace agent::worker
