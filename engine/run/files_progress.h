// How far a run's own files are on their way to one of its other computers.
#pragma once

#include <cstdint>
#include <string>

namespace engine::run {

struct FilesProgress {
    std::string host;             // as the user calls it
    std::string file;             // the project's entry that is being sent
    std::int64_t sent_bytes = 0;  // of everything that was lacking there
    std::int64_t all_bytes = 0;
    friend bool operator==(const FilesProgress&, const FilesProgress&) = default;
};

}  // namespace engine::run
