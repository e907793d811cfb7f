// SPDX-License-Identifier: GPL-3.0-or-later
// What failed, in the user's language: one sentence by its code, then what the agent said. GUI thread.
#pragma once

#include <QString>

#include "ui/session/values.h"

namespace ui::models {

// Returns what failed. A sentence of the agent that is not in the lists (finding_text.h) stays English. Several are told in lines.
QString errorText(const session::ErrorInfo& error);

}  // namespace ui::models
