// The archive of a run in one file: a zip file, whose manifest (manifest.h) has the size and the checksum of each member. It is written
// when the run is over, and may be read from an unknown source: what it says is checked before it counts, and no member is written outside
// the folder that it is unpacked into. Read this header of the folder first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/archive/archived_files.h"
#include "agent/archive/manifest.h"
#include "agent/archive/zip_reader.h"
#include "engine/files/safe_folder.h"
#include "engine/run/run_archive.h"
#include "engine/run/run_info.h"

namespace agent::archive {

// Called often, on the thread that works, with how far the work is; false ends the work with Error(kCancelled).
using Progress = std::function<bool(const engine::run::ArchiveProgress&)>;

// Encoded events of the run, in order, some a call; none at the end.
using NextEvents = std::function<std::vector<std::string>()>;

struct ArchiveSource {
    engine::run::RunInfo run;      // over
    ArchivedFiles files;           // of its folder
    NextEvents events;             // each carries its sequence
    std::int64_t event_bytes = 0;  // about, for the progress
    std::string tandem, host;      // this program's version, this computer's name
    std::int64_t now_unix_ns = 0;
};

// Throws Error as writeZipFile() does, kAborted naming a file that changed meanwhile, kCancelled.
engine::run::WrittenArchive writeArchive(const ArchiveSource& source, const engine::run::ArchiveRequest& request, const Progress& progress);

// An opened archive: its list, manifest and record are sound and fit each other; its files and events are not read yet. Used by one thread.
// Every error names the file and what was expected of it.
class RunArchive {
public:
    // Throws Error as ZipReader and parseManifest() do.
    explicit RunArchive(const std::filesystem::path& file);

    const std::filesystem::path& file() const { return zip_.file(); }
    const Manifest& manifest() const { return manifest_; }
    // The run's record as it was archived, but without a folder, and with the manifest's host as imported_from.
    const engine::run::RunInfo& record() const { return record_; }
    // Returns about how many bytes the unpacked run takes on a disk.
    std::int64_t unpackedBytes() const { return zip_.unpackedBytes(); }

    struct Event {
        std::uint64_t sequence = 0;
        std::string bytes;
    };
    // Writes the files into `folder`, which is empty, and hands the events to `take`, some a call, by growing sequence. What was written
    // stays when it throws Error: kDataLoss where a member has other bytes than the manifest says or an event is none, kCancelled, and what
    // `take` and the folder throw.
    void unpack(const engine::files::SafeFolder& folder, const std::function<void(std::vector<Event>)>& take,
                const Progress& progress) const;

private:
    [[noreturn]] void refuse(const std::string& what) const;
    void compareLists() const;
    void readRecord();

    const ZipReader zip_;
    Manifest manifest_;
    engine::run::RunInfo record_;
};

// What RUN/imported.json says of an imported run; nullopt for any other folder, and where the file is damaged.
struct ImportMark {
    std::string digest;  // digestOf() its archive
    std::string run;     // its id there
    friend bool operator==(const ImportMark&, const ImportMark&) = default;
};
std::optional<ImportMark> readImportMark(const std::filesystem::path& folder);
// Throws Error naming the file.
void writeImportMark(const engine::files::SafeFolder& folder, const ImportMark& mark);

}  // namespace agent::archive
