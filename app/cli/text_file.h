// What people hand over as text: projects, code, cluster files. One place for how much of it is read.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace app::cli {

// All of `in`, or nullopt after saying on `err` that `name` holds more than 64 MiB, which no text of a person does.
std::optional<std::string> readAllText(std::istream& in, const std::string& name, std::ostream& err);

}  // namespace app::cli
