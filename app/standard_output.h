// Checks that what a program printed has reached its reader, and says so when it has not.
#pragma once

#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <iostream>

namespace app {

// Called at the end of main(): false when the output is lost, after an error on standard error. A pipe whose reader went away counts as
// printed.
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
