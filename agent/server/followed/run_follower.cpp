#include "agent/server/followed/run_follower.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <optional>
#include <utility>

#include <sys/stat.h>

#include "agent/history/run_store.h"
#include "agent/history/writer_lock.h"
#include "agent/local/event_files.h"
#include "agent/local/scheduler_job.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_submission.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;
using engine::event_files::EventFolder;
using engine::run::RunInfo;
using engine::run::RunState;

namespace {

// Returns when a file was written last, by its file system; 0 without one, or for an empty one, such as SQLite makes to read.
std::int64_t writtenUnixNs(const fs::path& file) {
    struct stat found {};
    return ::lstat(file.c_str(), &found) == 0 && found.st_size > 0 ? found.st_mtim.tv_sec * std::int64_t{1000000000} + found.st_mtim.tv_nsec
                                                                   : 0;
}

// Returns when a file of the folder's events was written last; 0 without one.
std::int64_t newestEvent(const fs::path& folder) {
    std::int64_t newest = 0;
    std::error_code failed;
    for (fs::directory_iterator at(folder / convert::kEventFolder, failed), end; !failed && at != end; at.increment(failed)) {
        if (convert::taskOfEventFile(at->path().filename().string())) newest = std::max(newest, writtenUnixNs(at->path()));
    }
    return newest;
}

// Returns when the folder's journal was written last, with what SQLite keeps beside it meanwhile; 0 without one.
std::int64_t newestOfJournal(const fs::path& folder) {
    const fs::path journal = folder / history::kJournalFile;
    return std::max(writtenUnixNs(journal), writtenUnixNs(journal.string() + "-wal"));
}

bool isReadFrom(const EventFolder& run, const fs::path& folder) {
    return std::any_of(run.sources.begin(), run.sources.end(),
                       [&](const engine::event_files::RunSource& one) { return one.folder.native() == folder.native(); });
}

// How much speaks for it that these files are that run's. A folder has one run: one that is read from a part of what was found is read from
// all of it from then on, and one that is read from more is the run of a part, too.
enum class Likeness { kNone, kSome, kFirst, kMore, kSame };

Likeness likeness(const EventFolder& run, const EventFolder& found) {
    std::size_t shared = 0;
    for (const auto& source : found.sources) shared += isReadFrom(run, source.folder) ? 1 : 0;
    if (shared == found.sources.size()) return run.sources.size() == shared ? Likeness::kSame : Likeness::kMore;
    if (isReadFrom(run, found.sources.front().folder)) return Likeness::kFirst;
    return shared > 0 ? Likeness::kSome : Likeness::kNone;
}

// Returns what an earlier run is read from, where it may have to do with what was found: nullopt for most, without a look at their notes.
std::optional<EventFolder> filesOfKin(const RunInfo& run, const EventFolder& found) {
    const auto is = [&](const fs::path& folder) { return run.imported_from == folder.native(); };
    const bool may_be =
        run.followed && (is(found.folder) || is(found.folder.parent_path()) ||
                         std::any_of(found.sources.begin(), found.sources.end(), [&](const auto& one) { return is(one.folder); }));
    return may_be ? eventFilesOf(run) : std::nullopt;
}

}  // namespace

RunFollower::RunFollower(const FollowerOptions& options, RunBook& book, LogSink log)
    : options_(options), book_(book), log_(std::move(log)), thread_([this](const std::stop_token& stop) { loop(stop); }) {}

RunFollower::~RunFollower() {
    thread_.request_stop();
    thread_.join();
}

void RunFollower::enter(std::unique_ptr<Followed> run) {
    std::erase_if(runs_, [&](const auto& one) { return one->record().id == run->record().id; });
    {
        const engine::MutexLock lock(ids_mutex_);
        ids_.insert(run->record().id);
    }
    runs_.push_back(std::move(run));
    wake_.notify_all();
}

