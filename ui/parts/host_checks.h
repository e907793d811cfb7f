// SPDX-License-Identifier: GPL-3.0-or-later
// The state of this computer as findings: what its agent tells, put into words.
#pragma once

#include <vector>

#include "ui/models/check_list_model.h"
#include "ui/session/session.h"

namespace ui::views {

std::vector<models::CheckRow> hostChecks(const session::Session& session);

// Returns what keeps the open project from Launch, and what is in order: diagnostics first, then passed checks.
std::vector<models::CheckRow> projectChecks(const session::Session& session);

// Opens a folder in the desktop's file manager.
void openFolder(const QString& path);

}  // namespace ui::views
