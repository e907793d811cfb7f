// SPDX-License-Identifier: GPL-3.0-or-later
// One question to the engine at a time, asked of the agent on a thread of its own and answered on the GUI thread. Owned by whoever asks;
// GUI thread only, nothing here waits.
#pragma once

#include <QObject>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <thread>
#include <utility>

#include "engine/spec/events/engine_question.h"
#include "ui/session/values.h"

namespace ui::session {

class ClientSlot;

class EngineCall : public QObject {
    Q_OBJECT
public:
    explicit EngineCall(std::shared_ptr<ClientSlot> slot, QObject* parent = nullptr);
    ~EngineCall() override;  // a question in progress is cancelled

    // Makes the question on the thread that asks, so that it may read files. Throws engine::Error.
    using MakeQuestion = std::function<engine::spec::EngineQuestion()>;
    // Asks the engine. An earlier question is dropped: nothing of it is heard any more. `silence_ms`: the longest time without a sign of
    // life of the worker.
    void start(MakeQuestion make, int silence_ms = kSilenceMs);
    // Asks the worker to end; no signal follows.
    void cancel();
    bool isRunning() const { return asked_ != nullptr; }

    static constexpr int kSilenceMs = 120'000;

signals:
    void progressed(engine::spec::EngineProgress progress);
    // Exactly one of the two follows start(), unless it was cancelled. The code is kFailedPrecondition when the engine found a fault, which
    // the detail says; else it says what became of the call.
    void answered(engine::spec::EngineAnswer answer);
    void failed(ui::session::ErrorInfo error);

private:
    struct Asked {
        std::atomic<bool> cancelled = false, done = false;
    };
    void ask(const std::shared_ptr<Asked>& asked, const MakeQuestion& make, int silence_ms);
    // Runs `news` on the GUI thread unless another question was asked by then.
    void tell(const std::shared_ptr<Asked>& asked, std::function<void()> news);

    const std::shared_ptr<ClientSlot> slot_;
    std::shared_ptr<Asked> asked_;                                        // the question in progress; null between two
    std::list<std::pair<std::shared_ptr<Asked>, std::jthread>> threads_;  // that one's, and of those that end
};

}  // namespace ui::session
