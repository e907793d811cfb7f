#include "agent/home/mirror.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>

#include "engine/files/output_file.h"
#include "engine/spec/error.h"

namespace agent::home {

namespace fs = std::filesystem;
using engine::Error;

namespace {

constexpr std::chrono::seconds kListDeadline{20};
constexpr std::chrono::minutes kFetchDeadline{10};
constexpr const char* kAside = ".part";  // what a file is called until it is whole

}  // namespace

void Mirror::update(client::PartClient& parts, const std::string& run_id) {
    const std::vector<client::RunFile> there = parts.listFiles(run_id, kListDeadline);
    for (const client::RunFile& file : there) {
        const auto known = here_.find(file.path);
        if (known == here_.end() || known->second != file) {
            bring(parts, run_id, file);
            here_[file.path] = file;
        }
    }
    for (auto known = here_.begin(); known != here_.end();) {
        const bool is_there =
            std::any_of(there.begin(), there.end(), [&](const client::RunFile& file) { return file.path == known->first; });
        if (!is_there) {
            folder_.remove(known->first);
        }
        known = is_there ? std::next(known) : here_.erase(known);
    }
}

void Mirror::bring(client::PartClient& parts, const std::string& run_id, const client::RunFile& file) {
    const fs::path path = file.path, aside = path.string() + kAside;
    fs::path above;
    for (const fs::path& name : path.parent_path()) {
        folder_.makeFolder(above /= name);
    }
    try {
        engine::files::OutputFile out(folder_.create(aside));
        parts.fetch(
            run_id, file.path, [&](std::string_view bytes) { out.write(bytes); }, kFetchDeadline);
        if (const int error = out.flush(); error != 0) {
            throw Error(engine::files::codeOfErrno(error),
                        (folder_.path() / path).string() + ": can't be written: " + std::strerror(error));
        }
    } catch (const Error&) {
        folder_.remove(aside);
        throw;
    }
    folder_.rename(aside, path);
}

}  // namespace agent::home
