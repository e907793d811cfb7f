#include "engine/thread/usable_cores.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sched.h>

namespace engine {

namespace fs = std::filesystem;

namespace {

// Returns 0 where the system does not say.
int boundCores() {
    using Word = std::uint64_t;
    constexpr std::size_t kFirst = 1024, kMost = 1u << 18;
    for (std::size_t room = kFirst; room <= kMost; room *= 2) {
        std::vector<Word> set(room / (8 * sizeof(Word)));
        if (::sched_getaffinity(0, set.size() * sizeof(Word), reinterpret_cast<cpu_set_t*>(set.data())) == 0) {
            int cores = 0;
            for (const Word word : set) cores += std::popcount(word);
            return cores;
        }
        if (errno != EINVAL) break;  // else the computer may have more processors than the set has room for
    }
    return 0;
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

bool holds(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// A mounted tree of control groups that knows of processors. Version 2 has one tree for all that is limited, version 1 several.
struct GroupTree {
    bool is_second = false;  // version 2
    std::string shown;       // the group that the mount shows as its top
    fs::path mount;
};

// proc/self/mountinfo: "31 23 0:27 SHOWN MOUNT rw,relatime shared:9 - TYPE SOURCE OPTIONS"
std::vector<GroupTree> treesIn(const fs::path& root) {
    std::vector<GroupTree> trees;
    std::ifstream mounts(root / "proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos) continue;
        const std::vector<std::string> place = split(line.substr(0, dash), ' '), kind = split(line.substr(dash + 3), ' ');
        if (place.size() < 5 || kind.size() < 3) continue;
        const bool is_second = kind[0] == "cgroup2";
        if (!is_second && (kind[0] != "cgroup" || !holds(split(kind[2], ','), "cpu"))) continue;
        trees.push_back({is_second, place[3], root / fs::path(place[4]).relative_path()});
    }
    return trees;
}

// proc/self/cgroup: "0::GROUP" of version 2, "4:cpu,cpuacct:GROUP" of version 1
std::string ownGroup(const fs::path& root, bool is_second) {
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string kinds = line.substr(first + 1, second - first - 1);
        if (is_second ? kinds.empty() : holds(split(kinds, ','), "cpu")) return line.substr(second + 1);
    }
    return {};
}

// The way from the mount's top to the group; empty where the mount doesn't show it, as in a container that is told its group's name
// outside.
fs::path wayTo(const std::string& group, const std::string& shown) {
    const fs::path way = fs::path(group).lexically_relative(shown);
    return way.empty() || way == "." || *way.begin() == ".." ? fs::path() : way;
}

// Processors; nullopt: the group has no limit of its own.
std::optional<double> quotaOf(const fs::path& group) {
    std::string time;
    double period = 0;
    if (std::ifstream both(group / "cpu.max"); !(both >> time >> period)) {
        std::ifstream(group / "cpu.cfs_quota_us") >> time;
        std::ifstream(group / "cpu.cfs_period_us") >> period;
    }
    const auto of_period = static_cast<double>(std::strtoll(time.c_str(), nullptr, 10));  // "max" and -1 are none
    return of_period > 0 && period > 0 ? std::optional(of_period / period) : std::nullopt;
}

}  // namespace

std::optional<int> coresOfQuota(const fs::path& root) {
    constexpr double kMost = 1 << 20;
    std::optional<double> least;
    const auto look = [&least](const fs::path& group) {
        if (const std::optional<double> quota = quotaOf(group)) least = least ? std::min(*least, *quota) : *quota;
    };
    for (const GroupTree& tree : treesIn(root)) {
        fs::path group = tree.mount;
        look(group);
        for (const fs::path& step : wayTo(ownGroup(root, tree.is_second), tree.shown)) look(group /= step);
    }
    if (!least) return std::nullopt;
    return std::max(1, static_cast<int>(std::ceil(std::min(*least, kMost))));
}

int usableCores() {
    int cores = boundCores();
    if (cores == 0) cores = static_cast<int>(std::thread::hardware_concurrency());
    return std::max(1, std::min(cores, coresOfQuota().value_or(cores)));
}

}  // namespace engine
