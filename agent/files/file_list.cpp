#include "agent/files/file_list.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include "engine/checksum/sha256.h"
#include "engine/files/name_pattern.h"
#include "engine/spec/error.h"

namespace agent::files {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::size_t kDigits = 64;
constexpr int kDeepest = 32;

constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 43;  // all sizes of a list add up to a number of 64 bits

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, "files: " + message);
}

// A relative path of plain names, as a list may give it to a computer that makes it.
bool isPlainPath(const std::string& name) {
    if (name.empty() || name.size() > 1024 || name.front() == '/' || name.find_first_of(std::string_view("\0\n", 2)) != std::string::npos) {
        return false;
    }
    std::size_t from = 0;
    while (from <= name.size()) {
        const std::size_t end = std::min(name.find('/', from), name.size());
        const std::string_view part = std::string_view(name).substr(from, end - from);
        if (part.empty() || part == "." || part == ".." || part.size() > 255) {
            return false;
        }
        from = end + 1;
    }
    return true;
}

bool isDigest(const std::string& text) {
    return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Gathers what an entry means. What vanishes meanwhile is left out.
class Lister {
public:
    Lister(FileList& list, const std::function<bool()>& is_cancelled) : list_(list), is_cancelled_(is_cancelled) {}

    void addFile(const fs::path& file, const std::string& name) {
        if (list_.files.size() == kMostFiles) {
            throw Error(ErrorCode::kResourceExhausted, (fs::path(list_.folder) / list_.leaf).string() + ": expected at most " +
                                                           std::to_string(kMostFiles) + " files, there are more");
        }
        if (is_cancelled_ && is_cancelled_()) {
            throw Error(ErrorCode::kCancelled, file.string() + ": is not looked for any more");
        }
        std::error_code gone;
        const std::uintmax_t bytes = fs::file_size(file, gone);
        if (!gone) {
            list_.files.push_back({name, static_cast<std::int64_t>(bytes), {}});
        }
    }

    void addFolder(const fs::path& folder, const std::string& name, int depth) {
        struct stat status {};
        if (depth > kDeepest || ::stat(folder.c_str(), &status) != 0 || !on_the_way_.insert({status.st_dev, status.st_ino}).second) {
            return;
        }
        list_.folders.push_back(name);
        eachIn(folder, [&](const fs::directory_entry& entry) {
            const std::string below = name + "/" + entry.path().filename().string();
            std::error_code gone;
            if (entry.is_directory(gone)) {
                addFolder(entry.path(), below, depth + 1);
            } else if (entry.is_regular_file(gone)) {
                addFile(entry.path(), below);
            }
        });
        on_the_way_.erase({status.st_dev, status.st_ino});
    }

    // Throws Error(kPermissionDenied) for a folder that can't be read to its end.
    template <typename Take>
    static void eachIn(const fs::path& folder, const Take& take) {
        std::error_code failed;
        for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
            take(*entry);
        }
        if (failed && failed != std::errc::no_such_file_or_directory) {
            throw Error(ErrorCode::kPermissionDenied, folder.string() + ": can't be read: " + failed.message());
        }
    }

private:
    FileList& list_;
    const std::function<bool()>& is_cancelled_;
    std::set<std::pair<dev_t, ino_t>> on_the_way_;
};

}  // namespace

std::int64_t FileList::bytes() const {
    return std::accumulate(files.begin(), files.end(), std::int64_t{0},
                           [](std::int64_t sum, const ListedFile& one) { return sum + one.bytes; });
}

FileList listNames(const fs::path& entry, const std::function<bool()>& is_cancelled) {
    FileList list{.folder = entry.parent_path().string(), .leaf = entry.filename().string(), .files = {}};
    Lister lister(list, is_cancelled);
    std::error_code failed;
    if (fs::is_directory(entry, failed)) {
        lister.addFolder(entry, list.leaf, 0);
    } else if (fs::exists(entry, failed)) {
        lister.addFile(entry, list.leaf);
    } else {
        // A pattern, or the prefix of a TensorFlow checkpoint, whose files are NAME.index and NAME.data-00000-of-00001.
        Lister::eachIn(entry.parent_path(), [&](const fs::directory_entry& one) {
            const std::string name = one.path().filename().string();
            const bool is_part = name == list.leaf + ".index" || name.starts_with(list.leaf + ".data-");
            const bool fits = list.leaf.find('*') != std::string::npos && engine::files::fitsPattern(name, list.leaf);
            std::error_code gone;
            if ((is_part || fits) && one.is_regular_file(gone)) {
                lister.addFile(one.path(), name);
            }
        });
    }
    if (list.files.empty()) {
        throw Error(ErrorCode::kNotFound, entry.string() + ": expected a file, a folder with files or files of this pattern, found none");
    }
    std::sort(list.files.begin(), list.files.end(), [](const ListedFile& one, const ListedFile& other) { return one.name < other.name; });
    std::sort(list.folders.begin(), list.folders.end());
    return list;
}

