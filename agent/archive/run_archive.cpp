#include "agent/archive/run_archive.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "agent/archive/member_name.h"
#include "agent/history/run_store.h"
#include "agent/local/run_folder.h"
#include "agent/wire/delimited.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/checksum/sha256.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::archive {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;

namespace {

constexpr std::int64_t kMostManifestBytes = std::int64_t{16} << 20, kMostRecordBytes = std::int64_t{4} << 20;
constexpr std::uint64_t kMostMarkBytes = 64u << 10;
constexpr std::size_t kMostResults = 1000, kBatchEvents = 512, kBatchBytes = 1u << 20;
constexpr int kMostTasks = 1'000'000;
constexpr std::uint64_t kMostSequence = std::uint64_t{1} << 62;

// The events of a stream that comes piece by piece, in batches.
class EventParser {
public:
    EventParser(const Manifest& manifest, const std::function<void(std::vector<RunArchive::Event>)>& take)
        : manifest_(manifest), take_(take) {}

    // Throws Error(kDataLoss) and what the taker throws.
    void add(std::string_view piece) {
        waiting_ += piece;
        std::string_view rest = waiting_;
        while (const std::optional<std::string_view> message = convert::firstDelimited(rest, convert::kMaxEventBytes)) {
            rest = rest.substr(static_cast<std::size_t>(message->data() + message->size() - rest.data()));
            enter(*message);
        }
        waiting_.erase(0, waiting_.size() - rest.size());
    }
    void finish() {
        if (!waiting_.empty()) {
            throw Error(ErrorCode::kDataLoss, "ends inside an event");
        }
        hand();
        if (events_ != manifest_.events || last_ != manifest_.last_sequence) {
            throw Error(ErrorCode::kDataLoss, "expected " + std::to_string(manifest_.events) + " events up to number " +
                                                  std::to_string(manifest_.last_sequence) + " as the manifest says, got " +
                                                  std::to_string(events_) + " up to number " + std::to_string(last_));
        }
    }

private:
    void enter(std::string_view message) {
        const std::uint64_t sequence = convert::decodeEvent(message).sequence;
        if (sequence <= last_ || sequence > kMostSequence) {
            throw Error(ErrorCode::kDataLoss,
                        "expected events by growing numbers, got number " + std::to_string(sequence) + " behind " + std::to_string(last_));
        }
        last_ = sequence;
        ++events_;
        batch_bytes_ += message.size();
        batch_.push_back({sequence, std::string(message)});
        if (batch_.size() == kBatchEvents || batch_bytes_ > kBatchBytes) {
            hand();
        }
    }
    void hand() {
        if (!batch_.empty()) {
            take_(std::exchange(batch_, {}));
            batch_bytes_ = 0;
        }
    }

    const Manifest& manifest_;
    const std::function<void(std::vector<RunArchive::Event>)>& take_;
    std::string waiting_;
    std::vector<RunArchive::Event> batch_;
    std::size_t batch_bytes_ = 0;
    std::int64_t events_ = 0;
    std::uint64_t last_ = 0;
};

// A file of the archive in the folder, for good when it is whole.
class UnpackedFile {
public:
    UnpackedFile(const SafeFolder& folder, const std::string& name) : path_(folder.path() / name) {
        if (const fs::path way = fs::path(name).parent_path(); !way.empty()) {
            folder.makeFolder(way);
        }
        descriptor_ = folder.create(name);
        file_ = engine::files::OutputFile(engine::files::FileDescriptor(::dup(descriptor_.get())));
    }
    void write(std::string_view piece) { file_.write(piece); }
    void finish() {
        const int error = file_.flush();
        if (error != 0 || ::fsync(descriptor_.get()) != 0) {
            const int why = error != 0 ? error : errno;
            throw Error(engine::files::codeOfErrno(why), path_.string() + ": can't be written: " + std::strerror(why));
        }
    }

private:
    const fs::path path_;
    engine::files::FileDescriptor descriptor_;
    engine::files::OutputFile file_;
};

}  // namespace

void RunArchive::refuse(const std::string& what) const {
    throw Error(ErrorCode::kDataLoss, zip_.file().string() + ": " + what);
}

RunArchive::RunArchive(const fs::path& file) : zip_(file) {
    const ZipEntry* manifest = zip_.find(kManifestMember);
    if (manifest == nullptr) {
        refuse(std::string("expected the archive of a run, got a zip file without ") + kManifestMember);
    }
    manifest_ = parseManifest(zip_.readWhole(*manifest, kMostManifestBytes), zip_.file().string());
    compareLists();
    readRecord();
}

