#include "agent/client/sweep_folder.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

#include "agent/local/address_file.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::client {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;

namespace {

constexpr const char *kLock = "sweep.lock", *kProjectFile = "project.tandem";
constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20;

engine::files::FileDescriptor lockOf(const SafeFolder& folder) {
    auto lock = convert::takeLock(folder.path() / kLock, convert::LockKind::kAlone);
    if (!lock) {
        throw Error(ErrorCode::kAlreadyExists,
                    folder.path().string() + ": expected a sweep that nobody goes on with, another process does");
    }
    return std::move(*lock);
}

engine::sweep::SweepFile parsed(const fs::path& file, const std::string& text) {
    try {
        return engine::sweep::parseSweepFile(text);
    } catch (const Error& error) {
        throw Error(error.code(), file.string() + ": " + error.what());
    }
}

void requireSweep(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_regular_file(folder / kSweepFile, failed)) {
        throw Error(ErrorCode::kNotFound, folder.string() + ": expected the folder of a sweep, found no " + kSweepFile + " in it");
    }
}

}  // namespace

SweepFolder SweepFolder::make(const fs::path& folder) {
    SafeFolder made = SafeFolder::make(fs::absolute(folder).lexically_normal());
    engine::files::FileDescriptor lock = lockOf(made);
    if (made.status(kSweepFile)) {
        throw Error(ErrorCode::kAlreadyExists,
                    made.path().string() + ": expected a new folder, got that of a sweep; go on with it, or name another one");
    }
    return {std::move(made), std::move(lock)};
}

SweepFolder SweepFolder::open(const fs::path& folder) {
    requireSweep(folder);
    SafeFolder opened = SafeFolder::open(fs::absolute(folder).lexically_normal());
    engine::files::FileDescriptor lock = lockOf(opened);
    return {std::move(opened), std::move(lock)};
}

engine::sweep::SweepFile SweepFolder::load() const {
    const fs::path file = path() / kSweepFile;
    return parsed(file, engine::files::readWhole(folder_.openToRead(kSweepFile).get(), file, kLargestFile));
}

void SweepFolder::save(const engine::spec::RunSpec& project, const engine::sweep::Sweep& sweep) const {
    writeWhole(kSweepFile, engine::sweep::toJson(project, sweep));
}

fs::path SweepFolder::saveProject(const engine::spec::RunSpec& project) const {
    writeWhole(kProjectFile, engine::spec::toProjectJson(project));
    return path() / kProjectFile;
}

void SweepFolder::writeWhole(const char* name, const std::string& text) const {
    const std::string aside = std::string(name) + ".new";
    engine::files::OutputFile file(folder_.create(aside));
    file.write(text);
    if (const int failed = file.finish(); failed != 0) {
        throw Error(engine::files::codeOfErrno(failed), (path() / aside).string() + ": can't be written");
    }
    file.close();
    folder_.rename(aside, name);
    folder_.sync();
}

engine::sweep::SweepFile readSweep(const fs::path& folder) {
    requireSweep(folder);
    const fs::path file = fs::absolute(folder).lexically_normal() / kSweepFile;
    return parsed(file, engine::files::readWhole(file, kLargestFile));
}

fs::path sweepsFolder() {
    return convert::dataFolder() / "sweeps";
}

fs::path newSweepFolder() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    char text[32], suffix[8];
    const std::size_t length = std::strftime(text, sizeof text, "%Y%m%d-%H%M%S-", &local);
    std::random_device random;
    std::snprintf(suffix, sizeof suffix, "%04x", random() & 0xFFFFU);
    return sweepsFolder() / (std::string(text, length) + suffix);
}

std::vector<fs::path> listSweeps() {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator at(sweepsFolder(), failed), end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (fs::is_regular_file(at->path() / kSweepFile, ignored)) found.push_back(at->path());
    }
    std::sort(found.rbegin(), found.rend());
    return found;
}

}  // namespace agent::client
