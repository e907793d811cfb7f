// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/no_project.h"

#include "ui/parts/page.h"
#include "ui/session/project/project.h"

namespace ui::views {

NoProjectPanel::NoProjectPanel(session::Project& project, const theme::ThemeController& themes, const QString& icon, Page* page)
    : StatePanel(themes, QStringLiteral("noProject"), page), icon_(icon) {
    connect(this, &StatePanel::firstClicked, page, [page] { emit page->modeRequested(Mode::kWelcome); });
    connect(this, &StatePanel::secondClicked, &project, &session::Project::create);
    retranslate();
}

void NoProjectPanel::retranslate() {
    setContent({.icon = icon_,
                .title = tr("No project yet"),
                .sentence = tr("Choose a template on the Welcome page (Ctrl+1), or open a project (Ctrl+O)."),
                .first = tr("Choose a template"),
                .second = tr("New blank project")});
}

}  // namespace ui::views

#include "moc_no_project.cpp"
