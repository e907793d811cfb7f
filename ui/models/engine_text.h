// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's sentences that pages show as their own: strategies, advice on batches, shards, devices, repairs; what the agent says of
// tasks that ended. Diagnostics are none of them: finding_text.h has those.
#pragma once

#include <QString>
#include <optional>
#include <string>

namespace ui::models {

// Returns the sentence in the user's language, with counts written as everywhere else; unchanged when it is not in the list. Any thread.
QString engineText(const QString& sentence);
QString engineText(const std::string& sentence);
// The same, where `inner` reads the sentences inside of one; nothing where the sentence is not in the list.
std::optional<QString> engineText(const QString& sentence, QString (*inner)(const QString&));

}  // namespace ui::models
