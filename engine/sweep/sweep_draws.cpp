#include "engine/sweep/sweep_draws.h"

#include <algorithm>
#include <set>

namespace engine::sweep {
namespace {

std::vector<Configuration> gridOf(const std::vector<SweepField>& fields) {
    std::vector<Configuration> grid{{}};
    for (const SweepField& field : fields) {
        std::vector<Configuration> longer;
        for (const Configuration& begun : grid) {
            for (const std::string& value : gridValues(field)) {
                longer.push_back(begun);
                longer.back().push_back(value);
            }
        }
        grid = std::move(longer);
    }
    return grid;
}

void shuffle(std::vector<Configuration>& list, Draws& draws) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[draws.below(i)]);
}

bool areChoices(const std::vector<SweepField>& fields) {
    return std::all_of(fields.begin(), fields.end(), [](const SweepField& field) { return field.kind == SweepField::Kind::kChoice; });
}

}  // namespace

std::vector<Configuration> configurationsOf(const SweepSettings& settings) {
    if (settings.method == Method::kGrid) return gridOf(settings.fields);
    Draws draws(settings.seed);
    const bool is_listed = settings.trials == 0 || (areChoices(settings.fields) && gridSize(settings.fields) <= kMostTrials);
    if (is_listed) {
        std::vector<Configuration> all = gridOf(settings.fields);
        shuffle(all, draws);
        if (settings.trials > 0 && all.size() > static_cast<std::size_t>(settings.trials))
            all.resize(static_cast<std::size_t>(settings.trials));
        return all;
    }
    constexpr int kTriesEach = 100;
    std::vector<Configuration> drawn;
    std::set<Configuration> known;
    for (int tries = settings.trials * kTriesEach; tries > 0 && drawn.size() < static_cast<std::size_t>(settings.trials); --tries) {
        Configuration one;
        for (const SweepField& field : settings.fields) one.push_back(valueAt(field, draws.uniform()));
        if (known.insert(one).second) drawn.push_back(std::move(one));
    }
    return drawn;
}

}  // namespace engine::sweep
