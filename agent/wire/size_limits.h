// How large what a user or a task says may be. Requests are checked before anything is stored, events are shortened before they are, and
// what an earlier version stored is shortened when it is told: so nothing that is stored keeps its reader out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace agent::convert {

inline constexpr std::size_t kMaxProjectBytes = engine::spec::kMostProjectBytes;
inline constexpr std::size_t kMaxPathBytes = 4096;          // PATH_MAX, which counts the terminating zero
inline constexpr std::size_t kMaxTextBytes = 8u << 10;      // of one text: a log line, a reason, a name
inline constexpr std::size_t kMaxEventBytes = 1u << 20;     // of one event as it is encoded
inline constexpr std::size_t kMaxMessageText = 4u << 10;    // of the text of a refusal, which gRPC puts among a reply's headers
inline constexpr std::size_t kMaxPageBytes = 3u << 19;      // of what one message of a list or of a stream holds
inline constexpr std::size_t kFilePieceBytes = 256u << 10;  // of a file or a list of files that is sent in pieces

// What the two ends of the wire take at the most: requests hold a project, replies a page and what cannot be cut (a doctor's report).
inline constexpr int kMaxRequestBytes = 12 << 20, kMaxReplyBytes = 16 << 20, kMaxHeaderBytes = 64 << 10;

// `text` itself when it is not longer than `most`, else its beginning and "… (3000000 bytes in all)", `most` together. Cuts between the
// characters of UTF-8.
std::string shortened(std::string_view text, std::size_t most = kMaxTextBytes);
// Throws Error(kInvalidArgument): "project: expected at most 8388608 bytes, got 9000213".
void requireSize(std::string_view object, std::size_t bytes, std::size_t most);

// Returns the event with texts of kMaxTextBytes at the most. An event that is larger than kMaxEventBytes all the same becomes a warning
// that says so.
engine::spec::TaskEvent bounded(engine::spec::TaskEvent event);
// Returns an encoded event bounded in the same way; a small one is not looked into.
std::string boundedEncoded(std::string event);
// A project with texts of kMaxTextBytes at the most; an empty project where that does not make it small enough or where it is no JSON.
std::string boundedProject(std::string json);

}  // namespace agent::convert
