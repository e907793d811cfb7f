// SPDX-License-Identifier: GPL-3.0-or-later
// Shares the work of one frame among the cores.
#pragma once

#include <QThread>
#include <QThreadPool>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <latch>

namespace ui::charts {

// The threads that help the calling thread: together they are as many as there are cores. They stay, because starting one costs a good part
// of a frame.
inline QThreadPool& helpers() {
    struct Pool : QThreadPool {
        Pool() {
            setMaxThreadCount(std::max(1, QThread::idealThreadCount() - 1));
            setExpiryTimeout(-1);
        }
    };
    static Pool pool;
    return pool;
}

// Calls task(one) for each of `all` (random access), in any order, on this thread and on the helpers that are free; returns when the last
// is done. `task` does not throw.
template <typename Container, typename Task>
void forEachShared(Container& all, const Task& task) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < all.size(); i = next++) task(all[i]);
    };
    QThreadPool& pool = helpers();
    const auto wanted = std::min<std::ptrdiff_t>(pool.maxThreadCount(), static_cast<std::ptrdiff_t>(all.size()) - 1);
    std::latch done(std::max<std::ptrdiff_t>(wanted, 0));
    for (std::ptrdiff_t i = 0; i < wanted; ++i) {
        const auto help = [&] {
            work();
            done.count_down();
        };
        if (!pool.tryStart(help)) done.count_down();
    }
    work();
    done.wait();
}

}  // namespace ui::charts
