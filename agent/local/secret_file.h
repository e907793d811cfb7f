// The secret by which tasks that a user starts by hand find each other: STATE/tandem/tasks.secret, where STATE is $XDG_STATE_HOME, else
// ~/.local/state. It is one line of 64 hexadecimal digits, of mode 0600, in a folder of mode 0700, and made by whoever needs it first.
// It does not lie in the runtime folder, which two terminals of one user need not share.
#pragma once

#include <filesystem>

#include "agent/local/secret.h"

namespace agent::convert {

// Throws Error(kFailedPrecondition) when no variable of the environment says where.
std::filesystem::path secretFile();

// Makes the file when there is none: of several tasks that do so at once all get the same one. Safe from any thread and process.
// Throws Error: kPermissionDenied for a file or folder that belongs to another user, is a link or has another mode; kDataLoss for a
// damaged file; kResourceExhausted and kInternal when it can't be written or read. The message names the file and what to do.
Secret userSecret();

}  // namespace agent::convert
