#include "agent/local/control_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"
#include "engine/spec/events/control_rate.h"

namespace agent::convert {
namespace {

using engine::Error;
using engine::ErrorCode;
using engine::spec::Control;
using engine::spec::ControlVerb;

constexpr std::array kVerbs{
    std::pair{ControlVerb::kPause, "pause"},
    std::pair{ControlVerb::kResume, "resume"},
    std::pair{ControlVerb::kStep, "step"},
    std::pair{ControlVerb::kStop, "stop"},
    std::pair{ControlVerb::kStopNow, "stop_now"},
    std::pair{ControlVerb::kCheckpointNow, "checkpoint"},
    std::pair{ControlVerb::kSetLearningRate, "learning_rate"},
};
constexpr std::size_t kKept = 16;
constexpr std::uint64_t kMostControlBytes = 64u << 10;

[[noreturn]] void refuse(const std::string& file, const std::string& where, const std::string& expected, const nlohmann::json& got) {
    const std::string text = got.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    throw Error(ErrorCode::kInvalidArgument, file + ": " + where + ": expected " + expected + ", got " + text.substr(0, 80));
}

std::string verbList() {
    std::string names;
    for (const auto& [verb, name] : kVerbs) names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

NumberedControl controlOf(const nlohmann::json& entry, const std::string& where, const std::string& file) {
    if (!entry.is_object()) refuse(file, where, "an object with number and verb", entry);
    const nlohmann::json number = entry.value("number", nlohmann::json());
    if (!number.is_number_integer() || number.get<double>() < 1 || number.get<double>() > 9e15) {
        refuse(file, where + ".number", "a whole number from 1 on", number);
    }
    const nlohmann::json verb = entry.value("verb", nlohmann::json());
    const auto known = std::find_if(kVerbs.begin(), kVerbs.end(),
                                    [&](const auto& one) { return verb.is_string() && verb.get_ref<const std::string&>() == one.second; });
    if (known == kVerbs.end()) refuse(file, where + ".verb", "one of " + verbList(), verb);
    NumberedControl control{number.get<std::int64_t>(), {known->first, 0}};
    if (known->first == ControlVerb::kSetLearningRate) {
        const nlohmann::json value = entry.value("value", nlohmann::json());
        control.control.value = value.is_number() ? value.get<double>() : 0;
        if (!engine::spec::isSettableRate(control.control.value)) {
            refuse(file, where + ".value", "a learning rate above 0", value);
        }
    }
    return control;
}

std::string controlsText(const std::vector<NumberedControl>& controls) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const NumberedControl& one : controls) {
        const auto known = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const auto& row) { return row.first == one.control.verb; });
        nlohmann::ordered_json entry{{"number", one.number}, {"verb", known->second}};
        if (one.control.verb == ControlVerb::kSetLearningRate) entry["value"] = one.control.value;
        list.push_back(std::move(entry));
    }
    return nlohmann::ordered_json{{"controls", std::move(list)}}.dump() + "\n";
}

}  // namespace

std::vector<NumberedControl> parseControls(std::string_view text, const std::string& file) {
    nlohmann::json json;
    try {
        json = nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception&) {
        throw Error(
            ErrorCode::kInvalidArgument,
            file + ": expected a JSON object with a list \"controls\", got a text that is no JSON, such as one that is half written");
    }
    if (!json.is_object() || !json.contains("controls") || !json["controls"].is_array()) {
        refuse(file, "controls", "a list in a JSON object", json);
    }
    std::vector<NumberedControl> controls;
    for (std::size_t i = 0; i < json["controls"].size(); ++i) {
        controls.push_back(controlOf(json["controls"][i], "controls[" + std::to_string(i) + "]", file));
        if (i > 0 && controls[i].number <= controls[i - 1].number) {
            refuse(file, "controls[" + std::to_string(i) + "].number", "one above " + std::to_string(controls[i - 1].number),
                   controls[i].number);
        }
    }
    return controls;
}

std::vector<NumberedControl> readControls(const engine::files::SafeFolder& folder) {
    if (!folder.status(kControlFile)) return {};
    const engine::files::FileDescriptor file = folder.openToRead(kControlFile);
    const std::string name = (folder.path() / kControlFile).string();
    engine::files::requireRegular(file.get(), name);
    return parseControls(engine::files::readWhole(file.get(), name, kMostControlBytes), name);
}

void addControl(const engine::files::SafeFolder& folder, const Control& control) {
    std::vector<NumberedControl> controls;
    try {
        controls = readControls(folder);
    } catch (const Error&) {
        // What is there asks for nothing.
    }
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    controls.push_back({std::max<std::int64_t>(now, controls.empty() ? 1 : controls.back().number + 1), control});
    if (controls.size() > kKept) controls.erase(controls.begin(), controls.end() - kKept);
    const std::string aside = std::string(kControlFile) + ".new";
    engine::files::OutputFile file(folder.create(aside));
    file.write(controlsText(controls));
    if (const int error = file.flush(); error != 0) {
        throw Error(engine::files::codeOfErrno(error),
                    (folder.path() / kControlFile).string() + ": can't be written: " + std::strerror(error));
    }
    folder.rename(aside, kControlFile);
}

}  // namespace agent::convert
