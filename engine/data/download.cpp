#include "engine/data/download.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

#include <curl/curl.h>
#include <openssl/evp.h>

#include "engine/data/folder_lock.h"
#include "engine/data/mapped_file.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

constexpr long kConnectSeconds = 15;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
struct CloseTransfer {
    void operator()(CURL* transfer) const { curl_easy_cleanup(transfer); }
};
struct FreeDigest {
    void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
};

using Clock = std::chrono::steady_clock;

// What the callbacks of one transfer share.
struct Transfer {
    const RemoteFile& file;
    const DownloadHooks& hooks;
    const std::string& mirror;
    std::FILE* out;
    CURL* handle;
    std::int64_t from;  // bytes there before
    bool has_started = false;
    int disk_failure = 0;  // errno of a write that failed
    Clock::time_point told{};
};

// A server that does not know ranges sends all again, from the beginning.
std::size_t writeBytes(char* bytes, std::size_t size, std::size_t count, void* context) {
    auto& transfer = *static_cast<Transfer*>(context);
    if (!transfer.has_started) {
        transfer.has_started = true;
        long status = 0;
        curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
        if (transfer.from > 0 && status == 200) {
            transfer.from = 0;
            if (std::freopen(nullptr, "wb", transfer.out) == nullptr) {
                transfer.disk_failure = errno;
                return 0;
            }
        }
    }
    const std::size_t written = std::fwrite(bytes, size, count, transfer.out) * size;
    if (written != size * count) {
        transfer.disk_failure = errno;
    }
    return written;
}

int tellProgress(void* context, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(context);
    if (transfer.hooks.is_cancelled && transfer.hooks.is_cancelled()) {
        return 1;
    }
    const auto now = Clock::now();
    if (transfer.hooks.progress && (now - transfer.told > std::chrono::milliseconds(250) || (total > 0 && done == total))) {
        transfer.told = now;
        const std::int64_t expected = total > 0 ? total + transfer.from : transfer.file.bytes;
        transfer.hooks.progress({transfer.file.name, transfer.mirror, done + transfer.from, expected});
    }
    return 0;
}

std::unique_ptr<CURL, CloseTransfer> makeTransfer() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    std::unique_ptr<CURL, CloseTransfer> transfer(curl_easy_init());
    ENGINE_CHECK(transfer != nullptr);
    return transfer;
}

[[noreturn]] void folderFailed(const fs::path& path, int reason) {
    const bool is_full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
    throw Error(is_full            ? ErrorCode::kResourceExhausted
                : reason == EACCES ? ErrorCode::kPermissionDenied
                                   : ErrorCode::kInternal,
                path.string() + ": cannot be written: " + std::strerror(reason));
}

// Empty when the whole answer has come; else why not.
std::string transferFrom(const RemoteFile& file, const std::string& mirror, const fs::path& part, const DownloadHooks& hooks) {
    std::error_code none;
    const bool has_part = fs::exists(part, none);
    const std::unique_ptr<std::FILE, CloseFile> out(std::fopen(part.c_str(), "ab"));
    if (out == nullptr) {
        folderFailed(part, errno);
    }
    const std::unique_ptr<CURL, CloseTransfer> handle = makeTransfer();
    const std::int64_t from = has_part ? static_cast<std::int64_t>(fs::file_size(part, none)) : 0;
    Transfer transfer{file, hooks, mirror, out.get(), handle.get(), from};
    std::array<char, CURL_ERROR_SIZE> reason{};
    const std::string address = mirror + file.name;
    const std::string range = std::to_string(from) + "-";
    CURL* curl = handle.get();
    curl_easy_setopt(curl, CURLOPT_URL, address.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 10L);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "tandem");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(hooks.stalled.count()));
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason.data());
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &writeBytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &tellProgress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    if (file.bytes > 0) {
        curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(file.bytes));
    }
    if (from > 0) {
        curl_easy_setopt(curl, CURLOPT_RANGE, range.c_str());
    }
    const CURLcode code = curl_easy_perform(curl);
    if (transfer.disk_failure != 0 || std::fflush(out.get()) != 0) {
        folderFailed(part, transfer.disk_failure != 0 ? transfer.disk_failure : errno);
    }
    if (code == CURLE_ABORTED_BY_CALLBACK) {
        throw Error(ErrorCode::kCancelled, file.name + ": the download was cancelled");
    }
    if (code == CURLE_OK) {
        return "";
    }
    return reason[0] != 0 ? reason.data() : curl_easy_strerror(code);
}

