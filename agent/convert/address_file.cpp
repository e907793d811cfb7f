#include "agent/convert/address_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include "agent/convert/file_descriptor.h"
#include "engine/spec/error.h"

namespace agent::convert {

namespace fs = std::filesystem;

namespace {

// An environment variable that holds an absolute path; the XDG rules ignore any other.
std::optional<fs::path> absolutePathIn(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? std::optional<fs::path>(value) : std::nullopt;
}

fs::path homeFolder(const char* variable, const char* below_home) {
    if (const auto path = absolutePathIn(variable)) {
        return *path;
    }
    if (const auto home = absolutePathIn("HOME")) {
        return *home / below_home;
    }
    throw engine::Error(engine::ErrorCode::kFailedPrecondition,
                        std::string("environment: expected HOME or ") + variable + " to name a folder, got neither");
}

[[noreturn]] void fail(const fs::path& path, const char* what, int error) {
    const engine::ErrorCode code = error == ENOSPC                     ? engine::ErrorCode::kResourceExhausted
                                   : error == EACCES || error == EPERM ? engine::ErrorCode::kPermissionDenied
                                                                       : engine::ErrorCode::kInternal;
    throw engine::Error(code, path.string() + ": " + what + ": " + std::strerror(error));
}

void writeAll(const fs::path& path, int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            fail(path, "write", errno);
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

}  // namespace

fs::path agentFolder() {
    const auto runtime = absolutePathIn("XDG_RUNTIME_DIR");
    return (runtime ? *runtime : homeFolder("XDG_STATE_HOME", ".local/state")) / "tandem";
}

fs::path makeAgentFolder() {
    const fs::path folder = agentFolder();
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        fail(folder, "create", errno);
    }
    struct stat status {};
    if (::lstat(folder.c_str(), &status) != 0) {
        fail(folder, "read", errno);
    }
    if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, folder.string() + ": expected a folder of this user, got " +
                                                                      (S_ISDIR(status.st_mode) ? "one of another user" : "something else"));
    }
    if ((status.st_mode & 0777) != 0700 && ::chmod(folder.c_str(), 0700) != 0) {
        fail(folder, "chmod", errno);
    }
    return folder;
}

void writeAgentAddress(const fs::path& folder, const AgentAddress& address) {
    const nlohmann::json json{{"address", address.address}, {"token", address.token}, {"pid", address.pid}, {"version", address.version}};
    const fs::path target = addressFile(folder);
    const fs::path aside = folder / "agent.json.new";
    ::unlink(aside.c_str());  // one of an agent that was killed here; only the holder of the lock writes
    const FileDescriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file) {
        fail(aside, "create", errno);
    }
    writeAll(aside, file.get(), json.dump() + "\n");
    if (::rename(aside.c_str(), target.c_str()) != 0) {
        fail(target, "rename", errno);
    }
}

std::optional<AgentAddress> readAgentAddress(const fs::path& folder) {
    std::ifstream file(addressFile(folder));
    std::stringstream text;
    text << file.rdbuf();
    const nlohmann::json json = nlohmann::json::parse(text.str(), nullptr, false);
    const auto isText = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
    if (!file || !json.is_object() || !isText("address") || !isText("token") || !json.contains("pid") || !json["pid"].is_number_integer()) {
        return std::nullopt;
    }
    return AgentAddress{json["address"].get<std::string>(), json["token"].get<std::string>(), json["pid"].get<std::int64_t>(),
                        isText("version") ? json["version"].get<std::string>() : std::string()};
}

fs::path addressFile(const fs::path& folder) {
    return folder / "agent.json";
}

fs::path lockFile(const fs::path& folder) {
    return folder / "agent.lock";
}

fs::path logFile(const fs::path& folder) {
    return folder / "agent.log";
}

bool agentLives(const fs::path& folder) {
    const FileDescriptor file(::open(lockFile(folder).c_str(), O_RDWR | O_CLOEXEC));
    if (!file) {
        return false;
    }
    struct flock query {};
    query.l_type = F_WRLCK;
    query.l_whence = SEEK_SET;
    return ::fcntl(file.get(), F_OFD_GETLK, &query) == 0 && query.l_type != F_UNLCK;
}

fs::path stateFolder() {
    return homeFolder("XDG_STATE_HOME", ".local/state") / "tandem";
}

fs::path defaultRunsDir() {
    const auto chosen = absolutePathIn("TANDEM_RUNS_DIR");
    return chosen ? *chosen : homeFolder("XDG_DATA_HOME", ".local/share") / "tandem" / "runs";
}

}  // namespace agent::convert
