// What an exchange throws when another member is no longer there.
#pragma once

#include "engine/spec/error.h"

namespace engine::distribute {

// Nothing is known to be wrong with this task or its work: the same step may succeed once all members are there again.
class PeerLost : public Error {
public:
    explicit PeerLost(const std::string& message) : Error(ErrorCode::kUnavailable, message) {}
};

}  // namespace engine::distribute
