#include "engine/distribute/edges.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace engine::distribute {

Edges::Edges(int n) : from_(static_cast<std::size_t>(n)), to_(static_cast<std::size_t>(n)) {
    ENGINE_CHECK(n > 0);
}

Edges Edges::ring(int n) {
    Edges edges(n);
    for (int rank = 0; n > 1 && rank < n; ++rank) edges.add(rank, (rank + 1) % n);
    return edges;
}

Edges Edges::star(int n, std::span<const int> centres) {
    Edges edges(n);
    for (const int centre : centres) {
        ENGINE_CHECK(centre >= 0 && centre < n);
        for (int rank = 0; rank < n; ++rank) {
            if (std::find(centres.begin(), centres.end(), rank) != centres.end()) continue;
            edges.add(rank, centre);
            edges.add(centre, rank);
        }
    }
    return edges;
}

void Edges::add(int from, int to) {
    const auto insert = [](std::vector<int>& ranks, int rank) {
        const auto place = std::lower_bound(ranks.begin(), ranks.end(), rank);
        if (place == ranks.end() || *place != rank) ranks.insert(place, rank);
    };
    insert(from_[static_cast<std::size_t>(from)], to);
    insert(to_[static_cast<std::size_t>(to)], from);
}

bool Edges::has(int from, int to) const {
    return std::binary_search(this->from(from).begin(), this->from(from).end(), to);
}

std::size_t Edges::placeOf(int from, int to) const {
    ENGINE_CHECK(has(from, to));
    const std::vector<int>& ranks = this->from(from);
    return static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), to) - ranks.begin());
}

}  // namespace engine::distribute
