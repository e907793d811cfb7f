// SPDX-License-Identifier: GPL-3.0-or-later
// What rules and the doctor find, in the user's language: the messages of diagnostics, what would mend them, the doctor's rows. Engine and
// agent have no language, so the places that vary are found again in their words: findings/sentences.h. GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <string>

namespace ui::models {

// Returns the sentence in the user's language. Classes, fields, values and paths stay as they are, and so does a sentence that is in no
// list, such as a plug-in's.
QString findingText(const QString& sentence);
QString findingText(const std::string& sentence);
// Returns why a task or a run ended or waits, as the agent says it, in the user's language, with the finding of a rule that it may hold;
// the name of a task before it stays.
QString agentText(const QString& detail);

// Returns "NAME: TEXT", and "A, B, C", with the marks of the user's language.
QString withName(const QString& name, const QString& text);
QString listed(const QStringList& names);

// A message in two: what was expected and what is there. The latter is empty where the user's language has one sentence for both.
struct FindingParts {
    QString expected, got;
};
FindingParts findingParts(const std::string& message);

}  // namespace ui::models
