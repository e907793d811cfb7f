#include "agent/server/runs/line_splitter.h"

#include <algorithm>
#include <utility>

namespace agent::server {

void LineSplitter::feed(std::string_view bytes, const Sink& sink) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find_first_of("\r\n");
        const std::size_t length = std::min(end, bytes.size());
        const std::size_t taken = std::min(length, kMaxLineBytes - pending_.size());
        pending_.append(bytes.substr(0, taken));
        bytes.remove_prefix(taken);
        if (taken == length && end != std::string_view::npos) {
            bytes.remove_prefix(1);
            flush(sink);
        } else if (pending_.size() == kMaxLineBytes) {
            flush(sink);
        }
    }
}

void LineSplitter::flush(const Sink& sink) {
    if (!pending_.empty()) {
        sink(std::exchange(pending_, {}));
    }
}

}  // namespace agent::server
