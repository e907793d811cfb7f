// Files fetched over HTTP, whole and checked or not at all.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace engine::data {

struct RemoteFile {
    std::string name;                  // also the last part of its address at each mirror
    std::int64_t bytes = 0;            // 0 = not known
    std::string hash;                  // 64 hex digits: SHA-256; 32: MD5
    std::vector<std::string> mirrors;  // base addresses, tried in turn
};

struct DownloadProgress {
    std::string name;
    std::string mirror;
    std::int64_t done = 0, total = 0;  // bytes; total 0 = not known
};

struct DownloadHooks {
    std::function<void(const DownloadProgress&)> progress;  // a few times a second
    std::function<void(const std::string&)> log;            // a mirror that failed, a wait for another program
    std::function<bool()> is_cancelled;
    std::chrono::seconds stalled{30};  // a mirror that sends less than a byte a second for so long is left for the next
};

struct FetchSteps {
    std::function<bool()> is_there;  // true: nothing needs to be fetched
    std::function<void()> then;      // what is done with the files
};

// Puts the files into `folder` (made when missing) and returns once all are there. What an earlier call left unfinished (<name>.part) is
// continued. One program at a time does so in a folder (FolderLock), `steps` included; the others wait for it and find the files there. A
// file that is there is taken as it is.
// Throws Error: kUnavailable when no mirror sent a file, naming each with its reason; kDataLoss when the last one sent another hash;
// kCancelled; kPermissionDenied and kResourceExhausted of the folder.
void fetchFiles(const std::vector<RemoteFile>& files, const std::filesystem::path& folder, const DownloadHooks& hooks,
                const FetchSteps& steps = {});

// SHA-256 or MD5 as `hash` is long, in small hex digits. Throws as MappedFile does.
bool hasHash(const std::filesystem::path& file, const std::string& hash);

}  // namespace engine::data
