#include "engine/chaos/fault_watch.h"

#include <algorithm>
#include <cctype>

namespace engine::chaos {

namespace {

bool isAbout(const Fault& fault, const spec::TaskId& task) {
    return task == fault.task || (fault.peer && task == *fault.peer);
}

// True when the text has the task's name as a word of its own: "worker 1" is not in "worker 12".
bool names(const std::string& text, const spec::TaskId& task) {
    const std::string name = toString(task);
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if (end == text.size() || std::isdigit(static_cast<unsigned char>(text[end])) == 0) {
            return true;
        }
    }
    return false;
}

bool namesOne(const std::string& text, const Fault& fault) {
    return names(text, fault.task) || (fault.peer && names(text, *fault.peer));
}

// True when the task's points are of its own steps, so that they show that it trains again.
bool tellsPoints(const spec::TaskId& task) {
    return task.type != "ps" && task.type != spec::kEvaluator;
}

// What was on its way already says nothing; a clock that is wrong on purpose says nothing of the time either.
bool isTooOld(const FaultStory& story, const spec::TaskEvent& event) {
    return story.fault.kind != FaultKind::kSkew && event.time_unix_ns < story.time_unix_ns;
}

bool isAtWork(spec::TaskState state) {
    return state == spec::TaskState::kReady || state == spec::TaskState::kTraining;
}

}  // namespace

void FaultWatch::add(const spec::TaskEvent& event) {
    if (const auto* points = std::get_if<spec::StepPoints>(&event.body); points != nullptr && !points->step.empty()) {
        step_ = std::max(step_, points->step.back());
    } else if (const auto* started = std::get_if<spec::RunStarted>(&event.body)) {
        step_ = started->resumed_step;
    } else if (const auto* log = std::get_if<spec::LogLine>(&event.body)) {
        if (const auto line = parseJournalLine(log->text)) {
            begin(*line, event);
            return;
        }
    }
    name(event);
    for (std::size_t i = 0; i < stories_.size(); ++i) {
        if (!stories_[i].isClosed()) {
            follow(stories_[i], standings_[i], event);
        }
    }
}

// Of several faults that it may speak of, the event names the last one: a task that is slow and then killed does not end of its slowness.
void FaultWatch::name(const spec::TaskEvent& event) {
    for (std::size_t i = stories_.size(); i-- > 0;) {
        FaultStory& story = stories_[i];
        if (story.isClosed() || isTooOld(story, event)) continue;
        std::string by = naming(story.fault, event);
        if (by.empty()) continue;
        if (!story.named_unix_ns) {
            story.named_unix_ns = event.time_unix_ns;
            story.named_by = std::move(by);
        }
        return;
    }
}

void FaultWatch::begin(const FaultLine& line, const spec::TaskEvent& event) {
    if (!line.is_over) {
        stories_.push_back({.fault = line.fault, .time_unix_ns = event.time_unix_ns});
        standings_.emplace_back();
        return;
    }
    for (std::size_t i = 0; i < stories_.size(); ++i) {
        if (FaultStory& story = stories_[i]; story.fault == line.fault && !story.over_unix_ns) {
            story.over_unix_ns = event.time_unix_ns;
            standings_[i].goes_on_after_ns = std::max(standings_[i].goes_on_after_ns, event.time_unix_ns);
            return;
        }
    }
}

void FaultWatch::finish() {
    for (FaultStory& story : stories_) {
        story.run_is_over = !story.healed_unix_ns;
    }
}

// Empty: it says nothing of that.
std::string FaultWatch::naming(const Fault& fault, const spec::TaskEvent& event) {
    const auto said = [&event](const std::string& text) { return names(text, event.task) ? text : toString(event.task) + ": " + text; };
    if (const auto* change = std::get_if<spec::StateChanged>(&event.body)) {
        const auto is_about = [&fault](const spec::TaskId& task) { return isAbout(fault, task); };
        const bool is_silent = change->cause == spec::WaitCause::kSilence && is_about(event.task);
        const bool is_lost = change->state == spec::TaskState::kNotStarted && is_about(event.task) && !change->detail.empty();
        const bool has_failed = change->state == spec::TaskState::kFailed && (is_about(event.task) || namesOne(change->detail, fault));
        const bool is_awaited = std::any_of(change->awaited.begin(), change->awaited.end(), is_about);
        if (is_silent || is_lost || has_failed || is_awaited) {
            return said(change->detail.empty() ? std::string(toString(change->state)) : change->detail);
        }
    } else if (const auto* failed = std::get_if<spec::TaskFailed>(&event.body)) {
        if (isAbout(fault, event.task) || namesOne(failed->reason, fault)) return said(failed->reason);
    } else if (const auto* attempt = std::get_if<spec::AttemptStarted>(&event.body)) {
        if (beginsAgain(*attempt) && isAbout(fault, event.task)) return said(attempt->reason);
    } else if (const auto* log = std::get_if<spec::LogLine>(&event.body)) {
        // What a task says of others, and what it complains about itself.
        const bool is_own = isAbout(fault, event.task) && log->level >= spec::LogLevel::kWarning;
        const bool is_of_another = (event.task != fault.task && names(log->text, fault.task)) ||
                                   (fault.peer && event.task != *fault.peer && names(log->text, *fault.peer));
        if (is_own || is_of_another) return said(log->text);
    }
    return {};
}

void FaultWatch::follow(FaultStory& story, Standing& standing, const spec::TaskEvent& event) {
    if (isTooOld(story, event)) {
        return;
    }
    if (const auto* attempt = std::get_if<spec::AttemptStarted>(&event.body); attempt != nullptr && beginsAgain(*attempt)) {
        standing = {.restarted = true, .comes_back_alone = false, .goes_on_after_ns = event.time_unix_ns};
    } else if (const auto* change = std::get_if<spec::StateChanged>(&event.body); change != nullptr && event.task == story.fault.task) {
        if (change->state == spec::TaskState::kNotStarted) {
            standing = {.restarted = false, .comes_back_alone = true, .goes_on_after_ns = 0};
        } else if (standing.comes_back_alone && isAtWork(change->state)) {
            standing.restarted = true;
            standing.goes_on_after_ns = event.time_unix_ns;
        }
    } else if (const auto* points = std::get_if<spec::StepPoints>(&event.body); points != nullptr && !points->step.empty()) {
        const bool may_go_on = standing.restarted || (story.over_unix_ns && !standing.comes_back_alone);
        const bool all_began_again = standing.restarted && !standing.comes_back_alone;
        const bool is_ours = all_began_again || !tellsPoints(story.fault.task) || isAbout(story.fault, event.task);
        if (may_go_on && is_ours && points->time_unix_ns.back() > standing.goes_on_after_ns) {
            const auto after = std::upper_bound(points->time_unix_ns.begin(), points->time_unix_ns.end(), standing.goes_on_after_ns);
            story.healed_unix_ns = *after;
            story.healed_step = points->step[static_cast<std::size_t>(after - points->time_unix_ns.begin())];
        }
    }
}

}  // namespace engine::chaos
