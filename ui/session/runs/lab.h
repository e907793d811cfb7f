// SPDX-License-Identifier: GPL-3.0-or-later
// The equivalence lab of the open project: which rows were asked for, how far each is, what came of it. It trains on a thread of its own,
// by way of the agent. Owned by Session; GUI thread only, nothing here waits.
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/lab/lab_result.h"

namespace ui::session {

class ClientSlot;

struct LabRowState {
    enum class Phase { kWaiting, kRunning, kOver };
    engine::lab::LabRow row;
    Phase phase = Phase::kWaiting;
    std::int64_t steps = 0;                             // done
    std::optional<engine::lab::LabResult> result = {};  // of kOver
};

class Lab : public QObject {
    Q_OBJECT
public:
    explicit Lab(std::shared_ptr<ClientSlot> slot, QObject* parent = nullptr);
    ~Lab() override;  // a lab in progress is stopped

    // Starts a lab; an earlier one is dropped. The project's relative files lie in `base_folder` (empty: nowhere).
    void start(engine::spec::RunSpec project, const QString& base_folder, engine::lab::LabSettings settings);
    // Stops the run in progress; rows that are over stay.
    void cancel();
    bool isRunning() const { return asked_ != nullptr; }

    const std::vector<LabRowState>& rows() const { return rows_; }
    const engine::lab::LabSettings& settings() const { return settings_; }
    QString projectName() const { return project_name_; }
    std::int64_t batch() const { return batch_; }
    std::int64_t ownBatch() const { return own_batch_; }  // of the project itself
    // Says why the last lab ended before its end; empty otherwise.
    QString error() const { return error_; }

signals:
    void changed();  // it begins or is over
    void rowChanged(int index);

private:
    struct Asked {
        std::atomic<bool> cancelled = false, done = false;
    };
    void run(const std::shared_ptr<Asked>& asked, engine::spec::RunSpec project, const engine::lab::LabSettings& settings);
    // Runs `news` on the GUI thread unless another lab was asked for by then.
    void tell(const std::shared_ptr<Asked>& asked, std::function<void()> news);

    const std::shared_ptr<ClientSlot> slot_;
    std::vector<LabRowState> rows_;
    engine::lab::LabSettings settings_;
    QString project_name_, error_;
    std::int64_t batch_ = 0, own_batch_ = 0;
    std::shared_ptr<Asked> asked_;                                        // the lab in progress; null between two
    std::list<std::pair<std::shared_ptr<Asked>, std::jthread>> threads_;  // that one's, and of those that end
};

}  // namespace ui::session
