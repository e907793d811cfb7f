#include <cstdlib>

#include "engine/distribute/module_file.h"

namespace engine::distribute {

std::filesystem::path moduleFile(const char* file, const char* variable) {
    std::error_code error;
    if (const char* named = std::getenv(variable)) {
        return std::filesystem::exists(named, error) ? std::filesystem::path(named) : std::filesystem::path();
    }
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    if (error) return {};
    const std::filesystem::path root = folder.parent_path();
    for (const std::filesystem::path& place : {folder / file, root / "lib" / file, root / TANDEM_LIBRARY_FOLDER / "tandem" / file}) {
        if (std::filesystem::exists(place, error)) return place;
    }
    return {};
}

}  // namespace engine::distribute
