// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/lab.h"

#include <chrono>

#include "agent/client/lab_run.h"
#include "agent/client/project_files.h"
#include "engine/spec/error.h"
#include "ui/session/host/client_slot.h"

namespace ui::session {

namespace lab = engine::lab;

namespace {

constexpr std::chrono::seconds kLabConnection{30};

}  // namespace

Lab::Lab(std::shared_ptr<ClientSlot> slot, QObject* parent) : QObject(parent), slot_(std::move(slot)) {}

Lab::~Lab() {
    for (auto& [asked, thread] : threads_) asked->cancelled = true;
    threads_.clear();  // joins them
}

void Lab::start(engine::spec::RunSpec project, const QString& base_folder, lab::LabSettings settings) {
    cancel();
    std::erase_if(threads_, [](const auto& one) { return one.first->done.load(); });
    project_name_ = QString::fromStdString(project.name);
    batch_ = lab::labBatch(project, settings.rows);
    own_batch_ = lab::globalBatchOf(project);
    error_.clear();
    rows_.clear();
    for (const lab::LabRow& row : settings.rows) rows_.push_back({.row = row});
    settings_ = settings;
    if (!base_folder.isEmpty()) agent::client::resolveFiles(project, base_folder.toStdString());
    asked_ = std::make_shared<Asked>();
    threads_.emplace_back(asked_, std::jthread([this, asked = asked_, project = std::move(project), settings = std::move(settings)] {
                              run(asked, project, settings);
                              asked->done = true;
                          }));
    emit changed();
}

void Lab::cancel() {
    if (asked_ == nullptr) return;
    asked_->cancelled = true;
    asked_.reset();
    for (LabRowState& row : rows_) {
        if (row.phase == LabRowState::Phase::kRunning) row.phase = LabRowState::Phase::kWaiting;
    }
    emit changed();
}

void Lab::tell(const std::shared_ptr<Asked>& asked, std::function<void()> news) {
    QMetaObject::invokeMethod(
        this,
        [this, asked, news = std::move(news)] {
            if (asked == asked_) news();
        },
        Qt::QueuedConnection);
}

void Lab::run(const std::shared_ptr<Asked>& asked, engine::spec::RunSpec project, const lab::LabSettings& settings) {
    const auto setRow = [&](std::size_t index, LabRowState::Phase phase, std::int64_t steps, std::optional<lab::LabResult> result) {
        tell(asked, [this, index, phase, steps, result = std::move(result)] {
            LabRowState& row = rows_[index];
            row.phase = phase;
            row.steps = steps;
            row.result = result;
            emit rowChanged(static_cast<int>(index));
        });
    };
    const auto end = [&](const QString& error) {
        tell(asked, [this, error] {
            asked_.reset();
            error_ = error;
            emit changed();
        });
    };
    const auto is_cancelled = [asked] { return asked->cancelled.load(); };
    std::int64_t told = -1;
    const agent::client::LabListener listener{
        .begun =
            [&](std::size_t row) {
                told = -1;
                setRow(row, LabRowState::Phase::kRunning, 0, {});
            },
        .stepped =
            [&](std::size_t row, std::int64_t steps) {
                if (std::exchange(told, steps) != steps) setRow(row, LabRowState::Phase::kRunning, steps, {});
            },
        .ended = [&](std::size_t row, const lab::LabResult& result) { setRow(row, LabRowState::Phase::kOver, settings.steps, result); },
        .is_cancelled = is_cancelled};
    try {
        const std::shared_ptr<agent::client::AgentClient> client = slot_->take(kLabConnection, is_cancelled);
        agent::client::runLab(*client, {.project = std::move(project), .settings = settings, .data_dir = agent::client::dataFolder()},
                              listener);
        end({});
    } catch (const std::exception& error) {
        end(QString::fromUtf8(error.what()));
    }
}

}  // namespace ui::session

#include "moc_lab.cpp"
