// Other computers with memory instead of ssh: a test says what a look at each finds, holds calls while it looks, and reads back what was
// asked. Safe from any thread, as HostBackend asks.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/error.h"
#include "ui/session/host/host_backend.h"

namespace tests {

class FakeHostBackend : public ui::session::HostBackend {
public:
    using HostEntry = ui::session::HostEntry;
    using HostSight = ui::session::HostSight;
    using HostWork = ui::session::HostWork;

    // These are set before anybody asks.
    QStringList ssh_names;
    std::string install_error;  // empty: it succeeds
    std::string pairing_error;  // the same

    // The list, which somebody may read meanwhile.
    void setEntries(std::vector<HostEntry> entries) {
        const std::lock_guard lock(mutex_);
        entries_ = std::move(entries);
    }
    void setSight(const QString& name, HostSight sight) {
        const std::lock_guard lock(mutex_);
        sights_[name] = std::move(sight);
    }
    // Sets the question that a survey of the host and an installation there ask before anything else; without an answer they fail.
    void setQuestion(const QString& name, ui::session::HostQuestion question) {
        const std::lock_guard lock(mutex_);
        questions_[name] = std::move(question);
    }
    std::vector<QString> answers() const {
        const std::lock_guard lock(mutex_);
        return answers_;
    }
    int surveysOf(const QString& name) const {
        const std::lock_guard lock(mutex_);
        const auto found = surveys_of_.find(name);
        return found == surveys_of_.end() ? 0 : found->second;
    }
    // Looks, surveys, installations and pairings stay on their way until release().
    void hold() {
        const std::lock_guard lock(mutex_);
        is_held_ = true;
    }
    void release() {
        const std::lock_guard lock(mutex_);
        is_held_ = false;
    }
    int lookingNow() const { return read(now_); }
    int mostAtOnce() const { return read(most_); }
    int looks() const { return read(looks_); }
    int pairings() const { return read(pairings_); }
    int cancelled() const { return read(cancelled_); }
    int looksAt(const QString& name) const {
        const std::lock_guard lock(mutex_);
        const auto found = looks_at_.find(name);
        return found == looks_at_.end() ? 0 : found->second;
    }
    std::vector<HostEntry> installed() const {
        const std::lock_guard lock(mutex_);
        return installed_;
    }
    std::vector<HostEntry> listed() const {
        const std::lock_guard lock(mutex_);
        return entries_;
    }

    QString listFile() const override { return {}; }
    std::vector<HostEntry> list() override { return listed(); }
    void add(const HostEntry& entry, const HostWork& work) override {
        const bool pairs = entry.destination.startsWith("tandem://");
        if (pairs) {
            {
                const std::lock_guard lock(mutex_);
                ++pairings_;
            }
            if (!waitWhileHeld(work)) throw engine::Error(engine::ErrorCode::kCancelled, entry.name.toStdString() + ": cancelled");
        }
        const std::lock_guard lock(mutex_);
        if (at(entry.name) != entries_.end())
            throw engine::Error(engine::ErrorCode::kAlreadyExists, entry.name.toStdString() + ": expected a new name, the list has it");
        if (pairs && !pairing_error.empty()) throw engine::Error(engine::ErrorCode::kFailedPrecondition, pairing_error);
        entries_.push_back(entry);
        const QStringList parts = entry.destination.split('/');  // tandem:, nothing, HOST:PORT, FINGERPRINT, SECRET
        if (pairs) entries_.back() = {entry.name, parts.at(2), {}, parts.at(3)};
    }
    void remove(const QString& name) override {
        const std::lock_guard lock(mutex_);
        if (at(name) == entries_.end())
            throw engine::Error(engine::ErrorCode::kNotFound, name.toStdString() + ": expected one of the list, it has none of the name");
        entries_.erase(at(name));
    }
    QStringList sshNames() override { return ssh_names; }
    HostSight look(const HostEntry& entry, const HostWork& work) override {
        {
            const std::lock_guard lock(mutex_);
            ++looks_;
            ++looks_at_[entry.name];
            most_ = std::max(most_, ++now_);
        }
        const bool went_on = waitWhileHeld(work);
        const std::lock_guard lock(mutex_);
        --now_;
        return went_on ? sightOf(entry) : HostSight{};
    }
    HostSight survey(const HostEntry& entry, const HostWork& work) override {
        {
            const std::lock_guard lock(mutex_);
            ++surveys_of_[entry.name];
        }
        if (!isLetIn(entry, work))
            return {.state = ui::session::FarHostState::kProblem,
                    .problem = entry.name + ": expected to be let in, permission was denied",
                    .code = static_cast<int>(engine::ErrorCode::kPermissionDenied)};
        waitWhileHeld(work);
        const std::lock_guard lock(mutex_);
        return sightOf(entry);
    }
    void install(const HostEntry& entry, const HostWork& work) override {
        using Phase = ui::session::HostProgress::Phase;
        if (!isLetIn(entry, work))
            throw engine::Error(engine::ErrorCode::kPermissionDenied,
                                entry.name.toStdString() + ": expected to be let in, permission was denied");
        if (work.progress) work.progress({Phase::kSending, 5, 10});
        if (!waitWhileHeld(work)) throw engine::Error(engine::ErrorCode::kCancelled, entry.name.toStdString() + ": cancelled");
        const std::lock_guard lock(mutex_);
        if (!install_error.empty()) throw engine::Error(engine::ErrorCode::kResourceExhausted, install_error);
        installed_.push_back(entry);
    }

private:
    int read(const int& value) const {
        const std::lock_guard lock(mutex_);
        return value;
    }
    std::vector<HostEntry>::iterator at(const QString& name) {
        return std::find_if(entries_.begin(), entries_.end(), [&](const HostEntry& entry) { return entry.name == name; });
    }
    bool isLetIn(const HostEntry& entry, const HostWork& work) {
        std::optional<ui::session::HostQuestion> question;
        {
            const std::lock_guard lock(mutex_);
            const auto found = questions_.find(entry.name);
            if (found != questions_.end()) question = found->second;
        }
        if (!question) return true;
        const std::optional<QString> answer =
            work.ask ? work.ask(*question, [&] { return work.is_cancelled && work.is_cancelled(); }) : std::nullopt;
        const std::lock_guard lock(mutex_);
        if (answer) answers_.push_back(*answer);
        if (answer && question->kind == ui::session::HostQuestion::Kind::kHostKey) questions_.erase(entry.name);  // known from now on
        return answer.has_value();
    }
    HostSight sightOf(const HostEntry& entry) const {
        const auto found = sights_.find(entry.name);
        return found == sights_.end()
                   ? HostSight{.state = ui::session::FarHostState::kProblem, .problem = entry.name + ": expected an answer, got none"}
                   : found->second;
    }
    // False when it was cancelled by then.
    bool waitWhileHeld(const HostWork& work) {
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                if (!is_held_) return true;
                news_.wait_for(lock, std::chrono::milliseconds(2));
                if (work.is_cancelled && work.is_cancelled()) {
                    ++cancelled_;
                    return false;
                }
            }
        }
    }

    mutable std::mutex mutex_;
    std::vector<HostEntry> entries_;
    std::condition_variable news_;
    std::map<QString, HostSight> sights_;
    std::map<QString, ui::session::HostQuestion> questions_;
    std::vector<QString> answers_;
    std::map<QString, int> looks_at_, surveys_of_;
    std::vector<HostEntry> installed_;
    bool is_held_ = false;
    int now_ = 0, most_ = 0, looks_ = 0, cancelled_ = 0, pairings_ = 0;
};

}  // namespace tests
