// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's thread is away from its user: an application that times every event it delivers, and what is said of such times.
#pragma once

#include <QApplication>
#include <string>
#include <vector>

namespace tests::bench {

// Wall time and the thread's own processor time: on a machine that does other work as well they differ.
struct Moment {
    double wall_ms = 0, cpu_ms = 0;
    static Moment now();
};

class Times {
public:
    void add(const Moment& begin, const Moment& end);
    void clear();
    std::size_t size() const { return wall_.size(); }
    // "p50_ms": …, "p99_ms": …, "most_ms": … of the processor time, and the same of the wall time with "wall_" in front.
    std::string json() const;

private:
    std::vector<double> wall_, cpu_;
};

// Each delivery of an event from the loop is a turn; those that an event causes inside are part of it.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;
    Times& turns() { return turns_; }

private:
    Times turns_;
    bool inside_ = false;
};

}  // namespace tests::bench
