// What a program printed has reached its reader, or it says that it has not.
#pragma once

#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <iostream>

namespace app {

// At the end of main(): false after an error on standard error. The reader of a pipe that went away has seen what it wanted.
inline bool printedAll() {
    std::cout.flush();
    struct stat where {};
    const bool is_lost = !std::cout || std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
    const bool is_pipe = fstat(STDOUT_FILENO, &where) == 0 && (S_ISFIFO(where.st_mode) || S_ISSOCK(where.st_mode));
    if (!is_lost || is_pipe) {
        return true;
    }
    std::cerr << "error: standard output could not be written to its end\n";
    return false;
}

}  // namespace app
