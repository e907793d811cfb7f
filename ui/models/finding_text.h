// SPDX-License-Identifier: GPL-3.0-or-later
// What rules and the doctor find, in the user's language: the messages of diagnostics, what would mend them, the doctor's rows. Engine and
// agent have no language, so the places that vary are found again in their words. GUI thread.
#pragma once

#include <QString>
#include <string>

namespace ui::models {

// A finding that is not of the list, as most of those about layers and data are not, stays as it is.
QString findingText(const QString& sentence);
QString findingText(const std::string& sentence);

}  // namespace ui::models
