// Python's format of a number, as file names carry it.
#pragma once

#include <string_view>

namespace engine::spec {

// "02d", ".4f", "8.3e", "g" or nothing, up to 200 wide and with up to 200 digits; d needs an integer.
bool isNumberFormat(std::string_view format, bool integer);

}  // namespace engine::spec
