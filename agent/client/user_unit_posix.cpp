#include "agent/client/user_unit.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "agent/local/program_output.h"
#include "engine/spec/error.h"

namespace agent::client {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kManagerQuestion{3};  // of systemctl and loginctl: a manager that hangs is none

// Returns what a program of the PATH printed. nullopt where there is none, it failed, or it was not done in time and was killed.
std::optional<std::string> answerOf(const std::vector<std::string>& words, Clock::time_point until) {
    try {
        convert::ProgramEnd end = convert::runProgram(words, std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()));
        return end.exit_code == 0 ? std::optional(std::move(end.output)) : std::nullopt;
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

// Names alone, whose values systemd-run takes from its own environment: what stands in its arguments everybody on this computer can read.
void addVariables(std::vector<std::string>& words) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        const bool is_name =
            !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
            std::all_of(name.begin(), name.end(), [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
        const bool is_plain =
            std::none_of(text.begin(), text.end(), [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; });
        if (is_name && is_plain && name != "NOTIFY_SOCKET" && name != "INVOCATION_ID") {
            words.push_back("--setenv=" + std::string(name));
        }
    }
}

}  // namespace

bool startAsUserUnit(const std::filesystem::path& program, const std::vector<std::string>& arguments, const std::filesystem::path& log,
                     Clock::time_point until) {
    const auto soon = [until] { return std::min(until, Clock::now() + kManagerQuestion); };
    if (!answerOf({"systemctl", "--user", "show-environment"}, soon())) {
        return false;
    }
    const std::optional<std::string> lingers =
        answerOf({"loginctl", "show-user", std::to_string(::getuid()), "--property=Linger", "--value"}, soon());
    if (lingers != "yes\n") {
        return false;
    }
    std::vector<std::string> words{"systemd-run",
                                   "--user",
                                   "--quiet",
                                   "--collect",
                                   "--unit=tandem-agent-" + std::to_string(::getpid()),
                                   "--description=Tandem's agent",
                                   "--service-type=notify",
                                   "--working-directory=/",
                                   "--property=KillMode=mixed",
                                   "--property=Restart=on-failure",
                                   "--property=TasksMax=infinity",
                                   "--property=StandardOutput=append:" + log.string(),
                                   "--property=StandardError=append:" + log.string()};
    addVariables(words);
    words.insert(words.end(), {"--", program.string()});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return answerOf(std::move(words), until).has_value();
}

}  // namespace agent::client
