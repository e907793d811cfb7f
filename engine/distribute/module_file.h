// Finds a module of this installation: a library that is opened when it is first wanted, and whose absence harms nothing.
#pragma once

#include <filesystem>

namespace engine::distribute {

// The environment's `variable` names it, else it lies beside the program, in the folder lib beside the program's, or in the folder for
// modules below that, where an installation has it. Empty where it is in none of them. Any thread.
std::filesystem::path moduleFile(const char* file, const char* variable);

}  // namespace engine::distribute
