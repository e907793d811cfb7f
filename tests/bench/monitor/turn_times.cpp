// SPDX-License-Identifier: GPL-3.0-or-later
#include "turn_times.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

namespace tests::bench {
namespace {

double milliseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

}  // namespace

Moment Moment::now() {
    return {milliseconds(CLOCK_MONOTONIC), milliseconds(CLOCK_THREAD_CPUTIME_ID)};
}

void Times::add(const Moment& begin, const Moment& end) {
    wall_.push_back(end.wall_ms - begin.wall_ms);
    cpu_.push_back(end.cpu_ms - begin.cpu_ms);
}

void Times::clear() {
    wall_.clear();
    cpu_.clear();
}

std::string Times::json() const {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(),
                  "\"p50_ms\": %.2f, \"p99_ms\": %.2f, \"most_ms\": %.2f, \"wall_p50_ms\": %.2f, \"wall_p99_ms\": %.2f, "
                  "\"wall_most_ms\": %.2f",
                  percentile(cpu_, 0.5), percentile(cpu_, 0.99), percentile(cpu_, 1), percentile(wall_, 0.5), percentile(wall_, 0.99),
                  percentile(wall_, 1));
    return text.data();
}

bool TimedApplication::notify(QObject* receiver, QEvent* event) {
    // Other threads deliver to objects of their own.
    if (inside_ || receiver->thread() != thread()) return QApplication::notify(receiver, event);
    inside_ = true;
    const Moment begin = Moment::now();
    const bool taken = QApplication::notify(receiver, event);
    turns_.add(begin, Moment::now());
    inside_ = false;
    return taken;
}

}  // namespace tests::bench
