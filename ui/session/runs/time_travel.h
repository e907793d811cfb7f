// SPDX-License-Identifier: GPL-3.0-or-later
// A run as it stood behind one of its steps: its events are read once more and told to a record of their own, up to the moment that is
// wanted, so that every view that shows a record shows that moment. Owned by a view; GUI thread only, nothing here waits.
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "engine/spec/events/task_event.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/values.h"

namespace ui::session {

class ClientSlot;

class TimeTravel : public QObject {
    Q_OBJECT
public:
    explicit TimeTravel(std::shared_ptr<ClientSlot> slot, QObject* parent = nullptr);
    ~TimeTravel() override;

    // Reads what `run`, which outlives the travel, has told up to now, and goes to its last step. A travel in progress ends.
    void start(const RunRecord& run);
    // Goes back to the present; past() is null from here on.
    void end();
    bool isOn() const { return run_ != nullptr; }

    // Goes to the moment when `step` was over. past() follows up to 40 ms later: of several calls in that time the last one counts.
    void goTo(std::int64_t step);
    std::int64_t step() const { return step_; }
    // Seconds between the run's creation and step(), by its chief's points; 0 before the first.
    double seconds() const;
    // The run as it stood; null until the events are there.
    const RunRecord* past() const { return past_.get(); }

    static constexpr std::int64_t kMostEvents = 4'000'000;  // of a run that has told more, those before

signals:
    void changed();  // isOn(), step() or past(); the one before is no longer there afterwards
    void failed(ui::session::ErrorInfo error);

private:
    struct Reading {
        std::atomic<bool> cancelled = false, done = false;
    };
    void read(const std::shared_ptr<Reading>& reading, const std::string& run_id, std::uint64_t last_sequence);
    void tell(const std::shared_ptr<Reading>& reading, std::function<void()> news);
    void rebuild();

    const std::shared_ptr<ClientSlot> slot_;
    const RunRecord* run_ = nullptr;
    std::int64_t step_ = 0;
    std::vector<engine::spec::TaskEvent> events_;
    bool has_events_ = false;
    std::unique_ptr<RunRecord> past_;
    QTimer rebuild_timer_;
    std::shared_ptr<Reading> reading_;  // in progress; null between two
    std::list<std::pair<std::shared_ptr<Reading>, std::jthread>> threads_;
};

}  // namespace ui::session
