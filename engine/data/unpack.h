// Files out of a .tar.gz.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace engine::data {

// Writes the members whose last path part is one of `names` into `folder`, each aside and renamed when it is whole; nothing else is
// written. Throws Error naming the archive: kDataLoss (damaged, a member missing or larger than 1 GiB), kNotFound, kResourceExhausted and
// kPermissionDenied of the folder.
void unpackMembers(const std::filesystem::path& archive, const std::vector<std::string>& names, const std::filesystem::path& folder);

}  // namespace engine::data
