// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a run's report in the user's language.
#pragma once

#include <QString>
#include <string_view>
#include <vector>

#include "engine/report/html_report.h"

namespace ui::views {

// In the language in force. Its word() may be called from any thread while the language is not switched.
engine::report::ReportLanguage reportLanguage();

// Every word and sentence that a report asks for and that is translated, in English: for tests.
std::vector<std::string_view> reportWords();

}  // namespace ui::views
