// What OpenSSH's client tells on standard error when it fails, as one sentence about the host. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "agent/hosts/host_list.h"
#include "engine/spec/error.h"

namespace agent::hosts {

// "node1 (ann@node1.lan:2222)", or the name alone where ssh goes by the same; "node2 (node2.lan:7443)" of one that is
// reached directly.
std::string nameOf(const Host& host);

// The error for an ssh that ended with 255 and had written `errors`: what was expected of the host, what was found instead, and behind it
// ssh's own line about that. The first line that tells a cause counts: those after it are what came of it.
engine::Error sshError(const Host& host, std::string_view errors);

// The exit code of an ssh that itself failed.
inline constexpr int kSshFailed = 255;

// A far script begins with this line on standard error: what stands before it was said by the server or the shell.
inline constexpr std::string_view kErrorMark = "tandem-errors";
// Returns what the programs there said, without a banner of the ssh server.
std::string_view farErrors(std::string_view errors);

// The last line that is not empty, without control characters, at most 300 bytes.
std::string lastLine(std::string_view text);

}  // namespace agent::hosts
