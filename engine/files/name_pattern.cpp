#include "engine/files/name_pattern.h"

#include <cstddef>

namespace engine::files {

// Only the last star that was met can still give way, since an earlier one has no more to win.
bool fitsPattern(std::string_view name, std::string_view pattern) {
    std::size_t at = 0, in_pattern = 0;
    std::size_t star = std::string_view::npos, behind_star = 0;  // in the pattern; in the name, where what follows it is tried
    while (at < name.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = in_pattern++;
            behind_star = at;
        } else if (in_pattern < pattern.size() && pattern[in_pattern] == name[at]) {
            ++in_pattern;
            ++at;
        } else if (star != std::string_view::npos) {
            in_pattern = star + 1;
            at = ++behind_star;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

}  // namespace engine::files
