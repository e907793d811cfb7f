// The file of a private key: readable by its user alone, read whole, written once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace agent::trust {

// The owner of the key, as messages name it.
inline constexpr std::string_view kClustersKey = "a cluster's key", kComputersKey = "this computer's key";

// Returns the text of the file. Throws Error, naming the file: kNotFound; kPermissionDenied for a link, for another user's file and for one
// that others may read; kInvalidArgument for what is no file and for one of more than 64 KiB; kInternal. Never waits, not even for a pipe.
std::string readKeyFile(const std::filesystem::path& path, std::string_view kind = kClustersKey);

// Mode 0600 whatever the umask; the whole of it or nothing. Throws Error, naming the file: kAlreadyExists (a key is never overwritten),
// kNotFound (its folder), kPermissionDenied, kResourceExhausted, kInternal.
void writeKeyFile(const std::filesystem::path& path, const std::string& text, std::string_view kind = kClustersKey);

}  // namespace agent::trust
