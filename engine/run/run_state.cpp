#include "engine/run/run_state.h"

#include <array>

namespace engine::run {
namespace {

constexpr std::array<std::string_view, 7> kWords{"", "Starting", "Training", "Paused", "Done", "Stopped", "Failed"};

}  // namespace

std::string_view toString(RunState state) {
    return kWords[static_cast<std::size_t>(state)];
}

std::optional<RunState> runStateOf(int number) {
    if (number < 1 || number >= static_cast<int>(kWords.size())) return std::nullopt;
    return static_cast<RunState>(number);
}

}  // namespace engine::run