// The lock of the journal says whether an agent writes it, however long its run has told nothing. Where it can't, time has to tell.
void RunFollower::requireNoOtherWriter(const std::string& id, const fs::path& folder) const {
    const history::JournalWriter writer = history::writerOf(folder / history::kJournalFile);
    const std::string refusal = folder.string() + ": expected a run that no agent of another computer or user follows, got run " + id;
    if (writer.state == history::JournalWriter::State::kWrites) {
        throw engine::Error(engine::ErrorCode::kAlreadyExists,
                            refusal + ", whose journal " + writer.name + " writes; watch it there, or here once that program has ended");
    }
    const std::chrono::nanoseconds quiet(nowUnixNs() - newestOfJournal(folder));
    if (writer.state == history::JournalWriter::State::kUnknown && quiet < options_.run.old) {
        throw engine::Error(engine::ErrorCode::kAlreadyExists,
                            refusal + ", whose journal such an agent writes; watch it there, or here " +
                                std::to_string(std::chrono::ceil<std::chrono::minutes>(options_.run.old).count()) +
                                " minutes after that agent has ended");
    }
}

// Returns what lastRunIn() says of a followed run as this agent may go on with it in `folder`. A run that the index lacks was followed by
// the agent of another computer or user, which sees the folder, too; one of another folder was moved. nullopt: the folder is a copy.
std::optional<RunInfo> RunFollower::takenUp(RunInfo run, const fs::path& folder) {
    std::optional<RunInfo> own;
    try {
        own = book_.find(run.id);
    } catch (const engine::Error& error) {
        if (error.code() != engine::ErrorCode::kNotFound) throw;
    }
    std::error_code failed;
    const fs::path former = own ? fs::weakly_canonical(own->run_dir, failed) : fs::path();
    if (own && former == folder) return run;
    if (own && fs::exists(former / history::kJournalFile, failed)) {
        if (!convert::hasSchedulerJob(folder)) return std::nullopt;
        throw engine::Error(engine::ErrorCode::kAlreadyExists, folder.string() +
                                                                   ": expected the folder of a scheduler's job, got a copy of " +
                                                                   former.string() + ", where run " + run.id + " is");
    }
    if (!own && !isFinal(run.state)) requireNoOtherWriter(run.id, folder);
    run.run_dir = folder.string();
    if (isFinal(run.state)) book_.add(run);
    return run;
}

RunInfo RunFollower::follow(const fs::path& folder) {
    std::error_code failed;
    const fs::path real = fs::canonical(folder, failed);
    if (failed) {
        throw engine::Error(engine::ErrorCode::kNotFound,
                            folder.string() + ": expected the folder of a run, got none: " + failed.message());
    }
    const bool is_tasks = fs::is_directory(real / convert::kEventFolder, failed) || convert::hasSchedulerJob(real);
    std::vector<EventFolder> event_files;
    if (!is_tasks && !options_.runs_dir.empty()) event_files = engine::event_files::eventFoldersBelow(real);
    if (!event_files.empty()) return followEventFiles(real, std::move(event_files));
    const engine::MutexLock turn(turn_);
    const engine::MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    for (const auto& run : runs_) {
        if (run->record().run_dir == real.string()) {
            run->step(now);
            if (!run->isGone() && !run->isOfAnEarlierJob()) return run->record();
        }
    }
    std::optional<RunInfo> known = book_.lastRunIn(real);
    if (known && !convert::isFollowed(real, known->id)) {
        if (!isFinal(known->state)) {
            throw engine::Error(engine::ErrorCode::kAlreadyExists, real.string() + ": expected a run without an agent, got run " +
                                                                       known->id + ", which an agent trains there");
        }
        if (newestEvent(real) < known->finished_unix_ns) return *known;  // the agent's run is the later one
        known.reset();
    } else if (known) {
        known = takenUp(*std::move(known), real);
    }
    auto run = std::make_unique<FollowedRun>(real, std::move(known), newRunId(std::time(nullptr)), options_.run, book_, log_, now);
    RunInfo record = run->record();
    enter(std::move(run));
    return record;
}

// Null where none of those that are followed has to do with these files.
Followed* RunFollower::mostAlike(const EventFolder& found) const {
    Followed* best = nullptr;
    Likeness most = Likeness::kNone;
    for (const auto& run : runs_) {
        const EventFolder* files = run->eventFiles();
        const Likeness now = files != nullptr ? likeness(*files, found) : Likeness::kNone;
        if (now <= most) continue;
        most = now;
        best = run.get();
    }
    return best;
}

