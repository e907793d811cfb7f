// A program of the PATH that is asked something: it ends by itself, or its time is over.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace agent::convert {

struct ProgramEnd {
    int exit_code = -1;  // -1: ended by a signal
    std::string output, errors;
    friend bool operator==(const ProgramEnd&, const ProgramEnd&) = default;
};

// Runs `words` (the program and its arguments) with this process' environment and nothing to read, in the folder `working_dir` (empty: this
// process' own), and waits until it has ended. It keeps the first four MiB of each output. Throws Error: kNotFound where there is no such
// program, kDeadlineExceeded when it was not done in `time` and was killed, kUnavailable when it can't be started.
ProgramEnd runProgram(const std::vector<std::string>& words, std::chrono::milliseconds time, const std::string& working_dir = {});

}  // namespace agent::convert
