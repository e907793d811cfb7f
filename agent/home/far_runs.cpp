#include "agent/home/far_runs.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "agent/history/journal.h"
#include "agent/home/far_files.h"
#include "agent/home/far_run.h"
#include "agent/hosts/host_list.h"
#include "agent/local/far_run_note.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_records.h"
#include "agent/server/runs/run_submission.h"
#include "agent/server/runs/told_event.h"
#include "engine/files/safe_folder.h"
#include "engine/launch/launch_job.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "engine/thread/mutex.h"

namespace agent::home {

namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::run::RunInfo;
using engine::run::RunState;

constexpr std::chrono::seconds kFilesDeadline{20}, kSubmitDeadline{45}, kFollowDeadline{30};

// Up to which sequence of the journal there this one has its events.
std::uint64_t toldIn(const fs::path& file) {
    constexpr std::size_t kEvents = 512, kBytes = 16u << 20;
    const history::Journal journal(file, history::Journal::Access::kReadOnly);
    for (std::uint64_t behind = journal.lastSequence() + 1; behind > 1;) {
        const std::uint64_t first = behind > kEvents ? behind - kEvents : 1;
        std::uint64_t told = 0;
        for (std::uint64_t next = first; next < behind;) {
            const std::vector<history::JournalEntry> entries = journal.read(next, kEvents, kBytes);
            if (entries.empty()) break;
            for (const history::JournalEntry& entry : entries) {
                if (entry.damaged_to == 0) told = std::max(told, server::partSequenceOf(entry.event));
            }
            next = std::max(entries.back().sequence, entries.back().damaged_to) + 1;
        }
        if (told > 0) return told;
        behind = first;
    }
    return 0;
}

class SshFarRuns final : public server::FarRuns {
public:
    SshFarRuns(HomeOptions options, server::RunBook& book, fs::path runs_dir, server::LogSink log, server::LoadSink loads)
        : options_(std::move(options)), book_(book), runs_dir_(std::move(runs_dir)), log_(std::move(log)), loads_(std::move(loads)) {}

    server::SubmittedJob submit(const std::string& host, const server::JobSubmission& submission, const std::string& ssh_agent) override {
        const std::shared_ptr<HostLink> link = linkTo(hostOf(host), ssh_agent, {});
        const std::shared_ptr<HostLink::Live> live = link->live();
        FilesThere there;
        client::SubmittedJob taken;
        try {
            there = KnownFiles(options_.digests).get(submission.project_json, live->parts(), kFilesDeadline);
            taken = live->client().submitJob({.job = submission.job,
                                              .run = engine::spec::parseProject(projectThere(submission.project_json, there)).run,
                                              .host = {},
                                              .ssh_agent = {}},
                                             kSubmitDeadline);
        } catch (const Error& error) {
            throw Error(error.code(), namedAsHere(link->host().name + ": " + error.what(), there));
        }
        server::SubmittedJob submitted{.job = taken.job, .runs = {}};
        for (RunInfo& run : taken.runs) {
            run.project_json = submission.project_json;  // with the files as they are named here
            try {
                submitted.runs.push_back(enter(link, run));
            } catch (const Error&) {
                // Nobody here would know of the others.
                for (const RunInfo& one : taken.runs) {
                    if (&one >= &run) stop(*live, one.id);
                }
                throw;
            }
        }
        return submitted;
    }

    RunInfo follow(const std::string& host, const std::string& folder, const std::string& ssh_agent) override {
        const std::shared_ptr<HostLink> link = linkTo(hostOf(host), ssh_agent, {});
        RunInfo there;
        try {
            there = link->live()->client().followFolder({.folder = folder, .host = {}, .ssh_agent = {}}, kFollowDeadline);
        } catch (const Error& error) {
            throw Error(error.code(), link->host().name + ": " + error.what());
        }
        return enter(link, there);
    }

    void resume(const RunInfo& run) override {
        try {
            const std::optional<convert::FarRunNote> note = convert::readFarRunNote(run.run_dir);
            if (!note) throw Error(ErrorCode::kDataLoss, run.run_dir + ": expected a note of the host that follows the run, got none");
            const std::shared_ptr<HostLink> link = linkTo(hostOf(note->host), "", HostLink::Later::kYes);
            const std::uint64_t told = toldIn(server::journalOf(run));
            RunInfo record = run;
            record.followed = true;  // an earlier version did not say so
            const engine::MutexLock lock(mutex_);
            runs_.push_back(std::make_unique<FarRun>(
                link, FarRunStart{.run = note->run, .record = record, .log = book_.goOn(record), .told = told, .loads = loads_}, book_,
                log_));
        } catch (const Error& error) {
            log_(engine::spec::LogLevel::kWarning, run.id + ": it can't be followed on: " + error.what());
            RunInfo failed = run;
            failed.state = RunState::kFailed;
            failed.detail = error.what();
            failed.finished_unix_ns = server::nowUnixNs();
            book_.close(failed);
        }
    }

