// SPDX-License-Identifier: GPL-3.0-or-later
// Where AgentLink leaves the client of its connection, for questions that take long: each waits on a thread of its own, and the link's
// thread stays free. Shared by the link and whoever asks; safe from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/thread/mutex.h"

namespace agent::client {
class AgentClient;
}

namespace ui::session {

class ClientSlot {
public:
    // Called when there is a connection; the client lives as long as somebody uses it.
    void put(std::shared_ptr<agent::client::AgentClient> client);
    // Called when there is no connection and an attempt to make one failed: all that wait hear why.
    void fail(std::string reason);

    // Returns the client of the last connection; while there is none, that of the next attempt to connect. Throws
    // engine::Error(kUnavailable) when that fails or does not end by `deadline`, kCancelled once `is_cancelled`.
    std::shared_ptr<agent::client::AgentClient> take(std::chrono::milliseconds deadline, const std::function<bool()>& is_cancelled);

private:
    engine::Mutex mutex_;
    std::condition_variable_any news_;
    std::shared_ptr<agent::client::AgentClient> client_ TANDEM_GUARDED_BY(mutex_);
    std::uint64_t failures_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::string reason_ TANDEM_GUARDED_BY(mutex_);  // of the last failure
};

}  // namespace ui::session