FileList listFiles(const fs::path& entry, FileDigests& digests, const std::function<bool()>& is_cancelled) {
    FileList list = listNames(entry, is_cancelled);
    for (ListedFile& file : list.files) {
        file.sha256 = digests.of(fs::path(list.folder) / file.name, is_cancelled);
    }
    return list;
}

std::string toText(const FileList& list) {
    nlohmann::json files = nlohmann::json::array();
    for (const ListedFile& file : list.files) {
        files.push_back({file.name, file.bytes, file.sha256});
    }
    // Names of files are bytes; those that are no UTF-8 can't be told.
    try {
        return nlohmann::json{{"folder", list.folder}, {"leaf", list.leaf}, {"files", std::move(files)}, {"folders", list.folders}}.dump();
    } catch (const nlohmann::json::exception&) {
        refuse("expected names in UTF-8 in " + list.folder);
    }
}

FileList parseFileList(std::string_view text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    FileList list;
    try {
        list.folder = json.at("folder").get<std::string>();
        list.leaf = json.at("leaf").get<std::string>();
        for (const nlohmann::json& one : json.at("files")) {
            list.files.push_back({one.at(0).get<std::string>(), one.at(1).get<std::int64_t>(), one.at(2).get<std::string>()});
        }
        list.folders = json.at("folders").get<std::vector<std::string>>();
    } catch (const nlohmann::json::exception&) {
        refuse("expected a list of names, sizes and checksums, got something else");
    }
    if (!fs::path(list.folder).is_absolute() || list.folder.find('\0') != std::string::npos) {
        refuse("expected an absolute folder, got \"" + list.folder + "\"");
    }
    if (!isPlainPath(list.leaf) || list.leaf.find('/') != std::string::npos) {
        refuse("expected the last name of a path, got \"" + list.leaf + "\"");
    }
    if (list.files.empty() || list.files.size() > kMostFiles) {
        refuse("expected 1 to " + std::to_string(kMostFiles) + " files, got " + std::to_string(list.files.size()));
    }
    std::string before;
    for (const ListedFile& file : list.files) {
        requireSound(file);
        if (file.name <= before) {
            refuse("expected names in order, each once, got \"" + file.name + "\" behind \"" + before + "\"");
        }
        before = file.name;
    }
    if (list.folders.size() > kMostFiles) {
        refuse("expected at most " + std::to_string(kMostFiles) + " folders, got " + std::to_string(list.folders.size()));
    }
    before.clear();
    for (const std::string& folder : list.folders) {
        if (!isPlainPath(folder) || folder <= before) {
            refuse("expected relative paths of folders in order, each once, got \"" + folder + "\"");
        }
        before = folder;
    }
    return list;
}

void requireSound(const ListedFile& file) {
    if (!isPlainPath(file.name)) {
        refuse("expected a relative path of names, got \"" + file.name + "\"");
    }
    if (file.bytes < 0 || file.bytes > kMostFileBytes || !isDigest(file.sha256)) {
        refuse(file.name + ": expected a size and a SHA-256, got " + std::to_string(file.bytes) + " and \"" + file.sha256 + "\"");
    }
}

std::string idOf(const FileList& list) {
    engine::checksum::Sha256 digest;
    for (const ListedFile& file : list.files) {
        const std::string line = file.sha256 + " " + std::to_string(file.bytes) + " " + file.name + "\n";
        digest.add(line.data(), line.size());
    }
    for (const std::string& folder : list.folders) {
        const std::string line = folder + "/\n";
        digest.add(line.data(), line.size());
    }
    return digest.hex();
}

}  // namespace agent::files
