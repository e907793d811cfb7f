// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's sentences that pages show as their own: strategies, advice on batches, shards, devices, repairs; what the agent says of
// tasks that ended. Diagnostics are none of them: finding_text.h has those.
#pragma once

#include <QString>
#include <string>

namespace ui::models {

// Returns the sentence in the user's language, with counts written as everywhere else; unchanged when it is not in the list. Any thread.
QString engineText(const QString& sentence);
QString engineText(const std::string& sentence);
// Returns why a task or a run ended or waits, as the agent says it, in the user's language, with the finding of a rule that it may hold;
// the name of a task before it stays.
QString agentText(const QString& detail);

}  // namespace ui::models
