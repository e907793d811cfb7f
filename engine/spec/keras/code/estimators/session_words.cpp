#include "engine/spec/keras/code/estimators/session_words.h"

#include <algorithm>
#include <array>

namespace engine::spec::code {
namespace {

constexpr std::int64_t kUsualTimeout = 7200;  // seconds, of session_creation_timeout_secs

struct Row {
    std::string_view argument, expected, happens;
};
constexpr std::string_view kHooks = "no hooks", kNoHooks = "a run calls none here";
constexpr std::array<Row, 10> kRows{
    {{"session_config", "no settings of a session", "devices and threads are the project's"},
     {"device_fn", "no function that places operations", "the strategy places them"},
     {"protocol", "grpc", "tasks speak as cluster.transport says"},
     {"session_creation_timeout_secs", "no time for a session to come", "tasks wait as long as cluster.start_timeout_s says"},
     {"hooks", kHooks, kNoHooks},
     {"training_hooks", kHooks, kNoHooks},
     {"training_chief_hooks", kHooks, kNoHooks},
     {"evaluation_hooks", kHooks, kNoHooks},
     {"prediction_hooks", kHooks, kNoHooks},
     {"saving_listeners", "no listeners", "a run calls none here"}}};

const Row* findRow(std::string_view argument) {
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& one) { return one.argument == argument; });
    return row == kRows.end() ? nullptr : row;
}

bool saysNothing(std::string_view argument, const Node& value) {
    if (value.kind == Node::Kind::kNone) return true;
    if (argument == "protocol") return value.kind == Node::Kind::kText && value.text == "grpc";
    if (argument == "session_creation_timeout_secs") return value.isNumber() && value.number() == static_cast<double>(kUsualTimeout);
    return (value.kind == Node::Kind::kList || value.kind == Node::Kind::kTuple) && value.items.empty();
}

}  // namespace

bool isOfSession(std::string_view argument) {
    return findRow(argument) != nullptr;
}

std::string wordsOfSession(std::string_view argument, const Node& value) {
    const Row* row = findRow(argument);
    if (row == nullptr || saysNothing(argument, value)) return {};
    return std::string(argument) + ": expected " + std::string(row->expected) + ", got " + nodeText(value) + ": " +
           std::string(row->happens);
}

}  // namespace engine::spec::code
