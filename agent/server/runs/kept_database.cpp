#include "agent/server/runs/kept_database.h"

#include <array>
#include <ctime>
#include <system_error>

#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::array kDatabaseFiles{"", "-wal", "-shm"};

}  // namespace

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

std::string stamp() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &local)};
}

fs::path freeName(const fs::path& path) {
    fs::path name = path;
    for (int i = 2; isThere(name); ++i) {
        name = path.string() + "-" + std::to_string(i);
    }
    return name;
}

void moveDatabase(const fs::path& from, const fs::path& to) {
    for (const char* suffix : kDatabaseFiles) {
        const fs::path file = from.string() + suffix;
        std::error_code failed;
        if (isThere(file)) {
            fs::rename(file, to.string() + suffix, failed);
        }
        if (failed) {
            throw Error(ErrorCode::kPermissionDenied,
                        file.string() + ": can't be put aside as " + to.string() + suffix + ": " + failed.message());
        }
    }
}

}  // namespace agent::server
