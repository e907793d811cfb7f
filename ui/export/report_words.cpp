// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <iterator>

#include "ui/models/finding_text.h"
#include "ui/parts/languages.h"

namespace ui::views {
namespace {

constexpr const char* kContext = "ReportWords";
constexpr const char* kLost = QT_TRANSLATE_NOOP("ReportWords", "%1 lost: %2");
constexpr const char* kAttempt = QT_TRANSLATE_NOOP("ReportWords", "attempt %1 of %2: %3 %4");
constexpr const char* kByHand = QT_TRANSLATE_NOOP("ReportWords", "attempt %1, started by hand; the one before: %2");

// The words of every report; a test asks a report for all of them.
constexpr const char* kWords[] = {
    QT_TRANSLATE_NOOP("ReportWords", "Results"),
    QT_TRANSLATE_NOOP("ReportWords", "result"),
    QT_TRANSLATE_NOOP("ReportWords", "value"),
    QT_TRANSLATE_NOOP("ReportWords", "parameters"),
    QT_TRANSLATE_NOOP("ReportWords", "global batch"),
    QT_TRANSLATE_NOOP("ReportWords", "steps planned"),
    QT_TRANSLATE_NOOP("ReportWords", "weights, sha256"),
    QT_TRANSLATE_NOOP("ReportWords", "Settings"),
    QT_TRANSLATE_NOOP("ReportWords", "setting"),
    QT_TRANSLATE_NOOP("ReportWords", "model"),
    QT_TRANSLATE_NOOP("ReportWords", "data"),
    QT_TRANSLATE_NOOP("ReportWords", "batch per replica"),
    QT_TRANSLATE_NOOP("ReportWords", "optimizer"),
    QT_TRANSLATE_NOOP("ReportWords", "learning rate"),
    QT_TRANSLATE_NOOP("ReportWords", "loss"),
    QT_TRANSLATE_NOOP("ReportWords", "metrics"),
    QT_TRANSLATE_NOOP("ReportWords", "epochs"),
    QT_TRANSLATE_NOOP("ReportWords", "seed"),
    QT_TRANSLATE_NOOP("ReportWords", "strategy"),
    QT_TRANSLATE_NOOP("ReportWords", "executor"),
    QT_TRANSLATE_NOOP("ReportWords", "transport"),
    QT_TRANSLATE_NOOP("ReportWords", "folder"),
    QT_TRANSLATE_NOOP("ReportWords", "%1 to %2"),
    QT_TRANSLATE_NOOP("ReportWords", "Tasks"),
    QT_TRANSLATE_NOOP("ReportWords", "task"),
    QT_TRANSLATE_NOOP("ReportWords", "address"),
    QT_TRANSLATE_NOOP("ReportWords", "state"),
    QT_TRANSLATE_NOOP("ReportWords", "last step"),
    QT_TRANSLATE_NOOP("ReportWords", "input, ms"),
    QT_TRANSLATE_NOOP("ReportWords", "compute, ms"),
    QT_TRANSLATE_NOOP("ReportWords", "wait, ms"),
    QT_TRANSLATE_NOOP("ReportWords", "reduce, ms"),
    QT_TRANSLATE_NOOP("ReportWords", "apply, ms"),
    QT_TRANSLATE_NOOP("ReportWords", "peak memory, MB"),
    QT_TRANSLATE_NOOP("ReportWords", "detail"),
    QT_TRANSLATE_NOOP("ReportWords", "this computer"),
    QT_TRANSLATE_NOOP("ReportWords", "Epochs"),
    QT_TRANSLATE_NOOP("ReportWords", "epoch"),
    QT_TRANSLATE_NOOP("ReportWords", "steps"),
    QT_TRANSLATE_NOOP("ReportWords", "seconds"),
    QT_TRANSLATE_NOOP("ReportWords", "Checkpoints"),
    QT_TRANSLATE_NOOP("ReportWords", "file"),
    QT_TRANSLATE_NOOP("ReportWords", "step"),
    QT_TRANSLATE_NOOP("ReportWords", "MB"),
    QT_TRANSLATE_NOOP("ReportWords", "best"),
    QT_TRANSLATE_NOOP("ReportWords", "What happened"),
    QT_TRANSLATE_NOOP("ReportWords", "after"),
    QT_TRANSLATE_NOOP("ReportWords", "what"),
    QT_TRANSLATE_NOOP("ReportWords", "Warnings and errors"),
    QT_TRANSLATE_NOOP("ReportWords", "line"),
    QT_TRANSLATE_NOOP("ReportWords", "Charts"),
    QT_TRANSLATE_NOOP("ReportWords", "Loss"),
    QT_TRANSLATE_NOOP("ReportWords", "Learning rate"),
    QT_TRANSLATE_NOOP("ReportWords", "Throughput"),
    QT_TRANSLATE_NOOP("ReportWords", "Project"),
    QT_TRANSLATE_NOOP("ReportWords", "train"),
    QT_TRANSLATE_NOOP("ReportWords", "validation"),
    QT_TRANSLATE_NOOP("ReportWords", "all tasks"),
    QT_TRANSLATE_NOOP("ReportWords", "images / s"),
    QT_TRANSLATE_NOOP("ReportWords", "%1: no point was told."),
    QT_TRANSLATE_NOOP("ReportWords", "Best %1 %2 in epoch %3."),
    QT_TRANSLATE_NOOP("ReportWords", "Run %1"),
    QT_TRANSLATE_NOOP("ReportWords", "1 task"),
    QT_TRANSLATE_NOOP("ReportWords", "%1 tasks"),
    QT_TRANSLATE_NOOP("ReportWords", "launched %1"),
    QT_TRANSLATE_NOOP("ReportWords", "%1 attempts"),
    QT_TRANSLATE_NOOP("ReportWords", "took %1"),
    QT_TRANSLATE_NOOP("ReportWords", "Not started"),
    QT_TRANSLATE_NOOP("ReportWords", "Starting"),
    QT_TRANSLATE_NOOP("ReportWords", "Connecting"),
    QT_TRANSLATE_NOOP("ReportWords", "Ready"),
    QT_TRANSLATE_NOOP("ReportWords", "Training"),
    QT_TRANSLATE_NOOP("ReportWords", "Waiting"),
    QT_TRANSLATE_NOOP("ReportWords", "Paused"),
    QT_TRANSLATE_NOOP("ReportWords", "Done"),
    QT_TRANSLATE_NOOP("ReportWords", "Stopped"),
    QT_TRANSLATE_NOOP("ReportWords", "Failed"),
};

// Translates how a run ended: "failed: worker 1: killed by signal 9 (SIGKILL)", "stopped".
QString endText(const QString& english) {
    static const QRegularExpression end(QStringLiteral("\\A(failed|stopped|done)(?:: (.*))?\\z"),
                                        QRegularExpression::DotMatchesEverythingOption);
    const auto match = end.match(english);
    if (!match.hasMatch()) return models::agentText(english);
    const char* word = match.captured(1) == u"failed" ? "Failed" : match.captured(1) == u"done" ? "Done" : "Stopped";
    const QString text = QCoreApplication::translate(kContext, word);
    return match.captured(2).isEmpty() ? text : models::withName(text, models::agentText(match.captured(2)));
}

// Translates a sentence of the engine or the agent: what became of a task, why one was lost, why all were started again.
QString sentenceText(const QString& english) {
    constexpr auto kAll = QRegularExpression::DotMatchesEverythingOption;
    static const QRegularExpression lost(QStringLiteral("\\A((?:chief|worker|ps|evaluator) \\d+) lost: (.*)\\z"), kAll);
    static const QRegularExpression attempt(QStringLiteral("\\Aattempt (\\d+) of (\\d+): ((?:chief|worker|ps|evaluator) \\d+) (.*)\\z"),
                                            kAll);
    static const QRegularExpression by_hand(QStringLiteral("\\Aattempt (\\d+), started by hand; the one before: (.*)\\z"), kAll);
    const auto translated = [](const char* sentence) { return QCoreApplication::translate(kContext, sentence); };
    if (const auto match = lost.match(english); match.hasMatch())
        return translated(kLost).arg(match.captured(1), models::agentText(match.captured(2)));
    if (const auto match = attempt.match(english); match.hasMatch())
        return translated(kAttempt).arg(match.captured(1), match.captured(2), match.captured(3), models::agentText(match.captured(4)));
    if (const auto match = by_hand.match(english); match.hasMatch())
        return translated(kByHand).arg(match.captured(1), endText(match.captured(2)));
    return models::agentText(english);
}

std::string wordText(std::string_view english) {
    const auto* known = std::find(std::begin(kWords), std::end(kWords), english);
    const QString text = known != std::end(kWords)
                             ? QCoreApplication::translate(kContext, *known)
                             : sentenceText(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size())));
    return text.toStdString();
}

}  // namespace

engine::report::ReportLanguage reportLanguage() {
    return {.tag = languageInForce().replace(QLatin1Char('_'), QLatin1Char('-')).toStdString(), .word = wordText};
}

std::vector<std::string_view> reportWords() {
    return {std::begin(kWords), std::end(kWords)};
}

}  // namespace ui::views
