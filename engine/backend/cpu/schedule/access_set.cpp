#include "engine/backend/cpu/schedule/access_set.h"

#include <algorithm>
#include <tuple>

namespace engine::backend::cpu {
namespace {

std::uintptr_t addressOf(const Access& access) {
    return reinterpret_cast<std::uintptr_t>(access.begin);
}

bool overlap(const Access& a, const Access& b) {
    return a.bytes > 0 && b.bytes > 0 && addressOf(a) < addressOf(b) + static_cast<std::uintptr_t>(b.bytes) &&
           addressOf(b) < addressOf(a) + static_cast<std::uintptr_t>(a.bytes);
}

bool conflict(const Access& a, const Access& b) {
    if (!(a.writes || b.writes) || !overlap(a, b)) return false;
    const bool same_samples = a.sample_bytes > 0 && a.sample_bytes == b.sample_bytes && a.begin == b.begin;
    return !same_samples;
}

}  // namespace

bool AccessSet::ByBegin::operator()(const Access& a, const Access& b) const {
    const auto key = [](const Access& access) { return std::tuple(addressOf(access), access.bytes, access.sample_bytes, access.writes); };
    return key(a) < key(b);
}

bool AccessSet::clashesWith(const std::vector<Access>& asked) const {
    return std::any_of(asked.begin(), asked.end(), [this](const Access& one) { return clashesWithOne(one); });
}

bool AccessSet::clashesWithOne(const Access& asked) const {
    const std::uintptr_t begin = addressOf(asked), end = begin + static_cast<std::uintptr_t>(asked.bytes);
    const auto longest = static_cast<std::uintptr_t>(longest_);
    // What begins further in front than the longest access is over before `asked` begins.
    const Access lowest{.begin = reinterpret_cast<const void*>(begin > longest ? begin - longest : 0)};
    for (auto access = accesses_.lower_bound(lowest); access != accesses_.end() && addressOf(*access) < end; ++access) {
        ++looks_;
        if (conflict(asked, *access)) return true;
    }
    return false;
}

void AccessSet::add(const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
        accesses_.insert(access);
        longest_ = std::max(longest_, access.bytes);
    }
}

void AccessSet::clear() {
    accesses_.clear();
    longest_ = 0;
}

}  // namespace engine::backend::cpu
