// Names of files as a user writes them for many: "part-*.tfrecord".
#pragma once

#include <string_view>

namespace engine::files {

// True when the whole name fits, where each * stands for any run of characters, an empty one too. It takes time that grows with name times
// pattern, however many stars there are.
bool fitsPattern(std::string_view name, std::string_view pattern);

}  // namespace engine::files
