#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <unistd.h>

#include "agent/archive/member_name.h"
#include "agent/archive/run_archive.h"
#include "agent/archive/zip_writer.h"
#include "agent/history/run_store.h"
#include "agent/local/run_folder.h"
#include "agent/wire/delimited.h"
#include "agent/wire/task_event_convert.h"
#include "engine/checksum/sha256.h"
#include "engine/spec/error.h"

namespace agent::archive {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;
using engine::run::ArchiveProgress;

namespace {

using Read = std::function<std::size_t(char* to, std::size_t room)>;

// What all members of one archive share while it is written.
struct Writing {
    const ArchiveSource& source;
    const Progress& progress;
    std::string file;
    Manifest manifest{};
    ArchiveProgress told{};
};

// Gives `text` piece by piece.
Read readText(std::string text) {
    return [text = std::make_shared<const std::string>(std::move(text)), at = std::size_t{0}](char* to, std::size_t room) mutable {
        const std::size_t count = std::min(room, text->size() - at);
        std::copy_n(text->data() + at, count, to);
        at += count;
        return count;
    };
}

Read readFile(const SafeFolder& folder, const ArchivedFile& file) {
    const auto opened = std::make_shared<engine::files::FileDescriptor>(folder.openToRead(file.name));
    return [opened, path = folder.path() / file.name, bytes = file.bytes, done = std::int64_t{0}](char* to, std::size_t room) mutable {
        ssize_t got = 0;
        do {
            got = ::read(opened->get(), to, room);
        } while (got < 0 && errno == EINTR);
        if (got < 0) {
            throw Error(engine::files::codeOfErrno(errno), path.string() + ": can't be read: " + std::strerror(errno));
        }
        done += got;
        if (done > bytes || (got == 0 && done < bytes)) {
            throw Error(ErrorCode::kAborted, path.string() + ": expected a file that stays as it is while it is archived, it changed");
        }
        return static_cast<std::size_t>(got);
    };
}

// Everything that the run told, each event behind its length. Their number becomes part of the manifest.
Read readEvents(Writing& writing) {
    return [&writing, waiting = std::string(), at = std::size_t{0}, ended = false](char* to, std::size_t room) mutable {
        while (at == waiting.size() && !ended) {
            waiting.clear();
            at = 0;
            const std::vector<std::string> events = writing.source.events();
            ended = events.empty();
            for (const std::string& event : events) {
                convert::appendDelimited(waiting, std::string_view(event));
            }
            writing.manifest.events += static_cast<std::int64_t>(events.size());
            if (!ended) {
                writing.manifest.last_sequence = convert::decodeEvent(events.back()).sequence;
            }
        }
        const std::size_t count = std::min(room, waiting.size() - at);
        std::copy_n(waiting.data() + at, count, to);
        at += count;
        return count;
    };
}

// Returns a reader of the same bytes, which enters them in the manifest when they are through.
Read listed(Writing& writing, std::string name, Read read) {
    const auto sum = std::make_shared<engine::checksum::Sha256>();
    return [&writing, name = std::move(name), read = std::move(read), sum, bytes = std::int64_t{0}, ended = false](
               char* to, std::size_t room) mutable {
        if (ended) {
            return std::size_t{0};
        }
        const std::size_t count = read(to, room);
        sum->add(to, count);
        bytes += static_cast<std::int64_t>(count);
        writing.told.done_bytes = std::min(writing.told.done_bytes + static_cast<std::int64_t>(count), writing.told.all_bytes);
        if (writing.progress && !writing.progress(writing.told)) {
            throw Error(ErrorCode::kCancelled, writing.file + ": the archive is not written, it was cancelled");
        }
        if (count == 0) {
            ended = true;
            writing.manifest.members.push_back({std::move(name), sum->hex(), bytes});
        }
        return count;
    };
}

std::string recordText(const ArchiveSource& source) {
    engine::run::RunInfo run = source.run;
    run.run_dir.clear();
    return history::toJson(run);
}

}  // namespace

engine::run::WrittenArchive writeArchive(const ArchiveSource& source, const engine::run::ArchiveRequest& request,
                                         const Progress& progress) {
    ENGINE_CHECK(isFinal(source.run.state));
    Writing writing{source, progress, request.file};
    writing.manifest.tandem = source.tandem;
    writing.manifest.host = source.host;
    writing.manifest.run = source.run.id;
    writing.manifest.checkpoints = toString(request.checkpoints);
    writing.manifest.archived_unix_ns = source.now_unix_ns;
    const auto folder = std::make_shared<const SafeFolder>(SafeFolder::open(source.run.run_dir));
    std::vector<ZipMember> members;
    const auto add = [&](const std::string& name, std::int64_t bytes, bool is_compressed, std::function<Read()> open) {
        writing.told.all_bytes += std::max<std::int64_t>(bytes, 0);
        members.push_back({name, is_compressed, bytes, [&writing, name, open = std::move(open)] { return listed(writing, name, open()); }});
    };
    const auto addText = [&](const std::string& name, const std::string& text) {
        add(name, static_cast<std::int64_t>(text.size()), true, [text] { return readText(text); });
    };
    addText(kRecordMember, recordText(source));
    add(kEventsMember, -1, true, [&writing] { return readEvents(writing); });
    writing.told.all_bytes += source.event_bytes;
    addText(convert::kProjectFile, source.run.project_json);
    for (const ArchivedFile& file : source.files.files) {
        if (file.text.empty()) {
            add(file.name, file.bytes, file.is_compressed, [folder, file] { return readFile(*folder, file); });
        } else {
            addText(file.name, file.text);
        }
    }
    // The last one, when everything else is known.
    members.push_back({kManifestMember, true, -1, [&writing] { return readText(toJson(writing.manifest)); }});
    writeZipFile(request.file, std::move(members), request.overwrite);
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(request.file, failed);
    return {failed ? 0 : static_cast<std::int64_t>(bytes), source.files.checkpoints, writing.manifest.events};
}

}  // namespace agent::archive