// Returns the runs of the index, one of which may have event files among those found; empty when all of these are followed already.
std::vector<RunInfo> RunFollower::earlierRuns(const std::vector<EventFolder>& found) {
    constexpr std::size_t kMostRuns = 100'000;
    {
        const engine::MutexLock turn(turn_);
        const engine::MutexLock lock(mutex_);
        const auto isFollowed = [this](const EventFolder& one) TANDEM_REQUIRES(mutex_) { return mostAlike(one) != nullptr; };
        if (std::all_of(found.begin(), found.end(), isFollowed)) return {};
    }
    return book_.listBehind(std::numeric_limits<std::int64_t>::max(), "", kMostRuns);
}

RunInfo RunFollower::followOne(EventFolder found, const std::vector<RunInfo>& earlier) {
    const engine::MutexLock turn(turn_);
    const engine::MutexLock lock(mutex_);
    std::optional<RunInfo> known;
    if (const Followed* run = mostAlike(found)) {
        if (likeness(*run->eventFiles(), found) >= Likeness::kMore) return run->record();
        known = run->record();
    } else {
        Likeness most = Likeness::kNone;
        EventFolder own;
        for (const RunInfo& one : earlier) {
            std::optional<EventFolder> files = filesOfKin(one, found);
            const Likeness now = files ? likeness(*files, found) : Likeness::kNone;
            if (now <= most) continue;
            most = now;
            known = one;
            own = *std::move(files);
        }
        if (most >= Likeness::kMore) found = std::move(own);
    }
    auto run = std::make_unique<FollowedEventFiles>(std::move(found), std::move(known), options_.runs_dir, options_.event_files, book_,
                                                    log_, std::chrono::steady_clock::now());
    RunInfo record = run->record();
    enter(std::move(run));
    return record;
}

// Requires some. It takes one folder at a time: whoever asks for the runs meanwhile comes in between.
RunInfo RunFollower::followEventFiles(const fs::path& root, std::vector<EventFolder> found) {
    // The largest of those that were written at about the same time is returned: PyTorch writes its hyperparameters into a small one of
    // their own.
    constexpr std::int64_t kAboutNs = 60'000'000'000;
    const auto now = std::chrono::steady_clock::now();
    const std::vector<RunInfo> earlier = earlierRuns(found);
    std::int64_t changed = 0;
    for (const EventFolder& folder : found) changed = std::max(changed, folder.changed_unix_ns);
    RunInfo newest;
    std::uint64_t most = 0;
    std::string failure;
    for (EventFolder& folder : found) {
        const bool is_new = folder.changed_unix_ns >= changed - kAboutNs;
        const std::uint64_t bytes = folder.bytes;
        try {
            RunInfo run = followOne(std::move(folder), earlier);
            if (!newest.id.empty() && (!is_new || bytes < most)) continue;
            most = is_new ? bytes : 0;
            newest = std::move(run);
        } catch (const engine::Error& error) {
            failure = error.what();
            log_(engine::spec::LogLevel::kWarning, failure);
        }
    }
    if (newest.id.empty()) throw engine::Error(engine::ErrorCode::kFailedPrecondition, failure);
    const engine::MutexLock lock(mutex_);
    roots_[root] = {now + options_.interval_of_ended};
    return newest;
}

// Further runs below the folders that were opened.
void RunFollower::searchRoots() {
    constexpr int kPauseShare = 20;  // of the time that a search takes, between two
    std::vector<fs::path> due;
    {
        const engine::MutexLock lock(mutex_);
        for (const auto& [root, search] : roots_) {
            if (search.next <= std::chrono::steady_clock::now()) due.push_back(root);
        }
    }
    for (const fs::path& root : due) {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<EventFolder> found = engine::event_files::eventFoldersBelow(root);
        if (!found.empty()) {
            try {
                followEventFiles(root, std::move(found));
            } catch (const engine::Error&) {
                // Logged; looked for again.
            }
        }
        const auto end = std::chrono::steady_clock::now();
        const engine::MutexLock lock(mutex_);
        roots_[root] = {end + std::max<std::chrono::steady_clock::duration>(options_.interval_of_ended, (end - begin) * kPauseShare)};
    }
}

