#include "engine/event_files/event_folder.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <sys/stat.h>

namespace engine::event_files {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostEntries = 500'000;

struct Found {
    fs::path folder;
    std::int64_t changed_unix_ns = 0;
    std::uint64_t bytes = 0;
};

// Calls `found` for each folder with event files; it answers whether to go on.
void walk(const fs::path& root, std::size_t most, const std::function<bool(Found)>& found) {
    std::vector<std::pair<fs::path, int>> folders{{root, 0}};
    std::size_t entries = 0;
    while (!folders.empty()) {
        const auto [folder, depth] = std::move(folders.back());
        folders.pop_back();
        std::vector<fs::path> below;
        Found here{folder};
        bool any = false;
        std::error_code failed;
        for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
            if (++entries > most) break;
            struct stat status {};
            if (::lstat(at->path().c_str(), &status) != 0) continue;
            if (S_ISDIR(status.st_mode) && depth < kMostFolderDepth) below.push_back(at->path());
            if (!S_ISREG(status.st_mode) || !isEventFile(at->path().filename().string())) continue;
            any = true;
            here.bytes += static_cast<std::uint64_t>(status.st_size);
            here.changed_unix_ns =
                std::max(here.changed_unix_ns, status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec);
        }
        if (any && !found(std::move(here))) return;
        if (entries > most) return;
        std::sort(below.begin(), below.end(), std::greater<>());
        for (fs::path& one : below) folders.emplace_back(std::move(one), depth + 1);
    }
}

std::string nameOf(const fs::path& folder, const fs::path& root) {
    const std::string name = folder == root ? "." : folder.lexically_relative(root).string();
    if (name != ".") return name;
    const std::string own = root.filename().string();
    return own.empty() ? root.parent_path().filename().string() : own;
}

}  // namespace

bool isEventFile(std::string_view name) {
    return name.find("tfevents") != std::string_view::npos && !name.ends_with(".profile-empty");
}

std::vector<EventFolder> eventFoldersBelow(const fs::path& root) {
    std::vector<Found> found;
    walk(root, kMostEntries, [&](Found one) {
        found.push_back(std::move(one));
        return found.size() < static_cast<std::size_t>(kMostEventFolders);
    });
    const auto sibling = [&](const Found& one, const char* name) {
        const fs::path wanted = one.folder.parent_path() / name;
        const auto at = std::find_if(found.begin(), found.end(), [&](const Found& other) { return other.folder == wanted; });
        return one.folder == root || at == found.end() ? nullptr : &*at;
    };
    std::vector<EventFolder> runs;
    for (const Found& one : found) {
        const std::string own = one.folder.filename().string();
        if (own == "validation" && sibling(one, "train") != nullptr) continue;
        const Found* validation = own == "train" ? sibling(one, "validation") : nullptr;
        EventFolder run{.folder = one.folder, .sources = {{one.folder}}, .changed_unix_ns = one.changed_unix_ns, .bytes = one.bytes};
        if (validation != nullptr) {
            run.folder = one.folder.parent_path();
            run.sources.push_back({validation->folder, true});
            run.changed_unix_ns = std::max(run.changed_unix_ns, validation->changed_unix_ns);
            run.bytes += validation->bytes;
        }
        run.name = nameOf(run.folder, root);
        runs.push_back(std::move(run));
    }
    std::sort(runs.begin(), runs.end(), [](const EventFolder& a, const EventFolder& b) { return a.name < b.name; });
    return runs;
}

bool holdsEventFiles(const fs::path& root, std::size_t most) {
    bool any = false;
    walk(root, most, [&](const Found&) {
        any = true;
        return false;
    });
    return any;
}

}  // namespace engine::event_files
