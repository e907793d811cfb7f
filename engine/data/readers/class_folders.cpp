#include "engine/data/readers/class_folders.h"

#include <sys/stat.h>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iterator>
#include <utility>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

std::string inSmallLetters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// The ending of the file's name that is among `endings`, or nothing.
std::string_view endingOf(const fs::path& file, const std::vector<std::string_view>& endings) {
    const std::string name = inSmallLetters(file.filename().string());
    const auto found = std::find_if(endings.begin(), endings.end(), [&](std::string_view one) { return name.ends_with(one); });
    return found == endings.end() ? std::string_view() : *found;
}

// A file by its folder and its name, which is the order that they come in.
using Found = std::pair<std::string, std::string>;

// The files of all classes by their names. Links to folders are followed, but not back to where they lie, and a tree that is no data set
// is given up early: the root of a disk, by mistake.
class FileSearch {
public:
    FileSearch(const fs::path& root, const ClassFileKind& kind, ReadReport& report)
        : root_(root), kind_(kind), report_(report), deadline_(std::chrono::steady_clock::now() + kLongest) {
        enter(root);
    }

    // In order. Throws filesystem_error, Error.
    std::vector<std::string> below(const fs::path& folder) {
        files_.clear();
        others_.clear();
        walk(folder);
        std::sort(files_.begin(), files_.end());
        std::sort(others_.begin(), others_.end());
        for (const std::string& other : others_) {
            report_.bad(other + ": " + std::string(kind_.other) + std::string(endingOf(other, kind_.others)));
        }
        std::vector<std::string> paths;
        paths.reserve(files_.size());
        for (const auto& [parent, name] : files_) paths.push_back((fs::path(parent) / name).string());
        return paths;
    }

private:
    static constexpr std::size_t kDeepest = 32;         // folders within folders
    static constexpr std::size_t kMostForeign = 50000;  // folders and files of other kinds, unless a tenth as many of the kind are there
    static constexpr std::chrono::minutes kLongest{10};

    using FolderId = std::pair<dev_t, ino_t>;

    // False after reporting a folder that holds itself.
    bool enter(const fs::path& folder) {
        struct stat facts {};
        if (::stat(folder.c_str(), &facts) != 0) {
            throw fs::filesystem_error("stat", folder, std::error_code(errno, std::generic_category()));
        }
        const FolderId id(facts.st_dev, facts.st_ino);
        if (std::find(open_.begin(), open_.end(), id) != open_.end()) {
            report_.bad(folder.string() + ": " + std::string(kind_.circle));
            return false;
        }
        if (open_.size() > kDeepest) {
            refuse(folder, "expected at most " + std::to_string(kDeepest) + " folders within each other, got more");
        }
        open_.push_back(id);
        return true;
    }

    void walk(const fs::path& folder) {
        if (!enter(folder)) {
            return;
        }
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            std::error_code ignored;
            if (entry.is_directory(ignored)) {
                countForeign(folder);
                walk(entry.path());
            } else if (!endingOf(entry.path(), kind_.endings).empty()) {
                files_.emplace_back(folder.string(), entry.path().filename().string());
                ++found_;
            } else {
                countForeign(folder);
                if (!endingOf(entry.path(), kind_.others).empty()) {
                    others_.push_back(entry.path().string());
                }
            }
        }
        open_.pop_back();
    }

    void countForeign(const fs::path& folder) {
        ++foreign_;
        if (foreign_ > kMostForeign && foreign_ / 10 > found_) {
            refuse(root_, std::string(kind_.foreign) + std::to_string(foreign_) + " other files and folders and " + std::to_string(found_) +
                              " " + std::string(kind_.many) + " by " + folder.string());
        }
        if (std::chrono::steady_clock::now() > deadline_) {
            refuse(root_, "expected a folder that can be listed in " + std::to_string(kLongest.count()) + " minutes, was at " +
                              folder.string() + " by then");
        }
    }

    [[noreturn]] static void refuse(const fs::path& folder, const std::string& what) {
        throw Error(ErrorCode::kInvalidArgument, folder.string() + ": " + what);
    }

    const fs::path root_;
    const ClassFileKind& kind_;
    ReadReport& report_;
    const std::chrono::steady_clock::time_point deadline_;
    std::vector<FolderId> open_;  // from the root to the one that is listed
    std::size_t found_ = 0, foreign_ = 0;
    std::vector<Found> files_;         // of one class
    std::vector<std::string> others_;  // the same
};

}  // namespace

std::vector<std::string> classFolders(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && !name.starts_with('.')) {
            names.push_back(name);
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

ClassFiles listClassFiles(const fs::path& folder, const ClassFileKind& kind, ReadReport& report) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        throw Error(fs::exists(folder, ignored) ? ErrorCode::kInvalidArgument : ErrorCode::kNotFound,
                    folder.string() + ": expected a folder with one sub-folder a class, found none");
    }
    ClassFiles listed;
    try {
        listed.class_names = classFolders(folder);
        FileSearch search(folder, kind, report);
        for (std::size_t c = 0; c < listed.class_names.size(); ++c) {
            std::vector<std::string> found = search.below(folder / listed.class_names[c]);
            listed.files.insert(listed.files.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
            listed.labels.insert(listed.labels.end(), found.size(), static_cast<std::int32_t>(c));
        }
    } catch (const fs::filesystem_error& error) {
        throw Error(ErrorCode::kPermissionDenied, folder.string() + ": cannot be listed: " + error.code().message());
    }
    if (listed.files.empty() || listed.files.size() >= std::size_t{0xFFFFFFFF}) {
        throw Error(ErrorCode::kInvalidArgument, folder.string() + ": " + std::string(kind.nothing) + std::to_string(listed.files.size()) +
                                                     " " + std::string(kind.many) + " in " + std::to_string(listed.class_names.size()) +
                                                     " sub-folders");
    }
    return listed;
}

void setClasses(Samples& samples, const fs::path& folder, const ClassFiles& listed) {
    samples.source = samples.label_source = folder.string();
    samples.count = static_cast<std::int64_t>(listed.labels.size());
    samples.class_names = listed.class_names;
    samples.label_dtype = tensor::DType::kInt32;
    samples.labels = ByteBuffer(listed.labels.size() * sizeof(std::int32_t));
    std::memcpy(samples.labels.data(), listed.labels.data(), samples.labels.size());
}

void requireSameClasses(const Samples& train, const Samples& test) {
    if (test.class_names != train.class_names) {
        throw Error(ErrorCode::kInvalidArgument, test.source + ": expected the classes of " + train.source + " (" +
                                                     std::to_string(train.class_names.size()) + " sub-folders), got others");
    }
}

}  // namespace engine::data
