#include "app/cli/verbs/chaos_session.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "app/cli/follow.h"
#include "app/cli/run_choice.h"
#include "engine/chaos/fault_watch.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace app::cli {
namespace {

namespace chaos = engine::chaos;
namespace spec = engine::spec;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

constexpr milliseconds kLook{50};
constexpr std::chrono::nanoseconds kClocksApart = std::chrono::seconds(1);  // of this computer and one that has a part of the run

std::string secondsText(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
    return text;
}

std::int64_t sessionNowNs() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

double secondsBetween(std::int64_t from_unix_ns, std::int64_t to_unix_ns) {
    return static_cast<double>(to_unix_ns - from_unix_ns) * 1e-9;
}

// The run's journal as it comes; filled by the client's thread, read by ours.
class FollowedJournal {
public:
    struct News {
        std::vector<chaos::FaultStory> stories;
        std::int64_t step = 0;
        bool has_ended = false;
        std::optional<std::string> error;
    };

    agent::client::WatchHandler handler() {
        return {.events =
                    [this](const std::vector<spec::TaskEvent>& events) {
                        const engine::MutexLock lock(mutex_);
                        for (const spec::TaskEvent& event : events) watch_.add(event);
                        changed_.notify_all();
                        return true;
                    },
                .dropped = [](std::int64_t) {},
                .finished =
                    [this](std::optional<std::string> error) {
                        const engine::MutexLock lock(mutex_);
                        if (!error) watch_.finish();
                        has_ended_ = true;
                        error_ = std::move(error);
                        changed_.notify_all();
                    }};
    }
    // Returns what is known by now, at once where that is the end.
    News wait(milliseconds time) {
        engine::MutexLock lock(mutex_);
        if (!has_ended_) changed_.wait_for(lock, time);
        return {watch_.stories(), watch_.step(), has_ended_, error_};
    }

private:
    engine::Mutex mutex_;
    std::condition_variable_any changed_;
    chaos::FaultWatch watch_ TANDEM_GUARDED_BY(mutex_);
    bool has_ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::optional<std::string> error_ TANDEM_GUARDED_BY(mutex_);
};

// A fault of the script and how far it is.
struct Standing {
    chaos::Step step;
    std::optional<std::int64_t> asked_unix_ns;  // when the agent was asked for it
    std::string refused;                        // why it was not done
    std::optional<std::size_t> story;           // its place in the journal's
    bool told_done = false, told_named = false, told_end = false;

    bool isClosed() const { return told_end || !refused.empty(); }
};

class Teller {
public:
    Teller(std::ostream& out, std::ostream& err, bool json) : out_(out), err_(err), json_(json) {}

    void done(std::size_t number, const chaos::FaultStory& story) {
        const std::string text = toText(story.fault);
        if (json_) {
            line({{"event", "fault"},
                  {"number", number},
                  {"fault", text},
                  {"kind", chaos::traits(story.fault.kind).word},
                  {"task", toString(story.fault.task)},
                  {"time_unix_ns", story.time_unix_ns}});
        } else {
            out_ << text << '\n' << std::flush;
        }
    }
    void named(std::size_t number, const chaos::FaultStory& story) {
        const double after = secondsBetween(story.time_unix_ns, *story.named_unix_ns);
        if (json_) {
            line({{"event", "named"}, {"number", number}, {"after_s", after}, {"by", story.named_by}});
        } else {
            out_ << "  named after " << secondsText(after) << ": " << story.named_by << '\n' << std::flush;
        }
    }
    void healed(std::size_t number, const chaos::FaultStory& story) {
        const double after = secondsBetween(story.time_unix_ns, *story.healed_unix_ns);
        if (json_) {
            line({{"event", "healed"}, {"number", number}, {"after_s", after}, {"step", story.healed_step}});
        } else {
            out_ << "  healed after " << secondsText(after) << ": step " << story.healed_step << " was done"
                 << (story.named_unix_ns ? "\n" : ", nobody had to name it\n") << std::flush;
        }
    }
    void notHealed(std::size_t number, const std::string& why) {
        if (json_) {
            line({{"event", "not_healed"}, {"number", number}, {"reason", why}});
        } else {
            out_ << "  not healed: " << why << '\n' << std::flush;
        }
    }
    void refused(std::size_t number, const chaos::Step& step, const std::string& why) {
        if (json_) line({{"event", "refused"}, {"number", number}, {"fault", toText(step.fault)}, {"reason", why}});
        err_ << "error: " << toText(step.fault) << ": " << why << '\n' << std::flush;
    }
    void finished(const std::vector<Standing>& all) {
        std::size_t done = 0, named = 0, healed = 0;
        for (const Standing& one : all) {
            done += one.story ? 1 : 0;
            named += one.told_named ? 1 : 0;
            healed += one.told_end && one.refused.empty() ? 1 : 0;
        }
        if (json_) line({{"event", "finished"}, {"faults", all.size()}, {"done", done}, {"named", named}, {"healed", healed}});
    }

private:
    void line(const Json& value) { out_ << value.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush; }

    std::ostream& out_;
    std::ostream& err_;
    const bool json_;
};

class ChaosSession {
public:
    ChaosSession(Context& context, agent::client::AgentClient& client, const engine::run::RunInfo& run, const ChaosOptions& options)
        : context_(context), client_(client), run_(run), options_(options), tell_(context.out, context.err, options.json) {
        for (const chaos::Step& step : options.steps) {
            faults_.push_back({.step = step, .asked_unix_ns = {}, .refused = {}, .story = {}});
        }
    }