// Manifest and zip file name the same members with the same sizes, and no more.
void RunArchive::compareLists() const {
    std::map<std::string, std::int64_t> named;
    for (const ManifestMember& member : manifest_.members) {
        const std::string shown = shownName(member.name);
        if (!named.emplace(member.name, member.bytes).second) {
            refuse("manifest.json: expected each name once, got \"" + shown + "\" twice");
        }
        const ZipEntry* entry = zip_.find(member.name);
        if (entry == nullptr || member.name == kManifestMember) {
            refuse("expected the member \"" + shown + "\" that its manifest names, got none");
        }
        if (entry->bytes != member.bytes) {
            refuse(shown + ": expected " + std::to_string(member.bytes) + " bytes as the manifest says, got " +
                   std::to_string(entry->bytes));
        }
        if (isTheAgents(member.name)) {
            refuse("expected files that belong to a run, got \"" + shown + "\", which is the agent's own");
        }
    }
    for (const ZipEntry& entry : zip_.entries()) {
        if (entry.name != kManifestMember && !named.contains(entry.name)) {
            refuse("expected those members that its manifest names alone, got \"" + shownName(entry.name) + "\" too");
        }
    }
    for (const char* needed : {kRecordMember, kEventsMember, convert::kProjectFile}) {
        if (!named.contains(needed)) {
            refuse(std::string("expected a member ") + needed + ", got none");
        }
    }
}

void RunArchive::readRecord() {
    const std::string text = zip_.readWhole(*zip_.find(kRecordMember), kMostRecordBytes);
    std::optional<engine::run::RunInfo> record = history::runInfoFromJson(text);
    if (!record || !isFinal(record->state) || !convert::isPlainId(record->id) || record->tasks < 1 || record->tasks > kMostTasks ||
        record->attempts < 1 || record->results.size() > kMostResults || record->project_json.size() > convert::kMaxProjectBytes) {
        refuse("record.json: expected the record of a run that is over, got something else");
    }
    if (record->id != manifest_.run) {
        refuse("record.json: expected run " + shownName(manifest_.run) + " as the manifest says, got " + record->id);
    }
    record->run_dir.clear();
    record->imported_from = shownName(manifest_.host.empty() ? "another computer" : manifest_.host);
    record_ = *std::move(record);
}

void RunArchive::unpack(const SafeFolder& folder, const std::function<void(std::vector<Event>)>& take, const Progress& progress) const {
    engine::run::ArchiveProgress told{0, zip_.unpackedBytes()};
    for (const ManifestMember& member : manifest_.members) {
        const std::string shown = shownName(member.name);
        engine::checksum::Sha256 sum;
        std::optional<UnpackedFile> file;
        EventParser events(manifest_, take);
        const bool is_events = member.name == kEventsMember;
        if (!is_events && member.name != kRecordMember) {
            file.emplace(folder, member.name);
        }
        const auto parse = [&](const auto& step) {
            try {
                step();
            } catch (const Error& error) {
                if (error.code() == ErrorCode::kDataLoss || error.code() == ErrorCode::kInvalidArgument) {
                    refuse(shown + ": " + error.what());
                }
                throw;
            }
        };
        zip_.read(*zip_.find(member.name), [&](std::string_view piece) {
            told.done_bytes += static_cast<std::int64_t>(piece.size());
            if (progress && !progress(told)) {
                throw Error(ErrorCode::kCancelled, zip_.file().string() + ": is not imported, it was cancelled");
            }
            sum.add(piece.data(), piece.size());
            if (is_events) {
                parse([&] { events.add(piece); });
            } else if (file) {
                file->write(piece);
            }
        });
        if (sum.hex() != member.sha256) {
            refuse(shown + ": expected the bytes whose checksum its manifest gives, got others");
        }
        if (is_events) {
            parse([&] { events.finish(); });
        }
        if (file) {
            file->finish();
        }
    }
}

std::optional<ImportMark> readImportMark(const fs::path& folder) {
    try {
        const engine::files::FileDescriptor file = SafeFolder::open(folder).openToRead(kImportedFile);
        const nlohmann::json json = nlohmann::json::parse(engine::files::readWhole(file.get(), folder / kImportedFile, kMostMarkBytes));
        return ImportMark{json.at("archive").get<std::string>(), json.at("run").get<std::string>()};
    } catch (const Error&) {
        return std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void writeImportMark(const SafeFolder& folder, const ImportMark& mark) {
    engine::files::OutputFile file(folder.create(kImportedFile));
    file.write(nlohmann::json{{"archive", mark.digest}, {"run", mark.run}}.dump() + "\n");
    if (const int error = file.finish(); error != 0) {
        throw Error(engine::files::codeOfErrno(error),
                    (folder.path() / kImportedFile).string() + ": can't be written: " + std::strerror(error));
    }
}

}  // namespace agent::archive
