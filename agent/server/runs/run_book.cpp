#include "agent/server/runs/run_book.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "agent/history/writer_lock.h"
#include "agent/local/event_files.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/epoch_results.h"
#include "agent/server/runs/kept_database.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/task_event_convert.h"
#include "engine/run/event_file_run.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::server {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::run::RunInfo;
using engine::run::RunState;
using engine::spec::LogLevel;
using history::Journal;
using history::RunStore;

namespace {

constexpr const char* kSparePrefix = "spare-";
constexpr const char* kSpareSuffix = ".journal";

fs::path resolved(const fs::path& folder) {
    std::error_code failed;
    fs::path real = fs::weakly_canonical(folder, failed);
    return failed ? folder.lexically_normal() : real;
}

bool isNewer(const RunInfo& a, const RunInfo& b) {
    return std::pair(a.created_unix_ns, a.id) > std::pair(b.created_unix_ns, b.id);
}

[[noreturn]] void throwNotFound(const std::string& id) {
    throw Error(ErrorCode::kNotFound, "run " + id + ": not found on this host");
}

}  // namespace

RunBook::RunBook(const fs::path& runs_dir, RunBookOptions options)
    : runs_dir_(runs_dir), options_(std::move(options)), index_(runs_dir_, options_.log) {
    std::vector<RunInfo> going_on = failUnfinished();
    takeBackSpares();
    for (RunInfo& run : going_on) {
        openInterrupted(std::move(run));
    }
}

void RunBook::tell(LogLevel level, const std::string& text) const {
    if (options_.log) {
        options_.log(level, text);
    }
}

// Returns the time of the newest event; 0 without one that can be read.
std::int64_t RunBook::lastTimeOf(const Journal& journal) {
    const std::vector<history::JournalEntry> newest = journal.read(journal.lastSequence(), 1, 16u << 20);
    return newest.empty() || newest.front().damaged_to != 0 ? 0 : convert::decodeEvent(newest.front().event).time_unix_ns;
}

// The end of a run that its agent did not live to see: from the chief's mark, and its results as far as the journal has them.
void RunBook::takeEnd(RunInfo& run, const convert::FinishedMark& mark, const Journal& journal) {
    run.state = RunState::kDone;
    run.detail.clear();
    run.checkpoint = mark.checkpoint;
    run.weights_sha256 = mark.weights_sha256;
    constexpr std::uint64_t kLastEvents = 200;
    const std::uint64_t last = journal.lastSequence();
    for (const history::JournalEntry& entry : journal.read(last > kLastEvents ? last - kLastEvents : 1, kLastEvents + 1, 16u << 20)) {
        if (entry.damaged_to == 0) {
            const engine::spec::TaskEvent event = convert::decodeEvent(entry.event);
            if (const auto* finished = std::get_if<engine::spec::TaskFinished>(&event.body); finished && !finished->results.empty()) {
                mergeResults(run.results, finished->results);
                run.finished_unix_ns = event.time_unix_ns;
            }
        }
    }
}

// Fails the runs that the agent before this one had in hand when it was killed, and returns those that may go on.
std::vector<RunInfo> RunBook::failUnfinished() {
    std::vector<RunInfo> going_on;
    std::vector<std::string> ids;
    try {
        index_.with([&](RunStore& index) {
            going_on = options_.may_go_on ? index.unfinished() : std::vector<RunInfo>();
            std::erase_if(going_on, [this](const RunInfo& run) { return !options_.may_go_on(run); });
            ids = index.failUnfinished(kAgentKilled, nowUnixNs());
            for (const RunInfo& run : going_on) {
                index.put(run);
            }
        });
    } catch (const Error& error) {
        tell(LogLevel::kWarning, std::string("runs that were not over can't be marked as failed: ") + error.what());
    }
    for (const std::string& id : ids) {
        if (std::none_of(going_on.begin(), going_on.end(), [&](const RunInfo& run) { return run.id == id; })) {
            failKilled(id);
        }
    }
    return going_on;
}

