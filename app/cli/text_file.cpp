#include "app/cli/text_file.h"

#include <cstddef>

namespace app::cli {

std::optional<std::string> readAllText(std::istream& in, const std::string& name, std::ostream& err) {
    constexpr std::size_t kMostMiB = 64, kMost = kMostMiB << 20, kAtOnce = 1 << 16;
    std::string text;
    while (in && text.size() <= kMost) {
        const std::size_t before = text.size();
        text.resize(before + kAtOnce);
        in.read(text.data() + before, kAtOnce);
        text.resize(before + static_cast<std::size_t>(in.gcount()));
    }
    if (text.size() > kMost) {
        err << "error: " << name << ": expected a text of at most " << kMostMiB << " MiB, got more\n";
        return std::nullopt;
    }
    return text;
}

}  // namespace app::cli
