// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a run's report in the user's language.
#pragma once

#include <QString>
#include <string_view>
#include <vector>

#include "engine/report/html_report.h"

namespace ui::views {

// Returns the words of a report in the studio's present language. word() may be called from any thread while the language is not switched.
engine::report::ReportLanguage reportLanguage();

// Returns every word and sentence that a report asks for and that is translated, in English: for tests.
std::vector<std::string_view> reportWords();

}  // namespace ui::views
