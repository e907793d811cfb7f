// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's sentences that pages show as their own: strategies, advice on batches, shards, devices. Diagnostics are none of them: they
// stay as the command line prints them.
#pragma once

#include <QString>
#include <string>

namespace ui::models {

// In the user's language, counts written as everywhere else; as it stands where it is not one of the list. Any thread.
QString engineText(const QString& sentence);
QString engineText(const std::string& sentence);

}  // namespace ui::models
