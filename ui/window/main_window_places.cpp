// SPDX-License-Identifier: GPL-3.0-or-later
// What the locator finds: pages, actions, layers, tasks, runs, settings of the project and of the window.
#include <QAction>
#include <QDateTime>
#include <QLocale>

#include "engine/spec/cluster/task_plan.h"
#include "ui/models/place_model.h"
#include "ui/parts/languages.h"
#include "ui/parts/shortcut_store.h"
#include "ui/session/error_text.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/runs.h"
#include "ui/window/main_window.h"

namespace ui::views {

using models::Place;
using models::PlaceKind;

std::vector<Place> MainWindow::places() {
    std::vector<Place> places;
    const auto isMode = [this](const QAction* action) {
        return std::find(actions_.modes.begin(), actions_.modes.end(), action) != actions_.modes.end();
    };
    for (QAction* action : actions_.modes) {
        places.push_back({.kind = PlaceKind::kPage,
                          .text = ShortcutStore::titleOf(action),
                          .keys = action->shortcut().toString(QKeySequence::NativeText),
                          .go = [action] { action->trigger(); }});
    }
    for (QAction* action : shortcuts_->actions()) {
        const QString text = ShortcutStore::titleOf(action);
        if (text.isEmpty() || !action->isEnabled() || isMode(action) || action == actions_.locator) continue;
        places.push_back(
            {.kind = PlaceKind::kAction, .text = text, .keys = action->shortcut().toString(QKeySequence::NativeText), .go = [action] {
                 action->trigger();
             }});
    }
    addProjectPlaces(places);
    for (const auto& run : session_.runs().list()) {
        const QString when = QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.created_unix_ns / 1'000'000), QLocale::ShortFormat);
        places.push_back({.kind = PlaceKind::kRun,
                          .text = run.name,
                          .detail = QStringLiteral("%1, %2, %3").arg(session::runStateText(run.state), when, run.id),
                          .go = [this, id = run.id] {
                              session_.runs().show(id);
                              showMode(Mode::kMonitor);
                          }});
    }
    addSettingPlaces(places);
    return places;
}

void MainWindow::addProjectPlaces(std::vector<Place>& places) {
    if (!session_.project().isOpen()) return;
    const auto& project = session_.project().spec();
    for (std::size_t i = 0; i < project.model.layers.size(); ++i) {
        const auto& layer = project.model.layers[i];
        places.push_back({.kind = PlaceKind::kLayer,
                          .text = QString::fromStdString(layer.name),
                          .detail = QString::fromStdString(layer.class_name),
                          .go = [this, i] { reveal(QStringLiteral("model.layers[%1]").arg(i)); }});
    }
    for (const auto& job : project.cluster.spec.jobs) {
        for (const auto& [index, address] : job.tasks) {
            const QString path = QStringLiteral("cluster.%1[%2]").arg(QString::fromStdString(job.name)).arg(index);
            places.push_back({.kind = PlaceKind::kTask,
                              .text = QString::fromStdString(toString(engine::spec::TaskId{job.name, index})),
                              .detail = QString::fromStdString(address),
                              .go = [this, path] { reveal(path); }});
        }
    }
    const std::pair<QString, QString> settings[] = {
        {tr("Loss"), "compile.loss"},           {tr("Optimizer"), "compile.optimizer"},
        {tr("Metrics"), "compile.metrics"},     {tr("Batch per replica"), "data.batch_size_per_replica"},
        {tr("Shuffle buffer"), "data.shuffle"}, {tr("Sharding"), "data.auto_shard"},
        {tr("Epochs"), "fit.epochs"},           {tr("Callbacks"), "callbacks"},
        {tr("Strategy"), "strategy.name"},      {tr("All-reduce"), "strategy.communication"}};
    for (const auto& [text, path] : settings) {
        places.push_back({.kind = PlaceKind::kSetting, .text = text, .detail = path, .go = [this, path = path] { reveal(path); }});
    }
}

void MainWindow::addSettingPlaces(std::vector<Place>& places) {
    for (const auto& [code, name] : availableLanguages()) {
        places.push_back(
            {.kind = PlaceKind::kSetting, .text = name, .detail = tr("Language"), .go = [this, code = code] { setLanguage(code); }});
    }
    places.push_back({.kind = PlaceKind::kSetting,
                      .text = themes_.reduceMotion() ? tr("Allow motion") : tr("Reduce motion"),
                      .detail = tr("Folding and fading"),
                      .go = [this] { setReduceMotion(!themes_.reduceMotion()); }});
}

}  // namespace ui::views
