// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_table.h"

#include <QCoreApplication>

#include "ui/cluster/cluster_page.h"
#include "ui/data/data_page.h"
#include "ui/help/help_page.h"
#include "ui/model/model_page.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/runs_page.h"
#include "ui/welcome/welcome_page.h"

namespace ui::views {

namespace {

// The window's words, of which the titles of its pages are some.
struct Titles {
    Q_DECLARE_TR_FUNCTIONS(MainWindow)
};

template <class APage>
Page* make(session::Session& session, theme::ThemeController& themes, QWidget* parent) {
    return new APage(session, themes, parent);
}

}  // namespace

const std::array<PageRow, kModeCount>& pageTable() {
    static const std::array<PageRow, kModeCount> rows{{
        {Mode::kWelcome, "welcome", "home", [] { return Titles::tr("Welcome"); }, make<WelcomePage>},
        {Mode::kData, "data", "database", [] { return Titles::tr("Data"); }, make<DataPage>},
        {Mode::kModel, "model", "layers", [] { return Titles::tr("Model"); }, make<ModelPage>},
        {Mode::kCluster, "cluster", "cluster", [] { return Titles::tr("Cluster"); }, make<ClusterPage>},
        {Mode::kMonitor, "monitor", "chart", [] { return Titles::tr("Monitor"); }, make<MonitorPage>},
        {Mode::kRuns, "runs", "list", [] { return Titles::tr("Runs"); }, make<RunsPage>},
        {Mode::kHelp, "help", "help", [] { return Titles::tr("Help"); }, make<HelpPage>},
    }};
    return rows;
}

}  // namespace ui::views
