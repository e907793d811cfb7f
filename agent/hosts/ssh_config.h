// The names that the user's own configuration of ssh has for single computers. ssh itself reads everything else of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace agent::hosts {

// ~/.ssh/config; empty when no variable of the environment says where that is.
std::filesystem::path sshConfigFile();

// The names behind `Host`, without those that have a wildcard or a negation, in the order of the files and each once. `Include` is followed
// as ssh does, 16 deep and no further than 64 files, 1 MB and 1000 names. Throws nothing but for lack of memory: what can't be read has
// none.
std::vector<std::string> sshConfigNames(const std::filesystem::path& file);

}  // namespace agent::hosts
