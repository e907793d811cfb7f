// How a PartRun ends: its tasks one by one, and the part as a whole. The files that they leave come first.
#include <algorithm>
#include <csignal>
#include <utility>

#include <poll.h>

#include "agent/home/part_run.h"
#include "agent/server/supervision/home_watch.h"
#include "agent/wire/status.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"

namespace agent::home {

namespace spec = engine::spec;
using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kRecordDeadline = 20s;
constexpr std::chrono::milliseconds kReachAgain = 1s;  // between two tries to reach a host

}  // namespace

std::map<spec::TaskId, PartRun::End> PartRun::takeEnds() {
    const engine::MutexLock lock(mutex_);
    return std::exchange(noted_.ends, {});
}

void PartRun::end(const std::map<spec::TaskId, End>& ends) {
    for (const auto& task : tasks_) {
        if (const auto end = ends.find(task->id()); end != ends.end()) {
            task->end(end->second.status, end->second.given_up);
        }
    }
}

// Tells the supervisor which tasks have ended over there. The files that they have left are fetched first: a large one may take longer than
// home may be silent.
void PartRun::applyEnds(const std::stop_token& stop) {
    if (const std::map<spec::TaskId, End> ends = takeEnds(); !ends.empty()) {
        mirror(MirrorKind::kLast, [&] {
            keepLink();
            requireListeners(stop);
        });
        end(ends);
    }
}

// Does what `call` does over the connection. Where that breaks it is made again, as long as a host may be out of reach when its tasks are
// to start, and as long as somebody waits. Throws the Error of the last try.
void PartRun::overAnyConnection(const std::stop_token& stop, const std::function<void()>& call) {
    const Clock::time_point until = Clock::now() + options_.patience;
    const auto is_cancelled = [&] {
        const int signal = wantedSignal();
        return stop.stop_requested() || signal == SIGKILL || (signal != 0 && isSilent());
    };
    for (;;) {
        try {
            live_ = live_ ? live_ : link_->again(lost_, is_cancelled);
            if (live_) {
                lost_.reset();
                call();
                return;
            }
            if (is_cancelled() || Clock::now() > until) {
                throw Error(ErrorCode::kUnavailable, silence());
            }
        } catch (const Error& error) {
            if ((live_ && !convert::mayPass(error)) || is_cancelled() || Clock::now() > until) {
                throw;
            }
            lost_ = live_ ? std::exchange(live_, nullptr) : lost_;
        } catch (const std::exception& error) {  // of this computer, such as a folder that can't be made
            throw Error(ErrorCode::kInternal, engine::exceptionText(error));
        }
        pollfd woken{wake_.get(), POLLIN, 0};
        ::poll(&woken, 1, static_cast<int>(kReachAgain.count()));
    }
}

// The part is over there. A task of which nothing was said ended well, unless the agent itself did not live to see it.
void PartRun::endOver(const std::stop_token& stop) {
    watch_.reset();
    std::optional<engine::run::RunInfo> run;
    try {
        overAnyConnection(stop, [&] {
            run = live_->client().getRun(run_id_, kRecordDeadline);
            times_.last_answer = Clock::now();
            if (options_.brings_home) {
                bring("", [&] {
                    times_.last_answer = Clock::now();
                    requireListeners(stop);
                });
            }
        });
    } catch (const Error& error) {
        if (!run) {
            options_.log(spec::LogLevel::kWarning, hostName() + ": how its part ended is not known: " + error.what());
        }
        if (options_.brings_home && !stop.stop_requested()) {
            tellFirst(spec::LogLine{spec::LogLevel::kError, hostName() + ": files of its part could not be brought here: " + error.what()});
        }
    }
    end(takeEnds());
    std::string given_up;
    const bool blames_a_task = std::any_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->hasEnded(); });
    if (run && run->state == engine::run::RunState::kFailed && !blames_a_task) {
        given_up = hostName() + ": " + (run->detail.empty() ? "its part failed" : run->detail);
    } else if (run && run->state == engine::run::RunState::kStopped && run->detail.starts_with(server::kHomeWasAway)) {
        tellAll(spec::StateChanged{spec::TaskState::kStopped, hostName() + ": " + run->detail});
    } else if (run && run->state == engine::run::RunState::kStopped && sent_signal_ == 0 && !run->detail.empty()) {
        given_up = hostName() + ": " + run->detail;  // nobody asked for that here: its agent was ended
    }
    endAll({.exit_code = 0, .signal = 0}, given_up);
}

}  // namespace agent::home