void RunFollower::resume(const RunInfo& run) {
    const engine::MutexLock turn(turn_);
    const engine::MutexLock lock(mutex_);
    try {
        if (std::optional<EventFolder> event_files = eventFilesOf(run)) {
            enter(std::make_unique<FollowedEventFiles>(*std::move(event_files), run, options_.runs_dir, options_.event_files, book_, log_,
                                                       std::chrono::steady_clock::now()));
            return;
        }
        enter(std::make_unique<FollowedRun>(run.run_dir, run, newRunId(std::time(nullptr)), options_.run, book_, log_,
                                            std::chrono::steady_clock::now()));
    } catch (const engine::Error& error) {
        log_(engine::spec::LogLevel::kWarning, run.id + ": it can't be followed on: " + error.what());
        RunInfo failed = run;
        failed.state = RunState::kFailed;
        failed.detail = error.what();
        failed.finished_unix_ns = nowUnixNs();
        book_.close(failed);
    }
}

bool RunFollower::control(const std::string& run_id, const engine::spec::Control& control) {
    if (!follows(run_id)) return false;
    std::optional<convert::SchedulerJob> cancelled;
    {
        const engine::MutexLock turn(turn_);
        const engine::MutexLock lock(mutex_);
        const auto run = std::find_if(runs_.begin(), runs_.end(), [&](const auto& one) { return one->record().id == run_id; });
        if (run == runs_.end()) return false;
        cancelled = (*run)->control(control);
    }
    if (cancelled) options_.run.jobs->cancel(*cancelled);  // without the lock: the scheduler may take its time
    return true;
}

bool RunFollower::follows(const std::string& run_id) const {
    const engine::MutexLock lock(ids_mutex_);
    return ids_.contains(run_id);
}

int RunFollower::activeRuns() const {
    const engine::MutexLock turn(turn_);
    const engine::MutexLock lock(mutex_);
    return static_cast<int>(std::count_if(runs_.begin(), runs_.end(), [](const auto& run) { return !run->isOver(); }));
}

// A run that is skipped because another went meanwhile has its step the next time.
void RunFollower::stepAll(bool looks_at_ended, const std::stop_token& stop) {
    for (std::size_t at = 0; !stop.stop_requested(); ++at) {
        engine::MutexLock turn(turn_);
        const engine::MutexLock lock(mutex_);
        turn.unlock();
        if (at >= runs_.size()) break;
        Followed& run = *runs_[at];
        if (run.isOver() && !looks_at_ended) continue;
        try {
            run.step(std::chrono::steady_clock::now());
            problems_.erase(run.record().id);
        } catch (const engine::Error& error) {
            std::string& told = problems_[run.record().id];
            if (std::exchange(told, error.what()) != error.what()) {
                log_(engine::spec::LogLevel::kWarning, run.record().id + ": " + error.what());
            }
        }
    }
    const engine::MutexLock lock(mutex_);
    std::erase_if(runs_, [this](const auto& run) {
        if (!run->isGone() && !run->isDoneForGood()) return false;
        const engine::MutexLock ids(ids_mutex_);
        ids_.erase(run->record().id);
        return true;
    });
}

void RunFollower::loop(const std::stop_token& stop) {
    auto ended_looked_at = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        searchRoots();
        const auto now = std::chrono::steady_clock::now();
        const bool looks_at_ended = now - ended_looked_at >= options_.interval_of_ended;
        if (looks_at_ended) ended_looked_at = now;
        stepAll(looks_at_ended, stop);
        engine::MutexLock lock(mutex_);
        if (runs_.empty()) {
            wake_.wait(lock, stop, [this]() TANDEM_REQUIRES(mutex_) { return !runs_.empty(); });
        } else if (std::none_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->hasMore(); })) {
            wake_.wait_for(lock, stop, options_.interval, [] { return false; });
        }
    }
}

}  // namespace agent::server
