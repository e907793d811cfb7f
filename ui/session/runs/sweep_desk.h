// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep that is at work, or was looked at last: how far each trial is, which is best. It trains on a thread of its own, by way of the
// agent, in a folder of its own, so that it goes on another day. One owner; GUI thread only, nothing here waits.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "engine/spec/project/run_spec.h"
#include "engine/sweep/sweep.h"

namespace agent::client {
class SweepFolder;
}
namespace engine::sweep {
struct SweepFile;
}

namespace ui::session {

class ClientSlot;

class SweepDesk : public QObject {
    Q_OBJECT
public:
    explicit SweepDesk(std::shared_ptr<ClientSlot> slot, QObject* parent = nullptr);
    // Runs of a sweep in progress train on at the agent; resume() finds them.
    ~SweepDesk() override;

    // Starts a sweep, of settings without errors (engine::sweep::checkSweep). Does nothing while another is at work. The project's relative
    // files lie in `base_folder` (empty: nowhere).
    void start(engine::spec::RunSpec project, const QString& base_folder, engine::sweep::SweepSettings settings);
    // Goes on with a sweep that was stopped or killed; does nothing while another is at work.
    void resume(const QString& folder);
    // Reads a sweep without going on with it; does nothing while another is at work.
    void show(const QString& folder);
    // Stops the runs in training after their step; they come again with resume(). A second call stops them at once.
    void stop();
    // Shows no sweep any more; does nothing while one is at work.
    void clear();

    bool isRunning() const { return asked_ != nullptr; }
    bool isStopping() const { return asked_ != nullptr && asked_->interrupts > 0; }
    const std::optional<engine::sweep::Sweep>& sweep() const { return sweep_; }
    QString projectName() const { return project_name_; }
    QString folder() const { return folder_; }
    // Says why the last sweep ended before its end; empty otherwise.
    QString error() const { return error_; }
    // Returns the folders of sweeps that were begun, the newest first.
    static QStringList earlier();

signals:
    void changed();     // it begins, is over, or another one is shown
    void progressed();  // a trial is further

private:
    struct Asked {
        std::atomic<int> interrupts = 0;
        std::atomic<bool> done = false;
    };
    using Work = std::function<void(const std::shared_ptr<Asked>& asked)>;
    void begin(Work work);
    void work(const std::shared_ptr<Asked>& asked, const agent::client::SweepFolder& folder, engine::sweep::SweepFile file);
    // Runs `news` on the GUI thread unless something else was asked for by then.
    void tell(const std::shared_ptr<Asked>& asked, std::function<void()> news);
    void end(const std::shared_ptr<Asked>& asked, const QString& error);
    void tellSweep(const std::shared_ptr<Asked>& asked, const engine::spec::RunSpec& project, const engine::sweep::Sweep& sweep,
                   const QString& folder);

    const std::shared_ptr<ClientSlot> slot_;
    std::optional<engine::sweep::Sweep> sweep_;
    QString project_name_, folder_, error_;
    std::shared_ptr<Asked> asked_;                                        // what is at work; null between two
    std::list<std::pair<std::shared_ptr<Asked>, std::jthread>> threads_;  // that one's, and of those that end
};

}  // namespace ui::session
