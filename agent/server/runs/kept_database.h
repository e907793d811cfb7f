// Databases that stay where something new takes their place: put aside under another name.
#pragma once

#include <filesystem>
#include <string>

namespace agent::server {

// True for a link, too, whatever it leads to.
bool isThere(const std::filesystem::path& path);
// "20261124-081502", a name for what has no better one.
std::string stamp();
// A name that nothing has: `path` itself, else with "-2", "-3" ...
std::filesystem::path freeName(const std::filesystem::path& path);
// A database with its log; nothing is ever replaced or removed. Throws Error(kPermissionDenied).
void moveDatabase(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace agent::server
