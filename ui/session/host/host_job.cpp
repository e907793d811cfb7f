// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/host_job.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace ui::session {

namespace {

constexpr std::chrono::milliseconds kHostJobLook{50};

}  // namespace

HostJob::~HostJob() {
    for (auto& [asked, thread] : threads_) asked->cancelled = true;
    threads_.clear();  // joins them
}

void HostJob::start(Work work, std::chrono::milliseconds deadline, Questions questions) {
    cancel();
    std::erase_if(threads_, [](const auto& one) { return one.first->done.load(); });
    asked_ = std::make_shared<Asked>();
    threads_.emplace_back(asked_, std::jthread([this, asked = asked_, work = std::move(work), deadline, questions] {
                              run(asked, work, deadline, questions);
                              asked->done = true;
                              QMetaObject::invokeMethod(this, &HostJob::deleteWhereLetGo, Qt::QueuedConnection);
                          }));
}

void HostJob::cancel() {
    if (asked_ == nullptr) return;
    asked_->cancelled = true;
    asked_.reset();
    setQuestion(std::nullopt, 0);
}

void HostJob::letGo(std::unique_ptr<HostJob> job, QObject* heir) {
    job->cancel();
    job->is_let_go_ = true;
    job->setParent(heir);
    job.release()->deleteWhereLetGo();
}

void HostJob::deleteWhereLetGo() {
    const bool is_idle = std::all_of(threads_.begin(), threads_.end(), [](const auto& one) { return one.first->done.load(); });
    if (is_let_go_ && is_idle) deleteLater();
}

// ---- questions ------------------------------------------------------------------------------------------------------------------

std::optional<QString> HostJob::ask(const std::shared_ptr<Asked>& asked, const HostQuestion& question,
                                    const std::function<bool()>& is_over) {
    engine::MutexLock lock(asked->mutex);
    const int number = ++asked->question;
    asked->is_answered = false;
    asked->answer.reset();
    tell(asked, [this, question, number] { setQuestion(question, number); });
    while (!asked->is_answered && !asked->cancelled && !asked->refuses) {
        asked->answered.wait_for(lock, kHostJobLook);
        if (is_over()) break;
    }
    tell(asked, [this, number] {
        if (question_number_ == number) setQuestion(std::nullopt, 0);
    });
    return std::exchange(asked->answer, std::nullopt);
}

void HostJob::setQuestion(const std::optional<HostQuestion>& question, int number) {
    question_number_ = number;
    if (question_ == question) return;
    question_ = question;
    emit questionChanged();
}

void HostJob::answer(const std::optional<QString>& text) {
    if (asked_ == nullptr || !question_) return;
    {
        const engine::MutexLock lock(asked_->mutex);
        if (asked_->question != question_number_) return;  // ssh did not wait for it
        asked_->answer = text;
        asked_->is_answered = true;
    }
    asked_->answered.notify_all();
    setQuestion(std::nullopt, 0);
}

void HostJob::refuseQuestions() {
    if (asked_ == nullptr) return;
    asked_->refuses = true;
    asked_->answered.notify_all();
    setQuestion(std::nullopt, 0);
}

void HostJob::tell(const std::shared_ptr<Asked>& asked, std::function<void()> news) {
    QMetaObject::invokeMethod(
        this,
        [this, asked, news = std::move(news)] {
            if (asked == asked_) news();
        },
        Qt::QueuedConnection);
}

void HostJob::run(const std::shared_ptr<Asked>& asked, const Work& work, std::chrono::milliseconds deadline, Questions questions) {
    const auto fail = [&](engine::ErrorCode code, const char* what) {
        tell(asked, [this, error = ErrorInfo{static_cast<int>(code), QString::fromUtf8(what)}] {
            asked_.reset();
            emit failed(error);
        });
    };
    try {
        HostWork how{.deadline = deadline,
                     .is_cancelled = [asked] { return asked->cancelled.load(); },
                     .progress = [&](const HostProgress& step) { tell(asked, [this, step] { emit progressed(step); }); }};
        if (questions == Questions::kAsked)
            how.ask = [&](const HostQuestion& question, const std::function<bool()>& is_over) { return ask(asked, question, is_over); };
        HostSight sight = work(how);
        tell(asked, [this, sight = std::move(sight)] {
            asked_.reset();
            emit ended(sight);
        });
    } catch (const engine::Error& error) {
        fail(error.code(), error.what());
    } catch (const std::exception& error) {
        fail(engine::ErrorCode::kInternal, error.what());
    }
}

}  // namespace ui::session

#include "moc_host_job.cpp"
