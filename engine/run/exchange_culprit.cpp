#include "engine/run/exchange_culprit.h"

#include <algorithm>
#include <map>
#include <utility>

namespace engine::run {
namespace {

using spec::ExchangeState;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// The task that `waiter` waits for went on by itself while that one waited. A word of before, or of a wait that had just begun, does not
// say so: the task may stand still for another one since.
bool wentOn(const ExchangeState& word, const ExchangeState& waiter) {
    return word.wait_s <= 0 && word.age_s < waiter.wait_s + waiter.age_s - kExchangeNoiseS;
}

// Less is further behind.
std::pair<std::uint64_t, int> positionOf(const ExchangeRank& rank) {
    return rank.state ? std::pair(rank.state->sequence, rank.state->bucket) : std::pair(std::uint64_t{0}, 0);
}

class Chains {
public:
    explicit Chains(std::span<const ExchangeRank> ranks) : ranks_(ranks), end_(ranks.size(), kNone), seen_(ranks.size(), 0) {
        for (std::size_t i = 0; i < ranks.size(); ++i) place_.emplace(ranks[i].task, i);
    }

    // Whom the waiting task `from` waits for in the end; kNone: nobody can be told.
    std::size_t endOf(std::size_t from) {
        std::vector<std::size_t> path;
        std::size_t at = from, found = kNone;
        while (true) {
            if (seen_[at] == kDone) {
                found = end_[at];
                break;
            }
            if (seen_[at] == kOnPath) {
                found = lastOf(std::span(path).subspan(static_cast<std::size_t>(std::find(path.begin(), path.end(), at) - path.begin())));
                break;
            }
            seen_[at] = kOnPath;
            path.push_back(at);
            const std::size_t next = awaited(at);
            if (next == kNone) break;
            const auto& word = ranks_[next].state;
            if (!word || isSilent(*word)) {
                found = next;
                break;
            }
            if (!waitsLong(*word)) {
                if (wentOn(*word, *ranks_[at].state)) found = next;
                break;
            }
            at = next;
        }
        for (const std::size_t one : path) {
            seen_[one] = kDone;
            end_[one] = found;
        }
        return found;
    }

private:
    static constexpr char kOnPath = 1, kDone = 2;

    std::size_t awaited(std::size_t rank) const {
        const ExchangeState& state = *ranks_[rank].state;
        if (!state.awaited) return furthestBehind(state);
        const auto found = place_.find(*state.awaited);
        return found == place_.end() || found->second == rank ? kNone : found->second;
    }

    // Finds whom a task that waits for nobody in particular waits for: a task that is silent, else a worker that is not as far as it is.
    // Servers count what all have sent them.
    std::size_t furthestBehind(const ExchangeState& waiter) const {
        const auto silent =
            std::find_if(ranks_.begin(), ranks_.end(), [](const ExchangeRank& rank) { return rank.state && isSilent(*rank.state); });
        if (silent != ranks_.end()) return static_cast<std::size_t>(silent - ranks_.begin());
        std::size_t found = kNone;
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            const auto& state = ranks_[i].state;
            if (!state || ranks_[i].task.type == "ps" || state->sequence >= waiter.sequence || (waitsLong(*state) && !isSilent(*state)))
                continue;
            if (found == kNone || positionOf(ranks_[i]) < positionOf(ranks_[found])) found = i;
        }
        return found;
    }

    // The one among tasks that wait for each other in a circle that is behind the others, where there is one.
    std::size_t lastOf(std::span<const std::size_t> circle) const {
        const auto before = [this](std::size_t a, std::size_t b) { return positionOf(ranks_[a]) < positionOf(ranks_[b]); };
        const auto [first, last] = std::minmax_element(circle.begin(), circle.end(), before);
        return before(*first, *last) ? *first : kNone;
    }

    const std::span<const ExchangeRank> ranks_;
    std::map<spec::TaskId, std::size_t> place_;
    std::vector<std::size_t> end_;
    std::vector<char> seen_;
};

}  // namespace

bool isSilent(const ExchangeState& state) {
    return state.age_s > kExchangeSilentS;
}

bool waitsLong(const ExchangeState& state) {
    return !isSilent(state) && state.wait_s >= kExchangeNoiseS;
}

std::optional<ExchangeCulprit> findCulprit(std::span<const ExchangeRank> ranks) {
    std::vector<ExchangeCulprit> found(ranks.size());
    Chains chains(ranks);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        found[i].rank = i;
        if (!ranks[i].state || !waitsLong(*ranks[i].state)) continue;
        const std::size_t end = chains.endOf(i);
        if (end == kNone || end == i) continue;
        ++found[end].waiting;
        found[end].longest_s = std::max(found[end].longest_s, ranks[i].state->wait_s + ranks[i].state->age_s);
    }
    const auto worse = std::max_element(found.begin(), found.end(), [&](const ExchangeCulprit& a, const ExchangeCulprit& b) {
        if (a.waiting != b.waiting) return a.waiting < b.waiting;
        return positionOf(ranks[a.rank]) > positionOf(ranks[b.rank]);
    });
    if (worse == found.end() || worse->waiting == 0) return std::nullopt;
    const auto& state = ranks[worse->rank].state;
    worse->why = state && isSilent(*state) ? ExchangeCulprit::Why::kSilent : ExchangeCulprit::Why::kBehind;
    return *worse;
}

std::vector<ExchangeRank> exchangeRanks(std::span<const HostReading> readings, const std::string& run_id,
                                        std::span<const spec::TaskId> tasks) {
    std::vector<ExchangeRank> ranks;
    std::map<spec::TaskId, std::size_t> place;
    const auto rankOf = [&](const spec::TaskId& task) -> ExchangeRank& {
        const auto [at, is_new] = place.emplace(task, ranks.size());
        if (is_new) ranks.push_back({.task = task, .host = {}, .state = {}});
        return ranks[at->second];
    };
    for (const spec::TaskId& task : tasks) rankOf(task);
    for (const HostReading& reading : readings) {
        if (reading.load == nullptr) continue;
        for (const spec::TaskLoad& load : reading.load->tasks) {
            if (load.run_id != run_id) continue;
            if (tasks.empty() || load.exchange || place.contains(load.task)) {
                ExchangeRank& rank = rankOf(load.task);
                if (rank.state && (!load.exchange || load.exchange->age_s >= rank.state->age_s)) continue;
                rank.host = reading.host;
                rank.state = load.exchange;
            }
        }
    }
    return ranks;
}

}  // namespace engine::run
