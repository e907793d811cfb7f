// SPDX-License-Identifier: GPL-3.0-or-later
// Finding by a few letters: "ccl" finds "Choose the cluster". Pure functions.
#pragma once

#include <QStringView>
#include <optional>
#include <vector>

namespace ui::models {

struct FuzzyMatch {
    int score = 0;               // higher is better; comparable between texts for one needle
    std::vector<int> positions;  // of the matched characters in the text, rising
};

// Matches `needle` in `text`: every word must occur with its letters in order, gaps allowed; case does not matter. Beginnings of words,
// unbroken runs and short texts score higher. nullopt: no match. An empty needle matches everything with score 0.
std::optional<FuzzyMatch> fuzzyMatch(QStringView needle, QStringView text);

}  // namespace ui::models
