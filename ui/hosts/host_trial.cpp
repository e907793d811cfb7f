// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/host_trial.h"

namespace ui::views {

using session::FarHostState;
using session::HostEntry;
using session::HostJob;
using session::HostSight;

namespace {

constexpr std::chrono::milliseconds kDeadline{20'000};

}  // namespace

HostTrial::HostTrial(session::FarHosts& hosts, QObject* parent, int pause_ms) : QObject(parent), hosts_(hosts) {
    pause_.setSingleShot(true);
    pause_.setInterval(pause_ms);
    connect(&pause_, &QTimer::timeout, this, &HostTrial::lookAgain);
    connect(job_.get(), &HostJob::questionChanged, this, &HostTrial::changed);
    connect(job_.get(), &HostJob::ended, this, [this](const HostSight& sight) { end(State::kEnded, sight); });
    connect(job_.get(), &HostJob::failed, this, [this](const session::ErrorInfo& error) {
        end(State::kEnded, {.state = FarHostState::kProblem, .problem = error.detail, .code = error.code});
    });
}

HostTrial::~HostTrial() {
    job_->disconnect(this);
    HostJob::letGo(std::move(job_), &hosts_);
}

const std::optional<session::HostQuestion>& HostTrial::question() const {
    return job_->question();
}

void HostTrial::lookAt(const HostEntry& entry) {
    if (isOf(entry) || !hosts_.backend()) return;
    job_->cancel();
    entry_ = entry;
    pause_.start();
    end(State::kLooking, {});
}

void HostTrial::lookAgain() {
    if (!hosts_.backend() || state_ == State::kNone) return;
    pause_.stop();
    job_->start([backend = hosts_.backend(), entry = entry_](const session::HostWork& work) { return backend->survey(entry, work); },
                kDeadline, HostJob::Questions::kAsked);
    end(State::kLooking, {});
}

void HostTrial::clear() {
    if (state_ == State::kNone) return;
    pause_.stop();
    job_->cancel();
    entry_ = {};
    end(State::kNone, {});
}

void HostTrial::decline() {
    pause_.stop();
    job_->cancel();
    end(State::kDeclined, {});
}

void HostTrial::answer(const QString& text) {
    job_->answer(text);
}

void HostTrial::end(State state, const HostSight& sight) {
    state_ = state;
    sight_ = sight;
    emit changed();
}

}  // namespace ui::views

#include "moc_host_trial.cpp"
