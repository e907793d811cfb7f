// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/finding_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <optional>
#include <utility>
#include <vector>

#include "engine/spec/project/model_fixes.h"
#include "ui/models/engine_text.h"
#include "ui/models/findings/sentences.h"
#include "ui/models/sentence_list.h"

namespace ui::models {
namespace {

constexpr const char* kContext = "FindingTexts";
// A layer or a field and its rule; two names of several.
constexpr const char* kNamed = QT_TRANSLATE_NOOP("FindingTexts", "%1: %2");
constexpr const char* kBoth = QT_TRANSLATE_NOOP("FindingTexts", "%1, %2");

QString joined(const char* source, const QString& first, const QString& second) {
    return QCoreApplication::translate(kContext, source).arg(first, second);
}

// A value stays; names that follow each other and what is a phrase are translated.
QString placeText(const QString& text) {
    static const SentenceList phrases(kContext, findings::phrases(), SentenceList::Places::kShortest);
    static const QRegularExpression names(QStringLiteral("\\A[^\\s,]+(?:, [^\\s,]+)+\\z"));
    if (text.isEmpty()) return QStringLiteral("\"\"");
    if (QLatin1String("\"([").contains(text.front())) return text;  // a user's text, a shape, a list
    if (names.match(text).hasMatch()) {
        return listed(text.split(QStringLiteral(", ")));
    }
    return phrases.translated(text, [](const QString& part, const char*) { return placeText(part); }).value_or(text);
}

// A number is a fact here, a port or an index as often as a count: it stays as it was written.
std::optional<QString> ruleText(const QString& sentence) {
    static const SentenceList rules = [] {
        std::vector<const char*> all;
        for (const findings::Sentences some : {findings::ofModel(), findings::ofTraining(), findings::ofData(), findings::ofStrategy(),
                                               findings::ofCluster(), findings::ofPasted(), findings::ofGeneral()}) {
            all.insert(all.end(), some.begin(), some.end());
        }
        return SentenceList(kContext, all);
    }();
    return rules.translated(sentence, [](const QString& part, const char*) { return placeText(part); });
}

std::optional<QString> doctorText(const QString& sentence) {
    static const SentenceList rows("DoctorTexts", findings::ofDoctor());
    return rows.translated(sentence, [](const QString& part, const char*) { return findingText(part); });
}

std::optional<QString> hostText(const QString& sentence) {
    static const SentenceList causes("HostTexts", findings::ofHosts());
    return causes.translated(sentence, [](const QString& part, const char*) { return findingText(part); });
}

std::optional<QString> fileText(const QString& sentence) {
    static const SentenceList files("FileTexts", findings::ofFiles());
    return files.translated(sentence, [](const QString& part, const char*) { return findingText(part); });
}

std::optional<QString> codeText(const QString& sentence) {
    static const SentenceList notes("CodeTexts", findings::ofCode());
    return notes.translated(sentence, [](const QString& part, const char*) { return findingText(part); });
}

std::optional<QString> wholeText(const QString& sentence) {
    static const SentenceList wholes(kContext, findings::wholes());
    return wholes.translated(sentence, [](const QString& part, const char*) {
        const QString text = placeText(part);
        return text != part ? text : codeText(part).value_or(part);  // a value of code is named by its kind: "a tuple"
    });
}

// Translates a finding with names before it: "conv2d: expected …", "a: LSTM.units: expected …", "a.tfrecord: record 3: expected …".
std::optional<QString> namedText(const QString& sentence) {
    constexpr QLatin1String kRule(": expected ");
    const qsizetype at = sentence.indexOf(kRule);
    if (at <= 0) {  // "node2: the host is out of reach"
        const qsizetype end = sentence.indexOf(QLatin1String(": "));
        const std::optional<QString> cause = end > 0 ? hostText(sentence.mid(end + 2)) : std::nullopt;
        return cause ? std::optional(withName(sentence.left(end), *cause)) : std::nullopt;
    }
    const QString name = sentence.left(at);
    return withName(fileText(name).value_or(name), findingText(sentence.mid(at + 2)));
}

// A task that fails may say what a rule found.
QString reasonText(const QString& reason) {
    if (std::optional<QString> text = engineText(reason, &reasonText)) return *std::move(text);
    return reason.contains(QLatin1String("expected ")) ? findingText(reason) : reason;
}

}  // namespace

QString findingText(const QString& sentence) {
    for (const auto text : {ruleText, doctorText, hostText, codeText, fileText, wholeText, namedText}) {
        if (std::optional<QString> found = text(sentence)) return *std::move(found);
    }
    return engineText(sentence);
}

QString findingText(const std::string& sentence) {
    return findingText(QString::fromStdString(sentence));
}

QString agentText(const QString& detail) {
    static const QRegularExpression task(QStringLiteral("\\A(?:((?:chief|worker|ps|evaluator) \\d+): )?(.*)\\z"),
                                         QRegularExpression::DotMatchesEverythingOption);
    const auto match = task.match(detail);
    const QString reason = reasonText(match.captured(2));
    return match.captured(1).isEmpty() ? reason : withName(match.captured(1), reason);
}

QString withName(const QString& name, const QString& text) {
    return joined(kNamed, name, text);
}

QString listed(const QStringList& names) {
    return names.join(joined(kBoth, {}, {}));
}

FindingParts findingParts(const std::string& message) {
    const engine::spec::LayerMismatch mismatch = engine::spec::mismatchOf(message, {});
    const QString expected = QString::fromStdString(mismatch.expected), got = QString::fromStdString(mismatch.got);
    const std::size_t begin = message.find("expected ");
    const QString rule = QString::fromStdString(begin == std::string::npos ? message : message.substr(begin));
    const std::optional<QString> whole = ruleText(rule);
    if (whole && *whole != rule) return {*whole, {}};
    return {placeText(expected), got.isEmpty() ? QString() : placeText(got)};
}

}  // namespace ui::models
