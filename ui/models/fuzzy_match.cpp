// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/fuzzy_match.h"

#include <QList>
#include <QString>
#include <algorithm>
#include <limits>

namespace ui::models {
namespace {

constexpr int kLetter = 10, kWordStart = 12, kRun = 8, kTextStart = 6, kGap = 1, kMostGap = 6, kLength = 16;
constexpr int kNone = std::numeric_limits<int>::min() / 2;

bool isWordStart(QStringView text, qsizetype at) {
    if (at == 0) return true;
    const QChar before = text[at - 1], here = text[at];
    return !before.isLetterOrNumber() || (before.isLower() && here.isUpper()) || (before.isLetter() && here.isDigit());
}

// best[i][j]: the best score of word[0..i] with its last letter at text[j].
std::optional<FuzzyMatch> matchWord(QStringView word, QStringView text) {
    const auto n = static_cast<std::size_t>(word.size()), m = static_cast<std::size_t>(text.size());
    if (n > m) return std::nullopt;
    std::vector<std::vector<int>> best(n, std::vector<int>(m, kNone)), from(n, std::vector<int>(m, -1));
    for (std::size_t i = 0; i < n; ++i) {
        const QChar wanted = word[static_cast<qsizetype>(i)].toCaseFolded();
        for (std::size_t j = i; j < m; ++j) {
            if (text[static_cast<qsizetype>(j)].toCaseFolded() != wanted) continue;
            const int own = kLetter + (isWordStart(text, static_cast<qsizetype>(j)) ? kWordStart : 0) + (j == 0 ? kTextStart : 0);
            if (i == 0) {
                best[0][j] = own;
                continue;
            }
            for (std::size_t k = i - 1; k < j; ++k) {
                if (best[i - 1][k] == kNone) continue;
                const int gap = static_cast<int>(j - k) - 1;
                const int score = best[i - 1][k] + own + (gap == 0 ? kRun : -std::min(kMostGap, gap * kGap));
                if (score > best[i][j]) {
                    best[i][j] = score;
                    from[i][j] = static_cast<int>(k);
                }
            }
        }
    }
    const auto end = std::max_element(best[n - 1].begin(), best[n - 1].end());
    if (*end == kNone) return std::nullopt;
    FuzzyMatch match{*end, std::vector<int>(n)};
    auto at = static_cast<int>(end - best[n - 1].begin());
    for (std::size_t i = n; i-- > 0;) {
        match.positions[i] = at;
        at = from[i][static_cast<std::size_t>(at)];
    }
    return match;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView needle, QStringView text) {
    FuzzyMatch whole;
    for (const QStringView word : needle.split(u' ', Qt::SkipEmptyParts)) {
        const std::optional<FuzzyMatch> match = matchWord(word, text);
        if (!match) return std::nullopt;
        whole.score += match->score;
        whole.positions.insert(whole.positions.end(), match->positions.begin(), match->positions.end());
    }
    std::sort(whole.positions.begin(), whole.positions.end());
    whole.positions.erase(std::unique(whole.positions.begin(), whole.positions.end()), whole.positions.end());
    if (whole.score > 0) whole.score -= static_cast<int>(text.size()) / kLength;
    return whole;
}

}  // namespace ui::models
