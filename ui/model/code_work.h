// SPDX-License-Identifier: GPL-3.0-or-later
// Work on a long text of code, one piece at a time, on a thread of its own; what comes of it is taken on the GUI thread. Owned by whoever
// asks; GUI thread only. Nothing here waits but the destructor, which asks the work to stop and joins it.
#pragma once

#include <QObject>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>

namespace ui::views {

class CodeWork : public QObject {
    Q_OBJECT
public:
    explicit CodeWork(QObject* parent = nullptr) : QObject(parent) {}
    ~CodeWork() override;

    // Runs on the work's thread, sees nothing that changes meanwhile and does not throw. What it returns is called on the GUI thread,
    // unless it was cancelled by then.
    using Work = std::function<std::function<void()>(const std::stop_token& stop)>;
    // Begins the work. Work in progress is cancelled.
    void start(Work work);
    // Asks the work to stop; nothing of it is heard any more.
    void cancel();
    bool isRunning() const { return asked_ != nullptr; }

private:
    struct Asked {
        std::stop_source stop;
        std::atomic<bool> done = false;
    };
    std::shared_ptr<Asked> asked_;                                        // the work in progress; null between two
    std::list<std::pair<std::shared_ptr<Asked>, std::jthread>> threads_;  // that one's, and of those that end
};

}  // namespace ui::views