// The index says of it already that it failed.
void RunBook::failKilled(const std::string& id) {
    try {
        RunInfo run = find(id);
        Journal journal(journalOf(run));
        if (const auto mark = convert::readFinishedMark(run.run_dir); mark && run.run_dir + "/" + history::kJournalFile == journalOf(run)) {
            takeEnd(run, *mark, journal);  // its chief had done everything
            index_.put(run);
        } else {
            if (const std::int64_t told = lastTimeOf(journal); told > run.created_unix_ns) {
                run.finished_unix_ns = told;  // how long it lay there since is no time of its own
            }
            if (const std::vector<std::string> hosts = convert::hostsOfParts(run.run_dir); !hosts.empty()) {
                run.detail += "; what it had started may go on there: ";
                for (std::size_t i = 0; i < hosts.size(); ++i) {
                    run.detail += (i == 0 ? "" : ", ") + hosts[i];
                }
            }
            index_.put(run);
        }
        journal.keepRecord(history::toJson(run));
        journal.settle();
    } catch (const Error&) {
        // The index knows how it ended; its journal may be gone.
    }
}

// Opens an interrupted run. A run that can't be opened has failed as the others have.
void RunBook::openInterrupted(RunInfo run) {
    try {
        const bool is_followed = convert::isFollowed(run.run_dir, run.id);  // then its own tasks have the folder
        convert::FolderClaim claim = is_followed ? convert::FolderClaim() : convert::FolderClaim::take(run.run_dir, "run " + run.id);
        const fs::path journal = journalOf(run);
        const std::int64_t told = lastTimeOf(Journal(journal, Journal::Access::kReadOnly));
        std::shared_ptr<EventLog> log = EventLog::create(journal, logOptions(run));
        {
            const engine::MutexLock lock(mutex_);
            live_[run.id] = {run, std::move(log), std::move(claim)};
        }
        interrupted_.push_back({std::move(run), told});
    } catch (const Error& error) {
        tell(LogLevel::kWarning, run.id + ": it can't go on: " + error.what());
        RunInfo failed = run;
        failed.state = RunState::kFailed;
        // Another agent may have taken up what was only followed: that one says how it ends.
        const bool is_of_others = error.code() == ErrorCode::kAlreadyExists && convert::isFollowed(run.run_dir, run.id);
        failed.detail = is_of_others ? error.what() : kAgentKilled;
        failed.finished_unix_ns = nowUnixNs();
        index_.put(failed);
        failKilled(run.id);
    }
}

fs::path RunBook::spareFile(const fs::path& folder, const std::string& id) {
    return folder / (kSparePrefix + id + kSpareSuffix);
}

void RunBook::takeBackSpares() {
    for (const fs::path& folder : options_.spare_folders) {
        std::error_code failed;
        std::vector<std::string> ids;
        for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
            const std::string name = at->path().filename().string();
            if (name.starts_with(kSparePrefix) && name.ends_with(kSpareSuffix)) {
                ids.push_back(name.substr(std::string_view(kSparePrefix).size(),
                                          name.size() - std::string_view(kSparePrefix).size() - std::string_view(kSpareSuffix).size()));
            }
        }
        for (const std::string& id : ids) {
            takeBackSpare(id, spareFile(folder, id));
        }
    }
}

void RunBook::takeBackSpare(const std::string& id, const fs::path& spare) {
    try {
        const std::size_t events = moveSpareJournal(spare, journalOf(find(id)));
        tell(LogLevel::kInfo, id + ": " + std::to_string(events) + " events that its folder had no room for are in its journal now");
    } catch (const Error& error) {
        tell(LogLevel::kWarning, spare.string() + ": stays, its events can't go into the journal: " + error.what());
    }
}

EventLogOptions RunBook::logOptions(const RunInfo& run) {
    EventLogOptions options;
    options.keeps_points = isOfEventFiles(run);
    options.store.spare_folders = options_.spare_folders;
    options.store.spare_name = kSparePrefix + run.id + kSpareSuffix;
    return options;
}

