#include "agent/home/far_files.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "agent/hosts/far_agent.h"
#include "agent/hosts/host_list.h"
#include "agent/local/setting_files.h"
#include "engine/run/files_progress.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "engine/thread/mutex.h"

namespace agent::home {

namespace fs = std::filesystem;
namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::minutes kFind{10};           // for looking at files, and more for large ones
constexpr std::chrono::seconds kBesides{60};        // for a file, whatever its size
constexpr std::int64_t kSlowestBytesPerS = 50'000;  // of a line that is worth waiting for
constexpr std::chrono::milliseconds kTell{400};     // between two words on how far it is
constexpr std::int64_t kMegabyte = 1'000'000;

struct OwnFile {
    files::FileList list;
    std::string text;  // for the wire
};
using OwnFiles = std::map<std::string, OwnFile>;  // by what the project calls them

// A file that is not here, or can't be read or listed here, may be there on the others, which look for themselves.
bool isLeftToOthers(const Error& error) {
    const ErrorCode code = error.code();
    return code == ErrorCode::kNotFound || code == ErrorCode::kPermissionDenied || code == ErrorCode::kResourceExhausted ||
           code == ErrorCode::kInvalidArgument;
}

OwnFiles ownFiles(spec::RunSpec run, files::FileDigests& digests, const std::function<bool()>& is_cancelled) {
    OwnFiles own;
    convert::visitFiles(run, [&](const std::string& entry) {
        fs::path file = fs::path(entry).lexically_normal();
        file = file.has_filename() ? file : file.parent_path();  // "/data/cats/"
        if (!file.is_absolute() || !file.has_filename() || own.contains(entry)) {
            return;
        }
        try {
            files::FileList list = files::listFiles(file, digests, is_cancelled);
            std::string text = toText(list);
            own[entry] = {std::move(list), std::move(text)};
        } catch (const Error& error) {
            if (!isLeftToOthers(error)) {
                throw;
            }
        }
    });
    return own;
}

// Returns how long a computer may take to look at all bytes of the list, at worst over a network.
std::chrono::milliseconds findDeadline(const files::FileList& list) {
    constexpr std::int64_t kSlowestReading = 20'000'000;  // bytes a second
    return kFind + std::chrono::seconds(list.bytes() / kSlowestReading);
}

// Returns how much of the list another computer lacks, which may say any number.
std::int64_t lackingBytes(const files::FilesFound& found, const files::FileList& list) {
    return std::clamp<std::int64_t>(found.lacking_bytes, 0, list.bytes());
}

spec::RunSpec readProject(const std::string& project_json) {
    spec::ProjectReport report = spec::parseProject(project_json);
    if (hasErrors(report.diagnostics)) {
        throw Error(ErrorCode::kInvalidArgument, toString(report.diagnostics.front()));
    }
    return std::move(report.run);
}

std::string megabytes(std::int64_t bytes) {
    return std::to_string((bytes + kMegabyte - 1) / kMegabyte) + " MB";
}

// Says how far it is, and the same again while nothing moves: whoever listens can end the call then. Safe from any thread.
class Teller {
public:
    explicit Teller(const server::ShareHandler& handler) : handler_(handler) {}