// A part that holds the whole file, or more, cannot be continued.
bool mayContinue(const RemoteFile& file, const fs::path& part) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(part, none);
    return !none && (file.bytes == 0 || static_cast<std::int64_t>(size) < file.bytes);
}

// Empty when the mirror's file lies in `part` with the right hash; else why not, and was_wrong says that it came with another one. What was
// begun earlier and turns out wrong is asked for once more, from its beginning.
std::string tryMirror(const RemoteFile& file, const std::string& mirror, const fs::path& part, const DownloadHooks& hooks,
                      bool& was_wrong) {
    std::error_code none;
    for (;;) {
        if (!mayContinue(file, part)) {
            fs::remove(part, none);
        }
        const bool is_continued = fs::exists(part, none);
        const std::string reason = transferFrom(file, mirror, part, hooks);
        was_wrong = reason.empty() && !hasHash(part, file.hash);
        if (!was_wrong) {
            return reason;
        }
        fs::remove(part, none);
        if (!is_continued) {
            return "sent a file with another checksum than " + file.hash;
        }
    }
}

void fetchFile(const RemoteFile& file, const fs::path& folder, const DownloadHooks& hooks) {
    const fs::path part = folder / (file.name + ".part");
    std::string reasons;
    bool was_wrong = false;
    for (const std::string& mirror : file.mirrors) {
        const std::string reason = tryMirror(file, mirror, part, hooks, was_wrong);
        if (reason.empty()) {
            std::error_code failed;
            fs::rename(part, folder / file.name, failed);
            if (failed) {
                folderFailed(folder / file.name, failed.value());
            }
            return;
        }
        reasons += (reasons.empty() ? "" : "; ") + mirror + ": " + reason;
        if (hooks.log) {
            hooks.log(file.name + ": " + mirror + ": " + reason);
        }
    }
    throw Error(was_wrong ? ErrorCode::kDataLoss : ErrorCode::kUnavailable,
                file.name + ": could not be downloaded (" + (reasons.empty() ? "no mirror" : reasons) + ")");
}

}  // namespace

bool hasHash(const fs::path& file, const std::string& hash) {
    constexpr std::size_t kSha256Digits = 64;
    const MappedFile mapped(file);
    const std::unique_ptr<EVP_MD_CTX, FreeDigest> digest(EVP_MD_CTX_new());
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    ENGINE_CHECK(digest != nullptr &&
                 EVP_DigestInit_ex(digest.get(), hash.size() == kSha256Digits ? EVP_sha256() : EVP_md5(), nullptr) == 1 &&
                 EVP_DigestUpdate(digest.get(), mapped.bytes().data(), mapped.size()) == 1 &&
                 EVP_DigestFinal_ex(digest.get(), bytes.data(), &size) == 1);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += {kDigits[bytes[i] >> 4U], kDigits[bytes[i] & 15U]};
    }
    return text == hash;
}

void fetchFiles(const std::vector<RemoteFile>& files, const fs::path& folder, const DownloadHooks& hooks, const FetchSteps& steps) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
        folderFailed(folder, failed.value());
    }
    const FolderLock lock(folder, {.log = hooks.log, .is_cancelled = hooks.is_cancelled});
    if (steps.is_there && steps.is_there()) {
        return;
    }
    for (const RemoteFile& file : files) {
        if (!fs::exists(folder / file.name, failed)) {
            fetchFile(file, folder, hooks);
        }
    }
    if (steps.then) {
        steps.then();
    }
}

}  // namespace engine::data
