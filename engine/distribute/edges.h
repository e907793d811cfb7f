// Which members of a run send bytes to which: a transport opens these ways and no others, so that connections grow as the pattern needs.
#pragma once

#include <span>
#include <vector>

namespace engine::distribute {

// A set of directed pairs of ranks. Plain value; the same on every member of a run.
class Edges {
public:
    // None.
    explicit Edges(int n);
    // Each member to the next, the last one to the first: 1 way out and 1 in of each. One member has none.
    static Edges ring(int n);
    // Everyone but the centres to each centre, and back: what parameter servers are to their workers.
    static Edges star(int n, std::span<const int> centres);
    static Edges star(int n, int centre = 0) { return star(n, {&centre, 1}); }

    int size() const { return static_cast<int>(from_.size()); }
    bool has(int from, int to) const;
    // Whom `rank` sends to and whom it hears from, in ascending order.
    const std::vector<int>& from(int rank) const { return from_[static_cast<std::size_t>(rank)]; }
    const std::vector<int>& to(int rank) const { return to_[static_cast<std::size_t>(rank)]; }
    // The place of `to` among from(from); the pair must be an edge.
    std::size_t placeOf(int from, int to) const;

    friend bool operator==(const Edges&, const Edges&) = default;

private:
    void add(int from, int to);

    std::vector<std::vector<int>> from_, to_;  // by rank
};

}  // namespace engine::distribute
