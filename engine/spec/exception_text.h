// What an exception says to a user.
#pragma once

#include <exception>
#include <filesystem>
#include <string>

namespace engine {

// C++'s own words for a failure of the file system name its functions; this names the file or folder, and then the system's reason. Of
// every other exception: its text.
inline std::string exceptionText(const std::exception& error) {
    const auto* failed = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
    if (failed == nullptr) return error.what();
    const std::string path = failed->path1().string();
    return (path.empty() ? "a file or folder" : path) + ": can't be read or written: " + failed->code().message();
}

}  // namespace engine