// The journal of the folder's last run stays its own, under its id; so does one that nobody here knows. No journal is ever removed.
void RunBook::putAside(const fs::path& folder) {
    const fs::path journal = folder / history::kJournalFile;
    if (!isThere(journal)) {
        return;
    }
    history::WriterLock lock = history::WriterLock::take(journal);  // nobody writes on in a journal that is put aside
    std::optional<RunInfo> earlier = lastRunIn(folder);
    try {
        const Journal finished(journal, Journal::Access::kFinished);  // one file from here on, where it can be written
    } catch (const Error&) {
        // A damaged one is put aside with all its files.
    }
    if (!earlier) {
        moveDatabase(journal, freeName(journal.string() + "-unknown-" + stamp()));
        lock.end();
        return;
    }
    earlier->run_dir = folder.string();
    moveDatabase(journal, freeName(keptJournal(*earlier)));
    lock.end();
    if (!isFinal(earlier->state)) {
        earlier->state = RunState::kFailed;
        earlier->detail = kAgentKilled;
    }
    const bool known = index_.with([&](RunStore& index) { return index.find(earlier->id).has_value(); });
    if (!known) {
        index_.put(*earlier);
    }
}

// A claim keeps runs of agents apart; one that is followed there has none.
void RunBook::requireNoLiveRunIn(const fs::path& folder) {
    const engine::MutexLock lock(mutex_);
    for (const auto& [id, live] : live_) {
        if (!live.closed && resolved(live.record.run_dir) == resolved(folder)) {
            throw Error(ErrorCode::kAlreadyExists,
                        folder.string() + ": expected a folder that no run uses, got that of run " + id + ", which goes on there");
        }
    }
}

std::shared_ptr<EventLog> RunBook::open(const RunInfo& run, convert::FolderClaim claim, const std::function<void()>& note) {
    const fs::path folder = run.run_dir;
    requireNoLiveRunIn(folder);
    putAside(folder);
    std::shared_ptr<EventLog> log = EventLog::create(folder / history::kJournalFile, logOptions(run));  // with the right to write it
    if (note) note();
    enter(run, log, std::move(claim));
    return log;
}

// Makes the run known: to its journal, to the index, and by a note of its folder when that is not below the runs folder.
void RunBook::enter(const RunInfo& run, const std::shared_ptr<EventLog>& log, convert::FolderClaim claim) {
    const fs::path folder = run.run_dir;
    log->keepRecord(history::toJson(run));
    if (resolved(folder).parent_path() != resolved(runs_dir_)) {
        rememberElsewhere(runs_dir_, folder);
    }
    const bool saved = index_.put(run);
    if (!saved) {
        tell(LogLevel::kWarning, run.id + ": the index of runs has no room for it, and it is kept in memory until there is some");
    }
    const engine::MutexLock lock(mutex_);
    live_[run.id] = {run, log, std::move(claim), saved};
}

std::string RunBook::runThatWrote(const fs::path& file) {
    if (!file.is_absolute()) {
        return "";
    }
    for (fs::path folder = file.lexically_normal().parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
        if (const std::optional<RunInfo> run = recordInJournal(folder / history::kJournalFile)) {
            return run->id;
        }
    }
    return "";
}

std::optional<RunInfo> RunBook::runToGoOn(const fs::path& folder) {
    std::optional<RunInfo> run = lastRunIn(folder);
    if (!run || !convert::isPlainId(run->id)) {
        return std::nullopt;
    }
    {
        const engine::MutexLock lock(mutex_);
        if (const auto entry = live_.find(run->id); entry != live_.end()) {
            run = entry->second.record;  // over, or its folder is claimed
        }
    }
    // A copy of a run's folder is no second place of that run; one that was moved is.
    std::error_code failed;
    if (resolved(run->run_dir) != resolved(folder) && fs::exists(fs::path(run->run_dir) / history::kJournalFile, failed)) {
        return std::nullopt;
    }
    run->run_dir = folder.string();
    try {
        if (!isFinal(run->state) || journalOf(*run) != folder / history::kJournalFile) {
            return std::nullopt;
        }
        const Journal readable(folder / history::kJournalFile, Journal::Access::kReadOnly);
    } catch (const Error&) {
        return std::nullopt;
    }
    return run;
}

