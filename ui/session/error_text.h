// SPDX-License-Identifier: GPL-3.0-or-later
// How a run stands, in the user's language.
#pragma once

#include <QString>

#include "ui/session/values.h"

namespace ui::session {

QString runStateText(RunState phase);

}  // namespace ui::session
