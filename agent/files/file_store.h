// The files of other computers' projects that were sent to this one, each kept once under its checksum:
//   blobs/ab/abcd…         a whole file, checked
//   blobs/ab/abcd….part    what has come of one; the next try goes on behind it
//   sets/1234…/cats/1.png  the files of one list under their names, links to the blobs; it is there whole or not at all
// A list's files go when no run has asked for them for a month (removeUnused()); what a run needs then is sent again. Whoever looks for
// files or receives one holds a shared lock on the folder meanwhile, whoever removes them an exclusive one.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/files/file_digests.h"
#include "agent/files/file_list.h"
#include "engine/files/file_descriptor.h"
#include "engine/files/safe_folder.h"

namespace agent::files {

// $XDG_CACHE_HOME/tandem/files, else ~/.cache/tandem/files. Throws Error(kFailedPrecondition) when no variable of the environment says
// where.
std::filesystem::path sentFilesFolder();

struct LackingFile {
    std::size_t index = 0;       // in FileList::files
    std::int64_t has_bytes = 0;  // from its begin
};

struct FilesFound {
    std::string path;                  // of the list's entry, to be read on this computer; empty: something is lacking
    std::vector<LackingFile> lacking;  // the first kMostLacking of them
    std::int64_t lacking_bytes = 0;    // of all
    std::int64_t free_bytes = 0;       // where they would go
};

// Safe from any thread, and beside other processes of the user.
class FileStore {
public:
    static constexpr std::size_t kMostLacking = 10'000;

    // No folder: sentFilesFolder(), asked for with the first call that needs it.
    FileStore(std::filesystem::path folder, std::shared_ptr<FileDigests> digests)
        : folder_(std::move(folder)), digests_(std::move(digests)) {}

    // Returns where a list's files lie: under their own path when every one of them has its checksum there, else among those that were
    // sent. Throws Error: kCancelled, and as SafeFolder does.
    FilesFound find(const FileList& list, const std::function<bool()>& is_cancelled = {}) const;

    static constexpr std::chrono::days kKeptFor{30};
    // Removes what was last asked for, or last received, before that time, and returns the bytes of the removed files. Does nothing while
    // somebody else uses the folder. Throws Error as SafeFolder does.
    std::int64_t removeUnused(std::chrono::system_clock::time_point before) const;

    // One file that is being received. Used by one thread. Without finish() what has come stays for the next try.
    class Incoming {
    public:
        // `offset` is where it goes on. Throws Error: kInvalidArgument for another place than the end of what is there, kUnavailable while
        // somebody else sends the same file, kResourceExhausted when the disk has no room for the rest.
        Incoming(const FileStore& store, ListedFile file, std::int64_t offset);
        // Throws Error: kInvalidArgument for more bytes than the file has, kResourceExhausted on a full disk.
        void take(std::string_view bytes);
        // Checks the whole file and keeps it. Throws Error(kDataLoss) for other bytes than its checksum says, which are gone then.
        void finish(const std::function<bool()>& is_cancelled = {});

    private:
        const ListedFile file_;
        const engine::files::SafeFolder root_;  // locked
        const engine::files::SafeFolder folder_;
        engine::files::FileDescriptor part_;
        std::int64_t bytes_ = 0;
    };

private:
    std::filesystem::path folder() const { return folder_.empty() ? sentFilesFolder() : folder_; }
    bool isHere(const FileList& list, const std::function<bool()>& is_cancelled) const;
    void makeSet(const engine::files::SafeFolder& root, const FileList& list, const std::string& id) const;

    const std::filesystem::path folder_;
    const std::shared_ptr<FileDigests> digests_;
};

}  // namespace agent::files
