// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/client_slot.h"

#include <utility>

#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace ui::session {

using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::chrono::milliseconds kClientSlotLook{50};  // between two looks whether it is cancelled

}  // namespace

void ClientSlot::put(std::shared_ptr<agent::client::AgentClient> client) {
    {
        const engine::MutexLock lock(mutex_);
        client_ = std::move(client);
    }
    news_.notify_all();
}

void ClientSlot::fail(std::string reason) {
    {
        const engine::MutexLock lock(mutex_);
        client_.reset();
        reason_ = std::move(reason);
        ++failures_;
    }
    news_.notify_all();
}

std::shared_ptr<agent::client::AgentClient> ClientSlot::take(std::chrono::milliseconds deadline,
                                                             const std::function<bool()>& is_cancelled) {
    const auto until = std::chrono::steady_clock::now() + deadline;
    engine::MutexLock lock(mutex_);
    const std::uint64_t before = failures_;
    while (client_ == nullptr) {
        news_.wait_for(lock, kClientSlotLook);
        if (is_cancelled()) throw Error(ErrorCode::kCancelled, "question: cancelled");
        if (client_ != nullptr) break;
        if (failures_ != before) throw Error(ErrorCode::kUnavailable, reason_);
        if (std::chrono::steady_clock::now() >= until) {
            throw Error(ErrorCode::kUnavailable, "the agent of this computer: expected a connection, found none");
        }
    }
    return client_;
}

}  // namespace ui::session
