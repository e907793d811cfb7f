// SPDX-License-Identifier: GPL-3.0-or-later
// Hostfiles and Slurm's variables that are pasted.
#include <QCoreApplication>

#include "ui/models/findings/sentences.h"

namespace ui::models::findings {
namespace {

constexpr const char* kPastedSentences[] = {
    QT_TRANSLATE_NOOP("FindingTexts", "%1: expected ports up to 65535 for %2 tasks, counted from %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "Begin with a smaller port."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at most %1 tasks in all, got more"),
    QT_TRANSLATE_NOOP("FindingTexts", "hostfile: expected at least one host, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "Write a host a line, such as \"node1 slots=2\"."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected slots=N or max_slots=N after the host, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least 1 slot as a whole number, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Write slots=2 for two workers."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a range such as 01-04, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at most 4096 hosts, got more"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a host between two commas, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a closing ] in %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the list of hosts, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected counts such as 2(x3),1, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a count for each of %1 hosts, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least 1 task as a whole number, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 1 to %1 tasks, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a rank below the number of tasks (%1), got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected JSON, as TensorFlow reads it, got a mistake at %1; Python's text of a dictionary is none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected JSON, as TensorFlow reads it, got a mistake at %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Write it as JSON: %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected addresses of tasks that the text itself gives, got none"),
};

}  // namespace

Sentences ofPasted() {
    return kPastedSentences;
}

}  // namespace ui::models::findings
