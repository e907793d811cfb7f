// Numbers and file names as Keras' programs print them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine::train {

// Name -> value in Keras' order: accuracy, loss, val_accuracy, val_loss, then what callbacks add.
using Logs = std::vector<std::pair<std::string, double>>;

const double* findLog(const Logs& logs, std::string_view name);
void setLog(Logs& logs, std::string_view name, double value);  // replaces in place or appends
std::string logNames(const Logs& logs, std::string_view separator = ",");

// repr(): the shortest text that reads back as the same double, with Python's choice of the exponent form. "0.001", "1e-05", "12.0", "nan".
std::string pythonRepr(double value);
// The same of NumPy's float32: as few digits as tell it from its neighbours.
std::string float32Repr(float value);

// What a name without a value is: an error, or a number that is not known, "nan".
enum class Missing { kRefused, kIsNan };

// str.format of "ckpt_{epoch}", "{epoch:02d}-{val_loss:.2f}", "{{": integers where the value is one (epoch, batch). Formats d, f, e, g,
// with width and precision. Throws Error(kInvalidArgument) naming an unknown name and those that exist, or a format that it does not know.
std::string formatFilePath(std::string_view pattern, const Logs& values, Missing missing = Missing::kRefused);

}  // namespace engine::train
