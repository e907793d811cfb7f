// Cuts the bytes of a task's output into lines.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace agent::server {

// A line ends at '\n' or '\r' (progress bars); empty ones are left out; one longer than kMaxLineBytes is cut into several. Not thread-safe.
class LineSplitter {
public:
    static constexpr std::size_t kMaxLineBytes = 4096;
    using Sink = std::function<void(std::string line)>;

    void feed(std::string_view bytes, const Sink& sink);
    // Hands over the last line, which has no end yet.
    void flush(const Sink& sink);

private:
    std::string pending_;
};

}  // namespace agent::server
