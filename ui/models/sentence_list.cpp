// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sentence_list.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace ui::models {

SentenceList::SentenceList(const char* context, std::span<const char* const> sources) : context_(context) {
    static const QRegularExpression place(QStringLiteral("%(\\d)"));
    for (const char* source : sources) {
        const QString text = QString::fromUtf8(source);
        QStringList parts = text.split(QRegularExpression(QStringLiteral("%\\d")));
        for (QString& part : parts) part = QRegularExpression::escape(part);
        std::vector<int> places;
        for (auto match = place.globalMatch(text); match.hasNext();) places.push_back(match.next().captured(1).toInt());
        sentences_.push_back(
            {source, std::move(places), QRegularExpression(QRegularExpression::anchoredPattern(parts.join(QStringLiteral("(.+)"))))});
    }
}

std::optional<QString> SentenceList::translated(const QString& sentence,
                                                const std::function<QString(const QString&, const char*)>& part) const {
    for (const Sentence& one : sentences_) {
        const auto match = one.shape.match(sentence);
        if (!match.hasMatch()) continue;
        // Put together piece by piece: what is put in holds no place of ours.
        const QString text = QCoreApplication::translate(context_, one.source);
        QString out;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const int number = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
            const auto at = std::find(one.places.begin(), one.places.end(), number);
            if (number < 0 || at == one.places.end()) {
                out += text[i];
                continue;
            }
            out += part(match.captured(static_cast<int>(at - one.places.begin()) + 1), one.source);
            ++i;
        }
        return out;
    }
    return std::nullopt;
}

}  // namespace ui::models
