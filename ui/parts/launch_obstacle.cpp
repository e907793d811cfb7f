// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/launch_obstacle.h"

#include <algorithm>

#include "ui/models/finding_text.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"

namespace ui::views {

QString launchObstacle(const session::Session& session) {
    const QString obstacle = session.launcher().obstacle();
    const auto& all = session.project().diagnostics();
    const auto first = std::find_if(all.begin(), all.end(), [](const auto& d) { return d.severity == engine::spec::Severity::kError; });
    const bool of_findings = !obstacle.isEmpty() && session.project().isOpen() && !session.runs().hasActiveOfOwn() && first != all.end();
    return of_findings ? models::withName(obstacle, models::findingText(first->message)) : obstacle;
}

}  // namespace ui::views
