// How a table is written, guessed from how it begins. Pure; any thread.
#pragma once

#include <string_view>

#include "engine/spec/project/data_spec.h"

namespace engine::spec {

// `beginning`: the first bytes of the file, some whole lines at least; what is cut off at the end does not count. Sets of `format` what
// the bytes tell: `delimiter`, the one of , ; tab | that parts the lines into the most cells, as many in nearly each (`format`'s own
// where none does), and `header`, false where the first line holds numbers as the ones below it do. The rest stays.
CsvFormat guessCsv(std::string_view beginning, CsvFormat format);

}  // namespace engine::spec
