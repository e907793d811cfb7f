// VALUE of --set as JSON and back. Plain functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace engine::sweep {

// A text that reads as JSON is that, any other a text. One that lies deeper than settings may is a text, too.
nlohmann::ordered_json valueOf(const std::string& text);
// The shortest VALUE that means this.
std::string textOf(const nlohmann::ordered_json& value);
// The same value in its shortest form that can stand in a list with commas: 1e-2 is 0.01, "relu" is relu.
std::string plainValue(const std::string& text);

// The finite number that the whole text is; nullopt for any other text.
std::optional<double> numberIn(std::string_view text);

}  // namespace engine::sweep
