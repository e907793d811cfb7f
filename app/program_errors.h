// How the programs say what they can't take: errors in one form, behind which the code of their kind is found (engine/errors).
#pragma once

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <string>

namespace app {

// Options that can't be taken are told as errors.
inline void tellOptionErrors(CLI::App& app) {
    app.failure_message([](const CLI::App* /*program*/, const CLI::Error& error) {
        return "error: " + std::string(error.what()) + "\nRun with --help for more information.\n";
    });
}

}  // namespace app
