// SPDX-License-Identifier: GPL-3.0-or-later
// One piece of work on another computer at a time, on a thread of its own and told on the GUI thread. Owned by whoever asks; GUI thread
// only. Nothing here waits but the destructor, which cancels and then joins.
#pragma once

#include <QObject>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "engine/thread/mutex.h"
#include "ui/session/host/host_backend.h"

namespace ui::session {

class HostJob : public QObject {
    Q_OBJECT
public:
    explicit HostJob(QObject* parent = nullptr) : QObject(parent) {}
    ~HostJob() override;

    // Says whether the questions of ssh are passed on by questionChanged() or refused.
    enum class Questions { kRefused, kAsked };
    // Runs on the job's thread; may throw.
    using Work = std::function<HostSight(const HostWork&)>;
    // Begins the work. Work in progress is cancelled, and nothing of it is heard any more.
    void start(Work work, std::chrono::milliseconds deadline, Questions questions = Questions::kRefused);
    void cancel();  // no signal follows
    bool isRunning() const { return asked_ != nullptr; }
    // Cancels and deletes the job once its threads have ended; `heir`, which may wait for them in its destructor, has it until then.
    static void letGo(std::unique_ptr<HostJob> job, QObject* heir);

    // The question that the work waits for; null: none.
    const std::optional<HostQuestion>& question() const { return question_; }
    // Answers the question; nullopt: there is no answer.
    void answer(const std::optional<QString>& text);
    // The present question and all further ones get no answer.
    void refuseQuestions();

signals:
    void progressed(ui::session::HostProgress progress);
    void questionChanged();
    // Exactly one of the two after start(), unless it was cancelled.
    void ended(ui::session::HostSight sight);
    void failed(ui::session::ErrorInfo error);

private:
    struct Asked {
        std::atomic<bool> cancelled = false, done = false, refuses = false;
        engine::Mutex mutex;
        std::condition_variable_any answered;
        int question TANDEM_GUARDED_BY(mutex) = 0;  // the number of the last one
        bool is_answered TANDEM_GUARDED_BY(mutex) = false;
        std::optional<QString> answer TANDEM_GUARDED_BY(mutex);
    };
    void run(const std::shared_ptr<Asked>& asked, const Work& work, std::chrono::milliseconds deadline, Questions questions);
    std::optional<QString> ask(const std::shared_ptr<Asked>& asked, const HostQuestion& question, const std::function<bool()>& is_over);
    void setQuestion(const std::optional<HostQuestion>& question, int number);
    void deleteWhereLetGo();
    // Runs `news` on the GUI thread unless other work was started by then.
    void tell(const std::shared_ptr<Asked>& asked, std::function<void()> news);

    std::optional<HostQuestion> question_;
    int question_number_ = 0;
    bool is_let_go_ = false;
    std::shared_ptr<Asked> asked_;                                        // the work in progress; null between two
    std::list<std::pair<std::shared_ptr<Asked>, std::jthread>> threads_;  // that one's, and of those that end
};

}  // namespace ui::session
