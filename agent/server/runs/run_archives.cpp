#include "agent/server/runs/run_archives.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <sys/statvfs.h>

#include "agent/history/journal.h"
#include "agent/local/folder_claim.h"
#include "agent/server/host/host_probe.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/size_limits.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::run::RunInfo;

namespace {

constexpr const char* kUnfinishedPrefix = ".importing-";
constexpr std::int64_t kSpareBytes = std::int64_t{16} << 20;  // that an import leaves free
constexpr int kMostSameIds = 1000;

void requireOver(const RunInfo& run) {
    if (!isFinal(run.state)) {
        throw Error(ErrorCode::kFailedPrecondition, "run " + run.id + ": expected one that is over, got one that is " +
                                                        std::string(toString(run.state)) + "; archive it when it is done or stopped");
    }
}

std::int64_t sizeOf(const fs::path& file) {
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(file, failed);
    return failed ? 0 : static_cast<std::int64_t>(size);
}

std::int64_t freeBytesOf(const ArchivePlace& place, const fs::path& folder) {
    if (place.free_bytes) {
        return place.free_bytes(folder);
    }
    struct statvfs found {};
    return ::statvfs(folder.c_str(), &found) != 0 ? std::numeric_limits<std::int64_t>::max()
                                                  : static_cast<std::int64_t>(found.f_bavail) * static_cast<std::int64_t>(found.f_frsize);
}

void requireRoom(const ArchivePlace& place, const fs::path& folder, std::int64_t bytes, const fs::path& file) {
    if (const std::int64_t free = freeBytesOf(place, folder); free - kSpareBytes < bytes) {
        throw Error(ErrorCode::kResourceExhausted, file.string() + ": expected " + std::to_string(bytes + kSpareBytes) + " bytes free in " +
                                                       folder.string() + " for it, found " + std::to_string(free));
    }
}

// Nobody begins a run there meanwhile. A folder that may not be written needs no claim: nobody trains there.
convert::FolderClaim claimed(const RunInfo& run) {
    try {
        return convert::FolderClaim::take(run.run_dir, "the archive of run " + run.id);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kPermissionDenied && error.code() != ErrorCode::kResourceExhausted) {
            throw;
        }
        return {};
    }
}

std::optional<RunInfo> known(RunBook& book, const std::string& id) {
    try {
        return book.find(id);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kNotFound) {
            throw;
        }
        return std::nullopt;
    }
}

// Wherever they lie; an archive of an earlier version does not say whether it was followed.
bool isSameRun(RunInfo one, RunInfo other) {
    one.run_dir = other.run_dir;
    one.imported_from = other.imported_from;
    one.followed = other.followed;
    return one == other;
}

// The place for an archive's run: an id that is free, or that of the run itself.
struct ImportTarget {
    std::string id;
    std::optional<RunInfo> here{};  // it is that one already
};

ImportTarget targetOf(const ArchivePlace& place, const archive::RunArchive& archive, const std::string& digest) {
    const std::string& own = archive.record().id;
    for (int i = 1; i <= kMostSameIds; ++i) {
        const std::string id = i == 1 ? own : own + "-" + std::to_string(i);
        const std::optional<RunInfo> run = known(place.book, id);
        const fs::path folder = run ? fs::path(run->run_dir) : place.runs_dir / id;
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(folder, ignored))) {
            if (!fs::exists(fs::symlink_status(place.runs_dir / id, ignored))) {
                return {id};  // nobody has it, or its folder is gone and comes back
            }
            continue;
        }
        const std::optional<archive::ImportMark> mark = archive::readImportMark(folder);
        if (mark ? mark->digest == digest : run && isSameRun(*run, archive.record())) {
            // A run whose agent was killed before the index had it is taken as it lies there.
            const std::optional<RunInfo> lying = run ? run : recordInJournal(folder / history::kJournalFile);
            if (lying) {
                return {id, lying};
            }
        }
    }
    throw Error(ErrorCode::kAlreadyExists, archive.file().string() + ": expected a run with an id that is free here, got " + own +
                                               ", which " + std::to_string(kMostSameIds) + " runs have");
}

