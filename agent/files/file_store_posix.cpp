#include "agent/files/file_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "agent/local/secret.h"
#include "engine/checksum/sha256.h"
#include "engine/spec/error.h"

namespace agent::files {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;

namespace {

constexpr std::int64_t kSpareBytes = 64 << 20;  // that stay free on the disk

// Below the store's folder.
fs::path blobFolder(const std::string& sha256) {
    return fs::path("blobs") / sha256.substr(0, 2);
}

std::string partName(const std::string& sha256) {
    return sha256 + ".part";
}

std::int64_t freeBytes(const SafeFolder& folder) {
    struct statvfs disk {};
    return ::fstatvfs(folder.descriptor(), &disk) == 0 ? static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize)
                                                       : 0;
}

// Locks the store's folder, shared or alone (`how`: LOCK_...), for as long as the folder is open. False when it can't be locked.
bool lock(const SafeFolder& root, int how) {
    int result = 0;
    while ((result = ::flock(root.descriptor(), how)) != 0 && errno == EINTR) {
    }
    return result == 0;
}

// The store's folder, from which nothing is removed while it is open.
SafeFolder inUse(const fs::path& folder) {
    SafeFolder root = SafeFolder::make(folder);
    lock(root, LOCK_SH);
    return root;
}

// Now is when it was last used.
void touch(int descriptor) {
    ::futimens(descriptor, nullptr);
}

bool isOlder(const struct stat& status, std::chrono::system_clock::time_point before) {
    return std::chrono::system_clock::from_time_t(status.st_mtime) < before;
}

bool isFileOf(const SafeFolder& folder, const fs::path& below, std::int64_t bytes) {
    const std::optional<struct stat> status = folder.status(below);
    return status && S_ISREG(status->st_mode) && status->st_size == bytes;
}

bool isFolder(const SafeFolder& folder, const fs::path& below) {
    const std::optional<struct stat> status = folder.status(below);
    return status && S_ISDIR(status->st_mode);
}

// True when a set has what its list names. `set` is its path below `root`.
bool isWhole(const SafeFolder& root, const fs::path& set, const FileList& list) {
    return std::all_of(list.files.begin(), list.files.end(),
                       [&](const ListedFile& file) { return isFileOf(root, set / file.name, file.bytes); }) &&
           std::all_of(list.folders.begin(), list.folders.end(), [&](const std::string& name) { return isFolder(root, set / name); });
}

// A name that no process and no thread gives a second time, on whatever computers they share the folder.
std::string nameAside(const std::string& id) {
    constexpr std::size_t kRandomDigits = 16;
    return id + "." + convert::toHex(convert::makeSecret()).substr(0, kRandomDigits) + ".new";
}

// Removes a folder at its end, if it is still there.
class FolderAside {
public:
    explicit FolderAside(fs::path folder) : folder_(std::move(folder)) {}
    ~FolderAside() { remove(); }
    FolderAside(const FolderAside&) = delete;
    FolderAside& operator=(const FolderAside&) = delete;

    fs::path name() const { return folder_.filename(); }
    void remove() const {
        std::error_code ignored;  // removeUnused() finds it
        fs::remove_all(folder_, ignored);
    }

private:
    const fs::path folder_;
};

}  // namespace

fs::path sentFilesFolder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
        return fs::path(cache) / "tandem" / "files";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return fs::path(home) / ".cache" / "tandem" / "files";
    }
    throw Error(ErrorCode::kFailedPrecondition, "files: expected XDG_CACHE_HOME or HOME to say where sent files belong, both are empty");
}

// The entry has to mean the same here: a picture or a part more would be read along.
bool FileStore::isHere(const FileList& list, const std::function<bool()>& is_cancelled) const {
    const fs::path folder = list.folder;
    // A file that can't be read here, or is written just now, is not the same.
    try {
        const FileList here = listNames(folder / list.leaf, is_cancelled);
        const auto is_alike = [](const ListedFile& one, const ListedFile& other) {
            return one.name == other.name && one.bytes == other.bytes;
        };
        if (here.folders != list.folders ||
            !std::equal(here.files.begin(), here.files.end(), list.files.begin(), list.files.end(), is_alike)) {
            return false;
        }
        return std::all_of(list.files.begin(), list.files.end(),
                           [&](const ListedFile& file) { return digests_->of(folder / file.name, is_cancelled) == file.sha256; });
    } catch (const Error& error) {
        if (error.code() == ErrorCode::kCancelled) {
            throw;
        }
        return false;
    }
}