    void run() {
        const auto watch = client_.watch(run_.id, 1, journal_.handler());
        const int interrupts = context_.interrupts();
        begin_ = last_news_ = Clock::now();
        FollowedJournal::News news;
        for (;;) {
            news = journal_.wait(kLook);
            tellNews(news);
            if (news.has_ended || isDone()) break;
            if (context_.interrupts() != interrupts) {
                watch->end();
                context_.exit_code = kInterrupted;
                return;
            }
            if (!injectDue(news) && Clock::now() - last_news_ > options_.patience && isLate()) break;
        }
        watch->end();
        finish(news);
    }

private:
    bool isDone() const {
        return std::all_of(faults_.begin(), faults_.end(), [](const Standing& one) { return one.isClosed(); });
    }
    // Something was to have happened by now.
    bool isLate() const {
        return std::any_of(faults_.begin(), faults_.end(), [&](const Standing& one) {
            return !one.isClosed() && (one.asked_unix_ns || (one.step.at_step == 0 && Clock::now() > begin_ + one.step.after));
        });
    }

    bool isDue(const Standing& one, const FollowedJournal::News& news) const {
        return !one.asked_unix_ns && one.refused.empty() &&
               (one.step.at_step > 0 ? news.step >= one.step.at_step : Clock::now() >= begin_ + one.step.after);
    }

    // True when something was done.
    bool injectDue(const FollowedJournal::News& news) {
        bool has_news = false;
        for (std::size_t i = 0; i < faults_.size(); ++i) {
            Standing& one = faults_[i];
            if (!isDue(one, news)) continue;
            try {
                const std::int64_t now = sessionNowNs();
                client_.injectFault(run_.id, one.step.fault, kCallDeadline);
                one.asked_unix_ns = now;
                has_news = true;
                last_news_ = Clock::now();
            } catch (const engine::Error& error) {
                // The fault can't be done now: its task, or the agent, is about to start.
                if (error.code() == engine::ErrorCode::kAborted || error.code() == engine::ErrorCode::kUnavailable) {
                    obstacle_ = error.what();
                    continue;
                }
                refuse(i, error.what());
            }
        }
        return has_news;
    }

    void refuse(std::size_t index, const std::string& why) {
        faults_[index].refused = why;
        tell_.refused(index + 1, faults_[index].step, why);
    }

    // The journal's story of each fault that was asked for: the first one since then that nobody has. Earlier ones are of earlier commands.
    void findStories(const std::vector<chaos::FaultStory>& stories) {
        for (Standing& one : faults_) {
            for (std::size_t i = 0; one.asked_unix_ns && !one.story && i < stories.size(); ++i) {
                const bool is_taken =
                    std::any_of(faults_.begin(), faults_.end(), [i](const Standing& other) { return other.story == std::optional(i); });
                const bool is_later = stories[i].time_unix_ns >= *one.asked_unix_ns - kClocksApart.count();
                if (stories[i].fault == one.step.fault && is_later && !is_taken) one.story = i;
            }
        }
    }

    void tellNews(const FollowedJournal::News& news) {
        findStories(news.stories);
        for (std::size_t i = 0; i < faults_.size(); ++i) {
            Standing& one = faults_[i];
            if (!one.story) continue;
            const chaos::FaultStory& story = news.stories[*one.story];
            if (!std::exchange(one.told_done, true)) tell_.done(i + 1, story);
            if (story.named_unix_ns && !std::exchange(one.told_named, true)) {
                tell_.named(i + 1, story);
                last_news_ = Clock::now();
            }
            if (story.healed_unix_ns && !std::exchange(one.told_end, true)) {
                tell_.healed(i + 1, story);
                last_news_ = Clock::now();
            }
        }
    }

    void finish(const FollowedJournal::News& news) {
        std::string why = "not within " + chaos::toText(options_.patience);
        if (news.error) {
            why = *news.error;
        } else if (news.has_ended) {
            const engine::run::RunInfo over = client_.getRun(run_.id, kCallDeadline);
            why = "the run is over: " + std::string(toString(over.state)) + (over.detail.empty() ? "" : ": " + over.detail);
        }
        bool has_failed = false;
        for (std::size_t i = 0; i < faults_.size(); ++i) {
            if (!faults_[i].isClosed()) {
                faults_[i].story ? tell_.notHealed(i + 1, why) : refuse(i, obstacle_.empty() || news.has_ended ? why : obstacle_);
                has_failed = true;
            }
            has_failed = has_failed || !faults_[i].refused.empty();
        }
        tell_.finished(faults_);
        context_.exit_code = news.error ? exitCodeOfLostWatch(client_, run_.id) : has_failed ? kFailed : kDone;
    }

    Context& context_;
    agent::client::AgentClient& client_;
    const engine::run::RunInfo& run_;
    const ChaosOptions& options_;
    Teller tell_;
    FollowedJournal journal_;
    std::vector<Standing> faults_;
    std::string obstacle_;  // why a fault could not be done at once
    Clock::time_point begin_{}, last_news_{};
};

}  // namespace

void doChaos(Context& context, agent::client::AgentClient& client, const engine::run::RunInfo& run, const ChaosOptions& options) {
    ChaosSession(context, client, run, options).run();
}

}  // namespace app::cli
