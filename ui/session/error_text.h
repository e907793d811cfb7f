// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, in the user's language: one sentence by code, then the engine's own words, which stay English for searching.
#pragma once

#include <QString>

#include "ui/session/values.h"

namespace ui::session {

QString errorText(const ErrorInfo& error);
QString runStateText(RunState phase);

}  // namespace ui::session
