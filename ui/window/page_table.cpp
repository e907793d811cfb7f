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

struct PageTitles {
    Q_DECLARE_TR_FUNCTIONS(PageTitles)
};

template <class APage>
Page* make(session::Session& session, theme::ThemeController& themes, QWidget* parent) {
    return new APage(session, themes, parent);
}

}  // namespace

const std::array<PageRow, kModeCount>& pageTable() {
    static const std::array<PageRow, kModeCount> rows{{
        {Mode::kWelcome, "welcome", "home", [] { return PageTitles::tr("Welcome"); }, make<WelcomePage>},
        {Mode::kData, "data", "database", [] { return PageTitles::tr("Data"); }, make<DataPage>},
        {Mode::kModel, "model", "layers", [] { return PageTitles::tr("Model"); }, make<ModelPage>},
        {Mode::kCluster, "cluster", "cluster", [] { return PageTitles::tr("Cluster"); }, make<ClusterPage>},
        {Mode::kMonitor, "monitor", "chart", [] { return PageTitles::tr("Monitor"); }, make<MonitorPage>},
        {Mode::kRuns, "runs", "list", [] { return PageTitles::tr("Runs"); }, make<RunsPage>},
        {Mode::kHelp, "help", "help", [] { return PageTitles::tr("Help"); }, make<HelpPage>},
    }};
    return rows;
}

}  // namespace ui::views
