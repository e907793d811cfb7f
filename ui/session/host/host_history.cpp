// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/host_history.h"

#include <algorithm>

namespace ui::session {

using engine::spec::HostLoad;
using engine::spec::TaskId;
using engine::spec::TaskLoad;

void HostHistory::add(const std::vector<HostLoad>& loads) {
    bool news = false;
    for (const HostLoad& load : loads) {
        std::deque<HostLoad>& own = load.host.empty() ? loads_ : others_[load.host];
        if (!own.empty() && load.time_unix_ns <= own.back().time_unix_ns) continue;
        own.push_back(load);
        news = true;
    }
    for (auto& [host, kept] : others_) {
        while (kept.size() > kMost) kept.pop_front();
    }
    while (loads_.size() > kMost) {
        loads_.pop_front();
        ++first_number_;
    }
    if (news) emit changed();
}

const TaskLoad* findTask(const HostLoad& load, const std::string& run_id, const TaskId& task) {
    const auto at =
        std::find_if(load.tasks.begin(), load.tasks.end(), [&](const TaskLoad& one) { return one.run_id == run_id && one.task == task; });
    return at == load.tasks.end() ? nullptr : &*at;
}

}  // namespace ui::session

#include "moc_host_history.cpp"
