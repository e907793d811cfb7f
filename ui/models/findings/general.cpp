// SPDX-License-Identifier: GPL-3.0-or-later
// The file of the project, and sentences that any field may have.
#include <QCoreApplication>

#include "ui/models/findings/sentences.h"

namespace ui::models::findings {
namespace {

constexpr const char* kGeneralSentences[] = {
    QT_TRANSLATE_NOOP("FindingTexts", "expected a project as JSON, got a mistake at %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a project as a JSON object, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a project version from 1 to %1, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a project version from 1 to %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a project version of at most %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "A newer Tandem wrote this project: open it with that one."),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "unknown key: expected a job with its addresses, transport, start_timeout_s, threads_per_task, on_task_lost, "
                      "scale_learning_rate, max_restarts, heartbeat_fatal_s, home_lost_s or hosts, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "unknown key: expected %1, got %2"),
    // engine/spec/project/apply_setting.cpp: a value as --set and forms take it
    QT_TRANSLATE_NOOP("FindingTexts", "expected a setting PATH=VALUE, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a path such as fit.epochs or model.layers[2].units, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a value of the project, got the version of its format"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected an index below %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a list before [%1], got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected an object before .%1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at most %1 bytes of text, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Write it as %1."),
    QT_TRANSLATE_NOOP("FindingTexts", "Write %1."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least %1 and at most %2, got %3"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least %1, got %2"),
};

// These are taken when no other sentence fits: their places are phrases.
constexpr const char* kWholes[] = {
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1, got nothing"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected %1, got %2"),
};

}  // namespace

Sentences ofGeneral() {
    return kGeneralSentences;
}

Sentences wholes() {
    return kWholes;
}

}  // namespace ui::models::findings
