// SPDX-License-Identifier: GPL-3.0-or-later
// Why the project can't be launched, for what is greyed then.
#pragma once

#include <QString>

namespace ui::session {
class Session;
}

namespace ui::views {

// Returns the launcher's word, with the first finding's sentence when findings are the reason: "1 problem: expected …". Empty when the
// project can be launched.
QString launchObstacle(const session::Session& session);

}  // namespace ui::views
