#include "agent/home/mirror.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <optional>

#include "agent/home/far_files.h"
#include "agent/server/runs/run_files.h"
#include "engine/files/output_file.h"
#include "engine/spec/error.h"

namespace agent::home {

namespace fs = std::filesystem;
using engine::Error;

namespace {

constexpr std::chrono::seconds kListDeadline{20};
constexpr const char* kAside = ".part";  // what a file is called until it is whole

// The other computer says which files there are: what is this agent's own in the folder here stays, by whatever way a path leads to it.
bool mayComeHere(const std::string& path) {
    return fs::path(path).lexically_normal() == path && !server::isTheAgents(path);
}

}  // namespace

void Mirror::update(client::PartClient& parts, const std::string& run_id, const std::string& below, const std::function<void()>& between) {
    const std::vector<client::RunFile> there = parts.listFiles(run_id, kListDeadline);
    std::optional<Error> refused;  // the first file that is there and is not given; those behind it may be
    for (const client::RunFile& file : there) {
        const auto known = here_.find(file.path);
        if (!file.path.starts_with(below) || !mayComeHere(file.path)) {
            continue;
        }
        try {
            if ((known == here_.end() || known->second != file) && bring(parts, run_id, file, between)) {
                here_[file.path] = file;
            }
        } catch (const Error& error) {
            if (error.code() != engine::ErrorCode::kPermissionDenied) {
                throw;
            }
            refused = refused.value_or(error);
        }
    }
    for (auto known = here_.begin(); known != here_.end();) {
        const bool is_there = !known->first.starts_with(below) || std::any_of(there.begin(), there.end(), [&](const client::RunFile& file) {
            return file.path == known->first;
        });
        // A file of which nobody knows that it was fetched may be the user's, or of an attempt that trained here.
        if (!is_there && known->second != client::RunFile{}) {
            folder_.remove(known->first);
        }
        known = is_there ? std::next(known) : here_.erase(known);
    }
    if (refused) {
        throw Error(*refused);
    }
}

void Mirror::takeForFetched() {
    for (const server::RunFile& file : server::filesOfRun(folder_.path())) {
        here_[file.path] = {};  // as no file there is
    }
}

bool Mirror::bring(client::PartClient& parts, const std::string& run_id, const client::RunFile& file,
                   const std::function<void()>& between) {
    const fs::path path = file.path, aside = path.string() + kAside;
    fs::path above;
    for (const fs::path& name : path.parent_path()) {
        folder_.makeFolder(above /= name);
    }
    try {
        engine::files::OutputFile out(folder_.create(aside));
        try {
            parts.fetch(
                run_id, file.path,
                [&](std::string_view bytes) {
                    out.write(bytes);
                    between();
                },
                patienceFor(file.bytes));
        } catch (const Error& error) {
            if (error.code() != engine::ErrorCode::kNotFound) {
                throw;
            }
            folder_.remove(aside);
            return false;
        }
        if (const int error = out.finish(); error != 0) {
            throw Error(engine::files::codeOfErrno(error),
                        (folder_.path() / path).string() + ": can't be written: " + std::strerror(error));
        }
    } catch (const Error&) {
        folder_.remove(aside);
        throw;
    }
    folder_.rename(aside, path);
    return true;
}

}  // namespace agent::home