FilesFound FileStore::find(const FileList& list, const std::function<bool()>& is_cancelled) const {
    FilesFound found;
    if (isHere(list, is_cancelled)) {
        found.path = (fs::path(list.folder) / list.leaf).string();
        return found;
    }
    const SafeFolder root = inUse(folder());
    const std::string id = idOf(list);
    const fs::path set = fs::path("sets") / id;
    if (isWhole(root, set, list)) {
        touch(root.openFolder(set).descriptor());
        found.path = (folder() / set / list.leaf).string();
        return found;
    }
    std::set<std::string> seen;  // equal files are kept and sent once
    for (std::size_t i = 0; i < list.files.size(); ++i) {
        const ListedFile& file = list.files[i];
        const fs::path blob = blobFolder(file.sha256) / file.sha256;
        if (!seen.insert(file.sha256).second || isFileOf(root, blob, file.bytes)) {
            continue;
        }
        const std::optional<struct stat> part = root.status(blobFolder(file.sha256) / partName(file.sha256));
        const std::int64_t has = part && S_ISREG(part->st_mode) ? std::min<std::int64_t>(part->st_size, file.bytes) : 0;
        found.lacking_bytes += file.bytes - has;
        if (found.lacking.size() < kMostLacking) {
            found.lacking.push_back({i, has});
        }
    }
    found.free_bytes = freeBytes(root);
    if (found.lacking.empty()) {
        makeSet(root, list, id);
        found.path = (folder() / set / list.leaf).string();
    }
    return found;
}

void FileStore::makeSet(const SafeFolder& root, const FileList& list, const std::string& id) const {
    const SafeFolder sets = root.makeFolder("sets");
    const FolderAside fresh(sets.path() / nameAside(id)), old(sets.path() / (fresh.name().string() + ".old"));
    for (const std::string& name : list.folders) {
        root.makeFolder(fs::path("sets") / fresh.name() / name);
    }
    for (const ListedFile& file : list.files) {
        const fs::path name = fs::path("sets") / fresh.name() / file.name;
        root.makeFolder(name.parent_path());
        root.link(blobFolder(file.sha256) / file.sha256, name);
    }
    // A damaged set makes room, one that somebody else has just made stays. When another process adds or removes a set between the look and
    // the rename here, the rename fails, and this one looks again.
    constexpr int kTries = 5;
    for (int tried = 1;; ++tried) {
        const bool is_there = sets.status(id).has_value();
        if (is_there && isWhole(root, fs::path("sets") / id, list)) {
            break;
        }
        try {
            if (is_there) {
                sets.rename(id, old.name());
            }
            sets.rename(fresh.name(), id);
            break;
        } catch (const Error&) {
            if (tried == kTries) {
                throw;
            }
            old.remove();
        }
    }
    sets.sync();
}

namespace {

// The files of lists that old under their names, and what is left of one that was made while a process ended.
void removeOldSets(const SafeFolder& root, std::chrono::system_clock::time_point before) {
    if (!root.status("sets")) {
        return;
    }
    const SafeFolder sets = root.openFolder("sets");
    for (const SafeFolder::Entry& set : sets.list()) {
        const std::optional<struct stat> status = sets.status(set.name);
        if (status && isOlder(*status, before)) {
            std::error_code failed;  // what can't be removed is tried again with the next agent
            fs::remove_all(sets.path() / set.name, failed);
        }
    }
}

// Removes the files that no list has any more, and parts whose rest never came; returns their bytes.
std::int64_t removeOldBlobs(const SafeFolder& root, std::chrono::system_clock::time_point before) {
    std::int64_t bytes = 0;
    if (!root.status("blobs")) {
        return bytes;
    }
    const SafeFolder blobs = root.openFolder("blobs");
    for (const SafeFolder::Entry& group : blobs.list()) {
        if (!group.is_folder) {
            continue;
        }
        const SafeFolder folder = blobs.openFolder(group.name);
        for (const SafeFolder::Entry& blob : folder.list()) {
            const std::optional<struct stat> status = folder.status(blob.name);
            if (status && S_ISREG(status->st_mode) && status->st_nlink == 1 && isOlder(*status, before) && folder.remove(blob.name)) {
                bytes += status->st_size;
            }
        }
        blobs.removeEmptyFolder(group.name);
    }
    return bytes;
}

}  // namespace

