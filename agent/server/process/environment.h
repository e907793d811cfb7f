// The environment that a process is to get.
#pragma once

#include <string>
#include <vector>

namespace agent::server {

// Puts a variable into "NAME=value" entries, in place of one of that name; an empty value takes it out.
void setVariable(std::vector<std::string>& environment, const std::string& name, const std::string& value);

}  // namespace agent::server
