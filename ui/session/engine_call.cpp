// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/engine_call.h"

#include <chrono>

#include "agent/client/agent_client.h"
#include "agent/client/project_files.h"
#include "engine/spec/error.h"
#include "ui/session/host/client_slot.h"

namespace ui::session {

using engine::ErrorCode;
using engine::spec::EngineAnswer;
using engine::spec::EngineProgress;

namespace {

constexpr std::chrono::seconds kEngineCallConnection{30};  // more than an attempt to connect and the pause before it take

// Whatever the engine finds wrong with the question is one code to users, and its words say what is wrong; a call that went wrong has its
// own code.
ErrorCode codeForUsers(ErrorCode code) {
    switch (code) {
        case ErrorCode::kUnavailable:
        case ErrorCode::kDeadlineExceeded:
        case ErrorCode::kResourceExhausted:
        case ErrorCode::kInternal:
            return code;
        default:
            return ErrorCode::kFailedPrecondition;
    }
}

}  // namespace

EngineCall::EngineCall(std::shared_ptr<ClientSlot> slot, QObject* parent) : QObject(parent), slot_(std::move(slot)) {}

EngineCall::~EngineCall() {
    for (auto& [asked, thread] : threads_) asked->cancelled = true;
    threads_.clear();  // joins them
}

void EngineCall::start(MakeQuestion make, int silence_ms) {
    cancel();
    std::erase_if(threads_, [](const auto& one) { return one.first->done.load(); });
    asked_ = std::make_shared<Asked>();
    threads_.emplace_back(asked_, std::jthread([this, asked = asked_, make = std::move(make), silence_ms] {
                              ask(asked, make, silence_ms);
                              asked->done = true;
                          }));
}

void EngineCall::cancel() {
    if (asked_ == nullptr) return;
    asked_->cancelled = true;
    asked_.reset();
}

void EngineCall::tell(const std::shared_ptr<Asked>& asked, std::function<void()> news) {
    QMetaObject::invokeMethod(
        this,
        [this, asked, news = std::move(news)] {
            if (asked == asked_) news();
        },
        Qt::QueuedConnection);
}

void EngineCall::ask(const std::shared_ptr<Asked>& asked, const MakeQuestion& make, int silence_ms) {
    const auto fail = [&](ErrorCode code, const char* what) {
        tell(asked, [this, error = ErrorInfo{static_cast<int>(codeForUsers(code)), QString::fromUtf8(what)}] {
            asked_.reset();
            emit failed(error);
        });
    };
    try {
        const auto is_cancelled = [asked] { return asked->cancelled.load(); };
        const engine::spec::EngineQuestion question = make();
        const std::shared_ptr<agent::client::AgentClient> client = slot_->take(kEngineCallConnection, is_cancelled);
        EngineAnswer answer =
            client->ask(question, {.longest_silence = std::chrono::milliseconds(silence_ms),
                                   .data_dir = agent::client::dataFolder(),
                                   .is_cancelled = is_cancelled,
                                   .note = {},
                                   .progress = [&](const EngineProgress& step) { tell(asked, [this, step] { emit progressed(step); }); }});
        tell(asked, [this, answer = std::move(answer)] {
            asked_.reset();
            emit answered(answer);
        });
    } catch (const engine::Error& error) {
        fail(error.code(), error.what());
    } catch (const std::exception& error) {
        fail(ErrorCode::kInternal, error.what());
    }
}

}  // namespace ui::session

#include "moc_engine_call.cpp"
