// Variables by name and by layer, in logarithmic time each: for readers and writers that ask for every one.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/export/index/compared.h"

namespace engine::exporter {

// `T` is a name itself, or has a member `name`. A snapshot: the list outlives it and does not change meanwhile. Any thread.
template <typename T>
class NameIndex {
public:
    explicit NameIndex(std::span<const T> list) {
        sorted_.reserve(list.size());
        for (const T& one : list) sorted_.push_back(&one);
        std::stable_sort(sorted_.begin(), sorted_.end(), [](const T* a, const T* b) { return CountedLess()(nameOf(*a), nameOf(*b)); });
    }

    // The first of the list with that name, nullptr when there is none.
    const T* find(std::string_view name) const {
        const auto found = firstFrom(name);
        return found != sorted_.end() && nameOf(**found) == name ? *found : nullptr;
    }

    // Those whose names are "<layer>/...", in the order of the list.
    std::vector<const T*> below(std::string_view layer) const {
        const std::string prefix = std::string(layer) + "/";
        std::vector<const T*> own;
        for (auto at = firstFrom(prefix); at != sorted_.end() && nameOf(**at).starts_with(prefix); ++at) own.push_back(*at);
        std::sort(own.begin(), own.end());
        return own;
    }

private:
    static std::string_view nameOf(const T& one) {
        if constexpr (requires { one.name; }) {
            return one.name;
        } else {
            return one;
        }
    }
    typename std::vector<const T*>::const_iterator firstFrom(std::string_view name) const {
        return std::lower_bound(sorted_.begin(), sorted_.end(), name,
                                [](const T* one, std::string_view wanted) { return CountedLess()(nameOf(*one), wanted); });
    }

    std::vector<const T*> sorted_;  // by name; those of one name in the list's order
};

}  // namespace engine::exporter