    void tell(const engine::run::FilesProgress& progress) {
        const engine::MutexLock lock(mutex_);
        last_ = progress;
        told_ = Clock::now();
        handler_.progress(last_);
    }
    void repeat() {
        const engine::MutexLock lock(mutex_);
        if (Clock::now() - told_ >= kTell) {
            told_ = Clock::now();
            handler_.progress(last_);
        }
    }

private:
    const server::ShareHandler& handler_;
    engine::Mutex mutex_;
    engine::run::FilesProgress last_ TANDEM_GUARDED_BY(mutex_);
    Clock::time_point told_ TANDEM_GUARDED_BY(mutex_) = Clock::now();
};

// Ends the calls of all who send, when nobody wants the files any more. Safe from any thread.
class Canceller {
public:
    void add(client::PartClient& parts) {
        const engine::MutexLock lock(mutex_);
        all_.push_back(&parts);
    }
    void remove(client::PartClient& parts) {
        const engine::MutexLock lock(mutex_);
        std::erase(all_, &parts);
    }
    void cancel() {
        const engine::MutexLock lock(mutex_);
        for (client::PartClient* parts : all_) {
            parts->cancelFiles();
        }
    }

private:
    engine::Mutex mutex_;
    std::vector<client::PartClient*> all_ TANDEM_GUARDED_BY(mutex_);
};

// Sends what one computer lacks.
class Sender {
public:
    Sender(const hosts::Host& host, const hosts::FarOptions& options, const OwnFiles& own, Teller& teller, Canceller& canceller)
        : far_(host, options),
          parts_(far_.channel()),
          own_(own),
          teller_(teller),
          canceller_(canceller),
          is_cancelled_(options.is_cancelled) {
        progress_.host = host.name;
        canceller_.add(parts_);
    }
    ~Sender() { canceller_.remove(parts_); }
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    void send() {
        std::vector<const OwnFiles::value_type*> lacking;
        std::int64_t free_bytes = 0;
        for (const auto& own : own_) {
            progress_.file = own.first;
            teller_.tell(progress_);
            const files::FilesFound found = find(own.second);
            if (found.path.empty()) {
                progress_.all_bytes += lackingBytes(found, own.second.list);
                free_bytes = found.free_bytes;
                lacking.push_back(&own);
            }
        }
        if (!lacking.empty() && progress_.all_bytes > free_bytes) {
            throw Error(ErrorCode::kResourceExhausted, "expected " + megabytes(progress_.all_bytes) +
                                                           " free on its disk for the run's files, got " + megabytes(free_bytes));
        }
        for (const OwnFiles::value_type* own : lacking) {
            sendAll(own->first, own->second);
        }
        teller_.tell(progress_);
    }

private:
    files::FilesFound find(const OwnFile& own) { return parts_.findFiles(own.text, findDeadline(own.list)); }

    // Another one may send the same files meanwhile, such as for a computer that shares its disk with this one: then it is waited for.
    void sendAll(const std::string& entry, const OwnFile& own) {
        progress_.file = entry;
        const Clock::time_point until = Clock::now() + patienceFor(own.list.bytes());
        for (files::FilesFound found = find(own); found.path.empty(); found = find(own)) {
            if (Clock::now() > until) {
                throw Error(ErrorCode::kDeadlineExceeded, entry + ": was not sent in time");
            }
            if (found.lacking.empty()) {
                throw Error(ErrorCode::kInternal, entry + ": was sent, and is not there");
            }
            for (const files::LackingFile& one : found.lacking) {
                if (one.index >= own.list.files.size()) {
                    throw Error(ErrorCode::kInternal, entry + ": a file is said to be lacking that was never listed");
                }
                if (!sendOne(own.list, own.list.files[one.index], one.has_bytes)) {
                    std::this_thread::sleep_for(kTell);
                    break;
                }
            }
        }
    }

    // False where somebody else is at it, or was since it was looked for.
    bool sendOne(const files::FileList& list, const files::ListedFile& file, std::int64_t offset) {
        const auto sent = [&](std::int64_t bytes) {
            progress_.sent_bytes += bytes;
            if (Clock::now() >= next_word_) {
                next_word_ = Clock::now() + kTell;
                teller_.tell(progress_);
            }
            return !is_cancelled_();
        };
        try {
            parts_.sendFile(file, fs::path(list.folder) / file.name, offset, sent,
                            patienceFor(file.bytes));  // wherever it goes on, the other side looks at all of it
            return true;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kAborted && error.code() != ErrorCode::kInvalidArgument) {
                throw;
            }
            return false;
        }
    }

    hosts::FarAgent far_;
    client::PartClient parts_;
    const OwnFiles& own_;
    Teller& teller_;
    Canceller& canceller_;
    const std::function<bool()> is_cancelled_;
    engine::run::FilesProgress progress_;
    Clock::time_point next_word_{};
};

}  // namespace

FilesThere filesThere(const std::string& project_json, client::PartClient& parts, files::FileDigests& digests,
                      std::chrono::milliseconds deadline, const std::function<bool()>& is_cancelled) {
    FilesThere there;
    for (const auto& [entry, own] : ownFiles(readProject(project_json), digests, is_cancelled)) {
        const files::FilesFound found = parts.findFiles(own.text, deadline);
        if (found.path.empty()) {
            there.lacking = entry;
            there.lacking_bytes += lackingBytes(found, own.list);
        } else {
            there.paths[entry] = found.path;
        }
    }
    return there;
}

std::chrono::seconds patienceFor(std::int64_t bytes) {
    constexpr std::int64_t kMost = 100'000'000 * kMegabyte;  // what another computer calls a size may be any number, and a deadline not
    return kBesides + std::chrono::seconds(std::clamp<std::int64_t>(bytes, 0, kMost) / kSlowestBytesPerS);
}

