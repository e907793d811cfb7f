// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences with places for what varies, recognised in the words of a program that has no language. Private to ui/models. GUI thread.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ui::models {

class SentenceList {
public:
    // Says which part a place takes when the words behind it stand twice in a text: the longest or the shortest.
    enum class Places { kLongest, kShortest };

    // `context` and `sources`, as QT_TRANSLATE_NOOP names them, live as long as the program; the span does not have to.
    SentenceList(const char* context, std::span<const char* const> sources, Places places = Places::kLongest);
    // Returns the sentence in the user's language by the first shape that fits; nullopt when none does. `part` gives what stands in a
    // place, and is told the source that it stands in.
    std::optional<QString> translated(const QString& sentence, const std::function<QString(const QString&, const char*)>& part) const;

private:
    struct Sentence {
        const char* source;
        std::vector<int> places;  // their numbers in the order of the text
        QString begins, ends;     // the words before the first place and behind the last: most shapes are ruled out by them
        QRegularExpression shape;
    };
    const char* const context_;
    std::vector<Sentence> sentences_;
};

}  // namespace ui::models