std::shared_ptr<EventLog> RunBook::reopen(const RunInfo& run, convert::FolderClaim claim) {
    const engine::MutexLock nobody_saves(
        left_over_mutex_);  // whoever saves the end of the last attempt would take the new one's entry away
    saveLeftOverNow();
    {
        const engine::MutexLock lock(mutex_);
        if (live_.contains(run.id)) {
            throw Error(ErrorCode::kResourceExhausted,
                        "run " + run.id + ": the end of its last attempt is not on disk yet, for there is no room; it can't go on before");
        }
    }
    for (const fs::path& spares : options_.spare_folders) {
        if (const fs::path spare = spareFile(spares, run.id); isThere(spare)) {
            moveSpareJournal(spare, fs::path(run.run_dir) / history::kJournalFile);
        }
    }
    std::shared_ptr<EventLog> log = EventLog::create(fs::path(run.run_dir) / history::kJournalFile, logOptions(run));
    enter(run, log, std::move(claim));
    return log;
}

std::shared_ptr<EventLog> RunBook::goOn(const RunInfo& run) {
    bool is_live = false;
    {
        const engine::MutexLock lock(mutex_);
        is_live = live_.contains(run.id);
    }
    if (!is_live) return reopen(run);
    update(run);
    return log(run.id);
}

bool RunBook::update(const RunInfo& run) {
    std::shared_ptr<EventLog> log;
    {
        const engine::MutexLock lock(mutex_);
        if (const auto entry = live_.find(run.id); entry != live_.end()) {
            entry->second.record = run;
            entry->second.saved = false;
            log = entry->second.log;
        }
    }
    if (log) {
        log->keepRecord(history::toJson(run));
    }
    return updateIndex(run);
}

bool RunBook::updateIndex(const RunInfo& run) {
    if (!index_.put(run)) {
        return false;
    }
    {
        const engine::MutexLock lock(mutex_);
        if (const auto entry = live_.find(run.id); entry != live_.end()) {
            entry->second.saved = true;
        }
    }
    saveLeftOver();
    return true;
}

void RunBook::saveLeftOver() {
    const engine::MutexLock lock(left_over_mutex_);
    saveLeftOverNow();
}

void RunBook::saveLeftOverNow() {
    std::vector<Live> left_over;
    {
        const engine::MutexLock lock(mutex_);
        for (const auto& [id, live] : live_) {
            if (live.closed) {
                left_over.push_back({live.record, live.log, {}, live.saved, true});
            }
        }
    }
    for (const Live& live : left_over) {
        if (!(live.saved || index_.put(live.record)) || !live.log->save() || !live.log->keepRecord(history::toJson(live.record))) {
            return;  // still no room; it holds here
        }
        const engine::MutexLock lock(mutex_);
        live_.erase(live.record.id);
    }
}

bool RunBook::close(const RunInfo& run) {
    std::shared_ptr<EventLog> log;
    convert::FolderClaim claim;
    {
        const engine::MutexLock lock(mutex_);
        const auto entry = live_.find(run.id);
        ENGINE_CHECK(entry != live_.end());
        log = entry->second.log;
        claim = std::move(entry->second.claim);
    }
    log->keepRecord(history::toJson(run));
    log->seal();
    const bool saved = index_.put(run);
    {
        const engine::MutexLock lock(mutex_);  // who finds the folder free finds the run over, too
        const auto entry = live_.find(run.id);
        entry->second.record = run;
        entry->second.saved = saved;
        entry->second.closed = true;
        if (saved && log->isSaved()) {
            live_.erase(entry);
        }
        claim = {};
    }
    log->close();
    if (saved) {
        saveLeftOver();
    }
    return saved;
}

