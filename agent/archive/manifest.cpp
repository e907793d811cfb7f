#include "agent/archive/manifest.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/checksum/sha256.h"
#include "engine/spec/error.h"

namespace agent::archive {

using engine::Error;
using engine::ErrorCode;

namespace {

constexpr const char* kFormat = "tandem-run";
constexpr std::size_t kHexDigits = 64;

bool isSha256(const std::string& text) {
    return text.size() == kHexDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::string toJson(const Manifest& manifest) {
    nlohmann::ordered_json members = nlohmann::ordered_json::array();
    for (const ManifestMember& member : manifest.members) {
        members.push_back({{"name", member.name}, {"bytes", member.bytes}, {"sha256", member.sha256}});
    }
    const nlohmann::ordered_json json{{"format", kFormat},
                                      {"version", kFormatVersion},
                                      {"tandem", manifest.tandem},
                                      {"run", manifest.run},
                                      {"host", manifest.host},
                                      {"archived_unix_ns", manifest.archived_unix_ns},
                                      {"checkpoints", manifest.checkpoints},
                                      {"events", manifest.events},
                                      {"last_sequence", manifest.last_sequence},
                                      {"members", std::move(members)}};
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Manifest parseManifest(std::string_view text, const std::string& file) {
    const auto refuse = [&](ErrorCode code, const std::string& what) -> Error { return {code, file + ": manifest.json: " + what}; };
    Manifest manifest;
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (!json.is_object() || json.value("format", "") != kFormat) {
            throw refuse(ErrorCode::kDataLoss, "expected that of a run's archive (\"format\": \"tandem-run\"), got another");
        }
        if (const auto version = json.at("version").get<std::int64_t>(); version != kFormatVersion) {
            throw refuse(version > kFormatVersion ? ErrorCode::kFailedPrecondition : ErrorCode::kDataLoss,
                         "expected format version " + std::to_string(kFormatVersion) + ", got version " + std::to_string(version) +
                             (version > kFormatVersion ? ", which a newer Tandem wrote" : ""));
        }
        manifest = {.tandem = json.at("tandem").get<std::string>(),
                    .run = json.at("run").get<std::string>(),
                    .host = json.at("host").get<std::string>(),
                    .checkpoints = json.at("checkpoints").get<std::string>(),
                    .archived_unix_ns = json.at("archived_unix_ns").get<std::int64_t>(),
                    .events = json.at("events").get<std::int64_t>(),
                    .last_sequence = json.at("last_sequence").get<std::uint64_t>(),
                    .members = {}};
        for (const nlohmann::json& member : json.at("members")) {
            manifest.members.push_back({.name = member.at("name").get<std::string>(),
                                        .sha256 = member.at("sha256").get<std::string>(),
                                        .bytes = member.at("bytes").get<std::int64_t>()});
        }
    } catch (const nlohmann::json::exception&) {
        throw refuse(ErrorCode::kDataLoss, "expected a JSON object with run, host and members, got something else");
    }
    if (!std::all_of(manifest.members.begin(), manifest.members.end(),
                     [](const ManifestMember& member) { return isSha256(member.sha256) && member.bytes >= 0; })) {
        throw refuse(ErrorCode::kDataLoss, "expected a size and a SHA-256 of each member, got something else");
    }
    return manifest;
}

std::string digestOf(const Manifest& manifest) {
    std::vector<ManifestMember> members = manifest.members;
    std::sort(members.begin(), members.end(), [](const auto& one, const auto& other) { return one.name < other.name; });
    engine::checksum::Sha256 sum;
    for (const ManifestMember& member : members) {
        const std::string line = member.name + '\n' + member.sha256 + '\n';
        sum.add(line.data(), line.size());
    }
    return sum.hex();
}

}  // namespace agent::archive
