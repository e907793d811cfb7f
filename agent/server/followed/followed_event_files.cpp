#include "agent/server/followed/followed_event_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>
#include <variant>

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include "agent/local/event_files.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/epoch_results.h"
#include "agent/server/runs/run_submission.h"
#include "agent/server/runs/told_event.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;
namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using engine::event_files::EventFolder;
using engine::event_files::RunEvents;
using engine::event_files::RunSource;
using engine::files::SafeFolder;
using engine::run::RunInfo;
using engine::run::RunState;

namespace {

constexpr const char* kNote = "event_files.json";
constexpr std::uint64_t kMostNoteBytes = 64u << 10, kFirstPiece = 256u << 10;
const spec::TaskId kChief{"worker", 0};

struct Note {
    EventFolder folder;
    // What lay there of all files, a last record that is not whole with them, when the journal had what they say; 0: it has not by now.
    std::uint64_t bytes = 0;
};

std::optional<Note> readNote(const fs::path& run_dir) {
    try {
        const SafeFolder opened = SafeFolder::open(run_dir);
        if (!opened.isFile(kNote)) return std::nullopt;
        const engine::files::FileDescriptor file = opened.openToRead(kNote);
        const auto json = nlohmann::json::parse(engine::files::readWhole(file.get(), run_dir / kNote, kMostNoteBytes));
        Note note;
        note.folder.name = json.at("name").get<std::string>();
        note.folder.folder = json.at("folder").get<std::string>();
        note.bytes = json.value("bytes", std::uint64_t{0});
        for (const auto& source : json.at("sources")) {
            note.folder.sources.push_back({source.at("folder").get<std::string>(), source.value("validation", false)});
        }
        const auto isAbsolute = [](const RunSource& source) { return source.folder.is_absolute(); };
        if (note.folder.sources.empty() || !std::all_of(note.folder.sources.begin(), note.folder.sources.end(), isAbsolute))
            return std::nullopt;
        return note;
    } catch (const Error&) {
        return std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void writeNote(const fs::path& run_dir, const Note& note) {
    nlohmann::json json{{"name", note.folder.name}, {"folder", note.folder.folder.string()}, {"bytes", note.bytes}};
    for (const RunSource& source : note.folder.sources) {
        json["sources"].push_back({{"folder", source.folder.string()}, {"validation", source.is_validation}});
    }
    const SafeFolder opened = SafeFolder::open(run_dir);
    engine::files::OutputFile file(opened.create(kNote));
    file.write(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    if (const int error = file.flush(); error != 0) {
        throw Error(engine::files::codeOfErrno(error), (run_dir / kNote).string() + ": can't be written: " + std::strerror(error));
    }
}

// A folder that no run has yet, made.
std::string newRunFolder(const fs::path& runs_dir, std::time_t now) {
    while (true) {
        std::string id = newRunId(now);
        if (std::error_code ignored; fs::exists(fs::symlink_status(runs_dir / id, ignored))) continue;
        SafeFolder::make(runs_dir / id);
        return id;
    }
}

}  // namespace

std::optional<EventFolder> eventFilesOf(const RunInfo& run) {
    std::optional<Note> note = readNote(run.run_dir);
    return note ? std::optional(std::move(note->folder)) : std::nullopt;
}

FollowedEventFiles::FollowedEventFiles(EventFolder folder, std::optional<RunInfo> known, const fs::path& runs_dir,
                                       const EventFilesOptions& options, RunBook& book, LogSink log, SteadyTime now)
    : folder_(std::move(folder)), options_(options), book_(book), tell_(std::move(log)), heard_(now), searched_(now) {
    if (known) {
        takeOver(*std::move(known));
    } else {
        begin(runs_dir);
    }
    advance(now, kFirstPiece);
}

void FollowedEventFiles::begin(const fs::path& runs_dir) {
    run_ = std::make_unique<RunEvents>(folder_.sources);
    run_->findFiles();
    run_->read(kFirstPiece);
    record_.name = folder_.name;
    record_.imported_from = folder_.folder.string();
    record_.followed = true;
    record_.state = RunState::kTraining;
    record_.created_unix_ns = run_->hasBegun() ? run_->firstUnixNs() : folder_.changed_unix_ns;
    record_.id = newRunFolder(runs_dir, static_cast<std::time_t>(record_.created_unix_ns / 1'000'000'000));
    record_.run_dir = (runs_dir / record_.id).string();
    writeNote(record_.run_dir, {folder_, 0});
    convert::noteFollowed(SafeFolder::open(record_.run_dir), record_.id);
    log_ = book_.open(record_);
}

void FollowedEventFiles::takeOver(RunInfo known) {
    record_ = std::move(known);
    earlier_attempts_ = record_.attempts;
    has_more_ = false;
    const std::optional<Note> note = readNote(record_.run_dir);
    const bool is_of_others = note && note->folder.sources != folder_.sources;
    if (is_of_others) {
        writeNote(record_.run_dir, {folder_, 0});
        record_.name = folder_.name;
        record_.imported_from = folder_.folder.string();
    } else if (note) {
        noted_bytes_ = note->bytes;
    }
    if (!isFinal(record_.state)) log_ = book_.goOn(record_);
    if (is_of_others) beginAgain("its event files lie in further folders now, and are read again from the start");
}

// Tells again what was told before.
void FollowedEventFiles::beginAgain(const std::string& reason) {
    record_.attempts = earlier_attempts_ + 1;
    record_.detail.clear();
    if (log_) {
        book_.update(record_);
    } else {
        goOn();
    }
    run_ = std::make_unique<RunEvents>(folder_.sources);
    run_->findFiles();
    is_caught_up_ = is_settled_ = false;
    const std::int64_t now = nowUnixNs();
    publish({{.time_unix_ns = now,
              .task = kChief,
              .body = spec::AttemptStarted{.attempt = record_.attempts, .attempts = record_.attempts, .reason = reason, .by_hand = true}},
             {.time_unix_ns = now, .task = kChief, .body = spec::RunStarted{.resumed_step = -1}}});
}

// A run that was over has told more.
void FollowedEventFiles::goOn() {
    record_.finished_unix_ns = 0;
    record_.state = RunState::kTraining;
    log_ = book_.reopen(record_);
    tell_(spec::LogLevel::kInfo, record_.id + ": its event files have grown");
}

FollowedEventFiles::Extent FollowedEventFiles::extent() const {
    Extent found;
    for (const RunSource& source : folder_.sources) {
        std::error_code failed;
        for (fs::directory_iterator at(source.folder, failed), end; !failed && at != end; at.increment(failed)) {
            struct stat status {};
            if (!engine::event_files::isEventFile(at->path().filename().string()) || ::lstat(at->path().c_str(), &status) != 0) continue;
            found.bytes += static_cast<std::uint64_t>(status.st_size);
            found.changed_unix_ns =
                std::max(found.changed_unix_ns, status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec);
        }
    }
    return found;
}

void FollowedEventFiles::note(std::uint64_t bytes) {
    if (bytes == noted_bytes_) return;
    noted_bytes_ = bytes;
    try {
        writeNote(record_.run_dir, {folder_, bytes});
    } catch (const Error& error) {
        tell_(spec::LogLevel::kWarning, record_.id + ": " + error.what());
    }
}

void FollowedEventFiles::advance(SteadyTime now, std::uint64_t piece) {
    const auto silenceOf = [](const Extent& files) {
        return std::chrono::nanoseconds(std::max<std::int64_t>(0, nowUnixNs() - files.changed_unix_ns));
    };
    if (!run_) {
        const Extent files = extent();
        if (files.bytes == noted_bytes_) {
            if (log_ && silenceOf(files) >= options_.silence) finish();
            return;
        }
        beginAgain("its event files are read again from the start");
    }
    // What lies there is measured before it is read, so that nothing is noted that comes meanwhile. The last record may not be whole: the
    // trainer was killed.
    const bool is_quiet = !is_caught_up_ || now - heard_ >= (is_settled_ ? options_.silence : options_.settling);
    const std::uint64_t there = is_quiet ? extent().bytes : 0;
    if (is_quiet || now - searched_ >= options_.search) {
        searched_ = now;
        run_->findFiles();
    }
    const std::uint64_t before = run_->bytesRead();
    has_more_ = run_->read(piece);
    if (run_->bytesRead() != before) {
        heard_ = now;
        is_settled_ = false;
        if (!log_) goOn();
    }
    take();
    if (has_more_) return;
    if (!std::exchange(is_caught_up_, true)) {
        // The files that lie there may be old.
        heard_ = now - silenceOf(extent());
    }
    if (is_quiet && now - heard_ >= options_.settling) {
        if (!std::exchange(is_settled_, true)) {
            run_->settle();
            take();
        }
        note(there);
    }
    if (log_ && is_settled_ && (run_->isOver() || now - heard_ >= options_.silence)) finish();
}

void FollowedEventFiles::take() {
    std::vector<spec::TaskEvent> events = run_->takeEvents();
    if (events.empty()) return;
    if (!log_) goOn();
    publish(std::move(events));
}

void FollowedEventFiles::publish(std::vector<spec::TaskEvent> events) {
    const RunInfo before = record_;
    for (spec::TaskEvent& event : events) {
        if (const auto* epoch = std::get_if<spec::EpochEnd>(&event.body)) addEpoch(record_.results, *epoch);
        if (auto* attempt = std::get_if<spec::AttemptStarted>(&event.body); attempt != nullptr && earlier_attempts_ > 0) {
            attempt->attempt = attempt->attempts = std::max(record_.attempts, earlier_attempts_ + run_->attempt());
        }
    }
    record_.attempts = std::max(record_.attempts, earlier_attempts_ + run_->attempt());
    log_->publish(toldEvents(events));
    if (record_ != before) book_.update(record_);
}

void FollowedEventFiles::finish() {
    const bool has_failed = run_ && run_->hasFailed();
    record_.state = has_failed ? RunState::kFailed : RunState::kDone;
    record_.detail = has_failed ? "its event files say that it failed" : "";
    record_.finished_unix_ns = std::max(record_.created_unix_ns, run_ && run_->hasBegun() ? run_->lastUnixNs() : extent().changed_unix_ns);
    if (run_) mergeResults(record_.results, run_->lastValues());
    const spec::TaskState state = has_failed ? spec::TaskState::kFailed : spec::TaskState::kDone;
    log_->publish(
        toldEvents({{.time_unix_ns = record_.finished_unix_ns, .task = kChief, .body = spec::StateChanged{state, record_.detail}}}));
    log_ = nullptr;
    if (!book_.close(record_)) {
        tell_(spec::LogLevel::kError, record_.id + ": its end could not be written to the index of runs");
    }
}

std::optional<convert::SchedulerJob> FollowedEventFiles::control(const spec::Control& /*control*/) const {
    throw Error(ErrorCode::kFailedPrecondition, "run " + record_.id + ": its event files are only read");
}

}  // namespace agent::server