void RunBook::add(const RunInfo& run) {
    ENGINE_CHECK(isFinal(run.state));
    if (resolved(run.run_dir).parent_path() != resolved(runs_dir_)) {
        rememberElsewhere(runs_dir_, run.run_dir);
    }
    if (!index_.put(run)) {
        throw Error(ErrorCode::kResourceExhausted, (runs_dir_ / history::kIndexFile).string() + ": the index of runs has no room for run " +
                                                       run.id + ", or can't be written");
    }
    saveLeftOver();  // a record of it that still holds here would hide this one
}

void RunBook::saveSpare() {
    saveLeftOver();
    const engine::MutexLock lock(mutex_);
    for (const auto& [id, live] : live_) {
        live.log->saveSpare();
    }
}

RunInfo RunBook::find(const std::string& id) {
    {
        const engine::MutexLock lock(mutex_);
        if (const auto entry = live_.find(id); entry != live_.end()) {
            return entry->second.record;
        }
    }
    const std::optional<RunInfo> record = index_.with([&](RunStore& index) { return index.find(id); });
    if (!record) {
        throwNotFound(id);
    }
    return *record;
}

std::shared_ptr<EventLog> RunBook::log(const std::string& id) {
    {
        const engine::MutexLock lock(mutex_);
        if (const auto entry = live_.find(id); entry != live_.end()) {
            return entry->second.log;
        }
    }
    const RunInfo run = find(id);
    for (const fs::path& folder : options_.spare_folders) {
        if (const fs::path spare = spareFile(folder, id); isThere(spare)) {
            takeBackSpare(id, spare);
        }
    }
    return EventLog::openFinished(journalOf(run));
}

std::vector<RunInfo> RunBook::listBehind(std::int64_t created_unix_ns, const std::string& id, std::size_t most) {
    std::vector<RunInfo> runs;
    try {
        runs = index_.with([&](RunStore& index) { return index.listBehind(created_unix_ns, id, most); });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kUnavailable) {
            throw;
        }
    }
    const engine::MutexLock lock(mutex_);
    std::size_t in_index = 0;
    for (RunInfo& run : runs) {
        if (const auto entry = live_.find(run.id); entry != live_.end()) {
            run = entry->second.record;
            ++in_index;
        }
    }
    if (in_index == live_.size()) {
        return runs;
    }
    for (const auto& entry : live_) {
        const Live& live = entry.second;
        const bool behind = std::pair(live.record.created_unix_ns, live.record.id) < std::pair(created_unix_ns, id);
        const bool listed = std::any_of(runs.begin(), runs.end(), [&](const RunInfo& run) { return run.id == live.record.id; });
        if (!live.saved && behind && !listed) {
            runs.push_back(live.record);
        }
    }
    std::sort(runs.begin(), runs.end(), isNewer);
    runs.resize(std::min(runs.size(), most));
    return runs;
}

bool RunBook::lastRunIsDone(const fs::path& run_dir) {
    std::error_code failed;
    if (fs::is_empty(run_dir / "checkpoints", failed) || failed) {
        return false;
    }
    const std::optional<RunInfo> last = lastRunIn(run_dir);
    return last && last->state == RunState::kDone;
}

std::optional<RunInfo> RunBook::lastRunIn(const fs::path& run_dir) {
    if (const std::optional<RunInfo> own = recordInJournal(run_dir / history::kJournalFile)) {
        const std::optional<RunInfo> known = index_.with([&](RunStore& index) { return index.find(own->id); });
        return known ? known : own;
    }
    const fs::path real = resolved(run_dir);
    for (RunInfo& run : index_.with([](RunStore& index) { return index.list(); })) {
        if (resolved(run.run_dir) == real) {
            return std::move(run);
        }
    }
    return std::nullopt;
}

}  // namespace agent::server
