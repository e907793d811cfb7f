// What a gRPC completion queue hands back.
#pragma once

#include <functional>

namespace agent::worker {

// The tag of one operation; lives until its completion was handled. `ok` is gRPC's: for a read, false means that the stream ended.
struct Completion {
    std::function<void(bool ok)> done;
};

inline void complete(void* tag, bool ok) {
    static_cast<Completion*>(tag)->done(ok);
}

}  // namespace agent::worker
