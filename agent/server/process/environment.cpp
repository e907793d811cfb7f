#include "agent/server/process/environment.h"

namespace agent::server {

void setVariable(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
    std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(name + "="); });
    if (!value.empty()) {
        environment.push_back(name + "=" + value);
    }
}

}  // namespace agent::server
