// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sentence_list.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <utility>

namespace ui::models {
namespace {

// Chinese has no blank between its own characters: one that a text has before or behind a place is for names and numbers.
void append(QString& text, const QString& more) {
    const auto is_chinese = [](QChar c) { return c.script() == QChar::Script_Han; };
    const bool is_blank = text.endsWith(QLatin1Char(' ')) && text.size() > 1 && is_chinese(text[text.size() - 2]);
    if (is_blank && !more.isEmpty() && is_chinese(more.front())) text.chop(1);
    text += more;
}

}  // namespace

SentenceList::SentenceList(const char* context, std::span<const char* const> sources, Places places) : context_(context) {
    static const QRegularExpression place(QStringLiteral("%(\\d)"));
    const QString any = places == Places::kLongest ? QStringLiteral("(.*)") : QStringLiteral("(.*?)");
    for (const char* source : sources) {
        const QString text = QString::fromUtf8(source);
        QStringList parts = text.split(place);
        Sentence sentence{.source = source, .begins = parts.front(), .ends = parts.back()};
        for (auto match = place.globalMatch(text); match.hasNext();) sentence.places.push_back(match.next().captured(1).toInt());
        for (QString& part : parts) part = QRegularExpression::escape(part);
        sentence.shape = QRegularExpression(QRegularExpression::anchoredPattern(parts.join(any)),
                                            QRegularExpression::DotMatchesEverythingOption);  // a text in quotes may have lines
        sentences_.push_back(std::move(sentence));
    }
}

std::optional<QString> SentenceList::translated(const QString& sentence,
                                                const std::function<QString(const QString&, const char*)>& part) const {
    for (const Sentence& one : sentences_) {
        if (!sentence.startsWith(one.begins) || !sentence.endsWith(one.ends)) continue;
        const auto match = one.shape.match(sentence);
        if (!match.hasMatch()) continue;
        // Put together piece by piece: what is put in holds no place of ours.
        const QString text = QCoreApplication::translate(context_, one.source);
        QString out;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const int number = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
            const auto at = std::find(one.places.begin(), one.places.end(), number);
            if (number < 0 || at == one.places.end()) {
                append(out, text[i]);
                continue;
            }
            append(out, part(match.captured(static_cast<int>(at - one.places.begin()) + 1), one.source));
            ++i;
        }
        return out;
    }
    return std::nullopt;
}

}  // namespace ui::models