std::int64_t FileStore::removeUnused(std::chrono::system_clock::time_point before) const {
    std::error_code failed;
    if (!fs::is_directory(folder(), failed)) {
        return 0;
    }
    const SafeFolder root = SafeFolder::open(folder());
    if (!lock(root, LOCK_EX | LOCK_NB)) {
        return 0;
    }
    removeOldSets(root, before);
    return removeOldBlobs(root, before);
}

FileStore::Incoming::Incoming(const FileStore& store, ListedFile file, std::int64_t offset)
    : file_(std::move(file)), root_(inUse(store.folder())), folder_(root_.makeFolder(blobFolder(file_.sha256))), bytes_(offset) {
    part_ = folder_.openToAppend(partName(file_.sha256));
    if (::flock(part_.get(), LOCK_EX | LOCK_NB) != 0) {
        throw Error(ErrorCode::kUnavailable, file_.name + ": is being sent by somebody else");
    }
    struct stat status {};
    ENGINE_CHECK(::fstat(part_.get(), &status) == 0);
    if (status.st_size > file_.bytes) {
        ENGINE_CHECK(::ftruncate(part_.get(), 0) == 0);
        status.st_size = 0;
    }
    if (offset != status.st_size) {
        throw Error(ErrorCode::kInvalidArgument,
                    file_.name + ": expected to go on at byte " + std::to_string(status.st_size) + ", got " + std::to_string(offset));
    }
    const std::int64_t room = freeBytes(folder_) - kSpareBytes;
    if (file_.bytes - offset > room) {
        throw Error(ErrorCode::kResourceExhausted, folder_.path().string() + ": expected room for " + std::to_string(file_.bytes - offset) +
                                                       " bytes of " + file_.name + ", there is some for " +
                                                       std::to_string(std::max<std::int64_t>(room, 0)));
    }
}

void FileStore::Incoming::take(std::string_view bytes) {
    if (static_cast<std::int64_t>(bytes.size()) > file_.bytes - bytes_) {
        throw Error(ErrorCode::kInvalidArgument, file_.name + ": expected " + std::to_string(file_.bytes) + " bytes, got more");
    }
    while (!bytes.empty()) {
        const ssize_t written = ::write(part_.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            throw Error(engine::files::codeOfErrno(errno),
                        (folder_.path() / partName(file_.sha256)).string() + ": can't be written: " + std::strerror(errno));
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
        bytes_ += written;
    }
}

void FileStore::Incoming::finish(const std::function<bool()>& is_cancelled) {
    if (bytes_ != file_.bytes) {
        throw Error(ErrorCode::kDataLoss,
                    file_.name + ": expected " + std::to_string(file_.bytes) + " bytes, got " + std::to_string(bytes_));
    }
    const engine::files::FileDescriptor whole = folder_.openToRead(partName(file_.sha256));
    const std::string digest = engine::checksum::sha256Of(whole.get(), file_.name, is_cancelled);
    if (digest != file_.sha256) {
        folder_.remove(partName(file_.sha256));
        throw Error(ErrorCode::kDataLoss, file_.name +
                                              ": arrived with other bytes than its checksum says; it was written while it was sent, "
                                              "or damaged on the way");
    }
    if (::fsync(part_.get()) != 0) {
        throw Error(engine::files::codeOfErrno(errno), file_.name + ": can't be kept: " + std::strerror(errno));
    }
    folder_.rename(partName(file_.sha256), file_.sha256);
    ::fchmod(part_.get(), S_IRUSR);  // names of other lists share it: nobody writes there
    folder_.sync();
}

}  // namespace agent::files
