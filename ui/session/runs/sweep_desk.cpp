// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/sweep_desk.h"

#include <chrono>
#include <cstdlib>

#include "agent/client/project_files.h"
#include "agent/client/sweep_run.h"
#include "engine/spec/error.h"
#include "ui/session/host/client_slot.h"

namespace ui::session {

namespace sweep = engine::sweep;

namespace {

constexpr std::chrono::seconds kSweepDeskConnection{30};
constexpr int kLeaveThem = 3;

}  // namespace

SweepDesk::SweepDesk(std::shared_ptr<ClientSlot> slot, QObject* parent) : QObject(parent), slot_(std::move(slot)) {}

SweepDesk::~SweepDesk() {
    for (auto& [asked, thread] : threads_) asked->interrupts = kLeaveThem;
    threads_.clear();  // joins them
}

void SweepDesk::begin(Work work) {
    std::erase_if(threads_, [](const auto& one) { return one.first->done.load(); });
    error_.clear();
    asked_ = std::make_shared<Asked>();
    threads_.emplace_back(asked_, std::jthread([this, asked = asked_, work = std::move(work)] {
                              try {
                                  work(asked);
                                  end(asked, {});
                              } catch (const std::exception& error) {
                                  end(asked, QString::fromUtf8(error.what()));
                              }
                              asked->done = true;
                          }));
    emit changed();
}

void SweepDesk::tell(const std::shared_ptr<Asked>& asked, std::function<void()> news) {
    QMetaObject::invokeMethod(
        this,
        [this, asked, news = std::move(news)] {
            if (asked == asked_) news();
        },
        Qt::QueuedConnection);
}

void SweepDesk::end(const std::shared_ptr<Asked>& asked, const QString& error) {
    tell(asked, [this, error] {
        asked_.reset();
        error_ = error;
        emit changed();
    });
}

void SweepDesk::tellSweep(const std::shared_ptr<Asked>& asked, const engine::spec::RunSpec& project, const sweep::Sweep& now,
                          const QString& folder) {
    tell(asked, [this, name = QString::fromStdString(project.name), now, folder] {
        const bool is_new = !sweep_ || folder != folder_;
        sweep_ = now;
        project_name_ = name;
        folder_ = folder;
        is_new ? emit changed() : emit progressed();
    });
}

void SweepDesk::work(const std::shared_ptr<Asked>& asked, const agent::client::SweepFolder& folder, sweep::SweepFile file) {
    const QString path = QString::fromStdString(folder.path().string());
    const auto tellNow = [&](const sweep::Sweep& now) { tellSweep(asked, file.project, now, path); };
    tellNow(file.sweep);
    const auto client = slot_->take(kSweepDeskConnection, [asked] { return asked->interrupts > 0; });
    agent::client::SweepOrder order{.folder = folder, .project = file.project, .data_dir = agent::client::dataFolder()};
    if (const char* socket = std::getenv("SSH_AUTH_SOCK"); socket != nullptr) order.ssh_agent = socket;
    agent::client::runSweep(*client, file.sweep, order, {.changed = tellNow, .interrupts = [asked] { return asked->interrupts.load(); }});
    tellNow(file.sweep);
}

void SweepDesk::start(engine::spec::RunSpec project, const QString& base_folder, sweep::SweepSettings settings) {
    if (isRunning()) return;
    if (!base_folder.isEmpty()) agent::client::resolveFiles(project, base_folder.toStdString());
    sweep_.reset();
    begin([this, project = std::move(project), settings = std::move(settings)](const std::shared_ptr<Asked>& asked) {
        const agent::client::SweepFolder folder = agent::client::SweepFolder::make(agent::client::newSweepFolder());
        sweep::Sweep now(settings, sweep::longestOf(settings, project));
        folder.save(project, now);
        work(asked, folder, {project, std::move(now)});
    });
}

void SweepDesk::resume(const QString& folder_path) {
    if (isRunning()) return;
    begin([this, folder_path](const std::shared_ptr<Asked>& asked) {
        const agent::client::SweepFolder folder = agent::client::SweepFolder::open(folder_path.toStdString());
        work(asked, folder, folder.load());
    });
}

void SweepDesk::show(const QString& folder) {
    if (isRunning()) return;
    begin([this, folder](const std::shared_ptr<Asked>& asked) {
        const sweep::SweepFile file = agent::client::readSweep(folder.toStdString());
        tellSweep(asked, file.project, file.sweep, folder);
    });
}

void SweepDesk::stop() {
    if (asked_ == nullptr) return;
    asked_->interrupts = std::min(2, asked_->interrupts.load() + 1);
    emit changed();
}

void SweepDesk::clear() {
    if (isRunning()) return;
    sweep_.reset();
    folder_.clear();
    error_.clear();
    emit changed();
}

QStringList SweepDesk::earlier() {
    QStringList folders;
    try {
        for (const std::filesystem::path& folder : agent::client::listSweeps()) folders << QString::fromStdString(folder.string());
    } catch (const engine::Error&) {  // no variable says where: there are none
    }
    return folders;
}

}  // namespace ui::session

#include "moc_sweep_desk.cpp"
