#include "agent/server/doctor/way_findings.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace agent::server {

namespace spec = engine::spec;
using spec::DoctorRow;
using spec::DoctorState;
using spec::HostWay;
using spec::WayOutcome;

namespace {

constexpr double kKilo = 1e3, kMega = 1e6, kGiga = 1e9;
constexpr double kLongUs = 500;            // a round trip that is longer than the median by less than this costs no step anything
constexpr std::size_t kLeastCompared = 3;  // of which the median says something
constexpr auto kAsk = "A step waits for the slowest way: look at cables, switches and what else uses them.";

std::string timeText(double microseconds) {
    char text[32];
    std::snprintf(text, sizeof text, microseconds < 10 * kKilo ? "%.2f ms" : "%.0f ms", microseconds / kKilo);
    return text;
}

std::string rateText(double bytes_per_s) {
    char text[32];
    const bool giga = bytes_per_s >= kGiga;
    std::snprintf(text, sizeof text,
                  giga                       ? "%.1f GB/s"
                  : bytes_per_s < 10 * kMega ? "%.2f MB/s"
                                             : "%.0f MB/s",
                  bytes_per_s / (giga ? kGiga : kMega));
    return text;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

bool isMeasured(const HostWay& way) {
    return way.outcome == WayOutcome::kReached && way.bytes_per_s > 0 && way.round_trip_us > 0;
}

bool failed(const HostWay& way) {
    return way.outcome != WayOutcome::kReached && way.outcome != WayOutcome::kNotTried;
}

const char* whatItMeans(WayOutcome outcome) {
    switch (outcome) {
        case WayOutcome::kRefused:
            return "The connection was refused: a firewall rejects it, or the address is another computer's.";
        case WayOutcome::kNoRoute:
            return "There is no route to it: a firewall rejects the connection, or no way leads there.";
        case WayOutcome::kTimedOut:
            return "Nothing came back in time: probably a firewall drops what comes.";
        default:
            return "Something else answers there: it has not proven the secret of this measurement.";
    }
}

// One of the two numbers of a way. Worse is larger for times, smaller for rates.
struct Quantity {
    double (*of)(const HostWay& way);
    bool larger_is_worse;
    std::string (*text)(double value);
    // Sentences: of a computer, its value and the median; of a pair, its value and the median.
    std::string (*host_title)(const std::string& host, const std::string& value, const std::string& median);
    std::string (*pair_title)(const std::string& a, const std::string& b, const std::string& value, const std::string& median);

    double better(double a, double b) const { return larger_is_worse ? std::min(a, b) : std::max(a, b); }
    bool isFarWorse(double value, double than) const {
        return larger_is_worse ? value > kSlowTimes * than && value - than > kLongUs : value * kSlowTimes < than;
    }
};

const Quantity kRate{[](const HostWay& way) { return way.bytes_per_s; }, false, rateText,
                     [](const std::string& host, const std::string& value, const std::string& median) {
                         return host + ": all its ways are slow, " + value + " at best; the median of the computers is " + median;
                     },
                     [](const std::string& a, const std::string& b, const std::string& value, const std::string& median) {
                         return "The way between " + a + " and " + b + " is slow: " + value + " at best; the median of all ways is " +
                                median;
                     }};
const Quantity kRoundTrip{
    [](const HostWay& way) { return way.round_trip_us; }, true, timeText,
    [](const std::string& host, const std::string& value, const std::string& median) {
        return host + ": all its ways are long, " + value + " there and back at best; the median of the computers is " + median;
    },
    [](const std::string& a, const std::string& b, const std::string& value, const std::string& median) {
        return "The way between " + a + " and " + b + " is long: " + value + " there and back at best; the median of all ways is " + median;
    }};

class Findings {
public:
    explicit Findings(const std::vector<HostWay>& ways) : ways_(ways) {
        for (const HostWay& way : ways) {
            if (std::find(hosts_.begin(), hosts_.end(), way.from) == hosts_.end()) {
                hosts_.push_back(way.from);
            }
        }
    }

    std::vector<WayFinding> take() {
        unreached();
        slow(kRate);
        uneven();
        slow(kRoundTrip);
        untried();
        summary();
        return std::move(found_);
    }

private:
    using Picks = std::vector<std::size_t>;

    void add(DoctorState state, std::string title, std::string detail, std::string fix, std::string host, Picks ways) {
        found_.push_back(
            {DoctorRow{state, "network", std::move(title), std::move(detail), std::move(fix), ""}, std::move(host), std::move(ways)});
    }

    Picks waysWhere(const std::function<bool(const HostWay&)>& holds) const {
        Picks picks;
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            if (holds(ways_[i])) {
                picks.push_back(i);
            }
        }
        return picks;
    }

    void addUnreached(const std::string& title, const HostWay& way) {
        add(DoctorState::kError, title, whatItMeans(way.outcome),
            "Let TCP port " + std::to_string(way.port) + " through on " + way.to + ", or choose a port that its firewall lets through.",
            way.to, {});
    }

    void unreached() {
        std::set<std::string> told;
        for (const std::string& host : hosts_) {
            const Picks tried = waysWhere([&](const HostWay& way) { return way.to == host && way.outcome != WayOutcome::kNotTried; });
            const bool nobody = tried.size() > 1 && std::all_of(tried.begin(), tried.end(), [&](std::size_t i) {
                                    return failed(ways_[i]) && ways_[i].outcome == ways_[tried.front()].outcome &&
                                           ways_[i].port == ways_[tried.front()].port;
                                });
            if (nobody) {
                const HostWay& way = ways_[tried.front()];
                addUnreached("No computer can reach " + host + " at port " + std::to_string(way.port), way);
                told.insert(host);
            }
        }
        for (const HostWay& way : ways_) {
            if (failed(way) && !told.contains(way.to)) {
                addUnreached(way.from + " can't reach " + way.to + " at port " + std::to_string(way.port), way);
            }
        }
    }

    // The computers first whose best way is far worse than those of the others, then pairs between the rest.
    void slow(const Quantity& quantity) {
        std::map<std::string, double> best;
        for (const HostWay& way : ways_) {
            for (const std::string& host : {way.from, way.to}) {
                if (isMeasured(way)) {
                    const auto at = best.try_emplace(host, quantity.of(way)).first;
                    at->second = quantity.better(at->second, quantity.of(way));
                }
            }
        }
        std::set<std::string> slow_hosts;
        std::vector<double> bests;
        bests.reserve(best.size());
        for (const auto& [host, value] : best) {
            bests.push_back(value);
        }
        for (const std::string& host : hosts_) {
            const auto own = best.find(host);
            if (bests.size() < kLeastCompared || own == best.end()) {
                continue;
            }
            const double middle = median(bests);
            if (quantity.isFarWorse(own->second, middle)) {
                slow_hosts.insert(host);
                add(DoctorState::kWarning, quantity.host_title(host, quantity.text(own->second), quantity.text(middle)), "", kAsk, host,
                    waysWhere([&](const HostWay& way) { return isMeasured(way) && (way.from == host || way.to == host); }));
            }
        }
        slowPairs(quantity, slow_hosts);
    }

    void slowPairs(const Quantity& quantity, const std::set<std::string>& without) {
        const Picks compared =
            waysWhere([&](const HostWay& way) { return isMeasured(way) && !without.contains(way.from) && !without.contains(way.to); });
        std::vector<double> values;
        for (const std::size_t i : compared) {
            values.push_back(quantity.of(ways_[i]));
        }
        if (values.size() < kLeastCompared) {
            return;
        }
        const double middle = median(values);
        for (const std::size_t i : compared) {
            const std::optional<std::size_t> back = wayBack(i);
            if (back && *back < i) {
                continue;  // it was told with the other direction
            }
            const double value = back ? quantity.better(quantity.of(ways_[i]), quantity.of(ways_[*back])) : quantity.of(ways_[i]);
            if (quantity.isFarWorse(value, middle)) {
                add(DoctorState::kWarning, quantity.pair_title(ways_[i].from, ways_[i].to, quantity.text(value), quantity.text(middle)), "",
                    kAsk, "", back ? Picks{i, *back} : Picks{i});
            }
        }
    }

    // The other direction of a way, where that was measured, too.
    std::optional<std::size_t> wayBack(std::size_t of) const {
        const Picks back =
            waysWhere([&](const HostWay& way) { return isMeasured(way) && way.from == ways_[of].to && way.to == ways_[of].from; });
        return back.empty() ? std::nullopt : std::optional(back.front());
    }

    void uneven() {
        for (std::size_t i = 0; i < ways_.size(); ++i) {
            const std::optional<std::size_t> back = isMeasured(ways_[i]) ? wayBack(i) : std::nullopt;
            if (back && kRate.isFarWorse(ways_[i].bytes_per_s, ways_[*back].bytes_per_s)) {
                add(DoctorState::kWarning,
                    "From " + ways_[i].from + " to " + ways_[i].to + " go " + rateText(ways_[i].bytes_per_s) + ", the other way round " +
                        rateText(ways_[*back].bytes_per_s),
                    "", kAsk, "", {i, *back});
            }
        }
    }

    void untried() {
        const Picks untried = waysWhere([](const HostWay& way) {
            return way.outcome == WayOutcome::kNotTried || (way.outcome == WayOutcome::kReached && !isMeasured(way));
        });
        if (!untried.empty()) {
            add(DoctorState::kInfo,
                std::to_string(untried.size()) + " of " + std::to_string(ways_.size()) + " ways between computers were not measured",
                ways_[untried.front()].detail, "", "", {});
        }
    }

    void summary() {
        const Picks measured = waysWhere(isMeasured);
        const bool all = std::none_of(ways_.begin(), ways_.end(), failed);
        if (measured.empty()) {
            return;
        }
        double longest = 0, narrowest = ways_[measured.front()].bytes_per_s;
        for (const std::size_t i : measured) {
            longest = std::max(longest, ways_[i].round_trip_us);
            narrowest = std::min(narrowest, ways_[i].bytes_per_s);
        }
        add(all ? DoctorState::kOk : DoctorState::kInfo,
            "Between computers: " + timeText(longest) + " there and back at most, " + rateText(narrowest) + " at least",
            "encrypted, at the ports of the tasks", "", "", {});
    }

    const std::vector<HostWay>& ways_;
    std::vector<std::string> hosts_;  // in the order of the ways
    std::vector<WayFinding> found_;
};

}  // namespace

std::vector<WayFinding> wayFindings(const std::vector<HostWay>& ways) {
    return ways.empty() ? std::vector<WayFinding>() : Findings(ways).take();
}

std::vector<std::size_t> suspiciousWays(const std::vector<HostWay>& ways) {
    std::set<std::size_t> picks;
    for (const WayFinding& finding : wayFindings(ways)) {
        if (finding.row.state == DoctorState::kWarning) {
            picks.insert(finding.ways.begin(), finding.ways.end());
        }
    }
    return {picks.begin(), picks.end()};
}

}  // namespace agent::server
