#include "agent/local/located_agent.h"

#include <sys/utsname.h>
#include <nlohmann/json.hpp>

namespace agent::convert {

using Json = nlohmann::ordered_json;

std::string thisArch() {
    utsname names{};
    return ::uname(&names) == 0 ? std::string(names.machine) : std::string();
}

std::string toLine(const LocatedAgent& agent) {
    const Json line{{"address", agent.address.address}, {"token", agent.address.token}, {"version", agent.address.version},
                    {"host", agent.address.host},       {"pid", agent.address.pid},     {"arch", agent.arch}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<LocatedAgent> locatedAgentIn(std::string_view line) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) {
        return std::nullopt;
    }
    const auto isText = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
    for (const char* key : {"address", "token", "version", "host", "arch"}) {
        if (!isText(key)) {
            return std::nullopt;
        }
    }
    if (!json.contains("pid") || !json["pid"].is_number_integer()) {
        return std::nullopt;
    }
    return LocatedAgent{{json["address"], json["token"], json["pid"].get<std::int64_t>(), json["version"], json["host"]}, json["arch"]};
}

}  // namespace agent::convert