void removeFolder(const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

}  // namespace

engine::run::WrittenArchive archiveRun(const ArchivePlace& place, const engine::run::ArchiveRequest& request,
                                       const archive::Progress& progress) {
    requireOver(place.book.find(request.run_id));
    const fs::path folder = place.book.find(request.run_id).run_dir;
    const fs::path journal = journalOf(place.book.find(request.run_id));
    const convert::FolderClaim claim = claimed(place.book.find(request.run_id));
    const RunInfo run = place.book.find(request.run_id);  // as it is now that nothing begins there
    requireOver(run);
    archive::ArchiveSource source{
        .run = run, .event_bytes = sizeOf(journal), .tandem = place.version, .host = hostName(), .now_unix_ns = nowUnixNs()};
    if (journal == folder / history::kJournalFile) {
        source.files = archive::archivedFiles(run, request.checkpoints);
    }
    std::int64_t stored = 0;
    for (const archive::ArchivedFile& file : source.files.files) {
        stored += file.is_compressed ? 0 : file.bytes;
    }
    std::error_code ignored;
    if (const fs::path into = fs::path(request.file).parent_path(); fs::is_directory(into, ignored)) {
        requireRoom(place, into, stored, request.file);
    }
    const std::shared_ptr<EventLog> log = place.book.log(run.id);
    const std::shared_ptr<EventLog::Subscription> events = log->subscribe(1, [] {});
    source.events = [events, ended = false]() mutable {
        std::vector<std::string> next;
        while (next.empty() && !ended) {
            EventLog::Subscription::Batch batch = events->next();
            ended = batch.end || batch.empty();
            next = std::move(batch.events);
        }
        for (std::string& event : next) {
            event = convert::boundedEncoded(std::move(event));
        }
        return next;
    };
    return archive::writeArchive(source, request, progress);
}

engine::run::ImportedRun importRun(const ArchivePlace& place, const fs::path& file, const archive::Progress& progress) {
    const archive::RunArchive archive(file);
    const std::string digest = digestOf(archive.manifest());
    const ImportTarget target = targetOf(place, archive, digest);
    if (target.here) {
        place.book.add(*target.here);
        return {*target.here, true};
    }
    requireRoom(place, place.runs_dir, archive.unpackedBytes(), file);
    RunInfo run = archive.record();
    run.id = target.id;
    const fs::path aside = place.runs_dir / (kUnfinishedPrefix + run.id), folder = place.runs_dir / run.id;
    run.run_dir = folder.string();
    removeFolder(aside);
    bool is_there = false;
    try {
        {
            const engine::files::SafeFolder opened = engine::files::SafeFolder::make(aside);
            history::Journal journal(aside / history::kJournalFile);
            archive.unpack(
                opened,
                [&](std::vector<archive::RunArchive::Event> events) {
                    std::vector<history::JournalEntry> entries;
                    entries.reserve(events.size());
                    for (archive::RunArchive::Event& event : events) {
                        entries.push_back({event.sequence, std::move(event.bytes), 0});
                    }
                    journal.append(entries);
                },
                progress);
            archive::writeImportMark(opened, {digest, archive.record().id});
            journal.keepRecord(history::toJson(run));
            journal.settle();
        }
        fs::rename(aside, folder);
        is_there = true;
        place.book.add(run);
    } catch (const fs::filesystem_error& error) {
        removeFolder(aside);
        throw Error(ErrorCode::kInternal, folder.string() + ": can't be made the run's folder: " + error.code().message());
    } catch (...) {
        removeFolder(is_there ? folder : aside);
        throw;
    }
    return {std::move(run), false};
}

void removeHalfImports(const fs::path& runs_dir) {
    std::error_code failed;
    std::vector<fs::path> left;
    for (fs::directory_iterator at(runs_dir, failed), end; !failed && at != end; at.increment(failed)) {
        if (at->path().filename().string().starts_with(kUnfinishedPrefix)) {
            left.push_back(at->path());
        }
    }
    for (const fs::path& folder : left) {
        removeFolder(folder);
    }
}

}  // namespace agent::server