std::string fileThere(const fs::path& file, client::PartClient& parts, std::chrono::milliseconds deadline,
                      const std::function<bool()>& is_cancelled) {
    files::FileDigests digests;
    const files::FileList list = files::listFiles(file, digests, is_cancelled);
    const std::string text = toText(list);
    files::FilesFound found = parts.findFiles(text, deadline);
    if (found.path.empty() && !found.lacking.empty()) {
        const auto sent = [&](std::int64_t) { return !is_cancelled(); };
        parts.sendFile(list.files.front(), file, found.lacking.front().has_bytes, sent, patienceFor(list.bytes()));
        found = parts.findFiles(text, deadline);
    }
    if (found.path.empty()) {
        throw Error(ErrorCode::kUnavailable, file.string() + ": was sent, and is not there");
    }
    return found.path;
}

std::string projectThere(const std::string& project_json, const FilesThere& there) {
    if (there.paths.empty()) {
        return project_json;
    }
    spec::RunSpec run = readProject(project_json);
    convert::visitFiles(run, [&](std::string& entry) {
        if (const auto found = there.paths.find(entry); found != there.paths.end()) {
            entry = found->second;
        }
    });
    return spec::toProjectJson(run);
}

FilesThere KnownFiles::get(const std::string& project_json, client::PartClient& parts, std::chrono::milliseconds deadline,
                           const std::function<bool()>& is_cancelled) {
    const engine::MutexLock lock(mutex_);  // tasks that start together ask once
    if (there_) {
        return *there_;
    }
    FilesThere there = filesThere(project_json, parts, *digests_, deadline, is_cancelled);
    if (!there.lacking.empty()) {
        throw Error(ErrorCode::kFailedPrecondition, "expected " + there.lacking +
                                                        " there, under the same path or sent before the run, got neither (" +
                                                        megabytes(there.lacking_bytes) + " are lacking)");
    }
    there_ = there;
    return there;
}

std::string namedAsHere(std::string text, const FilesThere& there) {
    for (const auto& [entry, path] : there.paths) {
        for (std::size_t at = 0; path != entry && (at = text.find(path, at)) != std::string::npos; at += entry.size()) {
            text.replace(at, path.size(), entry);
        }
    }
    return text;
}

server::FileSharer shareOverSsh(std::string version, std::shared_ptr<files::FileDigests> digests) {
    return
        [version = std::move(version), digests = std::move(digests)](const std::vector<std::string>& names, const std::string& project_json,
                                                                     const std::string& ssh_agent, const server::ShareHandler& handler) {
            Teller teller(handler);
            const auto is_cancelled = [&] {
                teller.repeat();
                return handler.is_cancelled();
            };
            const OwnFiles own = ownFiles(readProject(project_json), *digests, is_cancelled);
            if (own.empty()) {
                return;
            }
            const std::vector<hosts::Host> known = hosts::HostList().list();
            std::vector<hosts::Host> wanted;
            wanted.reserve(names.size());
            for (const std::string& name : names) {
                const hosts::Host* host = hosts::hostNamed(known, name);
                if (host == nullptr) {
                    hosts::throwUnknownHost(name, known);
                }
                wanted.push_back(*host);
            }
            const hosts::FarOptions options{.version = version, .ssh_agent = ssh_agent, .is_cancelled = handler.is_cancelled};
            Canceller canceller;
            std::vector<std::future<void>> sending;
            sending.reserve(wanted.size());
            for (const hosts::Host& host : wanted) {
                sending.push_back(std::async(std::launch::async, [&] {
                    try {
                        Sender(host, options, own, teller, canceller).send();
                    } catch (const Error& error) {
                        const std::string text = error.what();
                        throw Error(error.code(), text.starts_with(host.name + ":") ? text : host.name + ": " + text);
                    }
                }));
            }
            std::optional<Error> failed;
            for (std::future<void>& one : sending) {
                while (one.wait_for(kTell) != std::future_status::ready) {
                    teller.repeat();
                    if (handler.is_cancelled()) {
                        canceller.cancel();
                    }
                }
                try {
                    one.get();
                } catch (const Error& error) {
                    failed = failed ? Error(failed->code(), std::string(failed->what()) + "\n" + error.what()) : error;
                }
            }
            if (failed) {
                throw Error(*failed);
            }
        };
}

}  // namespace agent::home
