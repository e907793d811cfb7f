// The way that the user's list says: over ssh, or directly.
#pragma once

#include <filesystem>
#include <memory>

#include "agent/hosts/way.h"

namespace agent::hosts {

// Makes the way, whose socket will lie at `socket`, in a folder of mode 0700: maybe some moments later. Throws Error with one sentence that
// names the host, what was expected and what was found: kUnavailable, kPermissionDenied, kNotFound (no Tandem there), kFailedPrecondition
// (another processor or version, or no ssh here), kDeadlineExceeded, kCancelled.
std::unique_ptr<Way> openWay(const Host& host, const std::filesystem::path& socket, const FarOptions& options, WayDeadline until);

}  // namespace agent::hosts