    bool control(const std::string& run_id, const engine::spec::Control& control) override {
        std::shared_ptr<FarRun> found;
        {
            const engine::MutexLock lock(mutex_);
            const auto run =
                std::find_if(runs_.begin(), runs_.end(), [&](const auto& one) { return one->id() == run_id && !one->isOver(); });
            if (run == runs_.end()) return false;
            found = *run;
        }
        found->control(control);
        return true;
    }

    int activeRuns() const override {
        const engine::MutexLock lock(mutex_);
        return static_cast<int>(std::count_if(runs_.begin(), runs_.end(), [](const auto& one) { return !one->isOver(); }));
    }

    void shutDown() override {
        std::vector<std::shared_ptr<FarRun>> ending;
        const engine::MutexLock lock(mutex_);
        is_down_ = true;
        ending.swap(runs_);
        for (const auto& run : ending) run->askToEnd();  // all at once: each may wait for a call
    }

private:
    // Finds a host of the user's list by its name, or by the destination that ssh goes to.
    hosts::Host hostOf(const std::string& name) const {
        const std::vector<hosts::Host> known = hosts::HostList().list();
        if (const hosts::Host* host = hosts::hostNamed(known, name)) return *host;
        const auto found = std::find_if(known.begin(), known.end(), [&](const hosts::Host& one) { return destinationOf(one) == name; });
        if (found == known.end()) hosts::throwUnknownHost(name, known);
        return *found;
    }

    std::shared_ptr<HostLink> linkTo(const hosts::Host& host, const std::string& ssh_agent, std::optional<HostLink::Later> later) const {
        const hosts::FarOptions options{.version = options_.version, .ssh_agent = ssh_agent, .is_cancelled = {}};
        return later ? std::make_shared<HostLink>(host, options, *later) : std::make_shared<HostLink>(host, options);
    }

    static void stop(HostLink::Live& live, const std::string& run) {
        constexpr std::chrono::seconds kStopDeadline{5};
        try {
            live.client().control(run, {engine::spec::ControlVerb::kStopNow, 0}, kStopDeadline);
        } catch (const Error&) {  // it goes on there, where it can be seen
        }
    }

    // A run there becomes one of this computer, or goes on as the one that it was here.
    RunInfo enter(const std::shared_ptr<HostLink>& link, const RunInfo& there) {
        const std::string& host = link->host().name;
        const fs::path folder = runs_dir_ / (there.id + "-" + engine::launch::plainName(host));
        const engine::MutexLock lock(mutex_);
        if (is_down_) throw Error(ErrorCode::kUnavailable, "agent: it is ending");
        std::erase_if(runs_, [](const auto& one) { return one->isOver(); });
        for (const auto& run : runs_) {
            if (run->record().run_dir == folder.string()) return run->record();
        }
        FarRunStart start{.run = there.id, .record = {}, .log = {}, .told = 0, .loads = loads_};
        if (std::optional<RunInfo> known = book_.lastRunIn(folder)) {
            start.record = *std::move(known);
            const bool is_the_same = start.record.state == there.state && start.record.attempts == there.attempts;
            if (isFinal(there.state) && is_the_same) return start.record;
            start.told = toldIn(server::journalOf(start.record));
            start.record.state = there.state;
            start.record.detail = there.detail;
            start.record.finished_unix_ns = 0;
            start.record.followed = true;
            start.log = book_.reopen(start.record);
        } else {
            const engine::files::SafeFolder made = engine::files::SafeFolder::make(folder);
            start.record = there;
            start.record.run_dir = folder.string();
            start.record.followed = true;  // from here, whoever trains it there
            const std::shared_ptr<HostLink::Live> live = link->live();
            start.record.created_unix_ns -= live ? live->offset().count() : 0;
            if (isKnown(there.id)) start.record.id = server::newRunId(std::time(nullptr));
            // It is over when everything that it told is here.
            if (isFinal(start.record.state)) start.record.state = RunState::kStarting;
            start.record.finished_unix_ns = 0;
            convert::writeFarRunNote(made, {.host = host, .run = there.id, .folder = there.run_dir, .here = start.record.id});
            start.log = book_.open(start.record);
        }
        RunInfo record = start.record;
        runs_.push_back(std::make_shared<FarRun>(link, std::move(start), book_, log_));
        return record;
    }

    bool isKnown(const std::string& id) const {
        try {
            static_cast<void>(book_.find(id));
            return true;
        } catch (const Error&) {
            return false;
        }
    }

    const HomeOptions options_;
    server::RunBook& book_;
    const fs::path runs_dir_;
    const server::LogSink log_;
    const server::LoadSink loads_;
    mutable engine::Mutex mutex_;
    bool is_down_ TANDEM_GUARDED_BY(mutex_) = false;
    std::vector<std::shared_ptr<FarRun>> runs_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace

server::FarRunsMaker farRunsOverSsh(HomeOptions options) {
    return [options = std::move(options)](server::RunBook& book, const fs::path& runs_dir, const server::LogSink& log,
                                          const server::LoadSink& loads) {
        return std::make_unique<SshFarRuns>(options, book, runs_dir, log, loads);
    };
}

}  // namespace agent::home
